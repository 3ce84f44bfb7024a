"""A `Table` without devices for tests: hands that press and shake, time that is passed in, every seat's display.

    harness = TableHarness(PERUDO, seats=4).joined().dealt()
    harness[0].pick(Bid(3, 4))
    harness[1].press(Button.DUDO)
    harness.revealed()
    assert harness.scene is SceneName.REVEAL

Every message goes through `send`, which asserts what must hold for every answer of the table: the order of the effects,
a record where the scene changed and nowhere else, a deadline in the future.
"""

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from support.table.program_cup import ProgramCup

from drivers.messages import Button, Device, Found, Levelled, Lost, Message, Pressed, Released, Settled, Shaken, Tilted
from engine import DUDO, PERUDO, Bid, Hand, Match, Phase, Position, Reason, Round, RoundKind, Rules, View, legal_actions
from firmware_host.table.effects import Announce, Effect, HostMessage, Publish, Record, Seeded, SetPeek, Show
from firmware_host.table.events import ActionTaken, LeaveReason, PublicEvent, Undone
from firmware_host.table.robots import AskRobot, RobotAction, RobotTurn
from firmware_host.table.scenes.bidding import CALL_WINDOW_NS, Bidding
from firmware_host.table.scenes.called import CALL_SHOWN_NS, Called
from firmware_host.table.scenes.choosing import Choosing
from firmware_host.table.scenes.deal import RequestCommitment, RequestEntropy, RequestSeed
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.over import MatchOver
from firmware_host.table.scenes.reveal import MIN_TOLD_NS, Reveal
from firmware_host.table.scenes.revealing_entropy import RevealingEntropy
from firmware_host.table.scenes.scene import Game, Scene
from firmware_host.table.scenes.shaking import Shaking
from firmware_host.table.seat.menu import Menu, MenuCommand, MenuItem
from firmware_host.table.seat.names import NO_NAMES, NameOptions
from firmware_host.table.seat.view import SceneName, SeatInfo, SeatView, TableReason
from firmware_host.table.staff.actions import NO_MENU, StaffOptions
from firmware_host.table.staff.sound import AS_AT_FIRST, SoundAndLight
from firmware_host.table.staff_control import StaffControl
from firmware_host.table.table import Table
from firmware_host.wire import Left, MatchBrokenOff, MatchPaused, MatchReopened, MatchResumed, SeatHandedOver, TimeUp

MS = 1_000_000
SECOND = 1000 * MS
START_NS = 1000 * SECOND
Event = TypeVar("Event", bound=PublicEvent)
NAMES = ("North", "East", "South", "West", "Nora", "Emil", "Saul", "Wilma")


class TableHarness:
    """A table of `seats`, in the lobby or in `scene`. `harness[2]` is the hand at seat 2.

    The seats in `programs` have a cup with a program of its own, which may have been in use before (`cups`).
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
        names: NameOptions = NO_NAMES,
        staff: StaffOptions = NO_MENU,
        sound: SoundAndLight = AS_AT_FIRST,
        phones: Collection[int] = (),
    ) -> None:
        self.cups = {seat: ProgramCup(seat, random.Random(f"{seed}/{seat}")) for seat in programs}
        self.cups.update(cups or {})
        self.seat_infos = tuple(
            SeatInfo(name, dudo_button=dudo_button, commits=seat in self.cups, is_phone=seat in phones)
            for seat, name in enumerate(NAMES[:seats])
        )
        self.table = Table(
            rules, self.seat_infos, scene, turn_clock_s=turn_clock_s, names=names, staff=staff, sound=sound
        )
        self.rng = random.Random(seed)
        self.now_ns = START_NS
        self.effects: list[Effect] = []
        self.shown: dict[int, Show] = {}
        self.robots: dict[int, RobotTurn | None] = {}
        self.open: set[int] = set()
        self.pressed: set[int] = set()
        self.seeds_at_once = seeds_at_once
        self.seeds_wanted = 0
        self._hands = tuple(SeatHand(self, seat) for seat in range(seats))
        before = self.table.scene
        self._carry_out(self.table.begin(self.now_ns), before)

    def give_staff(self, options: StaffOptions) -> None:
        """Replace the staff menu with one of other options."""
        staff = self.table._staff
        StaffControl.__init__(staff, options, staff._context, staff._seats, staff._parts)

    def __getitem__(self, seat: int) -> "SeatHand":
        return self._hands[seat]

    def __iter__(self) -> Iterator["SeatHand"]:
        return iter(self._hands)

    # Messages and time

    def send(self, message: Message | HostMessage) -> list[Effect]:
        """Give the table a message now."""
        if isinstance(message, Pressed):
            self.pressed.add(message.seat)
        if isinstance(message, RobotAction):
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
        assert self.table.scene == next(iter(scenes_in(effects)), before)
        on_time = {event.seat for event in events_in(effects) if isinstance(event, TimeUp)}
        assert {event.seat for event in actions_in(effects)} <= self.pressed | on_time, "said without a press"
        assert not seats_given_up(effects) - self.pressed, "left without a press"
        self.effects += effects
        for effect in effects:
            match effect:
                case Show(seat):
                    self.shown[seat] = effect
                case AskRobot(seat, turn):
                    self.robots[seat] = turn
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
        """Send the answers of the cups, but for those that keep silent."""
        for cup in self.cups.values():
            while not cup.keeps_silent and cup.answers:
                self.send(cup.answers.pop(0))

    def give_seed(self) -> None:
        """Answer the oldest `RequestSeed`."""
        assert self.seeds_wanted, "the table wants no seed"
        self.seeds_wanted -= 1
        self.send(Seeded(self.rng.randbytes(32)))

    def let_robot_act(self, seat: int, item: MenuItem | None = None) -> list[Effect]:
        """Have the robot at a seat do what its turn says, or pick an item."""
        turn = self.robots[seat]
        assert turn is not None
        picked = item or turn.item
        assert picked is not None
        return self.send(RobotAction(seat, picked, turn.subject, self.now_ns))

    # What can be seen

    @property
    def scene(self) -> SceneName:
        return self.table.scene.name

    @property
    def game(self) -> Game:
        assert self.table.scene.game is not None
        return self.table.scene.game

    @property
    def lobby(self) -> Lobby:
        """The lobby, without the match that can be reopened."""
        assert isinstance(self.table.scene, Lobby)
        return replace(self.table.scene, last=None)

    @property
    def position(self) -> Position:
        return self.game.position

    @property
    def turn(self) -> "SeatHand":
        """The hand at the seat in turn."""
        assert self.position.turn is not None
        return self[self.game.players[self.position.turn]]

    @property
    def events(self) -> list[PublicEvent]:
        """The public events so far."""
        return [effect.event for effect in self.effects if isinstance(effect, Announce)]

    @property
    def records(self) -> list[Scene]:
        """The scenes that were made durable so far."""
        return scenes_in(self.effects)

    def events_of(self, kind: type[Event]) -> list[Event]:
        """Return the public events of one kind so far."""
        return [event for event in self.events if isinstance(event, kind)]

    def after(self, act: Callable[[], object]) -> list[Effect]:
        """Return the effects of an act."""
        before = len(self.effects)
        act()
        return self.effects[before:]

    # Steps of a match

    def joined(self, *seats: int) -> "TableHarness":
        """Start a match of these seats, or of all."""
        for seat in seats or range(len(self._hands)):
            self[seat].pick(MenuCommand.JOIN)
        self[seats[0] if seats else 0].pick(MenuCommand.START)
        self.wait(5)
        return self

    def dealt(self) -> "TableHarness":
        """Let every seat shake, and choose the first item, until a bid is awaited."""
        while self.scene in (SceneName.SHAKING, SceneName.CHOOSING):
            for hand in self:
                if hand.awaited and self.scene is SceneName.SHAKING:
                    hand.shake()
                elif hand.awaited:
                    hand.pick(hand.menu.items[0])
        return self

    def revealed(self) -> "TableHarness":
        """Wait until a call is decided and read, and the cups are up."""
        if self.scene is SceneName.BIDDING:
            self.wait(CALL_WINDOW_NS / SECOND)
        assert self.scene is SceneName.CALLED, f"nobody has called in {self.table.scene}"
        self.wait(CALL_SHOWN_NS / SECOND)
        return self

    def told(self) -> "TableHarness":
        """Wait until a reveal has told all."""
        if self.scene is not SceneName.REVEAL:
            self.revealed()
        assert isinstance(self.table.scene, Reveal)
        self.wait(max(0, self.table.scene.told_ns - self.now_ns) / SECOND)
        return self

    def until_over(self, rng: random.Random) -> "TableHarness":
        """Play at random, from the menus alone, until the match is won."""
        while self.scene is not SceneName.OVER:
            hands = [hand for hand in self if hand.awaited]
            assert hands, f"nobody is awaited in {self.table.scene}"
            rng.choice(hands).does_something(rng)
        return self


class SeatHand:
    """A hand at one seat, and what is on the display there."""

    def __init__(self, harness: TableHarness, seat: int) -> None:
        self._harness = harness
        self.seat = seat

    # The hand

    def press(self, button: Button = Button.OK, *, at_ns: int | None = None) -> list[Effect]:
        return self._harness.send(Pressed(self.seat, button, self._stamp(at_ns)))

    def release(self, button: Button = Button.OK, *, at_ns: int | None = None) -> list[Effect]:
        return self._harness.send(Released(self.seat, button, self._stamp(at_ns)))

    def tap(self, button: Button = Button.OK) -> None:
        self.hold(button, for_s=0.05)
        self._harness.wait(0.05)

    def hold(self, button: Button = Button.OK, *, for_s: float) -> None:
        self.press(button)
        self._harness.wait(for_s)
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
        self._harness.send(Shaken(self.seat, self._harness.now_ns))
        self._harness.wait(0.5)
        if self.seat in self._harness.cups:
            self._harness.cups[self.seat].settle()
            entropy = b""
        entropy = self._harness.rng.randbytes(8) if entropy is None else entropy
        self._harness.send(Settled(self.seat, self._harness.now_ns, entropy))

    def tilt(self) -> list[Effect]:
        return self._harness.send(Tilted(self.seat, self._harness.now_ns))

    def level(self) -> list[Effect]:
        return self._harness.send(Levelled(self.seat, self._harness.now_ns))

    @property
    def cup(self) -> ProgramCup:
        """The program in the seat's cup."""
        return self._harness.cups[self.seat]

    def unplug(self) -> list[Effect]:
        """Pull the cable of a cup with a program, which then forgets everything."""
        self.cup.start()
        return self.lose(Device.CUP)

    def lose(self, device: Device = Device.BUTTONS) -> list[Effect]:
        return self._harness.send(Lost(self.seat, device, "the cable is out"))

    def find(self, device: Device = Device.BUTTONS) -> list[Effect]:
        return self._harness.send(Found(self.seat, device))

    def does_something(self, rng: random.Random) -> None:
        """Do something at random that the table waits for; after a call, wait until it is revealed.

        After the last OK during the cues of a reveal, wait until their end has been shown.
        """
        if MenuCommand.ROLL in self.menu.items or self._harness.scene is not SceneName.SHAKING:
            self._picks_something(rng)
        else:
            self.shake()
        if self._harness.scene is SceneName.CALLED:
            self._harness.revealed()
        elif self._harness.scene is SceneName.REVEAL and not any(hand.awaited for hand in self._harness):
            self._harness.wait(MIN_TOLD_NS / SECOND)

    def _picks_something(self, rng: random.Random) -> None:
        position, me = self.view.position, self.view.me
        legal = legal_actions(position, me) if position and me is not None else ()
        if DUDO in legal and DUDO not in self.menu.items and rng.random() < 0.4:
            self.tap(Button.DUDO)
        else:
            self.pick(rng.choice([*self.menu.items[:4], *self.menu.items[-2:]]))

    def _stamp(self, at_ns: int | None) -> int:
        return self._harness.now_ns if at_ns is None else at_ns

    # The display

    @property
    def show(self) -> Show:
        return self._harness.shown[self.seat]

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
    def is_peeking(self) -> bool:
        """Whether the gate is open."""
        return self.seat in self._harness.open

    @property
    def peeked(self) -> View | None:
        """The dice under the cup, while the gate is open."""
        return self.show.look if self.is_peeking else None


@dataclass(frozen=True)
class LaidRound:
    """A round that is laid out by hand: dice by seat, and the standing bid."""

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


def lay_out(
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
) -> TableHarness:
    """Return a harness in the middle of a round: seat 0 opens, or `bid` stands by seat `by`."""
    cups = tuple(tuple(hand) for hand in hands)
    game = LaidRound(rules, cups, bid, by, kind, owner, fallen).game
    scene = Bidding(game=game)
    return TableHarness(rules, len(cups), dudo_button=dudo_button, scene=scene, turn_clock_s=turn_clock_s)


def scenes_in(effects: Iterable[Effect]) -> list[Scene]:
    """Return the scenes that these effects make durable."""
    return [effect.scene for effect in effects if isinstance(effect, Record)]


def events_in(effects: Iterable[Effect]) -> list[PublicEvent]:
    """Return the public events of these effects."""
    return [effect.event for effect in effects if isinstance(effect, Announce)]


def actions_in(effects: Iterable[Effect]) -> list[ActionTaken]:
    """Return the players' actions among these effects."""
    return [event for event in events_in(effects) if isinstance(event, ActionTaken)]


def seats_given_up(effects: Iterable[Effect]) -> set[int]:
    """Return the seats that gave up, by these effects."""
    return {event.seat for event in events_in(effects) if isinstance(event, Left) and event.why is LeaveReason.GAVE_UP}


def check_answer(before: Scene, effects: list[Effect]) -> None:
    """Assert what must hold for every answer of the table: the order of the effects, and one legal step."""
    ranks = [_rank(effect) for effect in effects]
    assert ranks == sorted(ranks), f"effects out of order: {ranks}"
    records, actions = scenes_in(effects), actions_in(effects)
    assert len(records) <= 1, "two records for one message"
    assert before not in records, "a record of nothing new"
    assert records or not actions, "something said that is not durable"
    for scene in records:
        _check_move(before, scene, actions, events_in(effects))


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


def _check_move(before: Scene, after: Scene, actions: list[ActionTaken], events: list[PublicEvent]) -> None:
    """Assert that a change of the scene is one legal step of the match, and the one that was announced."""
    if any(isinstance(event, MatchReopened) for event in events):
        assert before.ended is not None
        assert after.game is not None
        assert after.game.position == before.ended.position
        assert after.game.deals == before.ended.deals
        return
    if before.game is None or after.game is None:
        assert not actions
        is_broken_off = any(isinstance(event, MatchBrokenOff) for event in events)
        assert isinstance(before, Lobby | MatchOver) is not is_broken_off
        assert isinstance(after, Lobby | Shaking)
        return
    if before.paused is not after.paused and replace(before, paused=after.paused) == after:
        assert [type(event) for event in events] == [MatchPaused if after.paused else MatchResumed]
        return
    assert before.game.id == after.game.id
    if any(isinstance(event, Undone) for event in events):
        _check_undo(before, after)
        return
    if any(isinstance(event, SeatHandedOver) for event in events):
        assert after == replace(before, game=replace(before.game, head=after.game.head))
        return
    assert after.game.deals >= before.game.deals
    assert after.game.position.number >= before.game.position.number
    assert _settled(after).fallen[: len(_settled(before).fallen)] == _settled(before).fallen
    was, became = _settled(before).match, _settled(after).match
    gone = [before.game.player(event.seat) for event in events if isinstance(event, Left)]
    if gone:
        _check_leaving(before.game, _settled(after), gone, actions)
        return
    for event in actions:
        player = before.game.player(event.seat)
        assert player is not None
        was = was.play(player, event.action)
    match before:
        case Bidding():
            assert len(actions) == 1
        case Choosing() if not actions:
            was = was.forgo()
        case Shaking() | RevealingEntropy() if after.game.deals > before.game.deals:
            assert after.game.deals == before.game.deals + 1
            assert not actions
            was = became  # dice from outside; that they fit is the engine's own check
    assert was == became


def _check_undo(before: Scene, after: Scene) -> None:
    """Assert that the match is the one before the last action, and that nothing but the chain tells the difference."""
    assert before.game is not None
    assert after.game is not None
    match before:
        case Bidding(game=game):
            expected = game.match.undo()
            assert expected is not game.match
        case Called(game=game):
            expected = game.match
        case Shaking(unchosen=game):
            assert game is not None
            expected = game.match
        case _:
            raise AssertionError(f"an undo in {before.name}")
    assert after.game.match == expected
    assert after.game.match.history == expected.history
    assert after.game.deals - before.game.deals == (isinstance(before, Shaking) and before.is_bound)
    assert (after.game.fallen, after.game.left) == (before.game.fallen, before.game.left)


def _check_leaving(before: Game, after: Game, gone: list[int | None], actions: list[ActionTaken]) -> None:
    """Assert what the engine does when somebody leaves: nobody else loses a die, and none stays visible."""
    match = before.match
    for player in gone:
        assert player is not None
        assert match.position.dice[player]
        match = match.leave(player)
    assert not actions
    assert after.match == match
    assert not after.to_open
    assert after.match._hands == ()
    assert after.left == (*before.left, *gone)


def _settled(scene: Scene) -> Game:
    """Return the game as far as it is decided."""
    assert scene.game is not None
    return scene.outcome if isinstance(scene, Called) else scene.game
