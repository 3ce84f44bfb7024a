"""Home Assistant support: the discovery message for a table, and cues for lights.

Home Assistant reads the topics in docs/bridge.md through the templates in that message. A light must follow at once or
not at all, so the extra topic `cue` carries each cue as it happens, without a queue or repeats. docs/home-assistant.md
has the owner's YAML.
"""

from string import hexdigits
from typing import Any

import msgspec

from firmware_host.clients.bridge.topics import Topics
from firmware_host.wire import ActionLine, AnyLine, MatchBegan, MatchWon, PublicSeat, PublicState, RevealLine, Seat

PREFIX = "homeassistant"
CALLS = ("dudo", "calza", "kill", "spot")
CUES = ("match", "turn", *CALLS, "reveal", "win")
COLORS = {
    "red": (255, 0, 0),
    "orange": (255, 110, 0),
    "yellow": (255, 200, 0),
    "green": (0, 255, 0),
    "turquoise": (0, 255, 200),
    "blue": (0, 0, 255),
    "purple": (160, 0, 255),
    "pink": (255, 60, 140),
    "white": (255, 255, 255),
    "black": (40, 40, 40),
    "grey": (90, 90, 90),
    "brown": (140, 60, 10),
}
"""Seat colors for lights: saturated, because a lamp mixes them with the room's light."""
SCENES = ("lobby", "shaking", "choosing", "bidding", "called", "reveal", "over")


class LightCues:
    """One table's cues, made from its public lines."""

    def __init__(self) -> None:
        self._seats: tuple[PublicSeat, ...] = ()
        self._turn: int | None = None
        self._is_live = False

    def away(self) -> None:
        """Pause cues until the next state: earlier events are from the past."""
        self._is_live = False

    def read(self, line: AnyLine | None) -> bytes | None:
        """Return a line's cue, or None."""
        if isinstance(line, PublicState):
            is_new, self._seats = self._is_live and line.turn != self._turn, line.seats
            self._turn, self._is_live = line.turn, True
            return self._cue("turn", line.turn) if is_new and line.turn is not None else None
        if not self._is_live:
            return None
        match line:
            case MatchBegan():
                return self._cue("match", None)
            case ActionLine(seat, action) if action in CALLS:
                return self._cue(action, seat)
            case RevealLine(showdown):
                return self._cue("reveal", showdown.loser, right=showdown.right)
            case MatchWon(seat):
                return self._cue("win", seat)
        return None

    def _cue(self, kind: str, seat: Seat | None, **more: bool) -> bytes:
        """Return a cue about a seat: it has the turn, has called, has lost a die or has won."""
        who = self._seats[seat] if seat is not None and 0 <= seat < len(self._seats) else PublicSeat("", "", False, 0)
        known = {"event_type": kind, "seat": seat, "name": who.name, "robot": who.robot, "rgb": _rgb(who.color)}
        return msgspec.json.encode({**known, **more})


def _rgb(color: str) -> tuple[int, ...]:
    """Return a layout color, a name or #rrggbb, for a light; white without one."""
    if len(color) == 7 and color[0] == "#" and all(digit in hexdigits for digit in color[1:]):
        return tuple(bytes.fromhex(color[1:]))
    return COLORS.get(color, COLORS["white"])


def discovery_topic(topics: Topics) -> str:
    """Return Home Assistant's discovery topic for the device. It allows every character of a table name."""
    return f"{PREFIX}/device/{_identifier(topics)}/config"


def discovery(topics: Topics) -> bytes:
    """Return a table's message for device discovery, from Home Assistant 2024.12 on."""
    message = {
        "device": {
            "identifiers": [_identifier(topics)],
            "name": f"Dudo table {topics.table}",
            "manufacturer": "dudo-table",
            "model": "Dudo table",
        },
        "origin": {"name": "dudo-table"},
        "availability_topic": topics["status"],
        "availability_template": "{{ 'online' if value_json.online and value_json.playing else 'offline' }}",
        "qos": 1,
        "components": _components(topics),
    }
    return msgspec.json.encode(message)


def _components(topics: Topics) -> dict[str, dict[str, Any]]:
    """Return a table's entities; most read its state through a template."""
    identifier = _identifier(topics)

    def component(name: str, platform: str, key: str, icon: str, **more: Any) -> dict[str, Any]:
        shared = {"platform": platform, "name": name, "unique_id": f"{identifier}-{key}", "icon": f"mdi:{icon}"}
        return {**shared, "state_topic": topics["state"], **more}

    def sensor(name: str, key: str, icon: str, value: str, **more: Any) -> dict[str, Any]:
        return component(name, "sensor", key, icon, value_template=f"{{{{ {value} }}}}", **more)

    def switch(name: str, key: str, icon: str, holds: str, **more: Any) -> dict[str, Any]:
        value = f"{{{{ 'ON' if {holds} else 'OFF' }}}}"
        return component(name, "binary_sensor", key, icon, value_template=value, **more)

    def name_of(field: str) -> str:
        return f"value_json.seats[value_json.{field}].name if value_json.{field} is not none else None"

    bid = "value_json.standing.quantity ~ ' × ' ~ value_json.standing.face if value_json.standing else None"
    return {
        "cue": component("Game", "event", "cue", "dice-multiple", state_topic=topics["cue"], event_types=[*CUES]),
        "scene": sensor("Scene", "scene", "cards", "value_json.scene", device_class="enum", options=[*SCENES]),
        "turn": sensor("Turn", "turn", "account-arrow-right", name_of("turn")),
        "bid": sensor("Standing bid", "bid", "dice-5", bid),
        "players": sensor("Players", "players", "account-group", "value_json.players | count"),
        "winner": sensor("Winner", "winner", "trophy", name_of("winner")),
        "in-use": switch("In use", "in-use", "play-circle", "value_json.match"),
        "trouble": switch(
            "Trouble",
            "trouble",
            "alert",
            "value_json.troubles",
            device_class="problem",
            entity_category="diagnostic",
        ),
    }


def _identifier(topics: Topics) -> str:
    return f"dudo-table-{topics.site}-{topics.table}"
