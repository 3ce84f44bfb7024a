"""The journal's text of what the room was told: what a score of a match needs, and what proves its dice.

Nothing but public events goes in, so what is kept of a match that is over holds no die that was not shown. It reads
back to equal events; `Scorekeeper` makes the score of them.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from engine import parse_action
from firmware_host.journal.records import RecordError, from_json
from firmware_host.table import events
from firmware_host.table.events import PublicEvent

_KINDS: Mapping[str, type[PublicEvent]] = {
    "match": events.MatchBegan,
    "order": events.OrderRolled,
    "round": events.RoundBegan,
    "choice": events.ChoiceAwaited,
    "said": events.Said,
    "revealed": events.Revealed,
    "proven": events.Proven,
    "left": events.Left,
    "won": events.MatchWon,
    "broken-off": events.MatchBrokenOff,
}
"""What is kept, by its name in the journal; the names are part of the schema."""
_NAMES = {kind: name for name, kind in _KINDS.items()}


def encode_told(told: Iterable[PublicEvent]) -> bytes:
    """The events that a score needs, as JSON; nothing if there is none."""
    kept = [(_NAMES[type(event)], _fields(event)) for event in told if type(event) in _NAMES]
    return msgspec.json.encode(kept) if kept else b""


def decode_told(body: bytes) -> list[PublicEvent]:
    """The events again. Raises `RecordError` for what is damaged."""
    try:
        kept = msgspec.json.decode(body, type=list[tuple[str, msgspec.Raw]])
        return [_event(name, raw) for name, raw in kept]
    except (msgspec.MsgspecError, ValueError, KeyError, RecursionError, TypeError) as error:
        raise RecordError(f"events of a match that cannot be read: {error}") from error


class _Said(msgspec.Struct):
    """`events.Said` with the action as its text: JSON can't tell the words of actions from each other."""

    seat: int
    action: str


def _fields(event: PublicEvent) -> Any:
    return _Said(event.seat, str(event.action)) if isinstance(event, events.Said) else event


def _event(name: str, raw: msgspec.Raw) -> PublicEvent:
    kind = _KINDS[name]
    if kind is events.Said:
        said = msgspec.json.decode(raw, type=_Said)
        return events.Said(said.seat, parse_action(said.action))
    return msgspec.json.decode(raw, type=kind, dec_hook=from_json)
