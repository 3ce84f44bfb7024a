"""The public page in tests: a socket that sends the lines of a test, and `dudo-table screen` as its own process."""

import json
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from support import ROOT

from bench.tools.broker import free_port

Line = dict[str, Any]

NAMES = ("Lima", "Cusco", "Puno", "Tacna", "Ica", "Piura", "Jauja", "Nazca")
COLORS = ("red", "yellow", "green", "turquoise", "blue", "purple", "pink", "orange")
LONG_NAMES = tuple(f"{name} Bartholomea Featherstonehaugh-Wellesley"[:40] for name in NAMES)
HEAD = "CVNZ3S5VKPXQG5RR3G06TXXZ7160ZFC5JHQH53PAK9QZRTREZDPG"
HANDS = (
    (1, 3, 3, 5, 6),
    (2, 3, 4, 4, 6),
    (1, 2, 5, 5, 6),
    (2, 3, 3, 4),
    (2, 2, 4, 5, 6),
    (6,),
    (1, 4, 5, 5, 6),
    (4, 4, 5),
)

NULLS = (
    "head",
    "deal",
    "turn",
    "standing",
    "passer",
    "called",
    "countdown_s",
    "clock_s",
    "showdown",
    "winner",
    "position",
)
EMPTY = ("rolls", "waiting_for", "choices", "may_see", "cups_down", "standings", "troubles")


def state(
    scene: str, seats: int = 4, *, names: Sequence[str] = NAMES, dice: Sequence[int] | None = None, **more: Any
) -> Line:
    """Return the line of a public state, with everybody playing unless `players` says otherwise."""
    everybody = list(range(seats))
    held = list(dice) if dice is not None else [0 if scene == "lobby" else len(hand) for hand in HANDS[:seats]]
    rows = [
        {"name": names[at], "color": COLORS[at], "playing": True, "dice": held[at], "banked": 0, "missing": []}
        | {"away": False, "out_in_min": None}
        for at in everybody
    ]
    round_ = None if scene == "lobby" else {"number": 3, "kind": "normal", "owner": None, "first": 0}
    order = [] if scene == "lobby" else everybody
    known = {"type": "state", "version": 1, "scene": scene, "rules": "perudo", "match": "m", "broken_off": False}
    line = known | dict.fromkeys(NULLS) | {name: [] for name in EMPTY} | {"may_call": {}}
    line |= {"position": None, "seats": rows, "players": everybody, "order": order, "round": round_}
    return line | more


def showdown(seats: int = 4, **more: Any) -> Line:
    """Return a showdown in which seat 1 doubts seat 0 rightly: one three more was bid than there are, with aces."""
    hands = [list(hand) for hand in HANDS[:seats]]
    matching = sum(face in (1, 3) for hand in hands for face in hand)
    told = {"call": "dudo", "caller": 1, "doubted": 0, "quantity": matching + 1, "face": 3, "matching": matching}
    return told | {"right": True, "hands": hands, "loser": 0, "gainer": None, "out": []} | more


def revealed(seats: int = 4, **more: Any) -> list[Line]:
    """Return the two lines with which a reveal begins."""
    shown = showdown(seats, **more)
    dice = [len(hand) - (seat == shown["loser"]) for seat, hand in enumerate(shown["hands"])]
    event = {"type": "revealed", "showdown": shown, "dice": dice, "sentences": []}
    return [event, state("reveal", seats, dice=dice, showdown=shown, waiting_for=list(range(seats)))]


class StagedTable:
    """A public socket whose lines a test chooses; every client gets the last state first.

    A client that requests the last record gets `record`, and so for its `verdict` and the `figures`.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.record: Line = {"type": "record", "match": None, "text": None}
        self.verdict: Line = {"type": "verdict", "match": None, "text": None}
        self.figures: Line = {"type": "figures", "text": None}
        self._clients: list[socket.socket] = []
        self._last = b""
        self._lock = threading.Lock()
        self.open()

    def open(self) -> None:
        """Listen, as a table that has started."""
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(self.path))
        self._listening.listen()
        threading.Thread(target=self._accept, args=[self._listening], daemon=True).start()

    def close(self) -> None:
        """End, as a table that is stopped."""
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self.path.unlink()
        with self._lock:
            for client in self._clients:
                with suppress(OSError):
                    client.shutdown(socket.SHUT_RDWR)  # a thread that reads from it would keep it open
                client.close()
            self._clients.clear()

    def send(self, *lines: Mapping[str, Any]) -> None:
        """Send lines to every client."""
        with self._lock:
            for line in lines:
                encoded = json.dumps(line).encode() + b"\n"
                if line["type"] == "state":
                    self._last = encoded
                for client in self._clients:
                    with suppress(OSError):  # it has gone
                        client.sendall(encoded)

    def _accept(self, listening: socket.socket) -> None:
        while True:
            try:
                client, _ = listening.accept()
            except OSError:
                return
            with self._lock:
                self._clients.append(client)
                client.sendall(self._last)
            threading.Thread(target=self._answer, args=[client], daemon=True).start()

    def _answer(self, client: socket.socket) -> None:
        with suppress(OSError):
            request = client.recv(4096)
            for answer in (self.record, self.verdict, self.figures):
                if f'"{answer["type"]}"'.encode() in request:
                    client.sendall(json.dumps(answer).encode() + b"\n")


class ScreenProcess:
    """A running `dudo-table screen`; `address` is where its page is, `log` what it printed."""

    def __init__(self, events: Path, *arguments: str, port: int | None = None) -> None:
        self.port = port or free_port()
        listen = () if "--listen" in arguments else ("--listen", f"127.0.0.1:{self.port}")
        command = [sys.executable, "-m", "firmware_host.cli", "screen", str(events), *listen, *arguments]
        own = os.environ | {"XDG_CACHE_HOME": str(events.parent)}
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=own, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert self.process.stdout is not None
        self.log: list[str] = []
        for line in self.process.stdout:
            self.log.append(line.rstrip())
            if found := re.search(r"http://\S+:\d+/", line):
                self.address = found[0]
                break
        else:
            raise AssertionError(f"no page: {self.log}")
        self._listening = threading.Thread(target=lambda out: self.log.extend(out), args=[self.process.stdout])
        self._listening.start()

    def close(self) -> None:
        """Stop the process."""
        self.process.terminate()
        self.process.wait(timeout=20)
        self._listening.join()
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextmanager
def a_screen(events: Path, *arguments: str, port: int | None = None) -> Iterator[ScreenProcess]:
    """Give a server of the public page for as long as the block lasts."""
    screen = ScreenProcess(events, *arguments, port=port)
    try:
        yield screen
    finally:
        screen.close()
