"""Table outputs: the public state and each seat's view. Only changes are sent.

Pure: times are passed in.
"""

from collections.abc import Mapping, Sequence

from msgspec import structs

from firmware_host.fairness.chain import head_text
from firmware_host.table.effects import Publish, Show
from firmware_host.table.health import ActiveAlerts
from firmware_host.table.menu import VOLUME_ITEMS, Menu
from firmware_host.table.parts import Parts
from firmware_host.table.parts.dimmer import ScreenDimmer
from firmware_host.table.parts.timeouts import Presence, Timeouts
from firmware_host.table.public_state import PublicState
from firmware_host.table.scenes.called import Called
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.reveal import Reveal
from firmware_host.table.scenes.scene import Game, Scene, SceneContext
from firmware_host.table.scenes.shaking import Shaking
from firmware_host.table.seat_state import SeatState
from firmware_host.table.seat_view import Absence, Missing, SceneName, SeatView, UndoAsked
from firmware_host.table.staff import StaffView

COMMITTED_LETTERS, FINAL_LETTERS = 11, 16
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
        self._published: PublicState | None = None
        self.staff: Mapping[int, StaffView] = {}
        """Staff pictures by seat, replacing the match."""
        self.sound_test = False
        """Whether staff are testing the loudspeaker."""

    def forget(self) -> None:
        """Send everything again after closing all peeks: the last effects may not have been carried out."""
        self._published = None
        for seat in self._seats:
            seat.forget_display()

    def public_state(self, scene: Scene) -> PublicState:
        """Return a scene's public state."""
        public = public_state(scene, self._context, self.alerts, self._parts.timeouts)
        if self._parts.names.are_public:
            public = self._named(public)
        volume, undo = self._parts.volume, self._parts.undo_vote.request
        return structs.replace(public, undo=undo, volume=volume.now, tv=volume.settings.tv, sound_test=self.sound_test)

    def publish_if_changed(self, public: PublicState) -> list[Publish]:
        """Return the effect that publishes a changed state."""
        is_new, self._published = public != self._published, public
        return [Publish(public)] if is_new else []

    def changed_frames(self, public: PublicState, scene: Scene) -> list[Show]:
        """Return the effects that redraw changed displays, which also show names kept from the public."""
        if self._parts.names.asks:
            public = self._named(public)
        shows = ((seat, self._show(seat, public, scene)) for seat in self._seats)
        return [show for seat, show in shows if seat.is_new_frame(show)]

    def _named(self, public: PublicState) -> PublicState:
        """Return the state with the players' entered names."""
        seats = enumerate(public.seats)
        named = tuple(structs.replace(info, player=self._parts.names.name(seat)) for seat, info in seats)
        return structs.replace(public, seats=named)

    def _show(self, seat: SeatState, public: PublicState, scene: Scene) -> Show:
        may_agree = self._parts.timeouts.presence.may_vote(seat.seat)
        cue_ms = scene.cue_ms(self._context.now_ns) if isinstance(scene, Reveal) else None
        view = seat_view(
            seat, public, self._parts.dimmer, self.alerts, resumed=self.resumed, may_agree=may_agree, cue_ms=cue_ms
        )
        if seat.menu.chosen in VOLUME_ITEMS:
            view = structs.replace(view, volume=public.volume)
        if staff := self.staff.get(seat.seat):
            return Show(seat.seat, structs.replace(view, staff=staff), Menu(), None)
        if scene.paused or (seat.seat in self._context.robots and scene.is_in_a_match):
            return Show(seat.seat, view, Menu(), None)
        if naming := self._parts.names.view(seat.seat):
            return Show(seat.seat, structs.replace(view, naming=naming), Menu(), None)
        return Show(seat.seat, view, seat.menu, scene.look(seat.seat))


def public_state(scene: Scene, context: SceneContext, alerts: ActiveAlerts, timeouts: Timeouts) -> PublicState:
    """Return a scene's public side."""
    game, presence = scene.game, timeouts.presence
    if game is None:
        lobby = scene if isinstance(scene, Lobby) else Lobby()
        return PublicState(
            scene.name,
            context.seats,
            context.rules.name,
            lobby.joined,
            missing=context.devices.missing,
            robots=scene.robots,
            countdown_s=lobby.countdown_s(context.now_ns),
            broken_off=lobby.broken_off,
            alerts=alerts.all,
        )
    return PublicState(
        scene=scene.name,
        seats=context.seats,
        rules=game.position.rules.name,
        players=game.players,
        match=game.id,
        head=head_text(game.head),
        deal=scene.committed_deal,
        position=game.position,
        caller=scene.caller if isinstance(scene, Called) else None,
        call=scene.call if isinstance(scene, Called) else None,
        waiting_for=scene.waiting_for(),
        standings=game.standings if scene.name is SceneName.OVER else (),
        missing=context.devices.missing,
        clock_s=timeouts.clock_s,
        away=presence.away,
        robots=scene.robots,
        absence=_absence(game, presence, timeouts.now_ns),
        paused=scene.paused,
        repeat=scene.again if isinstance(scene, Shaking) else None,
        alerts=alerts.all,
    )


def _absence(game: Game, presence: Presence, now_ns: int) -> Absence | None:
    if not presence.held_up_by:
        return None
    players = tuple(game.players.index(seat) for seat in presence.held_up_by)
    stalling = tuple(game.players.index(seat) for seat in presence.held_up_by if seat in presence.stalling)
    return Absence(players, presence.votes, presence.votes_needed, presence.out_in_min(now_ns), stalling)


def seat_view(
    state: SeatState,
    public: PublicState,
    dimmer: ScreenDimmer,
    alerts: ActiveAlerts,
    *,
    resumed: bool,
    may_agree: bool,
    cue_ms: int | None = None,
) -> SeatView:
    """Return one seat's view: public state plus the seat's own memory."""
    seat, seats, players = state.seat, public.seats, public.players
    return SeatView(
        scene=public.scene,
        name=seats[seat].shown,
        names=tuple(seats[player].shown for player in players),
        robot=dict(public.robots).get(seat),
        me=players.index(seat) if seat in players else None,
        position=public.position,
        caller=public.caller,
        call=public.call,
        waiting_for=public.waiting_for,
        countdown_s=public.countdown_s,
        broken_off=public.broken_off,
        clock_s=public.clock_s,
        absence=public.absence,
        undo=_undo(public),
        may_agree=may_agree,
        paused=public.paused,
        repeat=public.repeat,
        missing=tuple(Missing(seats[lost].shown, device) for lost, device in public.missing),
        alerts=alerts.seen_by(owner=seats[seat].is_service),
        takes_new_cup=seats[seat].takes_new_cup,
        notice=state.notice,
        resumed=resumed,
        has_peeked=public.match is not None and state.peeked_in == public.match,
        page=state.page,
        cue_ms=cue_ms,
        brightness=dimmer.brightness,
        head=_head(public),
        idle_frame=dimmer.idle_frame,
    )


def _undo(public: PublicState) -> UndoAsked | None:
    """Return the undo request as displays phrase it."""
    if public.undo is None:
        return None
    asking = public.players.index(public.undo.seat)
    return UndoAsked(asking, len(public.undo.agreed), len(public.undo.needed))


def _head(public: PublicState) -> str:
    """Return the hash's first letters while they commit somebody: to a deal, or to the whole match."""
    if public.head is None:
        return ""
    if public.deal is not None:
        return public.head[:COMMITTED_LETTERS]
    return public.head[:FINAL_LETTERS] if public.scene is SceneName.OVER else ""
