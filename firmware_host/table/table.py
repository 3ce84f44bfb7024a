"""The conduct of an evening without I/O: messages in, effects out.

`Table` reads no clock and draws no random number: moments come in with the messages, seeds as an answer to `WantSeed`.
A `SeatState` knows what one seat holds in its hand and has on its glass, a scene knows what a wish means; `Table` takes
each message from the one to the other and tells the shell what came of it.
"""

from collections.abc import Iterable

from drivers.messages import (
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
from firmware_host.table.alerts import ActiveAlerts, Alert, AlertCleared, AlertRaised
from firmware_host.table.brightness import ScreenDimmer
from firmware_host.table.effects import Effect, HostMessage, Record, Seeded
from firmware_host.table.events import DeviceReplaced, LeaveReason
from firmware_host.table.key_input import Confirm, Key, Peek, Step
from firmware_host.table.menu import MenuCommand
from firmware_host.table.outputs import Outputs
from firmware_host.table.scenes.context import SceneContext
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat_state import SeatState
from firmware_host.table.seat_view import SceneName, SeatInfo, TableReason, hand_pages
from firmware_host.table.timeouts import Timeouts


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
        self._scene = self._answered = scene or Lobby()
        self._places = [SeatState(seat) for seat in range(len(seats))]
        self._desk = SceneContext(rules, seats, self._places)
        self._lights = ScreenDimmer()
        self._waiting = Timeouts(turn_clock_s, self._desk)
        self._showing = Outputs(self._desk, self._places, self._lights, self._waiting, picked_up=scene is not None)

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
    def troubles(self) -> ActiveAlerts:
        """What ails the house."""
        return self._desk.troubles

    def take_over(self, troubles: ActiveAlerts) -> None:
        """Go on for a table that was here a moment ago: what ailed its house ails this one, and nothing was off."""
        self._desk.troubles = troubles
        self._showing.picked_up = False

    def remember(self, opened: Iterable[tuple[int, bytes, bytes]]) -> None:
        """Take note of what cups opened before this table was set up: seats, deals and entropies."""
        for seat, deal, entropy in opened:
            self._desk.is_reused(seat, deal, entropy)

    def holds(self, seat: int) -> bool:
        """Whether something that a hand did at a seat has yet to take effect: until then no record rests on it."""
        return self._scene.holds(seat) or self._places[seat].keys.ok_is_open

    @property
    def deadline_ns(self) -> int | None:
        """When `tick` next has something to do; None if never, without a message."""
        scene_ns = self._scene.changes_ns(self._desk.now_ns)
        places_ns = [place.deadline_ns for place in self._places]
        due = scene_ns, self._lights.deadline_ns, self._waiting.deadline_ns, *places_ns
        return min((at_ns for at_ns in due if at_ns is not None), default=None)

    def begin(self, now_ns: int) -> list[Effect]:
        """What to do when the daemon has come up: show every seat where the evening stands."""
        self._desk.now_ns = now_ns
        self._lights.touched(now_ns)
        return self._after(self._scene.begin(self._desk), self._scene)

    def take(self, message: Message | HostMessage, now_ns: int) -> list[Effect]:
        """What to do about a message."""
        self._desk.now_ns = max(now_ns, self._desk.now_ns)
        counts = self._lights.let_through(message, self._desk.now_ns)
        self._waiting.heard(message)
        before, scene = self._scene, self._taken(message) if counts else self._scene
        by_itself = isinstance(message, Seeded | Drawn | Opened)  # nobody at the table has done that
        self._showing.picked_up &= by_itself or scene == before
        return self._after(scene, before)

    def tick(self, now_ns: int) -> list[Effect]:
        """What to do because time has passed."""
        before, self._desk.now_ns = self._scene, max(now_ns, self._desk.now_ns)
        for place in self._places:
            place.pass_time(now_ns)
            self._scene = self._keyed(place, place.keys.tick(now_ns))
        scene = self._scene
        is_due = scene.deadline_ns is not None and scene.deadline_ns <= now_ns
        scene = scene.tick(self._desk) if is_due else self._waiting.tick(scene)
        self._showing.picked_up &= scene == before
        return self._after(scene, before)

    def recover(self, now_ns: int) -> list[Effect]:
        """What to do after an answer that raised: it never was, and whatever hands held down they hold no more."""
        self._desk.forget()
        self._showing.forget()
        self._desk.now_ns = max(now_ns, self._desk.now_ns)
        self._scene = before = self._answered
        for place in self._places:
            place.let_go()
        return self._after(before.begin(self._desk), before)

    def on_glass(self, now_ns: int) -> None:
        """The effects of the last answer are carried out: from this moment on a press is about what it changed.

        Without this, what an answer changed counts from the moment of the answer, although a record may have kept it
        from the glasses for longer.
        """
        self._lights.on_glass(now_ns)
        for place in self._places:
            place.on_glass(now_ns)

    # From a message to the next scene

    def _taken(self, message: Message | HostMessage) -> Scene:
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
                self._desk.lost(seat, device, why)
                return scene.lost(seat, device, self._desk)
            case Found(seat, device):
                self._desk.found(seat, device)
                return scene.found(seat, device, self._desk)
            case Replaced(seat, device):
                self._desk.announce(DeviceReplaced(seat, device))
                return scene
            case AlertRaised(what, why):
                nobody_is_in = isinstance(scene, Lobby) and scene.is_empty
                self._desk.troubled(what, why, interrupts=not nobody_is_in)
                return scene
            case AlertCleared(what):
                self._desk.mended(what)
                return scene

    def _keyed(self, place: SeatState, keys: Iterable[Key]) -> Scene:
        scene = self._scene
        for key in keys:
            match key:
                case Step(by):
                    self._stepped(place, key, by)
                case Peek(is_open):
                    place.wants_look = is_open
                    if is_open and scene.look(place.seat) is None:
                        scene.looked_in_vain(place.seat, self._desk)
                case Confirm():
                    scene = self._acted(scene, place, key)
        return scene

    def _stepped(self, place: SeatState, key: Step, by: int) -> None:
        """Leaf through the hands where they lie open, else move the cursor, unless the dice cover the menu."""
        if (place.looks or self._scene.name is SceneName.REVEAL) and (hands := self._leaves(place)):
            place.turn_leaf(by, len(hands))
        elif not place.keys.ok_is_held:
            place.step(key, self._desk.now_ns, may_leave=self._scene.may_leave(place.seat))

    def _leaves(self, place: SeatState) -> tuple[int, ...]:
        game = self._scene.game
        return () if game is None else hand_pages(self._scene.name, game.position, game.player(place.seat))

    def _acted(self, scene: Scene, place: SeatState, key: Confirm) -> Scene:
        place.forget_notice()
        if not place.had_seen(key.since_ns):
            late = scene.name in (SceneName.BIDDING, SceneName.CALLED) or (key.dudo and scene.name is SceneName.REVEAL)
            self._desk.refuse(place.seat, TableReason.BID_CHANGED if late else TableReason.MENU_CHANGED)
            return scene
        item = DUDO if key.dudo else place.menu.chosen
        if item is None or (key.dudo and scene.name is not SceneName.BIDDING):
            scene.pressed_in_vain(place.seat, self._desk)
            return scene
        if place.aside.is_open and isinstance(item, MenuCommand):
            return self._asked(scene, place, item)
        return scene.act(place.seat, item, key.at_ns, self._desk)

    def _asked(self, scene: Scene, place: SeatState, item: MenuCommand) -> Scene:
        """A seat picked something from its aside."""
        if item is MenuCommand.GIVE_UP:
            place.aside.ask(self._desk.now_ns)
            return scene
        place.aside.shut()
        if item is MenuCommand.GO:
            return scene.leave((place.seat,), LeaveReason.GAVE_UP, self._desk)
        return self._waiting.agreed(place.seat, scene) if item is MenuCommand.WITHOUT else scene

    # From the next scene to effects

    def _after(self, scene: Scene, before: Scene) -> list[Effect]:
        """The effects of having come from `before` to `scene`: hide, record, then tell, ask, show and let look."""
        self._scene = scene
        moved = scene != before
        if before.game is None and scene.game is not None:
            self._desk.mended(Alert.JOURNAL_ANEW)  # the evening has begun anew
        self._follow(scene, before)
        gates = [gate for place in self._places if (gate := place.gate())]
        public = self._showing.public(scene)
        effects = [
            *(gate for gate in gates if not gate.open),
            *([Record(scene)] if moved else []),
            *self._desk.told(),
            *self._showing.room(public),
            *self._desk.asked(),
            *self._showing.glasses(public, scene),
            *(gate for gate in gates if gate.open),
        ]
        self._answered = scene
        return effects

    def _follow(self, scene: Scene, before: Scene) -> None:
        """Whoever keeps an eye on the evening learns where it stands."""
        self._lights.follow(scene, self._desk.now_ns)
        if self._lights.light is Light.DARK:  # what is still held there is held by no hand
            for place in self._places:
                place.let_go()
        self._waiting.follow(scene)
        for place in self._places:
            place.follow(scene, before, self._desk, may_agree=self._waiting.presence.may_vote(place.seat))
