"""The journal's text of a scene: JSON that reads back to an equal scene.

A record holds the whole position, not the action that led to it, so that resuming never runs old actions through new
code. Moments of the monotonic clock and presses in flight are not kept: fields a scene does not compare by.
"""

from dataclasses import fields
from typing import Any

import msgspec

from engine import Hand
from firmware_host.table.bidding import Bidding
from firmware_host.table.choosing import Choosing
from firmware_host.table.lobby import Lobby
from firmware_host.table.over import Over
from firmware_host.table.reveal import Reveal
from firmware_host.table.scene import Scene
from firmware_host.table.shaking import Shaking

_SCENES: dict[str, type[Scene]] = {kind.name: kind for kind in (Lobby, Shaking, Choosing, Bidding, Reveal, Over)}


class RecordError(ValueError):
    """A record that this version cannot read."""


def encode(scene: Scene) -> bytes:
    """A scene as JSON."""
    kept = {field.name: getattr(scene, field.name) for field in fields(scene) if field.compare}
    return msgspec.json.encode(kept)


def decode(name: str, body: bytes) -> Scene:
    """The scene of this name; raises `RecordError` for one that is damaged or of another version."""
    try:
        return msgspec.json.decode(body, type=_SCENES[name], dec_hook=_from_json)
    except KeyError:
        raise RecordError(f"no scene is called {name!r}") from None
    except (msgspec.MsgspecError, ValueError) as error:
        raise RecordError(f"a record of {name!r} that cannot be read: {error}") from error


def _from_json(kind: type, value: Any) -> Any:
    if kind is Hand:
        return Hand(value)
    raise NotImplementedError(f"{kind} in a record")
