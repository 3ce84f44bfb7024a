"""An evening at a `Table` without wires: hands that press and shake, time that is passed in, eyes on every display.

    evening = Evening(PERUDO, seats=4).joined().dealt()
    evening[0].pick(Bid(3, 4))
    evening[1].press(Button.DUDO)
    evening.revealed()
    assert evening.scene is SceneName.REVEAL

Every message goes through `send`, which holds each answer of the table to what must be true of all of them: the order
of the effects, a record wherever the scene moved and nowhere else, a deadline that lies ahead.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from support.table.program_cup import ProgramCup

from drivers.messages import Button, Device, Found, Levelled, Lost, Message, Pressed, Released, Settled, Shaken, Tilted
from engine import DUDO, PERUDO, Bid, Hand, Match, Phase, Position, Reason, Round, RoundKind, Rules, View, legal_actions
from firmware_host.table.effects import Announce, Effect, HostMessage, Publish, Record, Seeded, SetPeek, Show
from firmware_host.table.events import ActionTaken, LeaveReason, Left, MatchBrokenOff, PublicEvent, TimeUp
from firmware_host.table.menu import Menu, MenuCommand, MenuItem
from firmware_host.table.scenes.bidding import CALL_WINDOW_NS, Bidding
from firmware_host.table.scenes.called import CALL_SHOWN_NS, Called
from firmware_host.table.scenes.choosing import Choosing
from firmware_host.table.scenes.deal import RequestCommitment, RequestEntropy, RequestSeed
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.over import MatchOver
from firmware_host.table.scenes.revealing_entropy import RevealingEntropy
from firmware_host.table.scenes.scene import Game, Scene
from firmware_host.table.scenes.shaking import Shaking
from firmware_host.table.seat_view import SceneName, SeatInfo, SeatView, TableReason
from firmware_host.table.table import Table

MS = 1_000_000
SECOND = 1000 * MS
START_NS = 1000 * SECOND
Event = TypeVar("Event", bound=PublicEvent)
NAMES = ("North", "East", "South", "West", "Nora", "Emil", "Saul", "Wilma")


class Evening:
    """A table of `seats`, in the lobby or in `scene`. `evening[2]` is the hand at seat 2.

    Those in `programs` have a cup with a program of its own, which may have been in use before (`cups`).
    """

    def __init__(
        self,
        rules: Rules = PERUDO,
        seats: int = 2,
        *,
        dudo_button: bool = True,
        seed: int = 0,
        scene: Scene | None = None,
        seeds_at_once: bool = True,
        programs: Iterable[int] = (),
        cups: Mapping[int, ProgramCup] | None = None,
        turn_clock_s: float | None = None,
    ) -> None:
        self.cups = {seat: ProgramCup(seat, random.Random(f"{seed}/{seat}")) for seat in programs}
        self.cups.update(cups or {})
        self.furniture = tuple(
            SeatInfo(name, dudo_button=dudo_button, commits=seat in self.cups)
            for seat, name in enumerate(NAMES[:seats])
        )
        self.table = Table(rules, self.furniture, scene, turn_clock_s=turn_clock_s)
        self.rng = random.Random(seed)
        self.now_ns = START_NS
        self.effects: list[Effect] = []
        self.shown: dict[int, Show] = {}
        self.open: set[int] = set()
        self.pressed: set[int] = set()
        self.seeds_at_once = seeds_at_once
        self.seeds_wanted = 0
        self._hands = tuple(SeatHand(self, seat) for seat in range(seats))
        before = self.table.scene
        self._carry_out(self.table.begin(self.now_ns), before)

    def __getitem__(self, seat: int) -> "SeatHand":
        return self._hands[seat]

    def __iter__(self) -> Iterator["SeatHand"]:
        return iter(self._hands)

    # Messages and time

    def send(self, message: Message | HostMessage) -> list[Effect]:
        """Hand the table a message now."""
        if isinstance(message, Pressed):
            self.pressed.add(message.seat)
        before = self.table.scene
        return self._carry_out(self.table.handle(message, self.now_ns), before)

    def wait(self, duration_s: float) -> None:
        """Let time pass, with a tick at every deadline on the way."""
        until_ns = self.now_ns + round(duration_s * SECOND)
        while (due_ns := self.table.deadline_ns) is not None and due_ns <= until_ns:
            self.now_ns = max(self.now_ns, due_ns)
            before = self.table.scene
            self._carry_out(self.table.tick(self.now_ns), before)
            assert self.table.deadline_ns is None or self.table.deadline_ns > self.now_ns, "the tick came to nothing"
        self.now_ns = until_ns

    def _carry_out(self, effects: list[Effect], before: Scene) -> list[Effect]:
        check_answer(before, effects)
        assert self.table.scene == next(iter(recorded_in(effects)), before)
        on_time = {event.seat for event in told_in(effects) if isinstance(event, TimeUp)}
        assert {event.seat for event in said_in(effects)} <= self.pressed | on_time, "said without a press"
        assert not left_by_themselves(effects) - self.pressed, "left without a press"
        self.effects += effects
        for effect in effects:
            match effect:
                case Show(seat):
                    self.shown[seat] = effect
                case SetPeek(seat, True):
                    self.open.add(seat)
                case SetPeek(seat, False):
                    self.open.discard(seat)
                case RequestSeed():
                    self.seeds_wanted += 1
                case RequestCommitment(seat, deal):
                    self.cups[seat].draw(deal)
                case RequestEntropy(seat, deal, head):
                    assert head == self.game.head, "opened with another head than the public one"
                    self.cups[seat].open(deal)
        if self.seeds_at_once and self.seeds_wanted:
            self.give_seed()
        self.let_cups_answer()
        return effects

    def let_cups_answer(self) -> None:
        """Send what cups have to say, unless they keep it to themselves."""
        for cup in self.cups.values():
            while not cup.keeps_silent and cup.answers:
                self.send(cup.answers.pop(0))

    def give_seed(self) -> None:
        """Answer the oldest `RequestSeed`."""
        assert self.seeds_wanted, "the table wants no seed"
        self.seeds_wanted -= 1
        self.send(Seeded(self.rng.randbytes(32)))

    # What can be seen

    @property
    def scene(self) -> SceneName:
        return self.table.scene.name

    @property
    def game(self) -> Game:
        assert self.table.scene.game is not None
        return self.table.scene.game

    @property
    def position(self) -> Position:
        return self.game.position

    @property
    def turn(self) -> "SeatHand":
        """The hand at the seat in turn."""
        assert self.position.turn is not None
        return self[self.game.players[self.position.turn]]

    @property
    def said(self) -> list[PublicEvent]:
        """The public story so far."""
        return [effect.event for effect in self.effects if isinstance(effect, Announce)]

    @property
    def records(self) -> list[Scene]:
        """What was made durable so far."""
        return recorded_in(self.effects)

    def told(self, kind: type[Event]) -> list[Event]:
        """The events of one kind so far."""
        return [event for event in self.said if isinstance(event, kind)]

    def after(self, act: Callable[[], object]) -> list[Effect]:
        """The effects of an act."""
        before = len(self.effects)
        act()
        return self.effects[before:]

    # Ways into an evening

    def joined(self, *seats: int) -> "Evening":
        """A match has begun, of these seats or of all."""
        for seat in seats or range(len(self._hands)):
            self[seat].pick(MenuCommand.JOIN)
        self[seats[0] if seats else 0].pick(MenuCommand.START)
        self.wait(5)
        return self

    def dealt(self) -> "Evening":
        """Everybody who is to shake has, and chooses the first there is, until a bid is awaited."""
        while self.scene in (SceneName.SHAKING, SceneName.CHOOSING):
            for hand in self:
                if hand.awaited and self.scene is SceneName.SHAKING:
                    hand.shake()
                elif hand.awaited:
                    hand.pick(hand.menu.items[0])
        return self

    def revealed(self) -> "Evening":
        """A call that was made has been decided and read, and the cups are up."""
        if self.scene is SceneName.BIDDING:
            self.wait(CALL_WINDOW_NS / SECOND)
        assert self.scene is SceneName.CALLED, f"nobody has called in {self.table.scene}"
        self.wait(CALL_SHOWN_NS / SECOND)
        return self

    def until_over(self, rng: random.Random) -> "Evening":
        """Everybody plays by chance, from the menus alone, until the match is won."""
        while self.scene is not SceneName.OVER:
            hands = [hand for hand in self if hand.awaited]
            assert hands, f"nobody is awaited in {self.table.scene}"
            rng.choice(hands).does_something(rng)
        return self


class SeatHand:
    """A hand at one seat, and the eyes of who sits there."""

    def __init__(self, evening: Evening, seat: int) -> None:
        self._evening = evening
        self.seat = seat

    # The hand

    def press(self, button: Button = Button.OK, *, at_ns: int | None = None) -> list[Effect]:
        return self._evening.send(Pressed(self.seat, button, self._stamp(at_ns)))

    def release(self, button: Button = Button.OK, *, at_ns: int | None = None) -> list[Effect]:
        return self._evening.send(Released(self.seat, button, self._stamp(at_ns)))

    def tap(self, button: Button = Button.OK) -> None:
        self.hold(button, for_s=0.05)
        self._evening.wait(0.05)

    def hold(self, button: Button = Button.OK, *, for_s: float) -> None:
        self.press(button)
        self._evening.wait(for_s)
        self.release(button)

    def point_at(self, item: MenuItem) -> None:
        """Move the cursor to an item."""
        while self.menu.chosen != item:
            ahead = self.menu.items.index(item) > self.menu.cursor
            self.tap(Button.RIGHT if ahead else Button.LEFT)

    def pick(self, item: MenuItem) -> None:
        """Move the cursor to an item and press OK."""
        self.point_at(item)
        self.tap()

    def shake(self, entropy: bytes | None = None) -> None:
        self._evening.send(Shaken(self.seat, self._evening.now_ns))
        self._evening.wait(0.5)
        if self.seat in self._evening.cups:
            self._evening.cups[self.seat].settle()
            entropy = b""
        entropy = self._evening.rng.randbytes(8) if entropy is None else entropy
        self._evening.send(Settled(self.seat, self._evening.now_ns, entropy))

    def tilt(self) -> list[Effect]:
        return self._evening.send(Tilted(self.seat, self._evening.now_ns))

    def level(self) -> list[Effect]:
        return self._evening.send(Levelled(self.seat, self._evening.now_ns))

    @property
    def cup(self) -> ProgramCup:
        """The program in its cup."""
        return self._evening.cups[self.seat]

    def unplug(self) -> list[Effect]:
        """Pull the cable of a cup with a program: it forgets everything."""
        self.cup.start()
        return self.lose(Device.CUP)

    def lose(self, device: Device = Device.BUTTONS) -> list[Effect]:
        return self._evening.send(Lost(self.seat, device, "the cable is out"))

    def find(self, device: Device = Device.BUTTONS) -> list[Effect]:
        return self._evening.send(Found(self.seat, device))

    def does_something(self, rng: random.Random) -> None:
        """What the table waits for, by chance; and if that is a call, until everybody has read it."""
        if MenuCommand.ROLL in self.menu.items or self._evening.scene is not SceneName.SHAKING:
            self._picks_something(rng)
        else:
            self.shake()
        if self._evening.scene is SceneName.CALLED:
            self._evening.revealed()

    def _picks_something(self, rng: random.Random) -> None:
        position, me = self.view.position, self.view.me
        legal = legal_actions(position, me) if position and me is not None else ()
        if DUDO in legal and DUDO not in self.menu.items and rng.random() < 0.4:
            self.tap(Button.DUDO)
        else:
            self.pick(rng.choice([*self.menu.items[:4], *self.menu.items[-2:]]))

    def _stamp(self, at_ns: int | None) -> int:
        return self._evening.now_ns if at_ns is None else at_ns

    # The eyes

    @property
    def show(self) -> Show:
        return self._evening.shown[self.seat]

    @property
    def view(self) -> SeatView:
        return self.show.view

    @property
    def menu(self) -> Menu:
        return self.show.menu

    @property
    def notice(self) -> Reason | TableReason | None:
        return self.view.notice

    @property
    def awaited(self) -> bool:
        return self.view.me is not None and self.view.me in self.view.waiting_for

    @property
    def looks(self) -> bool:
        """Whether the gate is open."""
        return self.seat in self._evening.open

    @property
    def sees(self) -> View | None:
        """What is under the cup, while the gate is open."""
        return self.show.look if self.looks else None


@dataclass(frozen=True)
class Laid:
    """A round that is laid out by hand: dice by seat, and what stands."""

    rules: Rules
    hands: tuple[tuple[int, ...], ...]
    bid: Bid | None = None
    by: int = 0
    kind: RoundKind = RoundKind.NORMAL
    owner: int | None = None
    fallen: tuple[int, ...] = ()

    @property
    def game(self) -> Game:
        seats = tuple(range(len(self.hands)))
        dealt = Round(
            rules=self.rules,
            order=seats,
            dice=tuple(map(len, self.hands)),
            starting_dice=5 * len(seats),
            first=0,
            kind=self.kind,
            owner=self.owner,
        )
        position = Position(dealt, Phase.BIDDING, dealt.living_from(0))
        if self.bid is not None:
            position = Position(dealt, Phase.BIDDING, dealt.after(self.by), standing=self.bid, bidder=self.by)
        return Game("laid", Match(position, tuple(map(Hand, self.hands))), seats, deals=1, fallen=self.fallen)


def laid(
    rules: Rules,
    hands: Iterable[Iterable[int]],
    bid: Bid | None = None,
    *,
    by: int = 0,
    kind: RoundKind = RoundKind.NORMAL,
    owner: int | None = None,
    fallen: tuple[int, ...] = (),
    dudo_button: bool = True,
    turn_clock_s: float | None = None,
) -> Evening:
    """An evening in the middle of a round: seat 0 opens, or `bid` stands by seat `by`."""
    cups = tuple(tuple(hand) for hand in hands)
    game = Laid(rules, cups, bid, by, kind, owner, fallen).game
    scene = Bidding(game=game)
    return Evening(rules, len(cups), dudo_button=dudo_button, scene=scene, turn_clock_s=turn_clock_s)


def recorded_in(effects: Iterable[Effect]) -> list[Scene]:
    """The scenes that some effects make durable."""
    return [effect.scene for effect in effects if isinstance(effect, Record)]


def told_in(effects: Iterable[Effect]) -> list[PublicEvent]:
    """What some effects tell the room."""
    return [effect.event for effect in effects if isinstance(effect, Announce)]


def said_in(effects: Iterable[Effect]) -> list[ActionTaken]:
    """What some effects tell that players said."""
    return [event for event in told_in(effects) if isinstance(event, ActionTaken)]


def left_by_themselves(effects: Iterable[Effect]) -> set[int]:
    """Who some effects tell has given up a seat."""
    return {event.seat for event in told_in(effects) if isinstance(event, Left) and event.why is LeaveReason.GAVE_UP}


def check_answer(before: Scene, effects: list[Effect]) -> None:
    """Hold one answer of the table to what must be true of all: hide, record, tell, show, let look; one legal step."""
    ranks = [_rank(effect) for effect in effects]
    assert ranks == sorted(ranks), f"effects out of order: {ranks}"
    records, said = recorded_in(effects), said_in(effects)
    assert len(records) <= 1, "two records for one message"
    assert before not in records, "a record of nothing new"
    assert records or not said, "something said that is not durable"
    for scene in records:
        _check_move(before, scene, said, told_in(effects))


def _rank(effect: Effect) -> int:
    match effect:
        case SetPeek(_, False):
            return 0
        case Record():
            return 1
        case Announce():
            return 2
        case Publish():
            return 3
        case RequestSeed() | RequestCommitment() | RequestEntropy():
            return 4
        case Show():
            return 5
        case _:
            return 6


def _check_move(before: Scene, after: Scene, said: list[ActionTaken], told: list[PublicEvent]) -> None:
    """Hold a change of the scene to the engine: one legal step of the match, and the one that was told."""
    if before.game is None or after.game is None:
        assert not said
        is_broken_off = any(isinstance(event, MatchBrokenOff) for event in told)
        assert isinstance(before, Lobby | MatchOver) is not is_broken_off
        assert isinstance(after, Lobby | Shaking)
        return
    assert before.game.id == after.game.id
    assert after.game.deals >= before.game.deals
    assert after.game.position.number >= before.game.position.number
    assert _settled(after).fallen[: len(_settled(before).fallen)] == _settled(before).fallen
    was, became = _settled(before).match, _settled(after).match
    gone = [before.game.player(event.seat) for event in told if isinstance(event, Left)]
    if gone:
        _check_leaving(before.game, _settled(after), gone, said)
        return
    for event in said:
        player = before.game.player(event.seat)
        assert player is not None
        was = was.play(player, event.action)
    match before:
        case Bidding():
            assert len(said) == 1
        case Choosing() if not said:
            was = was.forgo()
        case Shaking() | RevealingEntropy() if after.game.deals > before.game.deals:
            assert after.game.deals == before.game.deals + 1
            assert not said
            was = became  # dice from outside; that they fit is the engine's own check
    assert was == became


def _check_leaving(before: Game, after: Game, gone: list[int | None], said: list[ActionTaken]) -> None:
    """Hold a match that somebody leaves to the engine: nobody else loses a die, and none is left to be seen."""
    match = before.match
    for player in gone:
        assert player is not None
        assert match.position.dice[player]
        match = match.leave(player)
    assert not said
    assert after.match == match
    assert not after.to_open
    assert after.match._hands == ()
    assert after.left == (*before.left, *gone)


def _settled(scene: Scene) -> Game:
    """The game as far as it is decided."""
    assert scene.game is not None
    return scene.outcome if isinstance(scene, Called) else scene.game
