"""A cup on a bench, for the tests of its program: what is said to it and what it said, as messages."""

from collections.abc import Sequence

from hardware.emulated.chips.controllers import CONTROLLERS, Controller
from hardware.firmware.device_config import DeviceConfig
from hardware.firmware.program import Board, Inputs, Program
from hardware.link import messages as link
from hardware.link.framing import FrameParser, frame
from hardware.link.gesture import GestureDetector

MS = 1_000_000
BOOT = 7
BOARD = DeviceConfig("BOARD01", buttons=link.BUTTON_NAMES, panel="ssd1309", light=True)
CUP = DeviceConfig("CUP0001")


class Bench(Board):
    """`random` counts its draws, so that each gives other bytes; `wrote` is every write of the panel that was taken."""

    def __init__(self, fitted: DeviceConfig = BOARD) -> None:
        self.panel: Controller = CONTROLLERS[fitted.panel or "ssd1306"](1)
        self.panel_answers = True
        self.wrote: list[bytes] = []
        self.lamp = False
        self.draws = 0
        self.now_ns = 0
        self.received: list[link.LinkMessage] = []
        self._parser = FrameParser()
        self.cup = Program(fitted, BOOT, 0, self, GestureDetector(False, 0) if fitted.tilt else None)
        self.step()

    def random(self, count: int) -> bytes:
        self.draws += 1
        return bytes([self.draws]) * count

    def write_panel(self, data: bytes) -> None:
        if not self.panel_answers:
            raise OSError(121, "Remote I/O error")
        self.wrote.append(data)
        self.panel.write(data)

    def set_light(self, is_on: bool) -> None:
        self.lamp = is_on

    def step(self, inputs: Inputs | None = None) -> list[link.LinkMessage]:
        said = []
        for sent in self.cup.step(self.now_ns, inputs or Inputs()):
            for body in self._parser.feed(sent):
                address, message = link.from_body(body)
                assert address == self.cup.fitted.address
                assert message is not None
                said.append(message)
        self.received += said
        return said

    def send(self, *messages: link.LinkMessage, address: int = 0) -> list[link.LinkMessage]:
        return self.step(Inputs(b"".join(frame(link.to_body(address, message)) for message in messages)))

    def edge(self, line: str, closed: bool) -> list[link.LinkMessage]:
        return self.step(Inputs(edges=((line, closed, self.now_ns),)))

    def let_pass(self, duration_ms: int) -> list[link.LinkMessage]:
        until_ns, said = self.now_ns + duration_ms * MS, []
        while self.cup.due_ns is not None and self.cup.due_ns <= until_ns:
            self.now_ns = max(self.now_ns, self.cup.due_ns)
            said += self.step()
        self.now_ns = until_ns
        return said

    def ping(self, duration_ms: int, lease_ms: int = 500) -> list[link.LinkMessage]:
        """Let so long pass with a host that pings every 100 ms."""
        said = []
        for _ in range(duration_ms // 100):
            said += self.send(link.Ping(1, lease_ms)) + self.let_pass(100)
        return said

    def shake(self) -> list[link.LinkMessage]:
        """Shake the cup and put it down; it has settled then."""
        said = []
        for number in range(12):
            said += self.edge("tilt", number % 2 == 0) + self.let_pass(90)
        return said + self.let_pass(700)

    def events(self) -> list[tuple[int, int]]:
        numbers = {message.number: message.what for message in self.received if isinstance(message, link.Event)}
        return sorted(numbers.items())

    def display(self) -> bytes:
        """Return the visible picture, a byte for a column of eight pixels, as a Picture has it."""
        return to_page_format(self.panel)


def to_page_format(panel: Controller) -> bytes:
    image = panel.picture()
    return bytes(
        sum((image.getpixel((column, 8 * page + bit)) > 0) << bit for bit in range(8))  # type: ignore[operator]
        for page in range(8)
        for column in range(128)
    )


def events_in(said: Sequence[link.LinkMessage]) -> list[int]:
    return [message.number for message in said if isinstance(message, link.Event)]
