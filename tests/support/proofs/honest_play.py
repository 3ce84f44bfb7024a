"""Deals as honest play gives them, fast: the real deal from entropies of wired cups, or of cups with a program.

No table is laid and no loop runs. A wired cup's entropy is the hash of the stamps of an emulated shake, bounces and
all. A cup with a program is asked for its commitment, shaken and asked to open it, over the link.
"""

import random
from collections.abc import Callable, Iterator
from hashlib import sha256
from heapq import heappop, heappush
from itertools import count
from typing import Any

from firmware_host.fairness import commitments
from firmware_host.fairness.commitments import cup_commitment, host_commitment
from hardware.emulated.hand import EmulatedHand
from hardware.firmware.device_config import DeviceConfig
from hardware.firmware.program import TILT_LINE, Board, Inputs, Program
from hardware.link import messages as link
from hardware.link.framing import FrameParser, frame
from hardware.link.gesture import GestureDetector
from hardware.link.messages import SETTLED

SEATS = 8
HELD = 5
DICE = SEATS * HELD
"""In a deal: the first round of eight."""


class Timer:
    """What `BareClock` gives back."""

    def __init__(self, move: Callable[..., object], arguments: tuple[Any, ...]) -> None:
        self._move = move
        self._arguments = arguments
        self._is_off = False

    def cancel(self) -> None:
        """It won't go off."""
        self._is_off = True

    def go_off(self) -> None:
        """Do what it was for."""
        if not self._is_off:
            self._move(*self._arguments)


class BareClock:
    """As much of an event loop as a hand needs: time and timers."""

    def __init__(self) -> None:
        self.now_s = 1000.0
        self._timers: list[tuple[float, int, Timer]] = []
        self._numbers = count()

    def call_later(self, delay_s: float, move: Callable[..., object], *arguments: Any) -> Timer:
        """Set a timer."""
        timer = Timer(move, arguments)
        heappush(self._timers, (self.now_s + delay_s, next(self._numbers), timer))
        return timer

    def run(self) -> None:
        """Let time pass until no timer is left."""
        while self._timers:
            self.now_s, _, timer = heappop(self._timers)
            timer.go_off()


class WiredCup:
    """A cup on a pin: as `drivers.gpio.tilt_cup` has it, without the pin."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._clock = BareClock()
        self._motion = GestureDetector(False, self._now_ns())
        self._settled: list[int] = []
        self._hand = EmulatedHand(self._clock, rng, self._moved)  # type: ignore[arg-type]

    def shaken(self) -> bytes:
        """Shake it and put it down; its entropy."""
        self._clock.now_s += self._rng.uniform(5, 60)
        self._hand.shake(self._rng.uniform(0.8, 1.2))
        self._clock.run()
        due_ns = self._motion.due_ns
        assert due_ns is not None
        self._clock.now_s = due_ns / 1e9
        assert self._motion.tick(due_ns) == [(SETTLED, due_ns)]
        return sha256(self._motion.stamps).digest()

    def _moved(self, line: str, closed: bool) -> None:
        self._motion.edge(self._now_ns(), closed)

    def _now_ns(self) -> int:
        return round(self._clock.now_s * 1e9)


class ProgramCup(Board):
    """A cup's own program at the end of a line; it draws from `rng` where a Pico asks its own source."""

    def __init__(self, number: int, rng: random.Random) -> None:
        self.random = rng.randbytes
        self._rng = rng
        self._now_ns = 0
        self._parser = FrameParser()
        self._boot = rng.randrange(1, 1 << 31)
        self._cup = Program(DeviceConfig(f"CUP{number}"), self._boot, 0, self, GestureDetector(False, 0))
        self._step()

    def commits(self, deal: bytes) -> bytes:
        """Ask it to draw for a deal; its commitment."""
        drawn = self._asked(link.Draw(deal))
        assert isinstance(drawn, link.Drawn)
        assert drawn.deal == deal
        return drawn.commitment

    def shaken(self) -> None:
        """Shake it and put it down."""
        tilted = False
        for _ in range(2 * self._rng.randint(4, 6)):
            tilted = not tilted
            self._now_ns += self._rng.randrange(65_000_000, 110_000_000)
            self._step(edges=((TILT_LINE, tilted, self._now_ns),))
        self._now_ns += 1_000_000_000
        events = [message for message in self._step() if isinstance(message, link.Event)]
        assert events[-1].what == SETTLED
        self._step(link.Ack(self._boot, events[-1].number))

    def opens(self, deal: bytes, head: bytes) -> bytes:
        """Ask it to open; its entropy."""
        opened = self._asked(link.Open(deal, head))
        assert isinstance(opened, link.Opened)
        assert opened.deal == deal
        return opened.entropy

    def _asked(self, message: link.LinkMessage) -> link.LinkMessage:
        (answer,) = self._step(message)
        return answer

    def _step(
        self, message: link.LinkMessage | None = None, edges: tuple[tuple[str, bool, int], ...] = ()
    ) -> list[link.LinkMessage]:
        received = b"" if message is None else frame(link.to_body(0, message))
        sent = b"".join(self._cup.step(self._now_ns, Inputs(received, edges)))
        bodies = self._parser.feed(sent) if sent else []
        return [message for body in bodies if (message := link.from_body(body)[1]) is not None]


def wired(seed: int, deals: int) -> Iterator[bytes]:
    """So many deals at wired cups, each a row of dice."""
    rng = random.Random(f"{seed}/wired")
    cups = [WiredCup(rng) for _ in range(SEATS)]
    match, held = f"{seed:012x}", dict.fromkeys(range(SEATS), HELD)
    for number in range(1, deals + 1):
        shaken = {seat: cup.shaken() for seat, cup in enumerate(cups)}
        yield _row(
            commitments.deal_dice(match, number, rng.randbytes(32), commitments.effective_entropies({}, shaken), held)
        )


def serial(seed: int, deals: int) -> Iterator[bytes]:
    """So many deals at cups with programs, each a row of dice."""
    rng = random.Random(f"{seed}/serial")
    cups = [ProgramCup(seat, rng) for seat in range(SEATS)]
    match, held = f"{seed:012x}", dict.fromkeys(range(SEATS), HELD)
    for number in range(1, deals + 1):
        house = rng.randbytes(32)
        deal = host_commitment(match, number, house)
        committed = [cup.commits(deal) for cup in cups]
        for cup in cups:
            cup.shaken()
        opened = {seat: cup.opens(deal, bytes(32)) for seat, cup in enumerate(cups)}
        assert committed == [cup_commitment(deal, entropy) for entropy in opened.values()]
        yield _row(commitments.deal_dice(match, number, house, commitments.effective_entropies(opened, {}), held))


def _row(hands: dict[int, list[int]]) -> bytes:
    return bytes(die for seat in range(SEATS) for die in hands[seat])
