"""The cues of a reveal: cups in order of play, the dice that count, and an end within twelve seconds."""

from firmware_host.public_page.moments import Showdown, reveal_cues

MAX_MS = 12_000


def shown(hands: tuple[tuple[int, ...], ...], matching: int | None, **more: int | None) -> Showdown:
    return Showdown(
        **{"caller": 1, "doubted": 0, "face": 3, "loser": 0, "gainer": None} | more, matching=matching, hands=hands
    )


def test_cups_go_up_in_the_order_of_play_and_only_those_with_dice() -> None:
    cues = reveal_cues(shown(((3,), (), (1, 2)), 1), 3, (2, 1, 0))
    assert [cue.seat for cue in cues if cue.kind == "lift"] == [2, 0]


def test_the_count_runs_up_to_what_matches() -> None:
    cues = reveal_cues(shown(((3, 1), (2,), (3, 3)), 4), 3, (0, 1, 2))
    assert [(cue.count, cue.dice, cue.wild) for cue in cues if cue.kind == "count"] == [
        (2, (0, 1), (1,)),
        (4, (0, 1), ()),
    ]


def test_aces_count_only_where_they_are_wild() -> None:
    cues = reveal_cues(shown(((3, 1), (1, 3)), 2), 3, (0, 1))
    assert [cue.dice for cue in cues if cue.kind == "count"] == [(0,), (1,)]


def test_of_a_doubted_pass_the_hand_of_the_passer_is_shown() -> None:
    cues = reveal_cues(shown(((3, 1, 2, 2, 5), (1, 3)), None), 3, (0, 1))
    assert [(cue.seat, cue.dice, cue.count) for cue in cues if cue.kind == "count"] == [(0, (0, 1, 2, 3, 4), 0)]


def test_no_die_falls_where_nobody_loses_one() -> None:
    cues = reveal_cues(shown(((3,), (2,)), 1, loser=None, gainer=1), 3, (0, 1))
    assert [(cue.kind, cue.seat) for cue in cues][-1] == ("pays", 1)


def test_the_longest_reveal_is_over_within_twelve_seconds() -> None:
    cues = reveal_cues(shown(((3, 3, 3, 3, 3),) * 8, 40), 3, range(8))
    assert [cue.at_ms for cue in cues] == sorted(cue.at_ms for cue in cues)
    assert cues[-1].at_ms < MAX_MS
