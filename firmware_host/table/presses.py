"""The way of a key to its effect: to the staff menu, a name's letters, a lesson, or the seat's own menu and the scene.

Pure: `Table` hands it the keys that a seat's state has made of its edges.
"""

from collections.abc import Iterable, Sequence

from engine import DUDO, Player
from firmware_host.table.events import LeaveReason, UndoneBy
from firmware_host.table.parts import Parts
from firmware_host.table.parts.robot_seats import RobotSeats
from firmware_host.table.scenes.scene import Scene, SceneContext
from firmware_host.table.seat.key_input import Confirm, Key, Peek, Step
from firmware_host.table.seat.menu import VOLUME_ITEMS, MenuCommand
from firmware_host.table.seat.view import SceneName, TableReason, hand_pages
from firmware_host.table.seat_state import SeatState
from firmware_host.table.staff_control import StaffControl
from firmware_host.wire import Seat


class Presses:
    """Takes each key to its place; `take` returns the scene that follows."""

    def __init__(
        self,
        context: SceneContext,
        seats: Sequence[SeatState],
        parts: Parts,
        staff: StaffControl,
        robots: RobotSeats,
    ) -> None:
        self._context = context
        self._seats = seats
        self._parts = parts
        self._staff = staff
        self._robots = robots

    def take(self, keys: Iterable[Key], seat: SeatState, scene: Scene) -> Scene:
        """Carry out a seat's keys in turn."""
        names, now_ns = self._parts.names, self._context.now_ns
        for key in keys:
            if key == Peek(open=False):  # a lowered cup hides its dice, whoever else takes keys
                seat.wants_peek = False
            if self._staff.takes_keys_of(seat.seat):
                scene = self._staff.on_key(key, scene)
            elif self._are_stopped(seat.seat, scene):
                continue
            elif names.is_asked(seat.seat) and not isinstance(key, Peek):
                names.on_key(seat.seat, key, now_ns)
                if not names.is_asked(seat.seat):
                    seat.on_uncovered(now_ns)
            elif self._parts.lessons.lesson(seat.seat):
                scene = self._learn(key, seat, scene)
            else:
                scene = self._press(key, seat, scene)
        return scene

    def _are_stopped(self, seat: Seat, scene: Scene) -> bool:
        """Return whether the seat's keys do nothing now: staff are at work or have paused, or a robot plays here."""
        return (
            self._staff.takes_presses_of(seat, scene)
            or self._staff.is_paused
            or seat in self._robots.seats_in_match(scene)
        )

    def uncover_ended_lessons(self) -> None:
        """Let the menus under ended lessons take presses from now on."""
        for number in self._parts.lessons.take_ended():
            self._seats[number].on_uncovered(self._context.now_ns)

    def _learn(self, key: Key, seat: SeatState, scene: Scene) -> Scene:
        """Hand a key to a seat's lesson; at its end the player may join."""
        lessons, now_ns = self._parts.lessons, self._context.now_ns
        joins = lessons.on_key(seat.seat, key, now_ns)
        self._parts.tips.on_taught(lessons.take_taught())
        self.uncover_ended_lessons()
        may_join = joins and not scene.is_in_a_match
        return scene.act(seat.seat, MenuCommand.JOIN, now_ns, self._context) if may_join else scene

    def _press(self, key: Key, seat: SeatState, scene: Scene) -> Scene:
        """Carry out a key at the seat's own menu and dice."""
        match key:
            case Step(by):
                self._step(key, by, seat, scene)
            case Peek(is_open):
                seat.wants_peek = is_open
                if is_open and scene.look(seat.seat) is None:
                    scene.explain_ignored_peek(seat.seat, self._context)
            case Confirm():
                return self._confirm(key, seat, scene)
        return scene

    def _step(self, key: Step, by: int, seat: SeatState, scene: Scene) -> None:
        """Turn the pages of open hands if there are any; else move the cursor, unless dice cover the menu."""
        if (seat.is_peeking or scene.name is SceneName.REVEAL) and (hands := _hand_pages(seat, scene)):
            seat.turn_page(by, len(hands))
        elif not seat.keys.ok_is_held:
            seat.step(key, self._context.now_ns, may_leave=scene.may_leave(seat.seat))

    def _confirm(self, key: Confirm, seat: SeatState, scene: Scene) -> Scene:
        """Carry out the item under OK, unless the display has just changed or the item means nothing now."""
        seat.clear_notice()
        self._parts.tips.clear(seat.seat)
        if not seat.had_seen_menu(key.since_ns, dudo=key.dudo):
            late = scene.name in (SceneName.BIDDING, SceneName.CALLED) or (key.dudo and scene.name is SceneName.REVEAL)
            self._context.notify(seat.seat, TableReason.BID_CHANGED if late else TableReason.MENU_CHANGED)
            return scene
        item = DUDO if key.dudo else seat.menu.chosen
        if item is None or (key.dudo and scene.name is not SceneName.BIDDING):
            scene.explain_ignored_press(seat.seat, self._context)
            return scene
        if isinstance(item, MenuCommand):
            if seat.side_menu.is_open:
                return self._pick_from_side_menu(item, seat, scene)
            if self._is_about_the_seat(item, seat.seat):
                return scene
            if item is MenuCommand.LEAVE and scene.game is None:
                self._parts.names.leave(seat.seat)
        return scene.act(seat.seat, item, key.at_ns, self._context)

    def _is_about_the_seat(self, item: MenuCommand, seat: Seat) -> bool:
        """Carry out an item that concerns this display or the room and no match; return whether it is one."""
        parts, now_ns = self._parts, self._context.now_ns
        match item:
            case MenuCommand.LEARN:
                has_dudo_button = self._context.seats[seat].dudo_button
                parts.lessons.begin(seat, self._context.rules, now_ns, has_dudo_button=has_dudo_button)
            case MenuCommand.NAME:
                parts.names.ask(seat, now_ns)
            case MenuCommand.LANGUAGE:
                parts.languages.step(seat)
            case _ if item in VOLUME_ITEMS:
                parts.volume.step(VOLUME_ITEMS[item])
            case _:
                return False
        return True

    def _pick_from_side_menu(self, item: MenuCommand, seat: SeatState, scene: Scene) -> Scene:
        """Carry out an item behind the arrow; giving up is asked once more."""
        if item is MenuCommand.GIVE_UP:
            seat.side_menu.ask(self._context.now_ns)
            return scene
        seat.side_menu.close()
        match item:
            case MenuCommand.QUIT:
                return scene.leave((seat.seat,), LeaveReason.GAVE_UP, self._context)
            case MenuCommand.KEEP:
                self._parts.undo_vote.refuse(seat.seat)
            case MenuCommand.UNDO | MenuCommand.AGREE:
                if self._parts.undo_vote.agree(seat.seat, self._context.now_ns):
                    return scene.undo(UndoneBy.PLAYERS, self._context)
            case MenuCommand.PLAY_ON:
                return self._parts.timeouts.vote(seat.seat, scene)
        return scene


def _hand_pages(seat: SeatState, scene: Scene) -> tuple[Player, ...]:
    """Return the players whose open hands this seat can turn through."""
    return () if scene.game is None else hand_pages(scene.name, scene.game.position, scene.game.player(seat.seat))
