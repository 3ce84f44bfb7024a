"""The loop under the cup's program: wait, step, send. A copy of it at a Pico's top runs whenever that starts."""

import sys

if sys.implementation.name == "micropython":
    # Before anything else is imported, which takes a Pico 0.4 s: until then a byte 0x03 from the host would stop the
    # program and leave the board at MicroPython's prompt.
    import micropython  # type: ignore[import-not-found]

    micropython.kbd_intr(-1)

import machine  # type: ignore[import-not-found]

from hardware.firmware import wiring
from hardware.firmware.board import PicoBoard
from hardware.firmware.oled_panel import BLANK
from hardware.firmware.program import Program
from hardware.link.oled import COMMANDS

MAX_WAIT_MS = 1000


def main() -> None:
    """Be a cup for as long as there is power; come back to MicroPython's prompt only when SERVICE is grounded.

    A Pico whose program failed shows nothing more, and restarts: another boot, as if its cable had been pulled.
    """
    if not machine.Pin(wiring.SERVICE, machine.Pin.IN, machine.Pin.PULL_UP).value():
        return
    board = PicoBoard(wiring)
    try:
        serve(board)
    except Exception as error:
        _darken(board)  # before the words, which wait for a host that does not read
        try:
            sys.stderr.write(f"{type(error).__name__}: {error}\n")
        finally:
            machine.reset()


def serve(board: PicoBoard) -> None:
    """Run the program."""
    now_ns = board.clock.now_ns()
    cup = Program(board.fitted, _drawn_boot(board), now_ns, board, board.motion(now_ns))
    inputs = board.wait(0)
    while True:
        for frame in cup.step(board.clock.now_ns(), inputs):
            board.send(frame)
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
            pass  # a panel that does not answer can't be helped


if __name__ == "__main__":
    main()
