"""The conduct of an evening without I/O: messages in, effects out.

`Table` reads no clock and draws no random number: moments come in with the messages, seeds as an answer to `WantSeed`.
A `Place` knows what one seat holds in its hand and has on its glass, a scene knows what a wish means; `Table` takes
each message from the one to the other and tells the shell what came of it.
"""

from collections.abc import Iterable

from drivers.messages import (
    Device,
    Drawn,
    Found,
    Levelled,
    Light,
    Lost,
    Message,
    Opened,
    Pressed,
    Released,
    Replaced,
    Settled,
    Shaken,
    Tilted,
)
from engine import DUDO, Rules
from firmware_host.table.about import pressed_about, told_about
from firmware_host.table.commands import Command
from firmware_host.table.desk import TableDesk
from firmware_host.table.effects import Effect, FromHouse, Publish, Record, Seeded, Show
from firmware_host.table.events import (
    Away,
    Back,
    DeviceFound,
    DeviceLost,
    DeviceReplaced,
    Leaving,
    MatchBrokenOff,
    TroubleBegan,
    TroubleEnded,
)
from firmware_host.table.keys import Act, Key, Peek, Step
from firmware_host.table.leaves import leaves
from firmware_host.table.lights import Lights
from firmware_host.table.lobby import Lobby
from firmware_host.table.place import Place
from firmware_host.table.presence import Presence
from firmware_host.table.public import PublicState, public_state
from firmware_host.table.scene import Scene
from firmware_host.table.seat_view import Refusal, SceneName, SeatInfo
from firmware_host.table.troubles import FOR_THE_OWNER, Mended, Trouble, Troubled, Troubles
from firmware_host.table.turn_clock import TurnClock
from firmware_host.table.views import seat_view


class Table:
    """One table for one evening. Hand every message to `take`, call `tick` at `deadline_ns`, carry out the effects."""

    def __init__(
        self,
        rules: Rules,
        seats: tuple[SeatInfo, ...],
        scene: Scene | None = None,
        *,
        turn_clock_s: float | None = None,
    ) -> None:
        self._scene = scene or Lobby()
        self._picked_up = scene is not None
        self._places = [Place(seat) for seat in range(len(seats))]
        self._desk = TableDesk(rules, seats, self._places)
        self._lights = Lights()
        self._presence = Presence()
        self._clock = TurnClock(turn_clock_s)
        self._published: PublicState | None = None

    @property
    def scene(self) -> Scene:
        """The part of the evening the table is in."""
        return self._scene

    @property
    def is_idle(self) -> bool:
        """Whether no match runs, nor is about to begin."""
        scene = self._scene
        return isinstance(scene, Lobby) and not scene.is_starting

    @property
    def troubles(self) -> Troubles:
        """What ails the house."""
        return self._desk.troubles

    def take_over(self, troubles: Troubles) -> None:
        """Go on for a table that was here a moment ago: what ailed its house ails this one, and nothing was off."""
        self._desk.troubles = troubles
        self._picked_up = False

    def holds(self, seat: int) -> bool:
        """Whether something that a hand did at a seat has yet to take effect: until then no record rests on it."""
        return self._scene.holds(seat) or self._places[seat].keys.ok_is_open

    @property
    def deadline_ns(self) -> int | None:
        """When `tick` next has something to do; None if never, without a message."""
        lights_ns = self._lights.deadline_ns(in_a_match=self._is_in_a_match)
        waits = self._presence.deadline_ns, self._clock.deadline_ns(self._desk.now_ns)
        due = (self._scene.changes_ns(self._desk.now_ns), lights_ns, *waits, *(p.deadline_ns for p in self._places))
        return min((at_ns for at_ns in due if at_ns is not None), default=None)

    def begin(self, now_ns: int) -> list[Effect]:
        """What to do when the daemon has come up: show every seat where the evening stands."""
        self._desk.now_ns = now_ns
        self._lights.touched(now_ns)
        return self._after(self._scene.begin(self._desk), self._scene)

    def take(self, message: Message | FromHouse, now_ns: int) -> list[Effect]:
        """What to do about a message."""
        self._desk.now_ns = max(now_ns, self._desk.now_ns)
        counts = self._lights.let_through(message, self._desk.now_ns)
        self._touched(message)
        return self._after(self._taken(message) if counts else self._scene, self._scene)

    def tick(self, now_ns: int) -> list[Effect]:
        """What to do because time has passed."""
        before, self._desk.now_ns = self._scene, max(now_ns, self._desk.now_ns)
        for place in self._places:
            place.forget_notice(now_ns)
            place.aside.pass_time(now_ns)
            self._scene = self._keyed(place, place.keys.tick(now_ns))
        return self._after(self._in_time(self._scene, now_ns), before)

    def on_glass(self, now_ns: int) -> None:
        """The effects of the last answer are carried out: from this moment on a press is about what it changed.

        Without this, what an answer changed counts from the moment of the answer, although a record may have kept it
        from the glasses for longer.
        """
        self._lights.on_glass(now_ns)
        for place in self._places:
            place.on_glass(now_ns)

    # What time alone brings

    def _in_time(self, scene: Scene, now_ns: int) -> Scene:
        """The next scene, if one is due: one thing at a time, the scene's own first."""
        if scene.deadline_ns is not None and scene.deadline_ns <= now_ns:
            return scene.tick(self._desk)
        if self._presence.is_deserted(now_ns):
            return self._broken_off(scene)
        if gone := self._presence.overdue(now_ns) or self._presence.idle_in_the_lobby(now_ns):
            return scene.leave(gone, Leaving.AWAY, self._desk)
        return scene.time_up(self._desk) if self._clock.is_up(now_ns) else scene

    def _broken_off(self, scene: Scene) -> Scene:
        assert scene.game is not None
        self._desk.announce(MatchBrokenOff(scene.game.id))
        return Lobby()

    def _touched(self, message: Message | FromHouse) -> None:
        """Note whose hand that was; a cable that is pulled or put back is none."""
        if not isinstance(message, Pressed | Shaken | Tilted):
            return
        if self._presence.touched(message.seat, self._desk.now_ns):
            self._desk.announce(Back(message.seat))

    # From a message to the next scene

    def _taken(self, message: Message | FromHouse) -> Scene:
        scene = self._scene
        match message:
            case Pressed() | Released() | Tilted() | Levelled():
                place = self._places[message.seat]
                return self._keyed(place, place.keys.take(message))
            case Shaken(seat):
                return scene.shaken(seat, self._desk)
            case Settled(seat, at_ns, entropy):
                return scene.settled(seat, at_ns, entropy, self._desk)
            case Drawn(seat, deal, commitment):
                return scene.committed(seat, deal, commitment, self._desk)
            case Opened(seat, deal, entropy):
                return scene.opened(seat, deal, entropy, self._desk)
            case Seeded(seed):
                return scene.seeded(seed, self._desk)
            case Lost(seat, device, why):
                return self._lost(seat, device, why)
            case Found(seat, device):
                return self._found(seat, device)
            case Replaced(seat, device):
                self._desk.announce(DeviceReplaced(seat, device))
                return scene
            case Troubled(what, why):
                return self._troubled(what, why)
            case Mended(what):
                return self._mended(what)

    def _keyed(self, place: Place, keys: Iterable[Key]) -> Scene:
        scene = self._scene
        for key in keys:
            match key:
                case Step(by):
                    self._stepped(place, key, by)
                case Peek(is_open):
                    place.wants_look = is_open
                    if is_open and scene.look(place.seat) is None:
                        scene.looked_in_vain(place.seat, self._desk)
                case Act():
                    scene = self._acted(scene, place, key)
        return scene

    def _stepped(self, place: Place, key: Step, by: int) -> None:
        """Leaf through the hands where they lie open, else move the cursor, unless the dice cover the menu."""
        if (place.looks or self._scene.name is SceneName.REVEAL) and (hands := self._leaves(place)):
            place.turn_leaf(by, len(hands))
        elif not place.keys.ok_is_held:
            self._moved_cursor(place, key)

    def _moved_cursor(self, place: Place, key: Step) -> None:
        leads_aside = key.by > 0 and not key.held and place.is_at_the_end and self._scene.may_leave(place.seat)
        if place.aside.is_open or leads_aside:
            place.aside.open(self._desk.now_ns)
        if place.aside.is_open or not leads_aside:
            place.step(key)
        if place.menu.chosen is Command.BACK:
            place.aside.shut()

    def _leaves(self, place: Place) -> tuple[int, ...]:
        game = self._scene.game
        return () if game is None else leaves(self._scene.name, game.position, game.player(place.seat))

    def _acted(self, scene: Scene, place: Place, key: Act) -> Scene:
        place.forget_notice()
        if not place.had_seen(key.since_ns):
            late = scene.name in (SceneName.BIDDING, SceneName.CALLED) or (key.dudo and scene.name is SceneName.REVEAL)
            self._desk.refuse(place.seat, Refusal.BID_CHANGED if late else Refusal.MENU_CHANGED)
            return scene
        item = DUDO if key.dudo else place.menu.chosen
        if item is None or (key.dudo and scene.name is not SceneName.BIDDING):
            scene.pressed_in_vain(place.seat, self._desk)
            return scene
        if place.aside.is_open and isinstance(item, Command):
            return self._asked(scene, place, item)
        return scene.act(place.seat, item, key.at_ns, self._desk)

    def _asked(self, scene: Scene, place: Place, item: Command) -> Scene:
        """A seat picked something from its aside."""
        if item is Command.GIVE_UP:
            place.aside.ask(self._desk.now_ns)
            return scene
        place.aside.shut()
        if item is Command.GO:
            return scene.leave((place.seat,), Leaving.GAVE_UP, self._desk)
        gone = self._presence.vote(place.seat) if item is Command.WITHOUT else ()
        return scene.leave(gone, Leaving.OUTVOTED, self._desk) if gone else scene

    def _lost(self, seat: int, device: Device, why: str) -> Scene:
        if self._desk.absent.lose(seat, device, why):
            self._desk.announce(DeviceLost(seat, device, why))
        if device is not Device.PANEL:
            self._keyed(self._places[seat], self._places[seat].keys.let_go())
        return self._scene.lost(seat, device, self._desk)

    def _found(self, seat: int, device: Device) -> Scene:
        if self._desk.absent.find(seat, device):
            self._desk.announce(DeviceFound(seat, device))
        if device is Device.BOARD:
            self._places[seat].light_up(self._desk.now_ns)
        return self._scene.found(seat, device, self._desk)

    def _troubled(self, what: Trouble, why: str) -> Scene:
        if self._desk.troubles.take(what, why):
            self._desk.announce(TroubleBegan(what, why))
            self._warn(what)
        return self._scene

    def _mended(self, what: Trouble) -> Scene:
        if self._desk.troubles.mend(what):
            self._desk.announce(TroubleEnded(what))
            for place in self._places:
                place.forget_trouble(what)
        return self._scene

    def _warn(self, what: Trouble) -> None:
        """Interrupt those whom it concerns; in the empty lobby nobody is interrupted, and it is told all the time."""
        if not self._is_empty:
            for place in self._places:
                if self._desk.seats[place.seat].is_service or what not in FOR_THE_OWNER:
                    place.warn(what, self._desk.now_ns)

    # From the next scene to effects

    def _after(self, scene: Scene, before: Scene) -> list[Effect]:
        """The effects of having come from `before` to `scene`: hide, record, then tell, ask, show and let look."""
        self._scene = scene
        moved = scene != before
        if before.game is None and scene.game is not None:
            self._mended(Trouble.JOURNAL_ANEW)  # the evening has begun anew
        self._picked_up = self._picked_up and not moved
        bid_changed = pressed_about(before) != pressed_about(scene)
        self._let_time_pass()
        for seat in self._presence.follow(scene, self._desk.now_ns):
            self._desk.announce(Away(seat))
        self._clock.follow(scene, self._desk.now_ns)
        for place in self._places:
            place.look(now=scene.look(place.seat) is not None, soon=scene.deals_soon(place.seat))
            place.note_look(scene.game)
            if scene.name is not before.name or not (place.looks or scene.name is SceneName.REVEAL):
                place.leaf = 0
            place.offer(scene.menu(place.seat, self._desk), anew=bid_changed, now_ns=self._desk.now_ns)
            if scene.name is not before.name or _awaits(scene, place.seat) is not _awaits(before, place.seat):
                place.aside.shut()
            place.offer_aside(may_agree=self._presence.may_vote(place.seat), now_ns=self._desk.now_ns)
            place.outlive_notice(moved=told_about(before, place.seat) != told_about(scene, place.seat))
        gates = [gate for place in self._places if (gate := place.gate())]
        public = self._public(scene)
        return [
            *(gate for gate in gates if not gate.open),
            *([Record(scene)] if moved else []),
            *self._told(public),
            *self._desk.asked(),
            *self._shows(public),
            *(gate for gate in gates if gate.open),
        ]

    def _let_time_pass(self) -> None:
        self._lights.pass_time(self._desk.now_ns, in_a_match=self._is_in_a_match, is_empty=self._is_empty)
        if self._lights.light is Light.DARK:  # what is still held there is held by no hand
            for place in self._places:
                self._keyed(place, place.keys.let_go())

    @property
    def _is_empty(self) -> bool:
        return isinstance(self._scene, Lobby) and not self._scene.joined

    @property
    def _is_in_a_match(self) -> bool:
        return self._scene.game is not None and self._scene.name is not SceneName.OVER

    def _told(self, public: PublicState) -> list[Effect]:
        """What is new to the room."""
        told: list[Effect] = [*self._desk.told()]
        if public != self._published:
            told.append(Publish(public))
        self._published = public
        return told

    def _public(self, scene: Scene) -> PublicState:
        desk = self._desk
        clock_s = self._clock.left_s(desk.now_ns)
        return public_state(scene, desk, desk.absent.missing, desk.troubles.all, self._presence, clock_s)

    def _shows(self, public: PublicState) -> list[Show]:
        """What is new on each seat's glass."""
        return [show for place in self._places if (show := place.news(self._show(place, public)))]

    def _show(self, place: Place, public: PublicState) -> Show:
        may_agree = self._presence.may_vote(place.seat)
        troubles, picked_up = self._desk.troubles, self._picked_up
        view = seat_view(place, public, self._lights, troubles, picked_up=picked_up, may_agree=may_agree)
        return Show(place.seat, view, place.menu, self._scene.look(place.seat))


def _awaits(scene: Scene, seat: int) -> bool:
    """Whether the table waits for a seat."""
    return scene.game is not None and scene.game.player(seat) in scene.waiting_for()
