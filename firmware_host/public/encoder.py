"""Encodes public states and events as the lines of JSON in docs/events.md.

This is the only place where match seats become layout seats.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import msgspec

from engine import Bid, Call, Phase, Position, Rules, Showdown, legal_actions
from engine.match import visible_seats
from firmware_host.public import messages
from firmware_host.public.narration import Narrator
from firmware_host.table import events
from firmware_host.table.events import PublicEvent
from firmware_host.table.public_state import PublicState
from firmware_host.table.seat_view import SceneName

Value = TypeVar("Value")
_JSON = msgspec.json.Encoder()
_AFTER_A_REVEAL = (SceneName.REVEAL, SceneName.OVER)


class LineEncoder:
    """An encoder for a table with these seat names, in layout order, and these rules.

    Each line ends in a newline.
    """

    def __init__(self, names: Sequence[str], rules: Rules | None = None) -> None:
        self._seats = len(names)
        self._narrator = Narrator(names, rules)

    def state(
        self, state: PublicState, seq: int = 0, journal: str = "", since: int | None = None, oldest: int = 1
    ) -> bytes:
        """Return a state's line after event number `seq`; `since` is for the answer to a request."""
        line = msgspec.structs.replace(_state(state), seq=seq, journal=journal, since=since, oldest=oldest)
        return _JSON.encode(line) + b"\n"

    def event(self, event: PublicEvent, seq: int = 0) -> bytes:
        """Return the line of an event with number `seq`: its public fields and its sentences."""
        fields = msgspec.to_builtins(self._public_form(event))
        kind = fields.pop("type")
        return _JSON.encode({"type": kind, "seq": seq, **fields, "sentences": self._narrator.sentences(event)}) + b"\n"

    def _public_form(self, event: PublicEvent) -> messages.EventLine:
        match event:
            case events.OrderRolled(rolls, order):
                return messages.OrderRolled(self._by_seat(rolls, ()), order)
            case events.RoundBegan(number, kind, first, owner, dice):
                return messages.RoundBegan(number, kind, owner, first, self._by_seat(dice, 0))
            case events.ActionTaken(seat, action):
                return messages.ActionTaken(
                    seat, str(action), messages.Bid(*action) if isinstance(action, Bid) else None
                )
            case events.Undone(seat, action, by, standing, bidder):
                bid = messages.Bid(*action) if isinstance(action, Bid) else None
                stands = None if standing is None or bidder is None else messages.Standing(*standing, bidder)
                return messages.Undone(seat, str(action), bid, by, stands)
            case events.Revealed(showdown, players, dice):
                seating = _Seating(players, self._seats)
                return messages.Revealed(seating.showdown(showdown), seating.by_seat(dice, 0))
        return event

    def _by_seat(self, held: Iterable[tuple[int, Value]], nothing: Value) -> tuple[Value, ...]:
        return _spread(dict(held), nothing, self._seats)


class _Seating:
    """A map from match seats to layout seats: `players[i]` is the layout seat of match seat i."""

    def __init__(self, players: Sequence[int], seats: int) -> None:
        self._players = players
        self._seats = seats

    def seat(self, player: int | None) -> int | None:
        """Return a player's seat, None for None."""
        return None if player is None else self._players[player]

    def seats(self, players: Iterable[int]) -> tuple[int, ...]:
        """Return the seats of these players."""
        return tuple(self._players[player] for player in players)

    def by_seat(self, values: Sequence[Value], nothing: Value) -> tuple[Value, ...]:
        """Return player values as values by seat, with `nothing` for seats without a value."""
        return _spread(dict(zip(self._players, values, strict=False)), nothing, self._seats)

    def showdown(self, shown: Showdown) -> messages.Showdown:
        """Return a showdown's public form, including its dice, by then public."""
        return messages.Showdown(
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


def _state(state: PublicState) -> messages.State:
    line = messages.State(
        scene=state.scene,
        rules=state.rules,
        match=state.match,
        head=state.head,
        deal=state.deal,
        seats=_seats(state),
        players=state.players,
        standings=state.standings,
        winner=state.standings[0] if state.standings else None,
        countdown_s=state.countdown_s,
        broken_off=state.broken_off,
        clock_s=state.clock_s,
        undo=None if state.undo is None else messages.UndoAsked(*msgspec.structs.astuple(state.undo)),
        paused=state.paused,
        troubles=state.alerts,
        volume=state.volume,
        tv=state.tv,
        sound_test=state.sound_test,
    )
    return line if state.position is None else _of_match(line, state, state.position)


def _of_match(line: messages.State, state: PublicState, position: Position) -> messages.State:
    seating = _Seating(state.players, len(state.seats))
    shaking = state.scene is SceneName.SHAKING
    shown = position.showdown if state.scene in _AFTER_A_REVEAL else None
    called = _called(state, seating)
    return msgspec.structs.replace(
        line,
        order=() if position.phase is Phase.SEATING else seating.seats(position.order),
        rolls=seating.by_seat(position.rolls, ()) if shaking and position.number == 1 and position.rolls else (),
        round=_round(position, seating, shown),
        waiting_for=seating.seats(state.waiting_for),
        turn=None if called is not None else seating.seat(position.turn),
        standing=_standing(position, seating),
        passer=seating.seat(position.passer),
        called=called,
        choices=position.choices if state.scene is SceneName.CHOOSING else (),
        may_call=_may_call(position, seating) if state.scene is SceneName.BIDDING else {},
        may_see=_may_see(position, seating) if state.scene is SceneName.BIDDING else (),
        cups_down=seating.seats(p for p in position.rolling if p not in state.waiting_for) if shaking else (),
        showdown=None if shown is None else seating.showdown(shown),
        position=str(position),
    )


def _seats(state: PublicState) -> tuple[messages.Seat, ...]:
    """Return every seat. A player without dice still counts as playing."""
    seating, position = _Seating(state.players, len(state.seats)), state.position
    dice, banked = ((), ()) if position is None else (position.dice, position.banked)
    held, kept = seating.by_seat(dice, 0), seating.by_seat(banked, 0)
    return tuple(
        messages.Seat(
            name=info.shown,
            color=info.color,
            playing=seat in state.players,
            dice=held[seat],
            banked=kept[seat],
            missing=tuple(device for at, device in state.missing if at == seat),
            away=seat in state.away,
            out_in_min=_out_in_min(state, seat),
            place=info.name,
            robot=dict(state.robots).get(seat),
        )
        for seat, info in enumerate(state.seats)
    )


def _out_in_min(state: PublicState, seat: int) -> int | None:
    """Return the minutes until an awaited seat is out."""
    absence = state.absence
    if absence is None or seat not in {state.players[player] for player in absence.players}:
        return None
    return absence.out_in_min


def _may_call(position: Position, seating: _Seating) -> dict[str, tuple[int, ...]]:
    """Return, for each call that is legal now, its seats."""
    legal = {player: legal_actions(position, player) for player in position.living}
    callers = ((call, [player for player, actions in legal.items() if call in actions]) for call in Call)
    return {str(call): seating.seats(players) for call, players in callers if players}


def _may_see(position: Position, seating: _Seating) -> tuple[tuple[int, ...], ...]:
    """Return, for each seat, the seats with dice visible to it now."""
    seen = [seating.seats(visible_seats(position, player)) for player in range(len(position.dice))]
    return seating.by_seat(seen, ())


def _round(position: Position, seating: _Seating, shown: Showdown | None) -> messages.Round:
    """Return the current round. After a call that is the finished one rather than the position's."""
    if shown is not None:
        return messages.Round(shown.number, shown.kind, None, None)
    return messages.Round(position.number, position.kind, seating.seat(position.owner), seating.seat(position.first))


def _standing(position: Position, seating: _Seating) -> messages.Standing | None:
    if position.standing is None or position.bidder is None:
        return None
    return messages.Standing(*position.standing, *seating.seats([position.bidder]))


def _called(state: PublicState, seating: _Seating) -> messages.Called | None:
    if state.call is None or state.caller is None:
        return None
    return messages.Called(state.call, *seating.seats([state.caller]))


def _spread(held: Mapping[int, Value], nothing: Value, seats: int) -> tuple[Value, ...]:
    return tuple(held.get(seat, nothing) for seat in range(seats))
