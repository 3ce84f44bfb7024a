"""The main loop of the firmware: wait, step, send. `loader` calls it at every start, on a Pico."""

import gc
import sys
import time

import machine  # type: ignore[import-not-found]

from hardware.firmware.board import PicoBoard
from hardware.firmware.program import Program
from hardware.link.oled import BLANK, COMMANDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from hardware.firmware.loader import Slots

MAX_WAIT_MS = 1000
LAST_ANSWER_S = 0.05
"""Seconds in which the answer to an Activate leaves the board before it restarts."""


def main(wiring: "ModuleType", slots: "Slots | None" = None) -> None:
    """Run the firmware until an update; `wiring` is the owner's module, `slots` the loader's.
    If the program raises, the Pico switches its display off and restarts: a new boot, as if its cable had been pulled.
    """
    board = PicoBoard(wiring, slots)
    try:
        serve(board)
        _darken(board)
        time.sleep(LAST_ANSWER_S)
        machine.reset()
    except Exception as error:
        _darken(board)  # before the message, which blocks while the host does not read
        try:
            sys.stderr.write(f"{type(error).__name__}: {error}\n")
        finally:
            machine.reset()


def serve(board: PicoBoard) -> None:
    """Run the program until another one is to start."""
    now_ns = board.clock.now_ns()
    cup = Program(board.fitted, _drawn_boot(board), now_ns, board, board.motion(now_ns), board.updates)
    inputs = board.wait(0)
    was_open = False
    while board.updates is None or not board.updates.is_switched:
        for frame in cup.step(board.clock.now_ns(), inputs):
            if frame:
                board.send(frame)
            cup.feel(board.clock.now_ns(), board.edges())
        if cup.is_gate_open and not was_open:
            gc.collect()  # it takes 8 ms, which must not come while dice are lit: they need the memory of many steps
        was_open = cup.is_gate_open
        inputs = board.wait(_wait_ms(cup.due_ns, board.clock.now_ns()))


def _drawn_boot(board: PicoBoard) -> int:
    return int.from_bytes(board.random(4), "little") % 0x7FFF_FFFF + 1


def _wait_ms(due_ns: "int | None", now_ns: int) -> int:
    if due_ns is None:
        return MAX_WAIT_MS
    return min(MAX_WAIT_MS, max(0, (due_ns - now_ns + 999_999) // 1_000_000))


def _darken(board: PicoBoard) -> None:
    board.set_light(False)
    if board.fitted.panel is not None:
        try:  # noqa: SIM105 - MicroPython has no contextlib
            board.write_panel(COMMANDS + BLANK)
        except OSError:
            pass  # a silent panel can't be helped
