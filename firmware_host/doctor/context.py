"""What is examined: a computer, the layout of its table, the wires, and whether the table runs just now."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from firmware_host.doctor.machine import Machine
from firmware_host.doctor.users import User
from firmware_host.host_io.ports import Ports
from hardware.config.layout import Layout, Seat
from hardware.config.problems import Fault


class PinSight(Protocol):
    """Who has a GPIO, without touching it."""

    def holder(self, pin: int) -> str | None:
        """What the kernel says has a pin (BCM number), None where it is free. Raises OSError where there is no pin."""


@dataclass(frozen=True)
class Running:
    """A table that runs here. `process` is its id where that is known, `told` what it tells, if it does."""

    process: int | None = None
    told: "Told | None" = None


@dataclass(frozen=True)
class Told:
    """What a running table tells everybody: what it `misses` by seat, and what ails the house."""

    misses: Mapping[int, tuple[str, ...]]
    troubles: tuple[str, ...] = ()


@dataclass(frozen=True)
class Patient:
    """What the checks look at. `layout` is None where there is none that can be used; `faults` then say why."""

    machine: Machine
    user: User
    wires: Ports
    pins: PinSight
    state: Path
    layout_name: str
    laid: Layout | None = None
    """The layout as the file has it; `layout` is with what stands in for its cups and boards."""
    layout: Layout | None = None
    faults: tuple[tuple[str, Fault], ...] = ()
    """Each with the file it is in: the layout, its rules, or what stands in."""
    is_service: bool = False
    """Whether systemd runs the table here, as a user of its own."""
    running: Running | None = None

    @property
    def seats(self) -> tuple[tuple[int, Seat], ...]:
        """The seats with their numbers; none without a layout."""
        return () if self.layout is None else tuple(enumerate(self.layout.seats))

    @property
    def is_wired(self) -> bool:
        """Whether some seat hangs on the Pi's own pins."""
        return any(seat.board is None for _, seat in self.seats)

    @property
    def stop(self) -> str:
        """The command that stops the table that runs."""
        if self.is_service:
            return "sudo systemctl stop dudo-table"
        process = self.running.process if self.running else None
        return f"kill {process}" if process else "stop it with Ctrl-C where it runs"
