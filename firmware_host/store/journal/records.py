"""The journal's text forms: scenes, public events, and each device's last event. All are JSON.

A record holds the whole scene rather than the action before it: resuming never runs old actions through new code.
Monotonic times and presses in flight are left out; scenes do not compare by these fields.

The journal keeps the public events needed for a score or its proofs, so its data about a finished match has no hidden
dice. The names of scenes, events and their fields are part of the schema.
"""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from hashlib import blake2b
from typing import Annotated, Any

import msgspec

from engine import Hand, Match, parse_action
from firmware_host import wire
from firmware_host.table import events
from firmware_host.table.events import PublicEvent
from firmware_host.table.scenes.bidding import Bidding
from firmware_host.table.scenes.called import Called
from firmware_host.table.scenes.choosing import Choosing
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.over import MatchOver
from firmware_host.table.scenes.reveal import Reveal
from firmware_host.table.scenes.revealing_entropy import RevealingEntropy
from firmware_host.table.scenes.scene import Game, MatchScene, Scene
from firmware_host.table.scenes.shaking import Shaking
from firmware_host.wire import Seat

Die = Annotated[int, msgspec.Meta(ge=1, le=6)]
_SHOWDOWN_BYTES = 1024
"""The length of a called round's padding: more than the showdown adds to its record."""
_POSITION = (
    *("rules", "phase", "order", "dice", "starting_dice", "first", "number", "kind", "owner"),
    *("turn", "standing", "bidder", "passer", "passed", "special_used", "banked", "rolls", "rolling", "showdown"),
)
"""A position's fields in record order."""
_MATCHES = ("match", "before_end")
"""A game's fields that hold a match."""
_SCENES: Mapping[str, type[Scene]] = {
    "lobby": Lobby,
    "shaking": Shaking,
    "opening": RevealingEntropy,
    "choosing": Choosing,
    "bidding": Bidding,
    "called": Called,
    "reveal": Reveal,
    "over": MatchOver,
}
_SCENE_NAMES = {scene: name for name, scene in _SCENES.items()}
_EVENTS: Mapping[str, type[PublicEvent]] = {
    "match": wire.MatchBegan,
    "order": events.OrderRolled,
    "round": events.RoundBegan,
    "choice": wire.ChoiceAwaited,
    "said": events.ActionTaken,
    "undone": events.Undone,
    "revealed": events.Revealed,
    "proven": wire.ChainEntryAdded,
    "left": wire.Left,
    "won": wire.MatchWon,
    "broken-off": wire.MatchBrokenOff,
    "reopened": wire.MatchReopened,
    "handed-over": wire.SeatHandedOver,
}
_EVENT_NAMES = {event: name for name, event in _EVENTS.items()}


class RecordError(ValueError):
    """A record unreadable by this version."""


def digest(*values: object) -> bytes:
    """Return the digest of a row's values, equal only for equal ones."""
    hashed = blake2b(digest_size=8)
    for value in values:
        part = value if isinstance(value, bytes) else str(value).encode(errors="surrogateescape")
        hashed.update(len(part).to_bytes(4, "big") + part)
    return hashed.digest()


# Scenes


def scene_name(scene: Scene) -> str:
    """Return a scene's name in the journal."""
    return _SCENE_NAMES[type(scene)]


def encode_scene(scene: Scene) -> bytes:
    """Return a scene as JSON. Its length does not reveal how a call ended."""
    kept = {field.name: _kept(getattr(scene, field.name)) for field in fields(scene) if field.compare}
    body = msgspec.json.encode(kept)
    if not isinstance(scene, Called):
        return body
    return body.rjust(2 * len(msgspec.json.encode(_kept(scene.game))) + _SHOWDOWN_BYTES)


def decode_scene(name: str, body: bytes) -> Scene:
    """Return the scene with this name. Raises `RecordError` if it is damaged or from another version."""
    try:
        kind = _SCENES[name]
    except KeyError:
        raise RecordError(f"no scene is called {name!r}") from None
    try:
        scene = msgspec.convert(_with_rounds(msgspec.json.decode(body)), kind, dec_hook=_from_json)
    except (msgspec.MsgspecError, ValueError, LookupError, RecursionError) as error:
        raise RecordError(f"a record of {name!r} that cannot be read: {error}") from error
    # msgspec fills in the default that `game` has in `Scene` when the body lacks it.
    if isinstance(scene, MatchScene) and "game" not in vars(scene):
        raise RecordError(f"a record of {name!r} that cannot be read: there is no match in it")
    return scene


def _kept(part: object) -> object:
    """Return part of a scene in record form: a position with its round's fields among its own."""
    if not isinstance(part, Game):
        return part
    matches = {name: _kept_match(getattr(part, name)) for name in _MATCHES}
    return {field.name: getattr(part, field.name) for field in fields(part)} | matches


def _kept_match(match: Match | None) -> object:
    if match is None:
        return None
    position = {name: getattr(match.position, name) for name in _POSITION}
    return {field.name: getattr(match, field.name) for field in fields(match)} | {"position": position}


def _with_rounds(scene: object) -> object:
    """Return a scene's record with each position's round fields moved into `round`, as in `Position`."""
    for game in scene.values() if isinstance(scene, dict) else ():
        for name in _MATCHES:
            match = game.get(name) if isinstance(game, dict) else None
            position = match.get("position") if isinstance(match, dict) else None
            if isinstance(position, dict):
                position["round"] = {**position}
    return scene


# Last events by device


def encode_last_events(last_events: Mapping[str, int]) -> str:
    """Return each device's last event number before a record, as JSON."""
    return msgspec.json.encode(last_events).decode()


def decode_last_events(text: str) -> dict[str, int]:
    """Return each device's last event number. Raises `RecordError` for damaged data."""
    try:
        return msgspec.json.decode(text, type=dict[str, int])
    except (msgspec.MsgspecError, ValueError, RecursionError, TypeError) as error:
        raise RecordError(f"events that cannot be read: {error}") from error


# Public events


class _StoredAction(msgspec.Struct):
    """`ActionTaken` with the action as text: in JSON, words for different kinds of actions would look alike."""

    seat: Seat
    action: str


class _StoredUndo(msgspec.Struct):
    """`Undone` with the action as text, without the standing bid: earlier actions give it."""

    seat: Seat
    action: str
    by: events.UndoneBy | None


class _StoredWin(msgspec.Struct):
    """`MatchWon` with the schema's field name."""

    seat: Seat
    standing: tuple[Seat, ...]


def encode_events(public: Iterable[PublicEvent]) -> bytes:
    """Return the events needed for a score, as JSON; empty without any."""
    kept = [(_EVENT_NAMES[type(event)], _stored(event)) for event in public if type(event) in _EVENT_NAMES]
    return msgspec.json.encode(kept) if kept else b""


def decode_events(body: bytes) -> list[PublicEvent]:
    """Return events stored by `encode_events`. Raises `RecordError` for damaged data."""
    try:
        return [_event(name, raw) for name, raw in msgspec.json.decode(body, type=list[tuple[str, msgspec.Raw]])]
    except (msgspec.MsgspecError, ValueError, KeyError, RecursionError, TypeError) as error:
        raise RecordError(f"events of a match that cannot be read: {error}") from error


def _stored(event: PublicEvent) -> Any:
    match event:
        case events.ActionTaken(seat, action):
            return _StoredAction(seat, str(action))
        case events.Undone(seat, action, by):
            return _StoredUndo(seat, str(action), by)
        case wire.MatchWon(seat, standings):
            return _StoredWin(seat, standings)
    return msgspec.structs.asdict(event)


def _event(name: str, raw: msgspec.Raw) -> PublicEvent:
    kind = _EVENTS[name]
    if kind is events.ActionTaken:
        action = msgspec.json.decode(raw, type=_StoredAction)
        return events.ActionTaken(action.seat, parse_action(action.action))
    if kind is events.Undone:
        undo = msgspec.json.decode(raw, type=_StoredUndo)
        return events.Undone(undo.seat, parse_action(undo.action), undo.by)
    if kind is wire.MatchWon:
        win = msgspec.json.decode(raw, type=_StoredWin)
        return wire.MatchWon(win.seat, win.standing)
    return msgspec.json.decode(raw, type=kind, dec_hook=_from_json)


def _from_json(kind: type, value: Any) -> Any:
    """Return a `Hand`, beyond msgspec's own types: a decoder's hook."""
    if kind is Hand:
        return Hand(msgspec.convert(value, list[Die]))
    raise NotImplementedError(f"{kind} in a record")
