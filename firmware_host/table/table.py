"""The conduct of a session without I/O: messages in, effects out.

`Table` reads no clock and draws no random number: moments come in with the messages, seeds as an answer to
`RequestSeed`. It takes each message to the state of its seat, the keys that come of it to the scene, and turns what the
scene answers into effects.
"""

from collections.abc import Iterable
from dataclasses import replace

from drivers.messages import (
    Brightness,
    Device,
    Drawn,
    Found,
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
from engine import DUDO, Phase, Rules
from firmware_host.table.effects import Announce, Effect, HostMessage, Record, Seeded
from firmware_host.table.events import (
    AlertBegan,
    AlertEnded,
    BreakOffReason,
    DeviceFound,
    DeviceLost,
    DeviceReplaced,
    LeaveReason,
    MatchBrokenOff,
    MatchPaused,
    MatchResumed,
    Repeat,
)
from firmware_host.table.health import OWNER_ALERTS, ActiveAlerts, Alert, AlertCleared, AlertRaised
from firmware_host.table.key_input import Confirm, Key, Peek, Step
from firmware_host.table.menu import MenuCommand
from firmware_host.table.outputs import Outputs, ScreenDimmer
from firmware_host.table.scenes.bidding import Bidding
from firmware_host.table.scenes.choosing import Choosing
from firmware_host.table.scenes.deal import Contribution
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.over import MatchOver
from firmware_host.table.scenes.reveal import Reveal
from firmware_host.table.scenes.scene import Game, Scene, SceneContext
from firmware_host.table.scenes.shaking import Shaking
from firmware_host.table.seat_state import SceneChange, SeatState
from firmware_host.table.seat_view import SceneName, SeatInfo, TableReason, hand_pages
from firmware_host.table.staff import StaffAction, StaffAnswer, StaffCommand, StaffRefusal
from firmware_host.table.timeouts import Timeouts


class Table:
    """The table of one session. Hand it every message, call `tick` at `deadline_ns`, and carry out the effects."""

    def __init__(
        self,
        rules: Rules,
        seats: tuple[SeatInfo, ...],
        scene: Scene | None = None,
        *,
        turn_clock_s: float | None = None,
    ) -> None:
        self._scene = self._answered = scene or Lobby()
        self._is_paused = self._scene.paused
        self._answers: list[StaffAnswer] = []
        self._seats = [SeatState(seat) for seat in range(len(seats))]
        self._context = SceneContext(rules, seats, _begin_phase)
        self._alerts = ActiveAlerts()
        self._dimmer = ScreenDimmer()
        self._timeouts = Timeouts(turn_clock_s, self._context)
        self._outputs = Outputs(
            self._context, self._alerts, self._seats, self._dimmer, self._timeouts, resumed=scene is not None
        )

    @property
    def scene(self) -> Scene:
        """The part of the session that the table is in."""
        return self._scene

    @property
    def is_idle(self) -> bool:
        """Whether no match is being played or about to begin."""
        scene = self._scene
        return isinstance(scene, Lobby) and not scene.is_starting

    @property
    def alerts(self) -> ActiveAlerts:
        """The alerts about the host."""
        return self._alerts

    @property
    def deadline_ns(self) -> int | None:
        """The next moment at which `tick` has something to do; None if never, without a message."""
        scene_ns = self._scene.next_change_ns(self._context.now_ns)
        if self._stands_still(scene_ns):
            scene_ns = None
        seats_ns = [seat.deadline_ns for seat in self._seats]
        due = scene_ns, self._dimmer.deadline_ns, self._timeouts.deadline_ns, *seats_ns
        return min((at_ns for at_ns in due if at_ns is not None), default=None)

    def continue_from(self, alerts: ActiveAlerts) -> None:
        """Continue a table that ran until now in this process: keep its alerts, and do not tell of a power cut."""
        self._alerts = self._outputs.alerts = alerts
        self._outputs.resumed = False

    def remember_entropies(self, opened: Iterable[tuple[int, bytes, bytes]]) -> None:
        """Remember what cups have revealed before this table was set up: seats, deals and entropies."""
        for seat, deal, entropy in opened:
            self._context.devices.is_reused(seat, deal, entropy)

    def has_pending_action(self, seat: int) -> bool:
        """Whether something that was done at a seat has yet to take effect: until then no record rests on it."""
        return self._scene.has_pending_action(seat) or self._seats[seat].keys.ok_is_undecided

    def begin(self, now_ns: int) -> list[Effect]:
        """Return the effects of a start of the daemon: they show every seat where the session stands."""
        self._context.now_ns = now_ns
        self._dimmer.on_touch(now_ns)
        return self._effects(self._scene.begin(self._context), self._scene)

    def handle(self, message: Message | HostMessage, now_ns: int) -> list[Effect]:
        """Return the effects of a message."""
        self._context.now_ns = max(now_ns, self._context.now_ns)
        counts = self._dimmer.accepts(message, self._context.now_ns)
        self._timeouts.on_message(message)
        before, scene = self._scene, self._handled(message) if counts else self._scene
        is_action = not isinstance(message, Seeded | Drawn | Opened)  # those come without anybody's doing
        self._outputs.resumed &= not is_action or scene == before
        return self._effects(scene, before)

    def tick(self, now_ns: int) -> list[Effect]:
        """Return the effects of the time that has passed."""
        before, self._context.now_ns = self._scene, max(now_ns, self._context.now_ns)
        for seat in self._seats:
            seat.expire(now_ns)
            self._scene = self._handle_keys(seat, seat.keys.tick(now_ns))
        scene, due_ns = self._scene, self._scene.deadline_ns
        is_due = due_ns is not None and due_ns <= now_ns and not self._stands_still(due_ns)
        scene = scene.on_deadline(self._context) if is_due else self._timeouts.tick(scene)
        self._outputs.resumed &= scene == before
        return self._effects(scene, before)

    def recover(self, now_ns: int) -> list[Effect]:
        """Return the effects that undo a call that raised: the scene before it is shown again, all keys released."""
        self._context.discard()
        self._answers.clear()
        self._outputs.forget()
        self._context.now_ns = max(now_ns, self._context.now_ns)
        self._scene = before = self._answered
        self._is_paused = before.paused
        for seat in self._seats:
            seat.release_all()
        return self._effects(before.begin(self._context), before)

    def on_displayed(self, now_ns: int) -> None:
        """Note that the last effects are carried out: from now on a press is about what they changed.

        Without this call the change counts from the moment of the answer, although a record may have kept it from the
        displays for longer.
        """
        self._dimmer.on_displayed(now_ns)
        for seat in self._seats:
            seat.on_displayed(now_ns)

    # From a message to the next scene

    def _handled(self, message: Message | HostMessage) -> Scene:
        scene, context = self._scene, self._context
        match message:
            case Pressed() | Released() | Tilted() | Levelled():
                seat_state = self._seats[message.seat]
                return self._handle_keys(seat_state, seat_state.keys.handle(message))
            case Shaken() if self._is_paused and scene.name is not SceneName.SHAKING:
                return scene
            case Shaken(seat):
                return scene.on_shaken(seat, context)
            case Settled(seat, at_ns, entropy):
                return scene.on_settled(seat, at_ns, entropy, context)
            case Drawn(seat, deal, commitment):
                return scene.on_committed(seat, deal, commitment, context)
            case Opened(seat, deal, entropy):
                return scene.on_revealed(seat, deal, entropy, context)
            case Seeded(seed):
                return scene.on_seed(seed, context)
            case Lost(seat, device, why):
                self._on_lost(seat, device, why)
                return scene.on_lost(seat, device, context)
            case Found(seat, device):
                self._on_found(seat, device)
                return scene.on_found(seat, device, context)
            case Replaced(seat, device):
                context.announce(DeviceReplaced(seat, device))
                return scene
            case AlertRaised(alert, why):
                self._raise_alert(alert, why)
                return scene
            case AlertCleared(alert):
                self._clear_alert(alert)
                return scene
            case StaffAction():
                return self._handle_staff(message)

    def _on_lost(self, seat: int, device: Device, why: str) -> None:
        if self._context.devices.mark_lost(seat, device, why):
            self._context.announce(DeviceLost(seat, device, why))
        if device is not Device.PANEL:
            self._seats[seat].release_all()

    def _on_found(self, seat: int, device: Device) -> None:
        if self._context.devices.mark_found(seat, device):
            self._context.announce(DeviceFound(seat, device))
        if device is Device.BOARD:
            self._seats[seat].on_board_found(self._context.now_ns)

    def _raise_alert(self, alert: Alert, why: str) -> None:
        """Announce a new alert; at a table that is in use it also interrupts the seats that it concerns."""
        if not self._alerts.add(alert, why):
            return
        self._context.announce(AlertBegan(alert, why))
        if isinstance(self._scene, Lobby) and self._scene.is_empty:
            return
        for seat in self._seats:
            if self._context.seats[seat.seat].is_service or alert not in OWNER_ALERTS:
                seat.show_alert(alert, self._context.now_ns)

    def _clear_alert(self, alert: Alert) -> None:
        if self._alerts.clear(alert):
            self._context.announce(AlertEnded(alert))
            for seat in self._seats:
                seat.clear_alert(alert)

    def _handle_keys(self, seat: SeatState, keys: Iterable[Key]) -> Scene:
        scene = self._scene
        for key in keys:
            if self._is_paused:
                continue
            match key:
                case Step(by):
                    self._step(seat, key, by)
                case Peek(is_open):
                    seat.wants_peek = is_open
                    if is_open and scene.look(seat.seat) is None:
                        scene.explain_ignored_peek(seat.seat, self._context)
                case Confirm():
                    scene = self._confirm(scene, seat, key)
        return scene

    def _step(self, seat: SeatState, key: Step, by: int) -> None:
        """Turn the pages of open hands if there are any; else move the cursor, unless the dice cover the menu."""
        if (seat.is_peeking or self._scene.name is SceneName.REVEAL) and (hands := self._hand_pages(seat)):
            seat.turn_page(by, len(hands))
        elif not seat.keys.ok_is_held:
            seat.step(key, self._context.now_ns, may_leave=self._scene.may_leave(seat.seat))

    def _hand_pages(self, seat: SeatState) -> tuple[int, ...]:
        game = self._scene.game
        return () if game is None else hand_pages(self._scene.name, game.position, game.player(seat.seat))

    def _confirm(self, scene: Scene, seat: SeatState, key: Confirm) -> Scene:
        seat.clear_notice()
        if not seat.had_seen_menu(key.since_ns):
            late = scene.name in (SceneName.BIDDING, SceneName.CALLED) or (key.dudo and scene.name is SceneName.REVEAL)
            self._context.notify(seat.seat, TableReason.BID_CHANGED if late else TableReason.MENU_CHANGED)
            return scene
        item = DUDO if key.dudo else seat.menu.chosen
        if item is None or (key.dudo and scene.name is not SceneName.BIDDING):
            scene.explain_ignored_press(seat.seat, self._context)
            return scene
        if seat.side_menu.is_open and isinstance(item, MenuCommand):
            return self._pick_from_side_menu(scene, seat, item)
        return scene.act(seat.seat, item, key.at_ns, self._context)

    def _pick_from_side_menu(self, scene: Scene, seat: SeatState, item: MenuCommand) -> Scene:
        if item is MenuCommand.GIVE_UP:
            seat.side_menu.ask(self._context.now_ns)
            return scene
        seat.side_menu.close()
        if item is MenuCommand.QUIT:
            return scene.leave((seat.seat,), LeaveReason.GAVE_UP, self._context)
        return self._timeouts.vote(seat.seat, scene) if item is MenuCommand.PLAY_ON else scene

    # Staff

    def _handle_staff(self, action: StaffAction) -> Scene:
        """Do what staff ask for, or say why not."""
        refusal = self._staff_refusal(action)
        self._answers.append(StaffAnswer(action.number, refusal))
        return self._scene if refusal is not None else self._do(action)

    def _staff_refusal(self, action: StaffAction) -> StaffRefusal | None:
        scene, what, seat = self._scene, action.what, action.seat
        if what is StaffCommand.REMOVE and isinstance(scene, Lobby):
            return None if seat in scene.joined and not scene.is_starting else StaffRefusal.NOT_PLAYING
        if not scene.is_in_a_match:
            return StaffRefusal.NO_MATCH
        if what is StaffCommand.RESUME:
            return None if self._is_paused else StaffRefusal.NOT_PAUSED
        if what is StaffCommand.PAUSE and self._is_paused:
            return StaffRefusal.ALREADY_PAUSED
        if self._is_reading_a_call():
            return StaffRefusal.CALL
        if what is StaffCommand.REMOVE:
            if seat is None or seat not in (scene.game.players[player] for player in scene.game.position.living):
                return StaffRefusal.NOT_PLAYING
            return None if scene.may_leave(seat) else StaffRefusal.CALL
        return None

    def _is_reading_a_call(self) -> bool:
        """Whether an action competes with others, or a call is not told to its end."""
        scene = self._scene
        if scene.name is SceneName.CALLED:
            return True
        if isinstance(scene, Reveal):
            return scene.cue_ms(self._context.now_ns) is not None
        return scene.name is SceneName.BIDDING and any(scene.has_pending_action(seat.seat) for seat in self._seats)

    def _do(self, action: StaffAction) -> Scene:
        scene, context = self._scene, self._context
        match action.what:
            case StaffCommand.REMOVE:
                assert action.seat is not None
                return scene.leave((action.seat,), LeaveReason.STAFF, context)
            case StaffCommand.END_MATCH:
                return self._end_match(scene)
        assert scene.game is not None
        self._is_paused = action.what is StaffCommand.PAUSE
        context.announce((MatchPaused if self._is_paused else MatchResumed)(scene.game.id))
        for seat in self._seats:
            seat.release_all()
            seat.side_menu.close()
        return scene.with_whole_time(context.now_ns) if isinstance(scene, Reveal) else scene

    def _end_match(self, scene: Scene) -> Scene:
        """End the match without a winner. Its players sit at the table for the next one."""
        game = scene.game
        assert game is not None
        self._context.announce(MatchBrokenOff(game.id, BreakOffReason.STAFF))
        left = {game.players[player] for player in game.left}
        return Lobby(joined=tuple(sorted(seat for seat in game.players if seat not in left)))

    def _stands_still(self, due_ns: int | None) -> bool:
        """Whether the end of a reveal waits for the end of a pause. Cups and earlier presses never wait for it."""
        scene = self._scene
        return self._is_paused and isinstance(scene, Reveal) and due_ns == scene.deadline_ns

    # From the next scene to effects

    def _effects(self, scene: Scene, before: Scene) -> list[Effect]:
        """Return the effects of a new scene in their order: hide, record, publish, request, show, allow peeks."""
        self._is_paused = self._is_paused and scene.is_in_a_match
        scene = self._scene = scene if scene.paused is self._is_paused else replace(scene, paused=self._is_paused)
        self._timeouts.set_paused(self._is_paused)
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
            *self._answers,
        ]
        self._answers = []
        self._answered = scene
        return effects

    def _update(self, scene: Scene, before: Scene) -> None:
        """Have dimmer, timeouts and seats follow the table to the next scene."""
        now_ns = self._context.now_ns
        self._dimmer.update(scene, now_ns)
        if self._dimmer.brightness is Brightness.DARK:  # forget keys that are still held, as the players have left
            for seat in self._seats:
                seat.release_all()
        self._timeouts.update(scene)
        change = SceneChange(before, scene)
        for seat in self._seats:
            seat.update(change, self._context, may_agree=self._timeouts.presence.may_vote(seat.seat))
        for number, why in self._context.take_notices():  # after the update, which drops notices from before
            self._seats[number].show_notice(why, now_ns)


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
