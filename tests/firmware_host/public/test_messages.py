"""Public lines of whole matches: states agree with the events before them, and nothing hidden is in them."""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import inspect
from support.table.harness import TableHarness

from drivers.messages import Device
from engine import RULESETS, Hand, Match, RoundKind, Rules
from firmware_host import wire
from firmware_host.public.encoder import LineEncoder
from firmware_host.store.journal import records
from firmware_host.table.effects import Announce, Publish, Record
from firmware_host.table.scenes.bidding import Bidding
from firmware_host.table.scenes.called import Called
from firmware_host.table.scenes.revealing_entropy import RevealingEntropy
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.scenes.shaking import Shaking
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.view import SceneName
from firmware_host.table.table import Table

rule_sets = st.sampled_from(list(RULESETS.values()))
EVENINGS = [(rules, players, seed) for seed, rules in enumerate(RULESETS.values()) for players in ((0, 1), (0, 2, 3))]


@lru_cache(16)
def whole(rules: Rules, players: tuple[int, ...], seed: int) -> TableHarness:
    """Return a match at a table of four, with cables pulled now and then, and the lobby after it."""
    rng = random.Random(seed)
    harness = TableHarness(rules, seats=4, seed=seed).joined(*players)
    while harness.scene is not SceneName.OVER:
        if rng.random() < 0.1:
            seat, device = rng.choice(list(harness)), rng.choice([Device.PANEL, Device.CUP])
            rng.choice([seat.lose, seat.find])(device)
        rng.choice([hand for hand in harness if hand.awaited]).does_something(rng)
    harness[players[0]].pick(MenuCommand.AGAIN)
    return harness


def writer(harness: TableHarness) -> LineEncoder:
    return LineEncoder([seat.name for seat in harness.seat_infos])


def encoded_lines(harness: TableHarness) -> Iterator[bytes]:
    """Yield the lines that a reader gets who is there from the beginning."""
    writes = writer(harness)
    for effect in harness.effects:
        if isinstance(effect, Announce):
            yield writes.event(effect.event)
        elif isinstance(effect, Publish):
            yield writes.state(effect.state)


@pytest.mark.parametrize(("rules", "players", "seed"), EVENINGS, ids=str)
def test_every_line_of_an_evening_reads_back_to_itself(rules: Rules, players: tuple[int, ...], seed: int) -> None:
    for line in encoded_lines(whole(rules, players, seed)):
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        back = msgspec.to_builtins(wire.read(line))
        if back["type"] != "state":
            numbered = {"type": back.pop("type"), "seq": json.loads(line)["seq"]}
            back = {**numbered, **back, "sentences": json.loads(line)["sentences"]}
        assert msgspec.json.encode(back) + b"\n" == line


@dataclass
class Folded:
    """What a reader can know who was told one state, long ago, and every event since."""

    playing: set[int] = field(default_factory=set)
    match: str | None = None
    players: tuple[int, ...] = ()
    dice: tuple[int, ...] = ()
    number: int = 0
    kind: RoundKind = RoundKind.NORMAL
    cups_down: set[int] = field(default_factory=set)
    bid: tuple[int, int, int] | None = None
    passer: int | None = None
    showdown: wire.PublicShowdown | None = None
    standings: tuple[int, ...] = ()
    missing: set[tuple[int, Device]] = field(default_factory=set)

    def fold(self, line: wire.AnyLine) -> None:
        match line:
            case wire.Joined(seat=seat):
                self.playing.add(seat)
            case wire.Left(seat=seat):
                self.playing.discard(seat)
            case wire.MatchBegan(match=match, players=players):
                self.match, self.players = match, players
            case wire.OrderLine():
                self.cups_down = set()
            case wire.RoundLine(number=number, kind=kind, dice=dice):
                self.number, self.kind, self.dice = number, kind, dice
                self.cups_down, self.bid, self.passer, self.showdown = set(), None, None, None
            case wire.CupSettled(seat=seat):
                self.cups_down.add(seat)
            case wire.ActionLine(seat=seat, bid=bid) if bid is not None:
                self.bid, self.passer = (bid.quantity, bid.face, seat), None
            case wire.ActionLine(seat=seat, action="pass"):
                self.passer = seat
            case wire.RevealLine(showdown=showdown, dice=dice):
                self.showdown, self.dice = showdown, dice
            case wire.MatchWon(standings=standings):
                self.standings = standings
            case wire.DeviceLost(seat=seat, device=device):
                self.missing.add((seat, device))
            case wire.DeviceFound(seat=seat, device=device):
                self.missing.discard((seat, device))

    def check(self, state: wire.PublicState) -> None:
        """Hold a state to it."""
        seats = state.seats
        assert {(number, device) for number, seat in enumerate(seats) for device in seat.missing} == self.missing
        if state.scene == SceneName.LOBBY:
            assert state.match is None
            assert {number for number, seat in enumerate(seats) if seat.playing} == self.playing
            return
        assert (state.match, state.players) == (self.match, self.players)
        assert state.standings == (self.standings if state.scene == SceneName.OVER else ())
        if not self.dice:
            assert not state.order
            return
        assert tuple(seat.dice for seat in seats) == self.dice
        if state.scene == SceneName.SHAKING:
            assert set(state.cups_down) == self.cups_down
        if state.scene == SceneName.BIDDING:
            bid = state.standing
            assert (bid and (bid.quantity, bid.face, bid.seat)) == self.bid
            assert state.passer == self.passer
        if state.scene in (SceneName.REVEAL, SceneName.OVER):
            assert state.showdown == self.showdown
        if state.scene != SceneName.CHOOSING:
            assert state.round is not None
            assert (state.round.number, state.round.kind) == (self.number, self.kind)


@pytest.mark.parametrize(("rules", "players", "seed"), EVENINGS, ids=str)
def test_each_state_is_what_the_events_before_it_add_up_to(rules: Rules, players: tuple[int, ...], seed: int) -> None:
    folded, states = Folded(), 0
    for line in map(wire.read, encoded_lines(whole(rules, players, seed))):
        if isinstance(line, wire.PublicState):
            folded.check(line)
            states += 1
        else:
            folded.fold(line)
    assert states > 20


@pytest.mark.parametrize(("rules", "players", "seed"), EVENINGS, ids=str)
def test_a_table_that_comes_up_again_begins_with_the_state_it_was_in(
    rules: Rules, players: tuple[int, ...], seed: int
) -> None:
    harness = whole(rules, players, seed)
    scene: Scene | None = None
    resumed = 0
    for effect in harness.effects:
        if isinstance(effect, Record):
            scene = records.decode_scene(effect.scene.name.value, records.encode_scene(effect.scene))
        if isinstance(effect, Publish) and scene is not None:
            table = Table(rules, harness.seat_infos, scene)
            (first,) = (again.state for again in table.begin(harness.now_ns) if isinstance(again, Publish))
            seats = tuple(msgspec.structs.replace(seat, missing=()) for seat in effect.state.seats)
            assert first == msgspec.structs.replace(effect.state, seats=seats)
            scene, resumed = None, resumed + 1
    assert resumed > 20


# What is hidden


def lists_in(kind: inspect.Type, path: str = "") -> Iterator[str]:
    """Yield the paths of all fields of a type that can hold dice: numbers in a list, and whatever is no plain value."""
    match kind:
        case inspect.StructType(cls=cls, fields=fields):
            for field in fields:
                yield from lists_in(field.type, f"{cls.__name__}.{field.name}")
        case inspect.UnionType(types=types):
            for each in types:
                yield from lists_in(each, path)
        case inspect.VarTupleType(item_type=inspect.StructType() as item):
            yield from lists_in(item, path)
        case inspect.IntType() | inspect.StrType() | inspect.BoolType() | inspect.NoneType():
            pass
        case _:
            yield path


SEATS = {
    *(
        f"PublicState.{name}"
        for name in ("players", "order", "waiting_for", "may_call", "may_see", "cups_down", "standings", "phones")
    ),
    *("PublicShowdown.out", "MatchBegan.players", "OrderLine.order", "MatchWon.standings", "MatchReopened.players"),
    *("UndoRequest.agreed", "UndoRequest.needed"),
}
WORDS = {
    *("MatchBegan.robots", "PublicSeat.missing"),
    *("PublicState.choices", "PublicState.troubles", "ChoiceAwaited.choices"),
}
NUMBERS_OF_DICE = {"RoundLine.dice", "RevealLine.dice", "MatchReopened.dice"}
SHOWN_DICE = {"PublicState.rolls", "OrderLine.rolls", "PublicShowdown.hands"}


def test_no_field_but_these_has_room_for_dice() -> None:
    """Most events are encoded field by field as they are: a new field shows up here before it shows a hand."""
    assert {*lists_in(inspect.type_info(wire.AnyLine))} == SEATS | WORDS | NUMBERS_OF_DICE | SHOWN_DICE


def state_of(scene: Scene, harness: TableHarness) -> bytes:
    return writer(harness).state(harness.table._outputs.public_state(scene))


def hidden(scene: Scene) -> Scene | None:
    """Return the same scene with other dice under the cups, or made of other seeds; None where nothing is hidden."""
    match scene:
        case Bidding(game=game):
            hands = tuple(Hand(die % 6 + 1 for die in hand) for hand in game.match._hands)
            return replace(scene, game=replace(game, match=Match(game.position, hands), to_open=("other",)))
        case Called(game=game, caller=caller, call=call):
            hands = tuple(Hand(die % 6 + 1 for die in hand) for hand in game.match._hands)
            other = replace(game, match=Match(game.position, hands), to_open=("other",))
            return replace(scene, game=other, outcome=replace(other, match=other.match.play(caller, call)))
        case Shaking(seed=seed, shares=shares) | RevealingEntropy(seed=seed, shares=shares) if seed:
            others = tuple(replace(share, entropy=bytes(8)) for share in shares)
            return replace(scene, seed=b"other", shares=others)
    return None


@pytest.mark.slow
@settings(max_examples=8)
@given(rule_sets, st.integers(0, 10_000))
def test_what_is_under_the_cups_and_what_it_is_made_of_change_no_byte(rules: Rules, seed: int) -> None:
    harness = whole(rules, (0, 2, 3), seed)
    forks = [(scene, other) for scene in harness.records if (other := hidden(scene)) is not None]
    assert len(forks) > 10
    for scene, other in forks:
        assert scene != other
        assert state_of(scene, harness) == state_of(other, harness)


@settings(max_examples=8)
@given(rule_sets, st.integers(0, 10_000))
def test_hands_are_nowhere_but_in_a_showdown(rules: Rules, seed: int) -> None:
    for line in map(wire.read, encoded_lines(whole(rules, (0, 1), seed))):
        if isinstance(line, wire.PublicState):
            assert (line.showdown is not None) == (line.scene in (SceneName.REVEAL, SceneName.OVER))
            assert not line.rolls or line.scene == SceneName.SHAKING


@pytest.mark.slow
@settings(max_examples=8)
@given(rule_sets, st.integers(0, 10_000))
def test_while_bids_are_made_who_may_look_is_told_of_every_seat(rules: Rules, seed: int) -> None:
    for line in map(wire.read, encoded_lines(whole(rules, (0, 2, 3), seed))):
        if isinstance(line, wire.PublicState):
            assert len(line.may_see) == (len(line.seats) if line.scene == SceneName.BIDDING else 0)
            assert all(line.seats[other].dice for seen in line.may_see for other in seen)
