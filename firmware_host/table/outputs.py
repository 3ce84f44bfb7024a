"""Table outputs: the public state and each seat's view. Only changes are sent.

Pure: times are passed in.
"""

from collections.abc import Mapping, Sequence

from msgspec import structs

from drivers.messages import WHOLE_SEATS, Device
from engine import Player
from firmware_host.table.effects import Publish, Show
from firmware_host.table.health import ActiveAlerts
from firmware_host.table.invitation import Invitation
from firmware_host.table.parts import Parts
from firmware_host.table.parts.timeouts import Presence
from firmware_host.table.public_state import match_facts, public_state
from firmware_host.table.scenes.called import Called
from firmware_host.table.scenes.reveal import Reveal
from firmware_host.table.scenes.scene import Game, Scene, SceneContext
from firmware_host.table.scenes.shaking import Shaking
from firmware_host.table.seat.menu import VOLUME_ITEMS, Menu
from firmware_host.table.seat.view import Absence, Missing, SceneName, SeatView, UndoAsked
from firmware_host.table.seat_state import SeatState
from firmware_host.table.staff.actions import StaffView
from firmware_host.wire import PublicState, Seat

COMMITTED_LETTERS, FINAL_LETTERS = 12, 16
"""Letters of the chain's hash on a display: as many as fit the status line; after the match, enough to write down."""


class Outputs:
    """One table's public state and pictures; `resumed` is shown until the first action after a restart."""

    def __init__(
        self, context: SceneContext, alerts: ActiveAlerts, seats: Sequence[SeatState], parts: Parts, *, resumed: bool
    ) -> None:
        self.alerts = alerts
        self.resumed = resumed
        self._context = context
        self._seats = seats
        self._parts = parts
        self._scene: Scene | None = None
        self._of_match: Mapping[str, object] = {}
        self._published: PublicState | None = None
        self.staff: Mapping[Seat, StaffView] = {}
        """Staff pictures by seat, replacing the match."""
        self.invitation: Invitation | None = None
        """The way in for the next phone."""
        self.sound_test = False
        """Whether staff are testing the loudspeaker."""

    def forget(self) -> None:
        """Send everything again after closing all peeks: the last effects may not have been carried out."""
        self._published = None
        for seat in self._seats:
            seat.forget_display()

    def public_state(self, scene: Scene) -> PublicState:
        """Return a scene's public state."""
        if scene is not self._scene:  # it stays while a cursor moves or time passes
            self._scene, self._of_match = scene, match_facts(scene, len(self._context.seats))
        return public_state(scene, self._context, self.alerts, self._parts, self.sound_test, self._of_match)

    def publish_if_changed(self, public: PublicState) -> list[Publish]:
        """Return the effect that publishes a changed state."""
        is_new, self._published = public != self._published, public
        return [Publish(public)] if is_new else []

    def changed_frames(self, public: PublicState, scene: Scene) -> list[Show]:
        """Return the effects that redraw changed displays, which also show names kept from the public."""
        shared = self._shared_view(public, scene)
        shows = ((seat, self._show(seat, public, shared, scene)) for seat in self._seats)
        return [show for seat, show in shows if seat.is_new_frame(show)]

    def _shared_view(self, public: PublicState, scene: Scene) -> SeatView:
        """Return the facts that all displays show alike."""
        names, timeouts, dimmer, game = self._parts.names.shown, self._parts.timeouts, self._parts.dimmer, scene.game
        return SeatView(
            scene=scene.name,
            name="",
            names=tuple(names[player] for player in public.players),
            position=None if game is None else game.position,
            caller=scene.caller if isinstance(scene, Called) else None,
            call=scene.call if isinstance(scene, Called) else None,
            waiting_for=scene.waiting_for(),
            countdown_s=public.countdown_s,
            broken_off=public.broken_off,
            clock_s=public.clock_s,
            absence=None if game is None else _absence(game, timeouts.presence, timeouts.now_ns),
            undo=_undo(public),
            paused=public.paused,
            repeat=scene.again if isinstance(scene, Shaking) else None,
            missing=tuple(Missing(names[lost], device) for lost, device in self._context.devices.missing),
            resumed=self.resumed,
            cue_ms=scene.cue_ms(self._context.now_ns) if isinstance(scene, Reveal) else None,
            brightness=dimmer.brightness,
            head=_head(public),
            idle_frame=dimmer.idle_frame,
        )

    def _show(self, seat: SeatState, public: PublicState, shared: SeatView, scene: Scene) -> Show:
        info, parts, number = self._context.seats[seat.seat], self._parts, seat.seat
        view = structs.replace(
            shared,
            name=parts.names.name(number) or info.name,
            robot=dict(scene.robots).get(number),
            me=Player(public.players.index(number)) if number in public.players else None,
            may_agree=parts.timeouts.presence.may_vote(number),
            alerts=self.alerts.seen_by(owner=info.is_service),
            takes_new_cup=info.takes_new_cup,
            notice=seat.notice,
            is_phone=info.is_phone,
            has_peeked=public.match is not None and seat.peeked_in == public.match,
            page=seat.page,
            volume=public.volume if seat.menu.chosen in VOLUME_ITEMS else None,
            invitation=self.invitation if scene.name is SceneName.LOBBY and not info.is_phone else None,
            tip=None if seat.is_peeking or seat.side_menu.is_open else parts.tips.shown(number),
        )
        if staff := self.staff.get(number):
            return Show(number, structs.replace(view, staff=staff), Menu(), None)
        if scene.paused or (number in self._context.robots and scene.is_in_a_match):
            return Show(number, view, Menu(), None)
        if naming := parts.names.view(number):
            return Show(number, structs.replace(view, naming=naming), Menu(), None)
        if lesson := parts.lessons.lesson(number):
            has_cup = not self._context.devices.is_missing(number, Device.CUP, *WHOLE_SEATS)
            taught = lesson.view(has_cup=has_cup, may_join=not scene.is_in_a_match)
            return Show(number, structs.replace(view, lesson=taught), lesson.menu, None)
        return Show(number, view, seat.menu, scene.look(number))


def _absence(game: Game, presence: Presence, now_ns: int) -> Absence | None:
    if not presence.held_up_by:
        return None
    players = tuple(game.player_at(seat) for seat in presence.held_up_by)
    stalling = tuple(game.player_at(seat) for seat in presence.held_up_by if seat in presence.stalling)
    return Absence(players, presence.votes, presence.votes_needed, presence.out_in_min(now_ns), stalling)


def _undo(public: PublicState) -> UndoAsked | None:
    """Return the undo request as displays phrase it."""
    if public.undo is None:
        return None
    asking = Player(public.players.index(public.undo.seat))
    return UndoAsked(asking, len(public.undo.agreed), len(public.undo.needed))


def _head(public: PublicState) -> str:
    """Return the hash's first letters while they commit somebody: to a deal, or to the whole match."""
    if public.head is None:
        return ""
    if public.deal is not None:
        return public.head[:COMMITTED_LETTERS]
    return public.head[:FINAL_LETTERS] if public.scene is SceneName.OVER else ""
