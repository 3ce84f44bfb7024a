"""The cues of a reveal follow from its public line alone, and tell all of it in time."""

from itertools import pairwise

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from support.table.harness import lay_out
from support.table.random_rounds import rounds

from drivers.messages import Button
from engine import CALZA, DUDO, PALO_FIJO, PASS, PERUDO, Bid, Call, Match, Position, Showdown
from firmware_host import wire
from firmware_host.public.encoder import LineEncoder
from firmware_host.table import events
from firmware_host.table.cues import (
    BID_MS,
    FALL_FRAME_MS,
    MAX_CUP_MS,
    MAX_MS,
    TENSE_SHARE,
    Cue,
    CueKind,
    moments_ms,
    reveal_cues,
    told_ms,
)

CUPS = {0: (1, 3, 3, 5, 6), 1: (2, 2, 3, 4, 6), 2: (1, 1, 4, 5, 5)}


@st.composite
def revealed(draw: st.DrawFn) -> Position:
    """Return a position after a call in any round."""
    match = draw(rounds())
    calls = [(seat, call) for seat in range(match.position.seats) for call in Call if call in match.legal(seat)]
    if not calls:
        turn = match.position.turn
        assert turn is not None
        match = match.play(turn, next(iter(match.legal(turn))))
        calls = [(seat, call) for seat in range(match.position.seats) for call in Call if call in match.legal(seat)]
    return match.play(*draw(st.sampled_from(calls))).position


def showdown_of(position: Position) -> Showdown:
    assert position.showdown is not None
    return position.showdown


def cues_of(position: Position) -> tuple[Cue, ...]:
    showdown = showdown_of(position)
    return reveal_cues(showdown, showdown.bid, position.order)


def of_kind(cues: tuple[Cue, ...], kind: CueKind) -> list[Cue]:
    return [cue for cue in cues if cue.kind is kind]


def called(bid: Bid, call: Call = DUDO, match: Match | None = None) -> Position:
    match = Match.start(PERUDO, 3) if match is None else match
    return match.roll(CUPS).play(0, bid).play(1, call).position


@given(revealed())
def test_they_are_sorted_and_all_is_told_within_eight_seconds(position: Position) -> None:
    cues = cues_of(position)
    assert [cue.at_ms for cue in cues] == sorted(cue.at_ms for cue in cues)
    assert cues[0].at_ms == 0
    assert cues[-1].at_ms < told_ms(cues) <= MAX_MS == 8000


@given(revealed())
def test_the_count_runs_up_to_that_of_the_showdown(position: Position) -> None:
    cues, matching = cues_of(position), showdown_of(position).matching
    counts = [cue.count for cue in cues]
    assert counts == sorted(counts)
    assert counts[-1] == (matching or 0)
    if matching is not None:
        assert sum(len(cue.dice) for cue in of_kind(cues, CueKind.COUNT)) == matching


@given(revealed())
def test_dice_light_up_where_they_match_and_aces_only_as_the_rules_say(position: Position) -> None:
    showdown = showdown_of(position)
    for cue in of_kind(cues_of(position), CueKind.COUNT):
        assert cue.seat is not None
        lit = {showdown.hands[cue.seat][place] for place in cue.dice}
        if showdown.was_pass:
            assert len(cue.dice) == len(showdown.hands[cue.seat])
        else:
            assert lit <= {showdown.bid.face, 1}
            assert {showdown.hands[cue.seat][place] for place in cue.wild} == lit - {showdown.bid.face}
            assert not cue.wild or position.rules.wilds_in(showdown.kind)


@given(revealed())
def test_every_cup_goes_up_once_in_the_order_of_play_and_the_bidders_last(position: Position) -> None:
    showdown, order = showdown_of(position), position.order
    lifted = [cue.seat for cue in of_kind(cues_of(position), CueKind.LIFT)]
    if showdown.was_pass:
        living = sorted(order, key=lambda seat: seat != showdown.doubted)
    else:
        after = order.index(showdown.doubted) + 1
        living = [*order[after:], *order[:after]]
    assert lifted == [seat for seat in living if showdown.hands[seat]]


@given(revealed())
def test_a_cup_goes_up_alone_as_long_as_the_call_is_open_and_the_others_together(position: Position) -> None:
    showdown, cues = showdown_of(position), cues_of(position)
    assume(not showdown.was_pass)
    hidden, count, bid = sum(map(len, showdown.hands)), 0, showdown.bid.quantity
    alone, together = list[int](), set[int]()
    for cue in of_kind(cues, CueKind.LIFT):
        assert cue.seat is not None
        totals = range(count, count + hidden + 1)
        verdicts = {total < bid if showdown.call is DUDO else total == bid for total in totals}
        if len(verdicts) > 1:
            alone.append(cue.at_ms)
        else:
            together.add(cue.at_ms)
        hidden -= len(showdown.hands[cue.seat])
        count += sum(len(each.dice) for each in of_kind(cues, CueKind.COUNT) if each.seat == cue.seat)
    assert len({*alone}) == len(alone)
    assert len(together) <= 1
    assert together.isdisjoint(alone)


def test_a_cup_that_can_decide_takes_longer() -> None:
    match = Match.start(PERUDO, 4).roll({0: (2,) * 5, 1: (3, 4, 5, 5, 6), 2: (2, 4, 5, 6, 6), 3: (3, 3, 4, 4, 5)})
    cues = cues_of(match.play(0, Bid(6, 2)).play(1, DUDO).position)
    lifts = of_kind(cues, CueKind.LIFT)
    assert [cue.seat for cue in lifts] == [1, 2, 3, 0]
    ends = [*(cue.at_ms for cue in lifts[1:]), next(cue.at_ms for cue in cues if cue.kind is CueKind.VERDICT)]
    lengths = [end - lift.at_ms for lift, end in zip(lifts, ends, strict=True)]
    assert lengths == [MAX_CUP_MS / 2, MAX_CUP_MS, TENSE_SHARE * MAX_CUP_MS / 2, TENSE_SHARE * MAX_CUP_MS]


def test_once_the_call_is_decided_the_other_cups_go_up_together() -> None:
    cues = cues_of(called(Bid(1, 6)))
    assert [(cue.at_ms - BID_MS, cue.kind, cue.seat, cue.count) for cue in cues[1:-3]] == [
        (0, CueKind.LIFT, 1, 0),
        (400, CueKind.COUNT, 1, 1),
        (1200, CueKind.LIFT, 2, 1),
        (1200, CueKind.LIFT, 0, 1),
        (1450, CueKind.COUNT, 2, 3),
        (1450, CueKind.COUNT, 0, 5),
    ]


@given(revealed())
def test_the_last_one_names_who_pays(position: Position) -> None:
    showdown, last = showdown_of(position), cues_of(position)[-1]
    assert last.seat == (showdown.gainer if showdown.loser is None else showdown.loser)
    assert last.kind is (CueKind.PAYS if showdown.loser is None else CueKind.FALL)


@given(revealed())
def test_a_client_of_the_public_line_computes_the_same(position: Position) -> None:
    showdown = showdown_of(position)
    seats = tuple(range(position.seats))
    event = events.Revealed(showdown, seats, position.dice)
    line = LineEncoder([f"seat {seat}" for seat in seats]).event(event)
    read = wire.read(line)
    assert isinstance(read, wire.RevealLine)
    assert reveal_cues(read.showdown, read.showdown, position.order) == cues_of(position)


@given(revealed())
def test_a_display_changes_at_most_twelve_times_a_second(position: Position) -> None:
    cues = cues_of(position)
    moments = moments_ms(cues)
    assert {cue.at_ms for cue in cues} <= {*moments}
    assert all(later - earlier >= 1000 / 12 for earlier, later in pairwise(moments))
    assert told_ms(cues) - moments[-1] >= FALL_FRAME_MS


def test_a_cup_lifts_before_its_dice_light_up_and_one_without_takes_half_the_time() -> None:
    cues = cues_of(called(Bid(8, 6)))
    assert [(cue.at_ms - BID_MS, cue.kind, cue.seat, cue.count) for cue in cues[1:-3]] == [
        (0, CueKind.LIFT, 1, 0),
        (250, CueKind.COUNT, 1, 1),
        (750, CueKind.LIFT, 2, 1),
        (1150, CueKind.COUNT, 2, 3),
        (1950, CueKind.LIFT, 0, 3),
        (2350, CueKind.COUNT, 0, 5),
    ]
    none = cues_of(called(Bid(7, 1)))
    assert [cue.at_ms - BID_MS for cue in of_kind(none, CueKind.LIFT)] == [0, 375, 1575]


def test_wild_aces_are_told_apart() -> None:
    (_, second, last) = of_kind(cues_of(called(Bid(4, 6))), CueKind.COUNT)
    assert (second.dice, second.wild) == ((0, 1), (0, 1))
    assert (last.dice, last.wild) == ((0, 4), (0,))


def test_aces_that_were_bid_are_not_wild() -> None:
    assert all(not cue.wild for cue in cues_of(called(Bid(2, 1))))


@pytest.mark.parametrize(("seats", "at_most_s"), [(2, 4.5), (4, 6.0), (8, 8.0)])
def test_few_cups_are_quick(seats: int, at_most_s: float) -> None:
    match = Match.start(PERUDO, seats).roll(dict.fromkeys(range(seats), (2,) * 5))
    position = match.play(0, Bid(3, 2)).play(1, DUDO).position
    assert told_ms(cues_of(position)) / 1000 <= at_most_s


def test_no_die_falls_where_nobody_loses_one() -> None:
    held = Match.start(PERUDO, 3).position.replace(dice=(4, 4, 4))
    won = Match(held).roll(dict.fromkeys(range(3), (2, 3, 3, 6))).play(0, Bid(6, 3)).play(1, CALZA).position
    nobody = called(Bid(5, 6), CALZA)
    assert [(cue.kind, cue.seat) for cue in (cues_of(won)[-1], cues_of(nobody)[-1])] == [
        (CueKind.PAYS, 1),
        (CueKind.PAYS, None),
    ]


def test_of_a_doubted_pass_the_passers_cup_goes_up_first_and_the_others_together() -> None:
    harness = lay_out(PALO_FIJO, CUPS.values(), Bid(2, 3))
    harness[1].pick(PASS)
    harness[2].tap(Button.DUDO)
    cues = cues_of(harness.revealed().position)
    assert [(cue.kind, cue.seat) for cue in cues] == [
        (CueKind.BID, 2),
        (CueKind.LIFT, 1),
        (CueKind.COUNT, 1),
        (CueKind.LIFT, 0),
        (CueKind.LIFT, 2),
        (CueKind.VERDICT, None),
        (CueKind.PAYS, 1),
        (CueKind.FALL, 1),
    ]
    assert len({cue.at_ms for cue in cues[3:6]}) == 1


def test_a_cue_is_plain_data() -> None:
    cues = cues_of(called(Bid(4, 6)))
    assert msgspec.json.decode(msgspec.json.encode(cues), type=tuple[Cue, ...]) == cues
