"""Which computer this is: a wired table needs a Raspberry Pi's pins, a table of boards any Linux with USB."""

import re
import sys
from collections.abc import Iterator

from firmware_host.doctor.context import Patient
from firmware_host.doctor.findings import Finding, note, right, wrong
from firmware_host.doctor.machine import Machine

NAME = "board"


def check(patient: Patient) -> Iterator[Finding]:
    """The board, and whether the system on it is a 64-bit one."""
    board = board_of(patient.machine)
    if board:
        yield right(NAME, board)
    elif patient.is_wired:
        yield wrong(NAME, "this computer is no Raspberry Pi, and a wired table hangs on one's pins", _BOARDS)
    else:
        yield right(NAME, "no Raspberry Pi; a table of boards needs none")
    if sys.maxsize < 1 << 32:
        yield note(NAME, "this system has 32 bits; what dudo-table needs is made for 64", "install the 64-bit system")


def board_of(machine: Machine) -> str:
    """The model by the kernel's own word, with what gpiozero knows of its revision; empty for no Pi."""
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
        return "a Raspberry Pi that gpiozero does not know"


_BOARDS = "run it on a Raspberry Pi, or build a table of boards: dudo-table show boards-8"
