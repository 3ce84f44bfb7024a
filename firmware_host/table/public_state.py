"""The public state of a scene, in layout seats: the one place that fills `wire.PublicState`.

It reads a match's `Position`, which holds no die before the showdown.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from msgspec import structs

from engine import Call, Phase, Player, Position, Showdown, legal_actions
from engine.match import visible_seats
from firmware_host.fairness.chain import head_text
from firmware_host.table.health import ActiveAlerts
from firmware_host.table.parts import Parts
from firmware_host.table.scenes.called import Called
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.scene import Scene, SceneContext
from firmware_host.table.seat.view import SceneName
from firmware_host.wire import (
    PublicRound,
    PublicSeat,
    PublicShowdown,
    PublicState,
    Seat,
    StandingBid,
    StandingCall,
    all_seats,
    enumerate_seats,
)

Value = TypeVar("Value")
_AFTER_A_REVEAL = (SceneName.REVEAL, SceneName.OVER)


class Seating:
    """A map from a match's players to layout seats: `players[i]` is player i's."""

    def __init__(self, players: Sequence[Seat], seats: int) -> None:
        self._players = players
        self._seats = seats

    def seat(self, player: Player | None) -> Seat | None:
        """Return a player's seat, None for None."""
        return None if player is None else self._players[player]

    def seats(self, players: Iterable[Player]) -> tuple[Seat, ...]:
        """Return the seats of these players."""
        return tuple(self._players[player] for player in players)

    def by_seat(self, values: Sequence[Value], nothing: Value) -> tuple[Value, ...]:
        """Return player values as values by seat, with `nothing` for seats without a value."""
        return by_seat(dict(zip(self._players, values, strict=False)), nothing, self._seats)

    def showdown(self, shown: Showdown) -> PublicShowdown:
        """Return a showdown's public form, including its dice, by then public."""
        return PublicShowdown(
            call=shown.call,
            caller=self._players[shown.caller],
            doubted=self._players[shown.doubted],
            quantity=shown.bid.quantity,
            face=shown.bid.face,
            matching=shown.matching,
            right=shown.right,
            hands=self.by_seat([tuple(hand) for hand in shown.hands], ()),
            loser=self.seat(shown.loser),
            gainer=self.seat(shown.gainer),
            out=self.seats(shown.out),
        )


def by_seat(values: Mapping[Seat, Value], nothing: Value, seats: int) -> tuple[Value, ...]:
    """Return a value for each layout seat, `nothing` for those without one."""
    return tuple(values.get(seat, nothing) for seat in all_seats(seats))


def public_state(
    scene: Scene,
    context: SceneContext,
    alerts: ActiveAlerts,
    parts: Parts,
    sound_test: bool,
    of_match: Mapping[str, object],
) -> PublicState:
    """Return a scene's public state, with its `match_facts`. Names are the entered ones if the owner publishes them."""
    lobby = scene if isinstance(scene, Lobby) else Lobby()
    state = PublicState(
        scene=scene.name,
        rules=context.rules.name,
        seats=_seats(scene, context, parts),
        players=lobby.joined,
        countdown_s=lobby.countdown_s(context.now_ns),
        broken_off=lobby.broken_off,
        undo=parts.undo_vote.request,
        troubles=alerts.all,
        volume=parts.volume.now,
        tv=parts.volume.settings.tv,
        sound_test=sound_test,
        phones=tuple(seat for seat, info in enumerate_seats(context.seats) if info.is_phone),
    )
    return state if scene.game is None else structs.replace(state, **of_match, clock_s=parts.timeouts.clock_s)


def match_facts(scene: Scene, seats: int) -> Mapping[str, object]:
    """Return the public state's match fields, derived from the scene alone; empty before a match."""
    game = scene.game
    if game is None:
        return {}
    position, seating = game.position, Seating(game.players, seats)
    is_shaking, is_bidding, is_over = (
        scene.name is name for name in (SceneName.SHAKING, SceneName.BIDDING, SceneName.OVER)
    )
    shown = position.showdown if scene.name in _AFTER_A_REVEAL else None
    called = StandingCall(scene.call, game.seat(scene.caller)) if isinstance(scene, Called) else None
    return {
        "rules": position.rules.name,
        "match": game.id,
        "head": head_text(game.head),
        "deal": scene.committed_deal,
        "players": game.players,
        "order": () if position.phase is Phase.SEATING else seating.seats(position.order),
        "rolls": seating.by_seat(position.rolls, ()) if is_shaking and position.number == 1 and position.rolls else (),
        "round": _round(position, seating, shown),
        "waiting_for": seating.seats(scene.waiting_for()),
        "turn": seating.seat(position.turn) if called is None else None,
        "standing": _standing(position, seating),
        "passer": seating.seat(position.passer),
        "called": called,
        "choices": position.choices if scene.name is SceneName.CHOOSING else (),
        "may_call": {call: seating.seats(players) for call, players in _callers(position)} if is_bidding else {},
        "may_see": seating.by_seat([*map(seating.seats, _visible(position))], ()) if is_bidding else (),
        "cups_down": seating.seats(p for p in position.rolling if p not in scene.waiting_for()) if is_shaking else (),
        "paused": scene.paused,
        "showdown": None if shown is None else seating.showdown(shown),
        "winner": game.standings[0] if is_over else None,
        "standings": game.standings if is_over else (),
        "position": str(position),
    }


def seated(scene: Scene) -> tuple[Seat, ...]:
    """Return the players' seats: in the lobby the joined ones, in a match also those without dice."""
    if isinstance(scene, Lobby):
        return scene.joined
    return () if scene.game is None else scene.game.players


def _seats(scene: Scene, context: SceneContext, parts: Parts) -> tuple[PublicSeat, ...]:
    """Return every seat. A player without dice still counts as playing."""
    game, presence, robots = scene.game, parts.timeouts.presence, dict(scene.robots)
    players = seated(scene)
    dice, banked = ((), ()) if game is None else (game.position.dice, game.position.banked)
    seating = Seating(players, len(context.seats))
    held, kept = seating.by_seat(dice, 0), seating.by_seat(banked, 0)
    names = parts.names.public
    away, awaited = ((), ()) if game is None else (presence.away, presence.held_up_by)
    out_in_min = presence.out_in_min(parts.timeouts.now_ns) if awaited else None
    return tuple(
        PublicSeat(
            name=names[seat],
            color=info.color,
            playing=seat in players,
            dice=held[seat],
            banked=kept[seat],
            missing=_missing(seat, context) if seat in players or not info.is_phone else (),
            away=seat in away,
            out_in_min=out_in_min if seat in awaited else None,
            place=info.name,
            robot=robots.get(seat),
        )
        for seat, info in enumerate_seats(context.seats)
    )


def _missing(seat: Seat, context: SceneContext) -> tuple[str, ...]:
    return tuple(device for at, device in context.devices.missing if at == seat)


def _round(position: Position, seating: Seating, shown: Showdown | None) -> PublicRound:
    """Return the current round. After a call that is the finished one rather than the position's."""
    if shown is not None:
        return PublicRound(shown.number, shown.kind, None, None)
    return PublicRound(position.number, position.kind, seating.seat(position.owner), seating.seat(position.first))


def _standing(position: Position, seating: Seating) -> StandingBid | None:
    if position.standing is None or position.bidder is None:
        return None
    return StandingBid(*position.standing, *seating.seats([position.bidder]))


def _callers(position: Position) -> tuple[tuple[Call, tuple[Player, ...]], ...]:
    """Return each call that is legal now, with its players."""
    legal = {player: legal_actions(position, player) for player in position.living}
    callers = ((call, tuple(player for player, actions in legal.items() if call in actions)) for call in Call)
    return tuple((call, players) for call, players in callers if players)


def _visible(position: Position) -> tuple[tuple[Player, ...], ...]:
    """Return, for each player, the players with dice visible to them now."""
    return tuple(visible_seats(position, Player(player)) for player in range(position.seats))
