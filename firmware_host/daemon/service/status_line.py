"""The table state in one line, for `systemctl status`. It comes from the public state, so it has no dice."""

from collections.abc import Mapping, Sequence

from firmware_host.i18n.phrases import ALERT, DEVICE
from firmware_host.public.narration import bid_in_words
from firmware_host.table.seat.view import SceneName
from firmware_host.wire import PublicState, Seat

_PART: Mapping[str, str] = {
    SceneName.SHAKING: "shaking",
    SceneName.CHOOSING: "choosing a round",
    SceneName.BIDDING: "bidding",
    SceneName.CALLED: "called",
    SceneName.REVEAL: "the cups are up",
}


def status_line(state: PublicState) -> str:
    """Return match, players, bid, awaited seats, missing devices and alerts."""
    waited = _names(state, state.waiting_for)
    missing = ", ".join(f"{seat.place}'s {DEVICE[device]}" for seat in state.seats for device in seat.missing)
    parts = (
        _match_or_lobby(state),
        _round(state),
        f"waiting for {waited}" if waited else "",
        "paused by staff" if state.paused else "",
        f"missing: {missing}" if missing else "",
        *(f"{text[:1].lower()}{text[1:]}" for text in map(ALERT.__getitem__, state.troubles)),
    )
    return "; ".join(filter(None, parts))


def _match_or_lobby(state: PublicState) -> str:
    names = _names(state, state.players)
    if state.scene == SceneName.LOBBY:
        return f"Lobby, {names or 'nobody'} {'sit' if len(state.players) > 1 else 'sits'} at the table"
    if state.scene == SceneName.OVER:
        won = _names(state, state.standings[:1])
        return f"Match of {state.rules} over" + (f", {won} has won" if won else "")
    return f"Match of {state.rules} between {names}"


def _round(state: PublicState) -> str:
    if state.round is None or state.scene not in _PART:
        return ""
    text = f"round {state.round.number}, {_PART[state.scene]}"
    if (bid := state.standing) is not None:
        text += f", {state.seats[bid.seat].place} bids {bid_in_words(bid.quantity, bid.face)}"
    return text


def _names(state: PublicState, seats: Sequence[Seat]) -> str:
    *most, last = [state.seats[seat].place for seat in seats] or [""]
    return f"{', '.join(most)} and {last}" if most else last
