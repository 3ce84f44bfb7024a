"""The first sound of a call, from its event on the public socket until a sound card plays it.

The announcer is the real process; its `aplay` is this module as a program, a card that takes samples at their pace.
"""

import asyncio
import os
import random
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from statistics import median

from bench.report import Figure, Progress, Section, at_most

ROUNDS = 8
CARDS = {"a USB card": "Device", "HDMI": "hdmi:CARD=vc4hdmi0"}
SOON_S, LATER_S = (1.6, 3.0), (3.8, 5.0)
"""Seconds from an earlier call, which is spoken for 1.3 s, to a call: in the two seconds of silence that the announcer
writes to any card, and after them.
"""
QUIET_S = 0.2
"""Seconds of silence before a sound that counts as the first."""
PERIOD_S = 0.01
"""Seconds of samples that the card takes at once."""
HEARD = "DUDO_BENCH_HEARD"
"""Environment variable with the file for the times of first sounds."""


def measure(progress: Progress, rounds: int = ROUNDS) -> Section:
    """Measure calls soon after another and later, on a USB card and over HDMI, where the announcer never pauses."""
    figures = []
    for name, card in CARDS.items():
        progress(name)
        for when, heard_ms in zip(("soon", "later"), asyncio.run(_measured(card, rounds)), strict=True):
            figures.append(Figure(f"{name}, {when} after another call: median", median(heard_ms), "ms", at_most(100)))
            figures.append(Figure("… longest", max(heard_ms), "ms"))
    return Section("Sound", tuple(figures), "From a call's event until a modelled card plays its first sample.")


async def _measured(card: str, rounds: int) -> tuple[list[float], list[float]]:
    """Return the milliseconds of calls soon after another and later."""
    from bench.tools import processes
    from firmware_host import wire

    seats = tuple(wire.PublicSeat(name, "red", True, 5, 0, ()) for name in ("North", "East"))
    players = (wire.Seat(0), wire.Seat(1))
    state = wire.PublicState(scene="bidding", rules="perudo", match="m", seats=seats, players=players, turn=players[0])
    call, rng = wire.ActionLine(players[1], "dudo", None), random.Random(7)
    soon: list[float] = []
    later: list[float] = []
    connected: asyncio.Queue[asyncio.StreamWriter] = asyncio.Queue()
    with processes.folder() as folder, _announcing(card, Path(folder)) as heard:
        server = await asyncio.start_unix_server(lambda _, table: connected.put_nowait(table), f"{folder}/events.sock")
        table = await connected.get()
        table.write(_line(state))
        for _ in range(rounds + 1):
            for wait_s, measured in ((LATER_S, later), (SOON_S, soon)):
                await asyncio.sleep(rng.uniform(*wait_s))
                began_s, count = time.monotonic(), len(_times(heard))
                table.write(_line(call))
                while len(_times(heard)) == count:
                    await asyncio.sleep(0.02)
                measured.append(1000 * (_times(heard)[count] - began_s))
        server.close()
        table.close()
    return soon[1:], later[1:]  # the first call opens the card, and makes its word


@contextmanager
def _announcing(card: str, folder: Path) -> Iterator[Path]:
    """Run an announcer until the block ends; yield the file with the times of first sounds."""
    from bench.tools import processes

    program, heard = folder / "aplay", folder / "heard"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} {__file__} "$@"\n')
    program.chmod(0o755)
    heard.touch()
    socket = ("voice", f"{folder}/events.sock", "--card", card, "--cache", str(folder), "--language", "en")
    paths = f"{folder}:{os.environ['PATH']}"
    environment = {"PATH": paths, HEARD: str(heard), "PYTHONPATH": str(processes.ROOT)}
    with processes.running("-m", "firmware_host.cli", *socket, **environment):
        yield heard


def _line(message: object) -> bytes:
    import msgspec

    return msgspec.json.encode(message) + b"\n"


def _times(heard: Path) -> list[float]:
    return [float(line) for line in heard.read_text().splitlines()]


def play(arguments: list[str]) -> None:
    """Take samples as a card: it begins when its buffer is full, and again so after it ran dry."""
    options = dict(pairwise(arguments))
    bytes_a_s, buffer_s = 2 * int(options["-r"]), int(options["--buffer-time"]) / 1e6
    period = 2 * round(PERIOD_S * bytes_a_s / 2)
    held_s, ends_s = 0.0, 0.0  # seconds in the buffer while it stands, and the time until which it plays
    silent_s, first_s = QUIET_S, None
    with open(os.environ[HEARD], "a", buffering=1) as heard:
        while True:
            time.sleep(max(0.0, ends_s - time.monotonic() - buffer_s + PERIOD_S))
            if not (samples := os.read(0, period)):
                return
            now_s, lasts_s = time.monotonic(), len(samples) / bytes_a_s
            if ends_s and ends_s < now_s:
                held_s = ends_s = 0.0
            before_s = ends_s - now_s if ends_s else held_s
            if any(samples):
                at_s = (len(samples) - len(samples.lstrip(b"\0"))) / bytes_a_s
                first_s = before_s + at_s if silent_s >= QUIET_S and first_s is None else first_s
                silent_s = 0.0
            else:
                silent_s += lasts_s
            if ends_s:
                ends_s += lasts_s
            else:
                held_s += lasts_s
                ends_s = now_s + held_s if held_s >= buffer_s else 0.0
            if first_s is not None and ends_s:
                print(now_s + first_s, file=heard)
                first_s = None


if __name__ == "__main__":
    play(sys.argv[1:])
