"""Public lines of a round of three seats, for tests of the caller, and WAV files that are sound and that are not."""

import io
import wave
from array import array
from math import pi, sin
from typing import Any

import msgspec

from engine import DUDO, Call, RoundKind
from firmware_host import wire
from firmware_host.table.seat.view import SceneName
from firmware_host.wire import PublicRound, PublicSeat, PublicShowdown, PublicState, StandingBid

NAMES = ("North", "East", "South")


def state(scene: SceneName = SceneName.BIDDING, names: tuple[str, ...] = NAMES, **more: Any) -> PublicState:
    """Return a state in the first round of a match; in the lobby there is none."""
    seats = tuple(PublicSeat(name, "red", True, 5, 0, ()) for name in names)
    if scene is not SceneName.LOBBY:
        more = {"match": "laid", "round": PublicRound(1, RoundKind.NORMAL, None, 0), **more}
    return PublicState(scene=scene, rules="perudo", seats=seats, players=tuple(range(len(names))), **more)


def stands(quantity: int, face: int, seat: int = 0, **more: Any) -> PublicState:
    """Return the state after a bid, with the next seat in turn."""
    return state(standing=StandingBid(quantity, face, seat), turn=(seat + 1) % 3, **more)


def bids(quantity: int, face: int, seat: int = 0) -> wire.ActionLine:
    """Return the event of a bid."""
    return wire.ActionLine(seat, f"{quantity}x{face}", wire.PublicBid(quantity, face))


def calls(call: Call = DUDO, seat: int = 1) -> wire.ActionLine:
    """Return the event of a call."""
    return wire.ActionLine(seat, str(call), None)


def revealed(matching: int | None = 3, **more: Any) -> wire.RevealLine:
    """Return the end of a round in which East doubted four trains and was right, but for what is given."""
    hands = ((1, 3, 3, 5, 6), (2, 2, 4, 6), (4, 5))
    shown = PublicShowdown(DUDO, 1, 0, 4, 3, matching, True, hands, 0, None, ())
    return wire.RevealLine(msgspec.structs.replace(shown, **more), (4, 4, 2))


def encoded(*lines: wire.AnyLine) -> bytes:
    """Return lines as the socket sends them."""
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def wav(duration_s: float = 0.5, rate: int = 22_050, channels: int = 1, width: int = 2, level: float = 0.5) -> bytes:
    """Return a sine of 440 Hz as WAV."""
    count = round(duration_s * rate)
    top = (1 << (8 * width - 1)) - 1
    values = [round(level * top * sin(2 * pi * 440 * at / rate)) for at in range(count) for _ in range(channels)]
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(channels)
        sound.setsampwidth(width)
        sound.setframerate(rate)
        if width == 1:
            sound.writeframes(bytes(value + 128 for value in values))
        else:
            sound.writeframes(b"".join(value.to_bytes(width, "little", signed=True) for value in values))
    return file.getvalue()


def samples(data: bytes) -> "array[int]":
    """Return the samples of a stream."""
    return array("h", data)
