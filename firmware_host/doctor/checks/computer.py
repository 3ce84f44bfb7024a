"""The computer's model: a wired table needs a Raspberry Pi's pins, a table of boards any Linux with USB."""

import re
import sys
from collections.abc import Iterator

from firmware_host.doctor.context import Context
from firmware_host.doctor.findings import Finding, note, right, wrong
from firmware_host.doctor.machine import Machine

NAME = "board"


def check(context: Context) -> Iterator[Finding]:
    """Yield the model, and whether its system has 64 bits."""
    board = board_of(context.machine)
    if board:
        yield right(NAME, board)
    elif context.is_wired:
        yield wrong(NAME, "this computer is not a Raspberry Pi, and a wired table needs the pins of one", _BOARDS)
    else:
        yield right(NAME, "not a Raspberry Pi; a table of boards needs none")
    if sys.maxsize < 1 << 32:
        yield note(
            NAME, "this system has 32 bits; the libraries of dudo-table are built for 64", "install the 64-bit system"
        )


def board_of(machine: Machine) -> str:
    """Return the model from the kernel, or from gpiozero by its revision; empty if it is not a Pi."""
    model = machine.text("/proc/device-tree/model") or ""
    revision = re.search(r"^Revision\s*:\s*([0-9a-fA-F]+)$", machine.text("/proc/cpuinfo") or "", re.MULTILINE)
    if not revision:
        return model if "Raspberry Pi" in model else ""
    return f"{model or _model(int(revision[1], 16))} (revision {revision[1]})"


def _model(revision: int) -> str:
    from gpiozero import PiBoardInfo, PinUnknownPi

    try:
        return f"Raspberry Pi {PiBoardInfo.from_revision(revision).model}"
    except PinUnknownPi:
        return "a Raspberry Pi unknown to gpiozero"


_BOARDS = "run it on a Raspberry Pi, or build a table of boards: dudo-table show boards-8"
