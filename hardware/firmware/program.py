"""The program for a cup or a seat board, without I/O: bytes and edges in, frames out.
`main` runs it on a Pico and on a pty, `hardware.emulated.cup` in memory; tests call `step` directly. The caller passes
time and random bytes.
"""

from hardware.firmware.cable import EXTRA_BYTES
from hardware.firmware.deal import CupEntropy
from hardware.firmware.device_config import DeviceConfig
from hardware.firmware.lease import DisplayLease
from hardware.firmware.oled_panel import OledPanel
from hardware.firmware.outbox import UnacknowledgedEvents
from hardware.link import messages
from hardware.link.debounce import BoardDebounce, SteadyContact
from hardware.link.framing import PART_BYTES, CobsDecoder, FrameParser, FramingError, checked_body, frame
from hardware.link.gesture import GestureDetector
from hardware.link.messages import MessageError, from_body, to_body

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hardware.firmware.lis3dh import Accelerometer
    from hardware.firmware.update import Updates

TILT_LINE = "tilt"
KEY_LINE = "key"


class Inputs:
    """The inputs since the last step.
    `received` are bytes from the host. `edges` are level changes in order: (line, closed, at_ns), where line is
    TILT_LINE, KEY_LINE or a button's name. A closed tilt switch is a lifted cup, a closed button is pressed, a closed
    key is on.
    """

    def __init__(self, received: bytes = b"", edges: "tuple[tuple[str, bool, int], ...]" = ()) -> None:
        self.received = received
        self.edges = edges


class Board:
    """The board functions used by the program."""

    def random(self, count: int) -> bytes:
        """Return `count` bytes from the cup's own random source."""
        raise NotImplementedError

    def write_panel(self, data: bytes) -> None:
        """Make one I2C write of `data` to the panel. OSError if the panel does not answer."""
        raise NotImplementedError

    def set_light(self, is_on: bool) -> None:
        """Switch the light."""
        raise NotImplementedError

    def start_decoding(self) -> None:
        """Record the time at which decoding begins."""

    def pause_decoding(self) -> None:
        """Record the time at which a switch interrupts decoding."""

    def resume_decoding(self) -> None:
        """Subtract the time since the pause from the decoding time."""

    def even_out(self, length: int) -> None:
        """Wait until decoding has taken the longest possible time for `length` bytes."""


class Program:
    """One cup's program. Call `step` whenever there is input, and at `due_ns` at the latest.
    A step may take 0.1 s on a Pico, but dice must be hidden within 10 ms. So `step` is a generator that yields every 4
    ms or so while dice may be lit, and its caller reads the switches there and calls `feel`.

    `boot` is random at every start, 1 to 2^31-1. `motion` detects gestures, from a tilt switch's edges or with an
    accelerometer; it is None without a cup. `updates` is None for a program that does not know its release.
    """

    def __init__(
        self,
        fitted: DeviceConfig,
        boot: int,
        now_ns: int,
        board: Board,
        motion: "GestureDetector | Accelerometer | None",
        updates: "Updates | None" = None,
    ) -> None:
        self.fitted = fitted
        self.boot = boot
        self.outbox = UnacknowledgedEvents(boot)
        self._board = board
        self._parser = FrameParser()
        self._motion = motion
        self._updates = updates
        self._deal = CupEntropy(board.random)
        self._buttons = {name: BoardDebounce() for name in fitted.buttons}
        self._key = SteadyContact() if fitted.key else None
        self._lease = None
        if fitted.panel is not None:
            self._lease = DisplayLease(OledPanel(fitted.panel, board.write_panel), board.set_light, now_ns)
        self.decoded = 0
        """Frame parts decoded since the start."""
        self.handled = 0
        """Messages for this cup read since the start."""
        self._feel_due_ns: int | None = 0  # the time at which `feel` has something to do
        self._picture_number = 0
        self._is_first_picture = True
        self._reported_lit: bool | None = None
        self._frames: list[bytes] = []
        self._send_hello()

    @property
    def due_ns(self) -> "int | None":
        """The time of the next `step` even without input, None if there is none."""
        dues = [self._feel_due_ns, self.outbox.due_ns]
        if self._key is not None:
            dues.append(self._key.due_ns)
        if self._lease is not None:
            dues.append(self._lease.panel.due_ns)
        known = [due for due in dues if due is not None]
        return min(known) if known else None

    @property
    def is_gate_open(self) -> bool:
        """Whether OK is held or the cup is lifted, so that dice may be lit."""
        return self._lease is not None and self._lease.gate

    def step(self, now_ns: int, inputs: Inputs) -> "Iterator[bytes]":
        """Handle the inputs and let time pass up to `now_ns`. Yield the frames to send, in order.
        Between two parts of the work it yields b"". At each yield the caller passes the edges since to `feel`.
        """
        prefix = b"\0"  # ends a frame that was cut off before, so that it doesn't damage the next one
        for may_send in self._work(now_ns, inputs):
            if not (may_send and self._frames):
                yield b""
            while may_send and self._frames:
                yield prefix + self._frames.pop(0)
                prefix = b""

    def feel(self, now_ns: int, edges: "tuple[tuple[str, bool, int], ...]") -> None:
        """Take edges, and let switch, sensor and lease times pass up to `now_ns`: dice go dark at once."""
        if not edges and (self._feel_due_ns is None or now_ns < self._feel_due_ns):
            return
        self._board.pause_decoding()
        for line, closed, at_ns in edges:
            self._edge(line, closed, at_ns, now_ns)
        if self._motion is not None:
            self._moved(self._motion.tick(now_ns), now_ns)
        for name, button in self._buttons.items():
            if button.due_ns is not None:
                self._pressed(name, button.tick(now_ns), now_ns)
        if self._lease is not None:
            self._lease.pass_time(now_ns)
        self._note_due()
        self._board.resume_decoding()

    def _note_due(self) -> None:
        dues = [button.due_ns for button in self._buttons.values()]
        dues.append(None if self._motion is None else self._motion.due_ns)
        dues.append(None if self._lease is None else self._lease.ends_ns)
        known = [due for due in dues if due is not None]
        self._feel_due_ns = min(known) if known else None

    def _work(self, now_ns: int, inputs: Inputs) -> "Iterator[bool]":
        """Do a step's work. Yield whether frames may be sent: not while the time depends on the received bytes."""
        self.feel(now_ns, inputs.edges)
        if self._key is not None:
            for is_on, at_ns in self._key.tick(now_ns):
                self._send_all(self.outbox.put(messages.KEY_ON if is_on else messages.KEY_OFF, at_ns, b"", now_ns))
        lease = self._lease
        if lease is not None and lease.panel.due_ns is not None:
            yield from lease.panel.tick(now_ns)
        if inputs.received:
            if self._frames:
                yield True
            bodies: list[bytes] = []
            yield from self._decode(inputs.received, bodies)
            for body in messages.without_outdated(bodies):
                yield from self._handle(body, now_ns)
        # After the Acks: events covered by them are not sent again.
        if self.outbox.due_ns is not None and now_ns >= self.outbox.due_ns:
            self._send_all(self.outbox.repeat(now_ns))
        self._send_panel_state()
        yield True

    def _decode(self, received: bytes, bodies: "list[bytes]") -> "Iterator[bool]":
        """Decode the received bytes, and look at the switches meanwhile if dice may be lit.
        The answer and each look come at a time that depends on lengths alone: otherwise it would depend on the dice, or
        on the picture's base. A picture without dice that follows another needs neither.
        """
        board, lease = self._board, self._lease
        holds_dice = lease is not None and lease.holds_dice
        board.start_decoding()
        evened = 0
        for piece in self._parser.split(received):
            at = PART_BYTES
            try:
                decoder = CobsDecoder(piece)
                while not decoder.decode_part():
                    self.decoded += 1
                    if holds_dice:
                        board.even_out(evened + at)
                        yield False
                        at += PART_BYTES
                self.decoded += 1
                body = checked_body(decoder.decoded())
            except FramingError:
                self._parser.drop(piece)
                continue
            bodies.append(body)
            while holds_dice and at < len(body) + EXTRA_BYTES:
                board.even_out(evened + at)
                yield False
                at += PART_BYTES
            evened += len(body) + EXTRA_BYTES
            if holds_dice:
                board.even_out(evened)
                yield False
        if lease is not None and any(map(messages.is_peek, bodies)):
            board.even_out(evened)

    def _edge(self, line: str, closed: bool, at_ns: int, now_ns: int) -> None:
        if line == TILT_LINE and isinstance(self._motion, GestureDetector):
            self._moved(self._motion.edge(at_ns, closed), now_ns)
        elif line in self._buttons:
            self._pressed(line, self._buttons[line].edge(closed, at_ns), now_ns)
        elif line == KEY_LINE and self._key is not None:
            self._key.edge(closed, at_ns)

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

    def _handle(self, body: bytes, now_ns: int) -> "Iterator[bool]":
        try:
            address, message = from_body(body)
        except MessageError:
            return
        if address != self.fitted.address or message is None:
            return
        self.handled += 1
        yield True
        self.outbox.speed_up(now_ns)
        if isinstance(message, messages.Ask):
            self._send_hello()
            self._reported_lit = None
            self._is_first_picture = True
            self._send_all(self.outbox.repeat(now_ns))
        elif isinstance(message, messages.Ack) and message.boot == self.boot:
            self.outbox.acknowledge(message.number, now_ns)
        elif isinstance(message, messages.Ping):
            # Answers are in order: a Pong without a PictureAck before it tells the host that a picture was lost.
            self._send_panel_state()
            self._send(messages.Pong(message.token, self.boot, now_ns))
            if self._updates is not None:
                self._updates.keep()  # a host pings only after it has heard the Hello
            if self._lease is not None:
                self._lease.renew(message.lease_ms, now_ns)
                self._feel_due_ns = min(self._feel_due_ns or now_ns, self._lease.ends_ns or now_ns)
        elif isinstance(message, messages.Picture) and self._lease is not None:
            if self._is_first_picture or 0 < (message.number - self._picture_number) & 0xFFFF < 0x8000:
                yield from self._lease.show(message, now_ns)  # others are late copies, made by a faulty line
                self._picture_number = message.number
                self._is_first_picture = False
            self._reported_lit = None
        elif isinstance(message, (messages.Install, messages.Chunk, messages.Activate)):
            if self._updates is not None:
                self._send(self._updates.handle(message, self._lease is not None and self._lease.holds_dice))
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

    def _send_hello(self) -> None:
        self._send(messages.Hello(self.boot, self.fitted.flags, self.outbox.oldest, self.fitted.identity))
        if self._updates is not None:
            self._send(self._updates.report())

    def _send_all(self, events: "list[messages.Event]") -> None:
        for event in events:
            self._send(event)

    def _send(self, message: messages.LinkMessage) -> None:
        self._frames.append(frame(to_body(self.fitted.address, message)))
