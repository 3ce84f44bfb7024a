"""The far end of a serial cable that says what a test lets it say, by the rules of the link or against them."""

import socket
from contextlib import suppress

from hardware.emulated.line import EmulatedPort
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.link import messages as link
from hardware.link.framing import FrameParser, frame

CUP = link.Hello(5, link.TILT, 1, "CUP0001")
BOARD = link.Hello(5, link.TILT | link.BUTTONS | link.PANEL, 1, "BOARD01")


class ScriptedDevice:
    """Answers an Ask with `answers`, pings with its clock unless it is deaf to them, pictures as if it had them.

    `heard` is all that was said to it since it was last cleared; what echoes is said back as it came.
    """

    def __init__(self, loop: VirtualLoop, *answers: link.LinkMessage) -> None:
        self._loop = loop
        self._parser = FrameParser()
        self.received: list[link.LinkMessage | None] = []
        self.opened = 0
        self.is_open = False
        self.answers = list(answers)
        self.address = 0
        self.boot = 5
        self.clock_ns = 0
        """What its clock is ahead."""
        self.is_deaf_to_pings = False
        self.echoes = False
        self.takes_pictures = True

    def open(self) -> EmulatedPort:
        near, self.end = socket.socketpair()
        self.end.setblocking(False)
        self.opened += 1
        self.is_open = True
        self._loop.add_reader(self.end.fileno(), self._readable)
        return EmulatedPort(near)

    def send(self, *messages: link.LinkMessage) -> None:
        self.send_bytes(b"".join(frame(link.to_body(self.address, message)) for message in messages))

    def send_bytes(self, data: bytes) -> None:
        """Say anything; what nobody listens to is gone."""
        if self.is_open:
            with suppress(BlockingIOError, ConnectionError):
                self.end.send(data)

    def hang_up(self) -> None:
        """Stop listening for good."""
        self.is_open = False
        self._loop.remove_reader(self.end.fileno())

    def received_of(self, kind: type[link.LinkMessage]) -> list[link.LinkMessage]:
        """Return the messages of one kind that it received."""
        return [message for message in self.received if isinstance(message, kind)]

    def _readable(self) -> None:
        received = b""
        with suppress(ConnectionError):
            received = self.end.recv(4096)
        if not received:
            self.hang_up()
            self.end.close()
            return
        if self.echoes:
            self.send_bytes(received)
        for body in self._parser.feed(received):
            message = link.from_body(body)[1]
            self.received.append(message)
            if isinstance(message, link.Ask):
                self.send(*self.answers)
            elif isinstance(message, link.Ping) and not self.is_deaf_to_pings:
                self.send(link.Pong(message.token, self.boot, round(self._loop.time() * 1e9) + self.clock_ns))
            elif isinstance(message, link.Picture) and self.takes_pictures:
                self.send(link.PictureAck(message.number, message.crc, 1))
