"""Staff actions at the table: pause, match end, removed seats, and the staff menu with its tests.

`Table` asks it for each message. Pure: times are passed in through the context. docs/staff.md is for owners.
"""

from collections.abc import Sequence
from dataclasses import replace

from msgspec import structs

from drivers.messages import Button, Device, KeyTurned, Message, Pressed, Settled, Shaken, Tilted
from firmware_host.fairness.chain import hand_over_line
from firmware_host.table.effects import HostMessage
from firmware_host.table.events import BreakOffReason, LeaveReason, UndoneBy
from firmware_host.table.parts import Parts
from firmware_host.table.parts.part import Part
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.reveal import Reveal
from firmware_host.table.scenes.scene import Game, Scene, SceneContext
from firmware_host.table.scenes.transitions import after_reopening
from firmware_host.table.seat.key_input import Confirm, Key, Step
from firmware_host.table.seat.view import SceneName
from firmware_host.table.seat_state import SeatState
from firmware_host.table.staff.actions import (
    ArrowsOpenMenu,
    ChangeSetting,
    FiguresRead,
    ResetFigure,
    StaffAction,
    StaffAnswer,
    StaffCommand,
    StaffFigure,
    StaffOptions,
    StaffRefusal,
    StaffView,
    present_values,
)
from firmware_host.table.staff.items import StaffItem, StaffSection
from firmware_host.table.staff.machine import JobReport, RequestJob
from firmware_host.table.staff.menu import HOLD_OPENS_NS, Command, StaffFacts, StaffMenu
from firmware_host.table.staff.sound import SoundAndLight
from firmware_host.wire import (
    MatchBrokenOff,
    MatchPaused,
    MatchResumed,
    Seat,
    SeatHandedOver,
    all_seats,
    enumerate_seats,
)


class StaffControl(Part):
    """Staff at one table. `service` is the seat displaying the menu."""

    def __init__(self, options: StaffOptions, context: SceneContext, seats: Sequence[SeatState], parts: Parts) -> None:
        self.is_paused = False
        self.service = next((seat for seat, info in enumerate_seats(context.seats) if info.is_service), Seat(0))
        self.menu = StaffMenu(options)
        self._takes_hold = options.takes_hold
        self._context = context
        self._seats = seats
        self._parts = parts
        self._wants_menu = False  # waiting for a call to end
        self._is_held_open = False  # opened by held arrows, known to guests, instead of the key
        self._moved: set[tuple[Seat, str]] = set()  # parts of seats since the start
        self._figures = FiguresRead({})
        self._figures_ns = 0  # when the host sent them
        self._effects: list[StaffAnswer | ChangeSetting | ResetFigure | RequestJob] = []

    def take_effects(self) -> list[StaffAnswer | ChangeSetting | ResetFigure | RequestJob]:
        """Return the effects since the last call."""
        effects, self._effects = self._effects, []
        return effects

    def discard(self) -> None:
        """Forget collected effects and close the menu, after a table call raised."""
        self._effects = []
        self.close_menu()

    # Actions on the match

    def act(self, action: StaffAction, scene: Scene) -> Scene:
        """Carry out a staff action, or answer why not."""
        refusal = self._refusal(action, scene)
        self._effects.append(StaffAnswer(action.number, refusal))
        return scene if refusal is not None else self._do(action, scene)

    def holds_back(self, scene: Scene, due_ns: int | None) -> bool:
        """Return whether a reveal's end waits for a pause to end. Cups and earlier presses go ahead."""
        return self.is_paused and isinstance(scene, Reveal) and due_ns == scene.deadline_ns

    def _refusal(self, action: StaffAction, scene: Scene) -> StaffRefusal | None:
        what, seat = action.what, action.seat
        if what is StaffCommand.REMOVE and isinstance(scene, Lobby):
            if seat not in self._removable(scene):
                return StaffRefusal.NOT_PLAYING
            return StaffRefusal.IN_MATCH if scene.is_starting else None
        if what is StaffCommand.ROBOT:
            if seat in self._free_for_robots(scene, with_robots=True):
                return None
            return self._why_no_robot(scene) or StaffRefusal.NOT_FREE
        if what is StaffCommand.REOPEN:
            return StaffRefusal.NOTHING_TO_REOPEN if scene.ended is None else None
        if not scene.is_in_a_match:
            return StaffRefusal.NO_MATCH
        if what is StaffCommand.RESUME:
            return None if self.is_paused else StaffRefusal.NOT_PAUSED
        if what is StaffCommand.PAUSE and self.is_paused:
            return StaffRefusal.ALREADY_PAUSED
        if what is StaffCommand.UNDO:
            if scene.last_action is None:
                return StaffRefusal.NOTHING_TO_UNDO
            return StaffRefusal.CALL if self._has_pending_action(scene) else None
        if self._is_reading_a_call(scene):
            return StaffRefusal.CALL
        if what in (StaffCommand.REMOVE, StaffCommand.HAND_OVER):
            if seat is None or seat not in self._removable(scene):
                return StaffRefusal.NOT_PLAYING
            if what is StaffCommand.HAND_OVER and seat in self._context.robots:
                return StaffRefusal.ROBOTS_SEAT
            return None if scene.may_leave(seat) else StaffRefusal.CALL
        return None

    def _is_reading_a_call(self, scene: Scene) -> bool:
        """Return whether actions are competing, or a call is not yet fully shown."""
        if scene.name is SceneName.CALLED:
            return True
        if isinstance(scene, Reveal):
            return scene.cue_ms(self._context.now_ns) is not None
        return self._has_pending_action(scene)

    def _has_pending_action(self, scene: Scene) -> bool:
        """Return whether recent presses are competing to be first."""
        return scene.name is SceneName.BIDDING and any(scene.has_pending_action(seat.seat) for seat in self._seats)

    def _do(self, action: StaffAction, scene: Scene) -> Scene:
        """Carry out an action that `_refusal` lets pass: its seat, lobby, match or ended match is there."""
        context, game, seat = self._context, scene.game, action.seat
        match action.what:
            case StaffCommand.REMOVE:
                assert seat is not None
                return scene.leave((seat,), LeaveReason.STAFF, context)
            case StaffCommand.ROBOT:
                assert seat is not None
                assert isinstance(scene, Lobby)
                return scene.with_robot(seat, action.level, context)
            case StaffCommand.REOPEN:
                assert scene.ended is not None
                return after_reopening(scene.ended, context)
            case StaffCommand.UNDO:
                return scene.undo(UndoneBy.STAFF, context)
            case StaffCommand.HAND_OVER:
                assert game is not None
                assert seat is not None
                return self._hand_over(seat, game, scene)
            case StaffCommand.END_MATCH:
                assert game is not None
                context.announce(MatchBrokenOff(game.id, BreakOffReason.STAFF))
                left = game.seats(game.left)
                stays = tuple(sorted(seat for seat in game.players if seat not in left))
                return Lobby(joined=stays, last=scene.to_reopen())
            case StaffCommand.PAUSE | StaffCommand.RESUME:
                assert game is not None
                return self._pause(action.what is StaffCommand.PAUSE, game, scene)

    def _pause(self, is_paused: bool, game: Game, scene: Scene) -> Scene:
        """Pause the match, or let it go on; a reveal then has its whole time again."""
        self.is_paused = is_paused
        self._context.announce((MatchPaused if is_paused else MatchResumed)(game.id))
        for seat in self._seats:
            seat.release_all()
            seat.side_menu.close()
        return scene.with_whole_time(self._context.now_ns) if isinstance(scene, Reveal) else scene

    def _hand_over(self, seat: Seat, game: Game, scene: Scene) -> Scene:
        """Hand a seat to another person; its display hides the dice until the cup is lifted again."""
        player = game.player(seat)
        assert player is not None
        self._context.announce(SeatHandedOver(seat))
        self._parts.timeouts.on_handed_over(seat)
        self._parts.names.forget(seat)
        self._parts.tips.on_handed_over(seat)
        self._seats[seat].release_all()
        self._seats[seat].side_menu.close()
        return replace(scene, game=game.chain(hand_over_line(player)))

    # The menu

    def on_message(self, message: Message | HostMessage, scene: Scene) -> None:
        """Follow the key, moving parts, settings in effect, the host's counters, and its jobs."""
        match message:
            case SoundAndLight():
                self.menu.on_present(present_values(message))
            case KeyTurned(_, is_on):
                self._wants_menu = is_on
                self._is_held_open = False
                if not is_on:
                    self.close_menu()
            case ArrowsOpenMenu(is_on):
                self._takes_hold = is_on
                if not is_on and self._is_held_open:
                    self._wants_menu = False
                    self.close_menu()
            case JobReport():
                self.menu.report(message, self._context.now_ns)
            case Pressed(seat, part):
                self._on_moved(Seat(seat), part, scene)
            case Tilted(seat) | Shaken(seat):
                self._on_moved(Seat(seat), Device.CUP, scene)
            case FiguresRead():
                self._figures, self._figures_ns = message, self._context.now_ns

    def on_key(self, key: Key, scene: Scene) -> Scene:
        """Hand a key from the service seat to the menu, and do the staff's choice."""
        facts, now_ns = self._facts(scene), self._context.now_ns
        picked: Command | ChangeSetting | ResetFigure | RequestJob | None = None
        match key:
            case Step(by):
                self.menu.step(by, facts, now_ns)
            case Confirm(dudo=True) if self.menu.is_at_the_top:
                self.close_menu()
            case Confirm(dudo=True):
                self.menu.back(now_ns)
            case Confirm():
                picked = self.menu.confirm(facts, now_ns)
        if isinstance(picked, ChangeSetting | ResetFigure | RequestJob):
            self._effects.append(picked)
            match picked:
                case ChangeSetting(StaffItem.VOLUME, int(percent)):  # no gap until the host keeps it
                    self._parts.volume.on_settings(structs.replace(self._parts.volume.settings, volume=percent))
        elif isinstance(picked, Command):
            action = StaffAction(picked.what, picked.seat)
            is_call = picked.what is StaffCommand.UNDO and scene.name is SceneName.CALLED
            refusal = StaffRefusal.CALL if is_call and self._is_held_open else self._refusal(action, scene)
            self.menu.refuse(refusal)
            return scene if refusal is not None else self._do(action, scene)
        return scene

    def takes_keys_of(self, seat: Seat) -> bool:
        """Return whether a seat's keys go to the menu."""
        return self.menu.is_open and seat == self.service

    def takes_presses_of(self, seat: Seat, scene: Scene) -> bool:
        """Return whether another seat's presses go to the menu: the seat is under test, or points at itself."""
        if not self.menu.is_open:
            return False
        facts = self._facts(scene)
        if self.menu.asks_for_seat(facts):
            self.menu.point_at(seat, facts, self._context.now_ns)
            return True
        return self.menu.test(facts) is not None

    def ignores(self, message: Message | HostMessage, scene: Scene) -> bool:
        """Return whether a shake is void for the match: cups are under test, or a reveal waits for a pause."""
        if not isinstance(message, Shaken | Settled):
            return False
        return self._test(scene) is not None or (self.is_paused and scene.name is not SceneName.SHAKING)

    def is_at_work(self, message: Message | HostMessage) -> bool:
        """Return whether a press comes from staff, and so is no sign of the seat's player."""
        return isinstance(message, Pressed) and self.takes_keys_of(Seat(message.seat))

    @property
    def deadline_ns(self) -> int | None:
        """The next moment at which `tick` has work."""
        return min((at_ns for at_ns in (self.menu.deadline_ns, self._hold_ns) if at_ns is not None), default=None)

    def tick(self, now_ns: int) -> None:
        """Open the menu for held arrows, and close it once its deadline has passed."""
        if self._hold_ns is not None and self._hold_ns <= now_ns:
            self._seats[self.service].release_all()
            self._wants_menu = True
            self._is_held_open = not self.menu.is_open
        if self.menu.deadline_ns is not None and self.menu.deadline_ns <= now_ns:
            self.close_menu()

    def update(self, scene: Scene) -> None:
        """Open the menu at staff's request, but not during a call: the audience watches the displays."""
        if self._wants_menu and not self._is_reading_a_call(scene):
            self._wants_menu = False
            self.menu.open(self._context.now_ns)
            self._seats[self.service].release_all()

    def close_menu(self) -> None:
        """Close the menu; seats show the match again."""
        if self.menu.is_open:
            self.menu.close()
            for seat in self._seats:
                seat.on_uncovered(self._context.now_ns)

    def views(self, scene: Scene) -> dict[Seat, StaffView]:
        """Return the staff pictures for the service seat, and for other seats under a display test."""
        if not self.menu.is_open:
            return {}
        facts = self._facts(scene)
        view = self.menu.view(facts)
        if self.menu.test(facts) is not StaffItem.OUTPUTS:
            return {self.service: view}
        pictures = {
            seat: StaffView(StaffSection.TEST, StaffItem.OUTPUTS, value=info.name)
            for seat, info in enumerate_seats(self._context.seats)
        }
        return pictures | {self.service: structs.replace(pictures[self.service], volume=self._parts.volume.now)}

    def try_volume(self, scene: Scene) -> None:
        """Let staff hear a volume while choosing it."""
        self._parts.volume.tried = self.menu.tried_volume(self._facts(scene)) if self.menu.is_open else None

    def is_testing_sound(self, scene: Scene) -> bool:
        """Return whether the loudspeaker is under test, with displays and lamps."""
        return self._test(scene) is StaffItem.OUTPUTS

    @property
    def _hold_ns(self) -> int | None:
        """The moment at which held arrows open the menu, at a table where they do."""
        since_ns = self._seats[self.service].keys.both_arrows_since_ns
        return since_ns + HOLD_OPENS_NS if self._takes_hold and since_ns is not None else None

    def _on_moved(self, seat: Seat, part: Button | Device, scene: Scene) -> None:
        self._moved.add((seat, part.value))
        if self._test(scene) is StaffItem.INPUTS:
            self.menu.on_moved(self._context.seats[seat].name, part.value, self._context.now_ns)

    def _test(self, scene: Scene) -> StaffItem | None:
        return self.menu.test(self._facts(scene)) if self.menu.is_open else None

    def _facts(self, scene: Scene) -> StaffFacts:
        seats = self._context.seats
        return StaffFacts(
            is_paused=self.is_paused,
            may_test=self.is_paused or not scene.is_in_a_match,
            may_reopen=scene.ended is not None,
            seats=[(seat, seats[seat].name) for seat in self._removable(scene)],
            robots=self._context.robots,
            free=[(seat, seats[seat].name) for seat in self._free_for_robots(scene)],
            why_no_robot=self._why_no_robot(scene),
            is_held_open=self._is_held_open,
            has_dudo_button=seats[self.service].dudo_button,
            never_moved=[
                (info.name, part.value)
                for seat, info in enumerate_seats(seats)
                for part in (*Button, Device.CUP)
                if (seat, part.value) not in self._moved and (info.dudo_button or part is not Button.DUDO)
            ],
            figures=self._present_figures(),
        )

    def _present_figures(self) -> dict[StaffItem, StaffFigure]:
        """Return the counters with the time since the host sent them.

        Times have whole minutes, which saves redrawing a display each second.
        """
        figures = {**self._figures.figures}
        if hours := figures.get(StaffItem.HOURS):
            on_s = hours.count + (self._context.now_ns - self._figures_ns) // 1_000_000_000
            figures[StaffItem.HOURS] = structs.replace(hours, count=on_s // 60 * 60)
        return figures

    def _free_for_robots(self, scene: Scene, *, with_robots: bool = False) -> list[Seat]:
        """Return the seats free for a robot; `with_robots` adds seats where a robot's level can change."""
        if not isinstance(scene, Lobby) or not scene.may_seat_robots(self._context):
            return []
        robots = self._context.robots if with_robots else {}
        return [seat for seat in all_seats(len(self._context.seats)) if seat in robots or seat not in scene.joined]

    def _why_no_robot(self, scene: Scene) -> StaffRefusal | None:
        """Return why no robot can take any seat now; None if one could take a free seat."""
        if not isinstance(scene, Lobby) or scene.starting:
            return StaffRefusal.IN_MATCH
        return None if scene.may_seat_robots(self._context) else StaffRefusal.PERSON_FIRST

    def _removable(self, scene: Scene) -> list[Seat]:
        """Return the removable seats: first those with a missing device, away or awaited.

        In the lobby, a guest's phone keeps others out of its seat even before it joins.
        """
        if isinstance(scene, Lobby):
            phones = (seat for seat, info in enumerate_seats(self._context.seats) if info.is_phone)
            is_missing = self._context.devices.is_missing
            here = (seat for seat in phones if not is_missing(seat, Device.PHONE))
            return sorted({*scene.joined, *here})
        if scene.game is None or not scene.is_in_a_match:
            return []
        living = scene.game.seats(scene.game.position.living)
        missing = {seat for seat, _ in self._context.devices.missing}
        away = self._parts.timeouts.presence.away
        return sorted(living, key=lambda seat: (seat not in missing, seat not in away, not scene.is_waiting_for(seat)))
