"""The program of a cup or a seat board, without I/O: bytes and edges in, frames out.

`main` runs it on a Pico and on a pty, `hardware.emulated.cup` in memory; tests call `step` directly. Time and random
bytes are passed in.
"""

from hardware.firmware.deal import CupEntropy
from hardware.firmware.device_config import DeviceConfig
from hardware.firmware.lease import DisplayLease
from hardware.firmware.oled_panel import OledPanel
from hardware.firmware.outbox import Outbox
from hardware.link import messages
from hardware.link.debounce import BoardDebounce, SteadyContact
from hardware.link.framing import Parser, frame
from hardware.link.gesture import GestureDetector
from hardware.link.messages import MessageError, from_body, to_body

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hardware.firmware.lis3dh import Accelerometer

TILT_LINE = "tilt"
KEY_LINE = "key"


class Inputs:
    """The inputs since the last step.

    `received` are bytes from the host. `edges` are level changes in the order in which they happened: (line, closed,
    at_ns), where line is TILT_LINE, KEY_LINE or a button's name. A closed tilt switch is a lifted cup, a closed button
    is pressed, a closed key is on.
    """

    def __init__(self, received: bytes = b"", edges: "tuple[tuple[str, bool, int], ...]" = ()) -> None:
        self.received = received
        self.edges = edges


class Board:
    """The functions of a board that the program uses."""

    def random(self, count: int) -> bytes:
        """Return `count` bytes of the cup's own random source."""
        raise NotImplementedError

    def write_panel(self, data: bytes) -> None:
        """Make one I2C write of `data` to the panel. OSError if the panel does not answer."""
        raise NotImplementedError

    def set_light(self, is_on: bool) -> None:
        """Switch the light."""
        raise NotImplementedError

    def start_decoding(self) -> None:
        """Note the time at which the decoding of received bytes begins."""

    def even_out(self, length: int) -> None:
        """Wait until as much time has passed as decoding `length` bytes can take at most."""


class Program:
    """The program of one cup. Call `step` whenever there is input, and at `due_ns` at the latest.

    `boot` is random at every start, 1 to 2^31-1. `motion` detects gestures, from a tilt switch's edges or with an
    accelerometer; it is None without a cup.
    """

    def __init__(
        self,
        fitted: DeviceConfig,
        boot: int,
        now_ns: int,
        board: Board,
        motion: "GestureDetector | Accelerometer | None",
    ) -> None:
        self.fitted = fitted
        self.boot = boot
        self.outbox = Outbox(boot)
        self._board = board
        self._parser = Parser()
        self._motion = motion
        self._deal = CupEntropy(board.random)
        self._buttons = {name: BoardDebounce() for name in fitted.buttons}
        self._key = SteadyContact() if fitted.key else None
        self._lease = None
        if fitted.panel is not None:
            self._lease = DisplayLease(OledPanel(fitted.panel, board.write_panel), board.set_light, now_ns)
        self._picture_number = 0
        self._is_first_picture = True
        self._reported_lit: bool | None = None
        self._frames: list[bytes] = []
        self._send(self._hello())

    @property
    def due_ns(self) -> "int | None":
        """The time at which `step` must be called even without input, None if there is none."""
        dues = [self.outbox.due_ns]
        dues += [button.due_ns for button in self._buttons.values()]
        if self._key is not None:
            dues.append(self._key.due_ns)
        if self._motion is not None:
            dues.append(self._motion.due_ns)
        if self._lease is not None:
            dues.append(self._lease.due_ns)
        known = [due for due in dues if due is not None]
        return min(known) if known else None

    def step(self, now_ns: int, inputs: Inputs) -> "list[bytes]":
        """Handle the inputs and let time pass up to `now_ns`. Return the frames to send, in order."""
        for line, closed, at_ns in inputs.edges:
            self._edge(line, closed, at_ns, now_ns)
        self._pass_time(now_ns)
        if inputs.received:
            self._board.start_decoding()
        bodies = self._parser.feed(inputs.received)
        lease = self._lease
        if lease is not None and (lease.holds_dice or any(map(messages.is_peek, bodies))):
            # Otherwise the time of the answer would depend on the dice, or on the picture's base.
            self._board.even_out(sum(map(len, bodies)))
        for body in bodies:
            self._handle(body, now_ns)
        self._send_panel_state()
        frames = self._frames
        self._frames = []
        if frames:
            frames[0] = b"\0" + frames[0]  # ends a frame that was cut off before, so that it doesn't damage this one
        return frames

    def _edge(self, line: str, closed: bool, at_ns: int, now_ns: int) -> None:
        if line == TILT_LINE and isinstance(self._motion, GestureDetector):
            self._moved(self._motion.edge(at_ns, closed), now_ns)
        elif line in self._buttons:
            self._pressed(line, self._buttons[line].edge(closed, at_ns), now_ns)
        elif line == KEY_LINE and self._key is not None:
            self._key.edge(closed, at_ns)

    def _pass_time(self, now_ns: int) -> None:
        if self._motion is not None:
            self._moved(self._motion.tick(now_ns), now_ns)
        for name, button in self._buttons.items():
            self._pressed(name, button.tick(now_ns), now_ns)
        if self._key is not None:
            for is_on, at_ns in self._key.tick(now_ns):
                self._send_all(self.outbox.put(messages.KEY_ON if is_on else messages.KEY_OFF, at_ns, b"", now_ns))
        if self._lease is not None:
            self._lease.tick(now_ns)
        if self.outbox.due_ns is not None and now_ns >= self.outbox.due_ns:
            self._send_all(self.outbox.repeat(now_ns))

    def _moved(self, moves: "list[tuple[int, int]]", now_ns: int) -> None:
        if moves:
            self._update_gate(now_ns)
        for what, at_ns in moves:
            if what == messages.SETTLED and self._motion is not None:
                self._deal.settle(self._motion.stamps)
            self._send_all(self.outbox.put(what, at_ns, b"", now_ns))

    def _pressed(self, name: str, changes: "list[tuple[bool, int]]", now_ns: int) -> None:
        if changes:
            self._update_gate(now_ns)
        detail = bytes([messages.BUTTON_NAMES.index(name)])
        for closed, at_ns in changes:
            what = messages.PRESSED if closed else messages.RELEASED
            self._send_all(self.outbox.put(what, at_ns, detail, now_ns))

    def _update_gate(self, now_ns: int) -> None:
        # Before anything is sent: releasing OK or lowering the cup hides the dice at once.
        if self._lease is not None:
            holds_ok = "ok" in self._buttons and self._buttons["ok"].closed
            self._lease.set_gate(holds_ok or (self._motion is not None and self._motion.is_lifted), now_ns)

    def _handle(self, body: bytes, now_ns: int) -> None:
        try:
            address, message = from_body(body)
        except MessageError:
            return
        if address != self.fitted.address or message is None:
            return
        self.outbox.speed_up(now_ns)
        if isinstance(message, messages.Ask):
            self._send(self._hello())
            self._reported_lit = None
            self._is_first_picture = True
            self._send_all(self.outbox.repeat(now_ns))
        elif isinstance(message, messages.Ack) and message.boot == self.boot:
            self.outbox.acknowledge(message.number, now_ns)
        elif isinstance(message, messages.Ping):
            # Answers are in order: a Pong without a PictureAck before it tells the host that a picture was lost.
            self._send_panel_state()
            self._send(messages.Pong(message.token, self.boot, now_ns))
            if self._lease is not None:
                self._lease.renew(message.lease_ms, now_ns)
        elif isinstance(message, messages.Picture) and self._lease is not None:
            if self._is_first_picture or 0 < (message.number - self._picture_number) & 0xFFFF < 0x8000:
                self._lease.show(message, now_ns)  # others are late copies, made by a faulty line
                self._picture_number = message.number
                self._is_first_picture = False
            self._reported_lit = None
        elif self._motion is not None:
            self._handle_deal(message)

    def _handle_deal(self, message: messages.LinkMessage) -> None:
        if isinstance(message, messages.Draw):
            self._send(messages.Drawn(message.deal, self._deal.draw(message.deal)))
        elif isinstance(message, messages.Open):
            entropy = self._deal.open(message.deal)
            if entropy is not None:
                self._send(messages.Opened(message.deal, entropy))

    def _send_panel_state(self) -> None:
        lease = self._lease
        if lease is not None and lease.panel.lit != self._reported_lit:
            self._reported_lit = lease.panel.lit
            self._send(messages.PictureAck(self._picture_number, lease.panel.crc, int(lease.panel.lit)))

    def _hello(self) -> messages.Hello:
        return messages.Hello(self.boot, self.fitted.flags, self.outbox.oldest, self.fitted.identity)

    def _send_all(self, events: "list[messages.Event]") -> None:
        for event in events:
            self._send(event)

    def _send(self, message: messages.LinkMessage) -> None:
        self._frames.append(frame(to_body(self.fitted.address, message)))
