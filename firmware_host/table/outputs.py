"""What the table shows: the public state, each seat's view, and which of them have changed since the last time."""

from collections.abc import Sequence

from firmware_host.fairness.commitments import head_text
from firmware_host.table.brightness import ScreenDimmer
from firmware_host.table.effects import Publish, Show
from firmware_host.table.health import ActiveAlerts
from firmware_host.table.public_state import PublicState
from firmware_host.table.scenes.called import Called
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.scene import Game, Scene, SceneContext
from firmware_host.table.scenes.shaking import Shaking
from firmware_host.table.seat_state import SeatState
from firmware_host.table.seat_view import Absence, Missing, SceneName, SeatView
from firmware_host.table.timeouts import Presence, Timeouts

COMMITTED_LETTERS, FINAL_LETTERS = 11, 16
"""Letters of the chain's head on a display: as many as fit the status line; after the match, those to write down."""


class Outputs:
    """The public state and the pictures of one table; `resumed` is shown until the first action after a restart."""

    def __init__(
        self,
        context: SceneContext,
        alerts: ActiveAlerts,
        seats: Sequence[SeatState],
        dimmer: ScreenDimmer,
        timeouts: Timeouts,
        *,
        resumed: bool,
    ) -> None:
        self.alerts = alerts
        self.resumed = resumed
        self._context = context
        self._seats = seats
        self._dimmer = dimmer
        self._timeouts = timeouts
        self._published: PublicState | None = None

    def forget(self) -> None:
        """Send everything again, with all peeks closed first: the last effects may not have been carried out."""
        self._published = None
        for seat in self._seats:
            seat.forget_display()

    def public_state(self, scene: Scene) -> PublicState:
        """Return what everybody may know of a scene."""
        return public_state(scene, self._context, self.alerts, self._timeouts.presence, self._timeouts.clock_s)

    def publish_if_changed(self, public: PublicState) -> list[Publish]:
        """Return the effect that publishes the state, if it is new."""
        is_new, self._published = public != self._published, public
        return [Publish(public)] if is_new else []

    def changed_frames(self, public: PublicState, scene: Scene) -> list[Show]:
        """Return the effects that draw the displays whose content is new."""
        shows = ((seat, self._show(seat, public, scene)) for seat in self._seats)
        return [show for seat, show in shows if seat.is_new_frame(show)]

    def _show(self, seat: SeatState, public: PublicState, scene: Scene) -> Show:
        may_agree = self._timeouts.presence.may_vote(seat.seat)
        view = seat_view(seat, public, self._dimmer, self.alerts, resumed=self.resumed, may_agree=may_agree)
        return Show(seat.seat, view, seat.menu, scene.look(seat.seat))


def public_state(
    scene: Scene, context: SceneContext, alerts: ActiveAlerts, presence: Presence, clock_s: int | None
) -> PublicState:
    """Return the public side of a scene."""
    game = scene.game
    if game is None:
        lobby = scene if isinstance(scene, Lobby) else Lobby()
        return PublicState(
            scene.name,
            context.seats,
            context.rules.name,
            lobby.joined,
            missing=context.devices.missing,
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
        clock_s=clock_s,
        away=presence.away,
        absence=_absence(game, presence, context.now_ns),
        repeat=scene.again if isinstance(scene, Shaking) else None,
        alerts=alerts.all,
    )


def _absence(game: Game, presence: Presence, now_ns: int) -> Absence | None:
    if not presence.held_up_by:
        return None
    players = tuple(game.players.index(seat) for seat in presence.held_up_by)
    return Absence(players, presence.votes, presence.votes_needed, presence.out_in_min(now_ns))


def seat_view(
    state: SeatState, public: PublicState, dimmer: ScreenDimmer, alerts: ActiveAlerts, *, resumed: bool, may_agree: bool
) -> SeatView:
    """Return the view of one seat: the public state and what the seat itself remembers."""
    seat, seats, players = state.seat, public.seats, public.players
    return SeatView(
        scene=public.scene,
        name=seats[seat].name,
        names=tuple(seats[player].name for player in players),
        me=players.index(seat) if seat in players else None,
        position=public.position,
        caller=public.caller,
        call=public.call,
        waiting_for=public.waiting_for,
        countdown_s=public.countdown_s,
        broken_off=public.broken_off,
        clock_s=public.clock_s,
        absence=public.absence,
        may_agree=may_agree,
        repeat=public.repeat,
        missing=tuple(Missing(seats[lost].name, device) for lost, device in public.missing),
        alerts=alerts.seen_by(owner=seats[seat].is_service),
        takes_new_cup=seats[seat].takes_new_cup,
        notice=state.notice,
        resumed=resumed,
        has_peeked=public.match is not None and state.peeked_in == public.match,
        page=state.page,
        light=dimmer.light,
        head=_head(public),
        idle_frame=dimmer.idle_frame,
    )


def _head(public: PublicState) -> str:
    """Return the first letters of the chain's head while they commit somebody: to a deal, or to the whole match."""
    if public.head is None:
        return ""
    if public.deal is not None:
        return public.head[:COMMITTED_LETTERS]
    return public.head[:FINAL_LETTERS] if public.scene is SceneName.OVER else ""
