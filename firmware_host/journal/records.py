"""The journal's text of a scene: JSON that reads back to an equal scene.

A record holds the whole position, not the action that led to it, so that resuming never runs old actions through new
code. Moments of the monotonic clock and presses in flight are not kept: fields a scene does not compare by. Beside it
stands which events of the cups it rests on.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import Annotated, Any

import msgspec

from engine import Hand
from firmware_host.table.scenes.bidding import Bidding
from firmware_host.table.scenes.called import Called
from firmware_host.table.scenes.choosing import Choosing
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.over import MatchOver
from firmware_host.table.scenes.reveal import Reveal
from firmware_host.table.scenes.revealing_entropy import RevealingEntropy
from firmware_host.table.scenes.scene import MatchScene, Scene
from firmware_host.table.scenes.shaking import Shaking

Die = Annotated[int, msgspec.Meta(ge=1, le=6)]
_SHOWDOWN_BYTES = 1024
"""More than what comes of a call takes in a record besides what was there before it."""
_SCENES: dict[str, type[Scene]] = {
    "lobby": Lobby,
    "shaking": Shaking,
    "opening": RevealingEntropy,
    "choosing": Choosing,
    "bidding": Bidding,
    "called": Called,
    "reveal": Reveal,
    "over": MatchOver,
}
"""Scenes by their names in the journal, which are part of the format and outlive the names of the classes."""
_NAMES = {kind: name for name, kind in _SCENES.items()}


class RecordError(ValueError):
    """A record that this version cannot read."""


def name_of(scene: Scene) -> str:
    """What a scene is called in the journal."""
    return _NAMES[type(scene)]


def encode(scene: Scene) -> bytes:
    """A scene as JSON, of a length that tells nobody what came of a call before its reveal."""
    kept = {field.name: getattr(scene, field.name) for field in fields(scene) if field.compare}
    body = msgspec.json.encode(kept)
    if not isinstance(scene, Called):
        return body
    return body.rjust(2 * len(msgspec.json.encode(scene.game)) + _SHOWDOWN_BYTES)


def decode(name: str, body: bytes) -> Scene:
    """The scene of this name; raises `RecordError` for one that is damaged or of another version."""
    try:
        scene = msgspec.json.decode(body, type=_SCENES[name], dec_hook=from_json)
    except KeyError:
        raise RecordError(f"no scene is called {name!r}") from None
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise RecordError(f"a record of {name!r} that cannot be read: {error}") from error
    # msgspec takes the default that `game` has in `Scene` for the value that a body lacks.
    if isinstance(scene, MatchScene) and "game" not in vars(scene):
        raise RecordError(f"a record of {name!r} that cannot be read: there is no match in it")
    return scene


def encode_heard(heard: Mapping[str, int]) -> str:
    """The last event of each device on which a record rests, as JSON."""
    return msgspec.json.encode(heard).decode()


def decode_heard(text: str) -> dict[str, int]:
    """The last event of each device; raises `RecordError` for what is damaged."""
    try:
        return msgspec.json.decode(text, type=dict[str, int])
    except (msgspec.MsgspecError, ValueError, RecursionError, TypeError) as error:
        raise RecordError(f"events that cannot be read: {error}") from error


def from_json(kind: type, value: Any) -> Any:
    """What msgspec does not know how to make: a decoder's hook."""
    if kind is Hand:
        return Hand(msgspec.convert(value, list[Die]))
    raise NotImplementedError(f"{kind} in a record")
