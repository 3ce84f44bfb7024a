"""A session's conduct without I/O: messages in, effects out.

`Table` reads no clock and draws no random number: moments come in with the messages, seeds as an answer to
`RequestSeed`. It takes each message to its seat's state, hands the resulting keys to the scene, and turns the scene's
answers into effects.
"""

from collections.abc import Iterable
from dataclasses import replace

from drivers.messages import (
    WHOLE_SEATS,
    Brightness,
    Device,
    Drawn,
    Found,
    Introduced,
    KeyTurned,
    Levelled,
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
from engine import Phase, Rules
from firmware_host.table.effects import Announce, Effect, HostMessage, Record, Seeded
from firmware_host.table.events import LeaveReason, Repeat
from firmware_host.table.health import ActiveAlerts, Alert, AlertCleared, AlertRaised
from firmware_host.table.invitation import Invited
from firmware_host.table.outputs import Outputs
from firmware_host.table.parts import Parts
from firmware_host.table.parts.dimmer import ScreenDimmer
from firmware_host.table.parts.languages import Languages
from firmware_host.table.parts.lessons import Lessons
from firmware_host.table.parts.names import Names
from firmware_host.table.parts.part import Part
from firmware_host.table.parts.robot_seats import RobotSeats
from firmware_host.table.parts.timeouts import Timeouts
from firmware_host.table.parts.tips import Tips
from firmware_host.table.parts.undo_vote import UndoVote
from firmware_host.table.parts.volume import Volume
from firmware_host.table.presses import Presses
from firmware_host.table.public_state import seated
from firmware_host.table.robots import HandsRead, RobotAction
from firmware_host.table.scenes.bidding import Bidding
from firmware_host.table.scenes.choosing import Choosing
from firmware_host.table.scenes.deal import Contribution
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.over import MatchOver
from firmware_host.table.scenes.scene import Game, Scene, SceneContext
from firmware_host.table.scenes.shaking import Shaking
from firmware_host.table.seat.names import NO_NAMES, NameOptions, NamesRead
from firmware_host.table.seat.view import SeatInfo
from firmware_host.table.seat_state import SceneChange, SeatState
from firmware_host.table.staff.actions import NO_MENU, ArrowsOpenMenu, FiguresRead, StaffAction, StaffOptions
from firmware_host.table.staff.machine import JobReport
from firmware_host.table.staff.sound import AS_AT_FIRST, SoundAndLight
from firmware_host.table.staff_control import StaffControl
from firmware_host.wire import (
    AlertBegan,
    AlertEnded,
    DeviceFound,
    DeviceLost,
    DeviceReplaced,
    Seat,
    all_seats,
    enumerate_seats,
)


class Table:
    """One session's table. Hand it every message, call `tick` at `deadline_ns`, and carry out the effects."""

    def __init__(
        self,
        rules: Rules,
        seats: tuple[SeatInfo, ...],
        scene: Scene | None = None,
        *,
        turn_clock_s: float | None = None,
        staff: StaffOptions = NO_MENU,
        names: NameOptions = NO_NAMES,
        sound: SoundAndLight = AS_AT_FIRST,
        gives_tips: bool = True,
    ) -> None:
        self._scene = self._answered = scene or Lobby()
        self._seats = [*map(SeatState, all_seats(len(seats)))]
        self._context = SceneContext(rules, seats, _begin_phase)
        self._robots = RobotSeats(self._scene, self._context)
        self._alerts = ActiveAlerts()
        self._dimmer = ScreenDimmer()
        self._timeouts = Timeouts(turn_clock_s, self._context, lambda message: self._staff.is_at_work(message))
        self._undo_vote = UndoVote()
        phones = [seat for seat, info in enumerate_seats(seats) if info.is_phone]
        self._names = Names(names, [info.name for info in seats], phones)
        self._context.asks_names = names.asks
        self._volume = Volume(sound)
        self._lessons = Lessons()
        self._languages = Languages()
        self._tips = Tips(self._names, self._scene, self._context, are_on=gives_tips)
        parts = Parts(
            dimmer=self._dimmer,
            timeouts=self._timeouts,
            undo_vote=self._undo_vote,
            names=self._names,
            volume=self._volume,
            lessons=self._lessons,
            tips=self._tips,
            languages=self._languages,
        )
        self._staff = StaffControl(staff, self._context, self._seats, parts)
        self._staff.is_paused = self._scene.paused
        self._outputs = Outputs(self._context, self._alerts, self._seats, parts, resumed=scene is not None)
        self._presses = Presses(self._context, self._seats, parts, self._staff, self._robots)
        self._parts: tuple[Part, ...] = (*parts, self._staff, *self._seats)

    @property
    def scene(self) -> Scene:
        """The session's present scene."""
        return self._scene

    @property
    def is_idle(self) -> bool:
        """Whether no match is being played or about to begin."""
        scene = self._scene
        return isinstance(scene, Lobby) and not scene.is_starting and not self._staff.menu.is_open

    @property
    def alerts(self) -> ActiveAlerts:
        """The alerts about the host."""
        return self._alerts

    @property
    def deadline_ns(self) -> int | None:
        """The next moment at which `tick` has work; None if only a message can bring some."""
        scene_ns = self._scene.next_change_ns(self._context.now_ns)
        if self._staff.holds_back(self._scene, scene_ns):
            scene_ns = None
        due = scene_ns, *(part.deadline_ns for part in self._parts)
        return min((at_ns for at_ns in due if at_ns is not None), default=None)

    @property
    def volume_of_guests(self) -> int | None:
        """The volume chosen by guests, in percent; None before a choice."""
        return self._volume.of_guests

    def continue_from(self, alerts: ActiveAlerts, volume_of_guests: int | None) -> None:
        """Continue an earlier table in this process: keep these, and report no power cut."""
        self._alerts = self._outputs.alerts = alerts
        self._volume.of_guests = volume_of_guests
        self._outputs.resumed = False

    def remember_entropies(self, opened: Iterable[tuple[Seat, bytes, bytes]]) -> None:
        """Remember entropies revealed before this table was set up, with seats and deals."""
        for seat, deal, entropy in opened:
            self._context.devices.is_reused(seat, deal, entropy)

    def has_pending_action(self, seat: Seat) -> bool:
        """Return whether a seat's input has yet to take effect: until then no record rests on it."""
        return self._scene.has_pending_action(seat) or self._seats[seat].keys.ok_is_undecided

    def begin(self, now_ns: int) -> list[Effect]:
        """Return the daemon's starting effects, which show every seat the present session."""
        self._context.now_ns = now_ns
        self._dimmer.on_touch(now_ns)
        return self._effects(self._scene.begin(self._context), self._scene)

    def handle(self, message: Message | HostMessage, now_ns: int) -> list[Effect]:
        """Return a message's effects."""
        self._context.now_ns = max(now_ns, self._context.now_ns)
        counts = self._dimmer.accepts(message, self._context.now_ns)
        for part in self._parts:
            part.on_message(message, self._scene)
        before, scene = self._scene, self._handled(message) if counts else self._scene
        by_itself = isinstance(message, Seeded | Drawn | Opened | Introduced)  # without a person's action
        self._outputs.resumed &= by_itself or scene == before
        return self._effects(scene, before)

    def tick(self, now_ns: int) -> list[Effect]:
        """Return the effects of the passed time."""
        before, self._context.now_ns = self._scene, max(now_ns, self._context.now_ns)
        for part in self._parts:
            part.tick(now_ns)
        self._presses.uncover_ended_lessons()
        for seat in self._seats:
            self._scene = self._presses.take(seat.keys.tick(now_ns), seat, self._scene)
        scene, due_ns = self._scene, self._scene.deadline_ns
        is_due = due_ns is not None and due_ns <= now_ns and not self._staff.holds_back(scene, due_ns)
        scene = scene.on_deadline(self._context) if is_due else self._timeouts.overrun(scene)
        self._outputs.resumed &= scene == before
        return self._effects(scene, before)

    def recover(self, now_ns: int) -> list[Effect]:
        """Return the effects undoing a call that raised: the previous scene appears again, all keys released."""
        self._context.discard()
        for part in self._parts:
            part.discard()
        self._outputs.forget()
        self._context.now_ns = max(now_ns, self._context.now_ns)
        self._scene = before = self._answered
        self._staff.is_paused = before.paused
        self._robots.recover(before)
        return self._effects(before.begin(self._context), before)

    def on_displayed(self, now_ns: int) -> None:
        """Note that the last effects are carried out: from now on presses refer to the new pictures.

        Without this call, changes count from the answer's moment, although a record may have kept them off the displays
        longer.
        """
        for part in self._parts:
            part.on_displayed(now_ns)

    # From a message to the next scene

    def _handled(self, message: Message | HostMessage) -> Scene:
        scene, context = self._scene, self._context
        if self._staff.ignores(message, scene) or self._robots.ignores(message, scene):
            return scene
        match message:
            case Pressed() | Released() | Tilted() | Levelled():
                seat_state = self._seats[message.seat]
                return self._presses.take(seat_state.keys.handle(message), seat_state, scene)
            case Shaken(seat):
                return scene.on_shaken(Seat(seat), context)
            case Settled(seat, at_ns, entropy):
                return scene.on_settled(Seat(seat), at_ns, entropy, context)
            case Drawn(seat, deal, commitment):
                return scene.on_committed(Seat(seat), deal, commitment, context)
            case Opened(seat, deal, entropy):
                return scene.on_revealed(Seat(seat), deal, entropy, context)
            case Seeded(seed):
                return scene.on_seed(seed, context)
            case RobotAction():
                return self._robots.act(message, scene)
            case Lost(seat, device, why):
                self._on_lost(Seat(seat), device, why)
                return scene.on_lost(Seat(seat), device, context)
            case Found(seat, device):
                self._on_found(Seat(seat), device)
                return scene.on_found(Seat(seat), device, context)
            case Introduced(seat, _, name):
                self._names.introduce(Seat(seat), name)
                return scene
            case Replaced(seat, device):
                context.announce(DeviceReplaced(Seat(seat), device))
                return scene
            case AlertRaised(alert, why):
                self._raise_alert(alert, why)
                return scene
            case AlertCleared(alert):
                self._clear_alert(alert)
                return scene
            case StaffAction():
                return self._staff.act(message, scene)
            case HandsRead(robots):
                for seat in robots.keys() - context.hands.keys():
                    self._names.forget(seat)
                people = context.hands.keys() - robots.keys()
                context.hands = robots
                # A person in a robot's place may join in or learn first; once the match is about to begin, they are in.
                if isinstance(scene, Lobby) and not scene.is_starting and (up := people.intersection(scene.joined)):
                    return scene.leave(sorted(up), LeaveReason.GAVE_UP, context)
                return scene
            case NamesRead(options):
                self._names.read(options)
                return scene
            case Invited(invitation):
                self._outputs.invitation = invitation
                return scene
            case KeyTurned() | JobReport() | FiguresRead() | ArrowsOpenMenu() | SoundAndLight():
                return scene

    def _on_lost(self, seat: Seat, device: Device, why: str) -> None:
        if self._context.devices.mark_lost(seat, device, why) and self._is_missed(seat):
            self._context.announce(DeviceLost(seat, device, why))
        if device is not Device.PANEL:
            self._seats[seat].release_all(is_lost=True)

    def _on_found(self, seat: Seat, device: Device) -> None:
        if self._context.devices.mark_found(seat, device) and self._is_missed(seat):
            self._context.announce(DeviceFound(seat, device))
        if device in WHOLE_SEATS:
            self._seats[seat].on_board_found(self._context.now_ns)

    def _is_missed(self, seat: Seat) -> bool:
        """Return whether a missing device is news: a seat for phones without a player is merely free."""
        return not self._context.seats[seat].is_phone or seat in seated(self._scene)

    def _free_phones(self, scene: Scene) -> list[Seat]:
        """Return the seats for phones with neither a phone nor a player."""
        seats, taken = enumerate_seats(self._context.seats), seated(scene)
        is_missing = self._context.devices.is_missing
        return [seat for seat, info in seats if info.is_phone and seat not in taken and is_missing(seat, Device.PHONE)]

    def _raise_alert(self, alert: Alert, why: str) -> None:
        """Announce a new alert; at a table in use it also interrupts the affected seats."""
        if not self._alerts.add(alert, why):
            return
        self._context.announce(AlertBegan(alert, why))
        if isinstance(self._scene, Lobby) and self._scene.is_empty:
            return
        for seat in self._seats:
            if self._context.seats[seat.seat].is_service or not alert.row.for_owner:
                seat.show_alert(alert, self._context.now_ns)

    def _clear_alert(self, alert: Alert) -> None:
        if self._alerts.clear(alert):
            self._context.announce(AlertEnded(alert))
            for seat in self._seats:
                seat.clear_alert(alert)

    # From the next scene to effects

    def _effects(self, scene: Scene, before: Scene) -> list[Effect]:
        """Return a new scene's effects in order: hide, record, publish, request, show, allow peeks."""
        staff = self._staff
        staff.is_paused = staff.is_paused and scene.is_in_a_match
        scene = self._robots.update(scene)
        scene = self._scene = scene if scene.paused is staff.is_paused else replace(scene, paused=staff.is_paused)
        self._timeouts.set_paused(staff.is_paused)
        staff.update(scene)
        staff.try_volume(scene)
        self._outputs.sound_test = staff.is_testing_sound(scene)
        if isinstance(scene, Lobby) and scene.is_empty:
            self._volume.of_guests = None
        self._context.may_change_volume = self._volume.settings.lets_guests
        leaving = scene.gone if isinstance(scene, MatchOver) else ()
        game = scene.game
        self._names.follow_match(None if game is None else game.id, () if game is None else game.players, leaving)
        nameless = {*self._context.robots, *self._free_phones(scene)}
        self._names.follow(*_asked_for_names(scene), nameless, self._context.now_ns)
        players = _players(scene, self._context)
        self._lessons.follow(players)
        self._languages.follow(players - self._context.robots.keys())
        self._outputs.staff = staff.views(scene)
        for seat in (*self._outputs.staff, *self._robots.seats_in_match(scene)):
            self._seats[seat].wants_peek = False
        if before.game is None and scene.game is not None:
            self._clear_alert(Alert.JOURNAL_RESET)  # a match begins in the new journal
        self._update(scene, before)
        peeks = [change for seat in self._seats if (change := seat.peek_change())]
        public = self._outputs.public_state(scene)
        effects: list[Effect] = [
            *(peek for peek in peeks if not peek.open),
            *([Record(scene)] if scene != before else []),
            *map(Announce, self._context.take_events()),
            *self._outputs.publish_if_changed(public),
            *self._context.take_requests(),
            *self._outputs.changed_frames(public, scene),
            *(peek for peek in peeks if peek.open),
            *self._robots.changed_turns(scene),
            *self._languages.take_effects(),
            *staff.take_effects(),
            *self._names.take_effects(),
        ]
        self._answered = scene
        return effects

    def _update(self, scene: Scene, before: Scene) -> None:
        """Take dimmer, timeouts and seats to the next scene."""
        now_ns = self._context.now_ns
        self._dimmer.update(scene, now_ns)
        if self._dimmer.brightness is Brightness.DARK:  # the players have left: forget held keys
            for seat in self._seats:
                seat.release_all()
        self._timeouts.update(scene)
        self._undo_vote.update(scene, self._timeouts.presence)
        change = SceneChange(before, scene)
        for seat in self._seats:
            seat.update(
                change,
                self._context,
                may_agree=self._timeouts.presence.may_vote(seat.seat),
                may_undo=self._undo_vote.may_ask(seat.seat),
                is_asked=self._undo_vote.is_asked(seat.seat),
            )
        self._tips.update(scene, self._seats, is_new_part=change.is_new_part, is_new_subject=change.is_new_subject)
        for number, why in self._context.take_notices():  # after the update, which drops earlier notices
            self._seats[number].show_notice(why, now_ns)


def _players(scene: Scene, context: SceneContext) -> set[Seat]:
    """Return the seats of people in this match, or in the next one, and those of robots."""
    if isinstance(scene, Lobby):
        return {*scene.joined, *context.robots}
    return {*context.robots} if scene.game is None else {*scene.game.players, *context.robots}


def _asked_for_names(scene: Scene) -> tuple[tuple[Seat, ...], tuple[Seat, ...]]:
    """Return the seats asked for a name now, and the seats that may continue entering one."""
    if isinstance(scene, Lobby):
        return () if scene.is_starting else scene.joined, scene.joined
    if isinstance(scene, MatchOver):
        return tuple(seat for seat in scene.stays if seat == scene.game.standings[0]), scene.stays
    return (), ()


_SCENES: dict[Phase, type[Choosing] | type[Bidding] | type[MatchOver]] = {
    Phase.CHOOSING: Choosing,
    Phase.BIDDING: Bidding,
    Phase.OVER: MatchOver,
}


def _begin_phase(
    game: Game, context: SceneContext, repeat: Repeat | None, contributions: tuple[Contribution, ...] | None
) -> Scene:
    """Begin the scene for a match's phase. With `contributions` a deal is repeated within its round."""
    if contributions is not None:
        return Shaking(game=game, again=repeat, shares=contributions).ask(context)
    scene = _SCENES.get(game.position.phase)
    return (Shaking(game=game, again=repeat) if scene is None else scene(game=game)).begin(context)
