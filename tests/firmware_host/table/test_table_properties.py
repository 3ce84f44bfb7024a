"""Whatever hands do, in whatever order and with whatever stamps: the match is played by its rules or not at all.

The second half is secrecy at the table: rounds are forked at the deal, and whoever may not see a die must not be able
to tell the two apart.
"""

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.table.harness import MS, TableHarness, check_answer
from support.table.held_commitments import hold_commitments

from drivers.messages import (
    Button,
    Device,
    Drawn,
    Found,
    Levelled,
    Lost,
    Message,
    Opened,
    Pressed,
    Released,
    Settled,
    Shaken,
    Tilted,
)
from engine import KILL_SPOT, PERUDO, PYRUDO, RULESETS, Hand, Match, Phase, Position, RoundKind, Rules
from engine.match import visible_seats
from firmware_host.store.journal import records
from firmware_host.table.effects import Announce, Effect, Record, Seeded, SetPeek, Show
from firmware_host.table.events import Revealed, RoundBegan
from firmware_host.table.scenes.bidding import Bidding
from firmware_host.table.scenes.deal import RequestSeed
from firmware_host.table.scenes.scene import Game, Scene
from firmware_host.table.scenes.shaking import Shaking
from firmware_host.table.seat.view import SceneName

Step = tuple[str, int, int, int]  # what, at which seat, how long after the last (ms), its stamp's error (ms)
KINDS = [
    *["tap ok", "tap dudo", "shake"] * 6,
    *["tap left", "tap right", "press ok", "release ok", "press dudo", "release dudo", "tilt", "level"] * 2,
    *["press left", "release left", "shaken", "settled", "seed", "lose", "find", "wait", "drawn", "opened"],
]
steps = st.lists(
    st.tuples(
        st.sampled_from(KINDS),
        st.integers(0, 7),
        st.sampled_from([0, 0, 1, 10, 29, 30, 31, 100, 400, 1000, 2500, 10_000, 31_000]),
        st.sampled_from([0, 0, 0, -1, 1, -20, 20, -1000, 1000, -900_000, 900_000]),
    ),
    min_size=10,
    max_size=50,
)
rule_sets = st.sampled_from(list(RULESETS.values()))
sizes = st.sampled_from([2, 3, 4, 8])


def messages(step: Step, seats: int, now_ns: int) -> list[Message | Seeded]:
    """Return one step's messages: one, or the press and the release of a tap."""
    what, at, _, error_ms = step
    seat, stamp_ns = at % seats, now_ns + error_ms * MS
    verb, _, name = what.partition(" ")
    devices = list(Device)
    match verb:
        case "tap":
            return [Pressed(seat, Button(name), stamp_ns), Released(seat, Button(name), stamp_ns + 50 * MS)]
        case "press":
            return [Pressed(seat, Button(name), stamp_ns)]
        case "release":
            return [Released(seat, Button(name), stamp_ns)]
        case "shake":
            return [Shaken(seat, stamp_ns), Settled(seat, stamp_ns, b"shake")]
        case "shaken":
            return [Shaken(seat, stamp_ns)]
        case "settled":
            return [Settled(seat, stamp_ns, b"")]
        case "tilt":
            return [Tilted(seat, stamp_ns)]
        case "level":
            return [Levelled(seat, stamp_ns)]
        case "drawn":
            return [Drawn(seat, bytes(32), bytes(32))]
        case "opened":
            return [Opened(seat, bytes(32), bytes(32))]
        case "seed":
            return [Seeded(b"nobody asked for this one" + bytes(7))]
        case "lose":
            return [Lost(seat, devices[error_ms % 4], "gone")]
        case "find":
            return [Found(seat, devices[error_ms % 4])]
    return []


def programs(seats: int, seed: int) -> range:
    """Which seats have a cup with a program of its own: none, some or all."""
    return range(seats * (seed % 3) // 2)


@cache
def some_way(rules: Rules, seats: int, seed: int) -> Scene:
    """Return a scene from the lobby to the end of a match, by chance."""
    rng = random.Random(seed)
    harness = TableHarness(rules, seats, seed=seed, programs=programs(seats, seed))
    if seed % 6:
        harness.joined()
        for _ in range(seed % 6 * rng.randrange(5 * seats)):
            if harness.scene is SceneName.OVER:
                break
            rng.choice([hand for hand in harness if hand.awaited]).does_something(rng)
    return harness.table.scene


def somewhere(rules: Rules, seats: int, seed: int) -> TableHarness:
    """Return a table some way into a match, or still in its lobby; its cups restarted."""
    scene = some_way(rules, seats, seed)
    return TableHarness(rules, seats, seed=seed, dudo_button=seed % 2 == 0, scene=scene, programs=programs(seats, seed))


@pytest.mark.slow
@settings(max_examples=60)
@given(rule_sets, sizes, st.integers(0, 23), steps)
def test_any_messages_in_any_order_are_legal_play_or_nothing(
    rules: Rules, seats: int, seed: int, script: list[Step]
) -> None:
    harness = somewhere(rules, seats, seed)
    for step in script:  # `TableHarness` holds each answer to the engine and to the presses there were
        harness.wait(step[2] / 1000)
        for message in messages(step, seats, harness.now_ns):
            harness.send(message)


@pytest.mark.slow
@settings(max_examples=40)
@given(rule_sets, sizes, st.integers(0, 23), steps, st.lists(st.integers(-(10**12), 10**12), max_size=30))
def test_a_clock_that_goes_backward_stops_nothing(
    rules: Rules, seats: int, seed: int, script: list[Step], clocks: list[int]
) -> None:
    harness = somewhere(rules, seats, seed)
    for step, jump_ns in zip(script, clocks, strict=False):
        now_ns = max(0, harness.now_ns + jump_ns)
        for message in messages(step, seats, now_ns):
            before = harness.table.scene
            check_answer(before, harness.table.handle(message, now_ns))
        before = harness.table.scene
        check_answer(before, harness.table.tick(now_ns))


@pytest.mark.slow
@settings(max_examples=40)
@given(rule_sets, sizes, st.integers(0, 23), steps)
def test_every_scene_that_is_recorded_can_be_taken_up_again(
    rules: Rules, seats: int, seed: int, script: list[Step]
) -> None:
    harness = somewhere(rules, seats, seed)
    for step in script:
        for message in messages(step, seats, harness.now_ns):
            harness.send(message)
    for scene in harness.records[-5:]:
        back = records.decode_scene(records.scene_name(scene), records.encode_scene(scene))
        assert back == scene
        again = TableHarness(rules, seats, scene=back, programs=programs(seats, seed))
        assert again.scene in (scene.name, SceneName.SHAKING)
        again.wait(60)


# Secrecy


@cache
def at_a_deal(rules: Rules, seats: int, seed: int, kind: RoundKind = RoundKind.NORMAL) -> Bidding:
    """Return a round of this kind whose dice have just fallen."""
    for another in range(seed, 1000, 50):
        harness = TableHarness(rules, seats, seed=another).joined()
        skipped = 0 if kind is not RoundKind.NORMAL else seed % 4
        while harness.scene is not SceneName.OVER:
            scene, position = harness.table.scene, harness.position
            if isinstance(scene, Bidding) and position.standing is None and position.kind is kind:
                if not skipped:
                    return scene
                skipped -= 1
            harness.rng.choice([hand for hand in harness if hand.awaited]).does_something(harness.rng)
    raise AssertionError(f"no {kind} round at any table")


def with_hands(scene: Bidding, change: Callable[[Hand, int], Hand]) -> Bidding:
    """Return the same round with other dice."""
    match = scene.game.match
    hands = tuple(change(hand, player) for player, hand in enumerate(match._hands))
    return Bidding(game=replace(scene.game, match=Match(match.position, hands)))


def other_dice(hand: Hand) -> Hand:
    return Hand(die % 6 + 1 for die in hand)


def played(scene: Bidding, rules: Rules, seats: int, script: Iterable[Step]) -> list[Effect]:
    """Return all effects of the script up to the reveal."""
    harness = TableHarness(rules, seats, scene=scene)
    for step in script:
        before = len(harness.effects)
        harness.wait(step[2] / 1000)
        for message in messages(step, seats, harness.now_ns):
            harness.send(message)
        if any(isinstance(effect, Announce) and isinstance(effect.event, Revealed) for effect in harness.effects):
            return harness.effects[:before]
    return harness.effects


def reaches(seat: int, effects: Iterable[Effect]) -> list[Effect]:
    """Return what a seat can know of these effects: its display, all gates, the public events; never the journal."""
    return [effect for effect in effects if not isinstance(effect, Record) and getattr(effect, "seat", seat) == seat]


def check_non_interference(scene: Bidding, rules: Rules, seats: int, script: list[Step]) -> None:
    """Change what each seat may not see, and hold what reaches it to be the same."""
    for seat in range(seats):
        player = scene.game.player(seat)
        seen = () if player is None else visible_seats(scene.game.position, player)

        def hidden_changed(hand: Hand, whose: int, seen: tuple[int, ...] = seen) -> Hand:
            return hand if whose in seen else other_dice(hand)

        twin = with_hands(scene, hidden_changed)
        ours, theirs = (reaches(seat, played(fork, rules, seats, script)) for fork in (scene, twin))
        assert ours == theirs


@pytest.mark.slow
@settings(max_examples=30)
@given(rule_sets, st.sampled_from([2, 3, 4]), st.integers(0, 11), steps)
def test_what_a_seat_may_not_see_changes_nothing_that_reaches_it(
    rules: Rules, seats: int, seed: int, script: list[Step]
) -> None:
    check_non_interference(at_a_deal(rules, seats, seed), rules, seats, script)


SPECIAL = [(rules, kind) for rules in RULESETS.values() for kind in rules.special]
PEEKS: list[Step] = [
    *[("tilt", seat, 10, 0) for seat in range(3)],
    ("tap ok", 0, 100, 0),
    ("tap ok", 1, 100, 0),
    ("tap ok", 2, 100, 0),
    *[("level", seat, 10, 0) for seat in range(3)],
    *[("press ok", seat, 10, 0) for seat in range(3)],
    ("wait", 0, 1000, 0),
    ("tap right", 1, 10, 0),
    ("tap dudo", 0, 100, 0),
]


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "kind"), SPECIAL, ids=str)
def test_what_a_special_round_hides_changes_nothing_that_reaches_a_seat(rules: Rules, kind: RoundKind) -> None:
    for seed in range(3):
        check_non_interference(at_a_deal(rules, 3, seed, kind), rules, 3, PEEKS)


def test_a_leak_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = at_a_deal(PYRUDO, 3, 1)
    monkeypatch.setattr("engine.match.visible_seats", lambda position, seat: position.living)
    with pytest.raises(AssertionError):
        check_non_interference(scene, PYRUDO, 3, PEEKS)


def texts(effects: Iterable[Effect]) -> list[str]:
    """Return everything that a careless log line could make of these effects."""
    found = []
    for effect in effects:
        things: list[object] = [effect]
        match effect:
            case Record(scene):
                things += [scene, scene.game, scene.game and scene.game.match]
            case Show(_, view, menu, look):
                things += [view, menu, look, look and look.hands, look and look.legal, view.position]
            case Announce(event):
                things += [event]
        found += [text for thing in things for text in (repr(thing), f"{thing}")]
    return found


def check_no_text_shows_dice(scene: Bidding, rules: Rules, seats: int, script: list[Step]) -> None:
    twin = with_hands(scene, lambda hand, _: other_dice(hand))
    ours, theirs = (played(fork, rules, seats, script) for fork in (scene, twin))
    assert texts(ours) == texts(theirs)
    assert repr(scene) == repr(twin)


@pytest.mark.slow
@settings(max_examples=12)
@given(rule_sets, st.sampled_from([2, 3, 4]), st.integers(0, 11), steps)
@example(PERUDO, 3, 1, PEEKS)
def test_no_text_of_anything_shows_dice_before_the_reveal(
    rules: Rules, seats: int, seed: int, script: list[Step]
) -> None:
    check_no_text_shows_dice(at_a_deal(rules, seats, seed), rules, seats, script)


def test_dice_in_a_text_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = at_a_deal(PYRUDO, 3, 1)
    monkeypatch.setattr(Hand, "__repr__", tuple.__repr__)
    with pytest.raises(AssertionError):
        check_no_text_shows_dice(scene, PYRUDO, 3, PEEKS)


def shaken_with(seed: bytes, entropy: bytes) -> list[Effect]:
    """Return the effects of a shake, which differ by the dice's source alone."""
    game = Game("the same", Match.start(KILL_SPOT, 3), (0, 1, 2))
    harness = TableHarness(KILL_SPOT, 3, scene=Shaking(game=game), seeds_at_once=False)
    harness.send(Seeded(seed))
    for hand in harness:
        hand.shake(entropy)
        hand.tilt()
    harness[1].hold(for_s=1)
    assert harness.scene is SceneName.BIDDING
    return harness.effects


def test_neither_seed_nor_entropy_is_in_any_text(monkeypatch: pytest.MonkeyPatch) -> None:
    hold_commitments(monkeypatch, b"")
    assert texts(shaken_with(b"a" * 32, b"A" * 8)) == texts(shaken_with(b"b" * 32, b"B" * 8))


def test_messages_do_not_show_what_dice_are_made_of() -> None:
    assert repr(Settled(0, 1, b"secret")) == repr(Settled(0, 1, b"hidden"))
    assert repr(Seeded(b"secret")) == repr(Seeded(b"hidden"))


def test_a_view_at_the_own_seat_is_all_that_may_hold_dice() -> None:
    assert not any(isinstance(effect, SetPeek | RequestSeed) for effect in reaches(0, []))
    fields = Position.__dataclass_fields__
    assert "hands" not in fields
    assert "_hands" not in fields


def test_no_round_is_told_with_dice_before_its_reveal() -> None:
    harness = TableHarness(PERUDO, 3).joined().dealt()
    showdowns = [event for event in harness.events if isinstance(event, Revealed)]
    assert showdowns == []
    assert harness.position.showdown is None
    assert harness.position.phase is Phase.BIDDING
    assert len(harness.events_of(RoundBegan)) == 1
