"""The loop under the cup's program: wait, step, send. `pico` and `piped` give it a board and start it."""

from hardware.cup.fitted import Fitted
from hardware.cup.program import Cup, Inputs

IDLE_MS = 1000


class Board:
    """What `serve` needs of the hardware. Time is in nanoseconds of a clock that only goes forward."""

    fitted: Fitted

    def now_ns(self) -> int:
        """Read the clock."""
        raise NotImplementedError

    def wait(self, at_most_ms: int) -> "Inputs | None":
        """Return what came in, at once if there is something and empty after `at_most_ms`; None to end the program."""
        raise NotImplementedError

    def send(self, frame: bytes) -> None:
        """Send a frame to the host, or as much of it as it takes without waiting for a host that does not read."""
        raise NotImplementedError

    def random(self, count: int) -> bytes:
        """Return random bytes of the board's own."""
        raise NotImplementedError

    def draw_entropy(self, stamps: bytes) -> bytes:
        """Return 32 bytes that rest on a shake's stamps and on random bytes of the board's own."""
        raise NotImplementedError

    def write_panel(self, data: bytes) -> None:
        """Make one I2C write to the panel. OSError when it does not answer."""
        raise NotImplementedError

    def is_tilted(self) -> bool:
        """Read the tilt switch."""
        raise NotImplementedError


def serve(board: Board) -> None:
    """Run the cup's program until its wires are gone."""
    boot = int.from_bytes(board.random(4), "little") % 0x7FFF_FFFF + 1
    cup = Cup(board.fitted, boot, board.now_ns(), board.draw_entropy, board.write_panel, board.is_tilted())
    inputs: Inputs | None = Inputs()
    while inputs is not None:
        for frame in cup.step(board.now_ns(), inputs):
            board.send(frame)
        inputs = board.wait(_wait_ms(cup.due_ns, board.now_ns()))


def _wait_ms(due_ns: "int | None", now_ns: int) -> int:
    if due_ns is None:
        return IDLE_MS
    return min(IDLE_MS, max(0, (due_ns - now_ns + 999_999) // 1_000_000))
