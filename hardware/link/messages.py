"""The messages of the link: the one description that the cup's program and the host's drivers share.

A body is `address, kind, payload`; numbers are little-endian. The address tells cups on one line apart and is 0
for a cup on a cable of its own. A kind an end does not know is skipped, so that a later version may add some;
LINK.md says when which message is sent. Written in the subset that MicroPython and CPython share.
"""

import struct

from hardware.link.oled import DisplayMode

VERSION = 32
"""32 came after 3: at MicroPython's prompt, where a board may sit, bytes 0x01 to 0x04 are commands and 0x20 a blank."""

TILT = 0x01  # what is fitted: a cup that feels shake and tilt
BUTTONS = 0x02  # left, right and OK
DUDO = 0x04  # the fourth button
PANEL = 0x08  # a 128x64 panel
LIGHT = 0x10  # a light that says whom the table waits for
FITTINGS = (
    (TILT, "a cup"),
    (BUTTONS, "buttons"),
    (DUDO, "a DUDO button"),
    (PANEL, "a panel"),
    (LIGHT, "a light"),
)

SHAKEN = 1  # what an event says; detail empty unless stated
SETTLED = 2
TILTED = 3
LEVELLED = 4
PRESSED = 5  # detail: one byte, the index of the button in BUTTON_NAMES
RELEASED = 6  # detail as PRESSED
EVENTS_HELD = 64  # at most so many wait at a cup for their acknowledgement
BUTTON_NAMES = ("left", "right", "ok", "dudo")

PANEL_WIDTH = 128
PANEL_PAGES = 8  # of 8 dots each; a byte is a column of 8 dots, bit 0 on top
PICTURE_BYTES = PANEL_WIDTH * PANEL_PAGES
NO_BASE = 0  # a picture that does not rest on the one before

HASH_BYTES = 32  # a deal, a commitment, a cup's entropy, the head of the chain

_PEEK, _LAMP = 0x20, 0x40  # of a picture's byte, beside its shine
_TELLING = ("base", "crc")  # of a picture; whoever draws all 252 hands knows from it which one it shows


class MessageError(ValueError):
    """A body with a sound CRC that is no message of this version."""


class LinkMessage:
    """One message. `KIND` is its code; `pack` gives its payload, `unpack` reads one and raises MessageError."""

    KIND = 0

    def pack(self) -> bytes:
        """Return the payload."""
        return b""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((self.KIND, self.pack()))

    def __repr__(self) -> str:
        shown = [f"{name}={_shown(self.__dict__[name])}" for name in sorted(self.__dict__) if name not in _TELLING]
        return f"{type(self).__name__}({', '.join(shown)})"


class Ask(LinkMessage):
    """Host to cup, when a port was opened: who are you? `version` is the host's."""

    KIND = 0x01

    def __init__(self, version: int = VERSION) -> None:
        self.version = version

    def pack(self) -> bytes:
        """Return the payload: version."""
        return struct.pack("<B", self.version)

    @staticmethod
    def unpack(payload: bytes) -> "Ask":
        """Read a payload; a later version may say more after the first byte."""
        return Ask(_fixed("<B", payload[:1])[0])


class Hello(LinkMessage):
    """Cup to host: the answer to Ask, and unasked once after a start.

    `boot` is drawn again at every start (1 to 2^31-1), `fitted` is a sum of the fittings, `oldest` the number of
    the first event not yet acknowledged (the next one to come when there is none), `identity` the cup's own id
    (ASCII, at most 32). With another `version` than ours only that byte is read and the rest is empty.
    """

    KIND = 0x02

    def __init__(self, boot: int, fitted: int, oldest: int, identity: str, version: int = VERSION) -> None:
        self.version = version
        self.boot = boot
        self.fitted = fitted
        self.oldest = oldest
        self.identity = identity

    def pack(self) -> bytes:
        """Return the payload: version, boot, fitted, oldest, identity to the end."""
        return struct.pack("<BIHI", self.version, self.boot, self.fitted, self.oldest) + self.identity.encode()

    @staticmethod
    def unpack(payload: bytes) -> "Hello":
        """Read a payload."""
        version = _fixed("<B", payload[:1])[0]
        if version != VERSION:
            return Hello(0, 0, 0, "", version)
        _, boot, fitted, oldest = _fixed("<BIHI", payload[:11])
        identity = payload[11:]
        if not 1 <= len(identity) <= 32 or any(not 32 < c < 127 for c in identity):
            raise MessageError("an identity is 1 to 32 printable ASCII characters")
        if not 1 <= boot < 1 << 31 or oldest < 1:
            raise MessageError("a boot is 1 to 2^31-1 and events are numbered from 1")
        return Hello(boot, fitted, oldest, identity.decode())


class Event(LinkMessage):
    """Cup to host: something happened. Numbered from 1 at every start and repeated until acknowledged.

    `boot` is that of the hello: a number counts within one start. `at_ns` is on the cup's own clock, nanoseconds since
    its start.
    """

    KIND = 0x03

    def __init__(self, boot: int, number: int, at_ns: int, what: int, detail: bytes = b"") -> None:
        self.boot = boot
        self.number = number
        self.at_ns = at_ns
        self.what = what
        self.detail = detail

    def pack(self) -> bytes:
        """Return the payload: boot, number, at_ns, what, detail to the end."""
        return struct.pack("<IIQB", self.boot, self.number, self.at_ns, self.what) + self.detail

    @staticmethod
    def unpack(payload: bytes) -> "Event":
        """Read a payload."""
        boot, number, at_ns, what = _fixed("<IIQB", payload[:17])
        return Event(boot, number, at_ns, what, payload[17:])


class Ack(LinkMessage):
    """Host to cup: every event up to and including `number` of start `boot` is durable."""

    KIND = 0x04

    def __init__(self, boot: int, number: int) -> None:
        self.boot = boot
        self.number = number

    def pack(self) -> bytes:
        """Return the payload: boot, number."""
        return struct.pack("<II", self.boot, self.number)

    @staticmethod
    def unpack(payload: bytes) -> "Ack":
        """Read a payload."""
        boot, number = _fixed("<II", payload)
        return Ack(boot, number)


class Ping(LinkMessage):
    """Host to cup: are you there, and what does your clock say? A board's picture may stay lit for `lease_ms` more."""

    KIND = 0x05

    def __init__(self, token: int, lease_ms: int) -> None:
        self.token = token
        self.lease_ms = lease_ms

    def pack(self) -> bytes:
        """Return the payload: token, lease_ms."""
        return struct.pack("<IH", self.token, self.lease_ms)

    @staticmethod
    def unpack(payload: bytes) -> "Ping":
        """Read a payload."""
        token, lease_ms = _fixed("<IH", payload)
        return Ping(token, lease_ms)


class Pong(LinkMessage):
    """Cup to host: the answer to the Ping with the same token; `at_ns` is the cup's clock when it answered.

    `boot` is that of the hello: another start has another clock.
    """

    KIND = 0x06

    def __init__(self, token: int, boot: int, at_ns: int) -> None:
        self.token = token
        self.boot = boot
        self.at_ns = at_ns

    def pack(self) -> bytes:
        """Return the payload: token, boot, at_ns."""
        return struct.pack("<IIQ", self.token, self.boot, self.at_ns)

    @staticmethod
    def unpack(payload: bytes) -> "Pong":
        """Read a payload."""
        token, boot, at_ns = _fixed("<IIQ", payload)
        return Pong(token, boot, at_ns)


class Window:
    """A run of columns on one page of the panel, with their new bytes."""

    def __init__(self, page: int, column: int, columns: bytes) -> None:
        self.page = page
        self.column = column
        self.columns = columns

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((self.page, self.column, self.columns))

    def __repr__(self) -> str:
        return f"Window({self.page}, {self.column}, {_shown(self.columns)})"


class Picture(LinkMessage):
    """Host to board: change these windows, and the whole picture then has this CRC-32; `shine` is how to show it.

    One is in flight at a time, unless the next one hides dice.
    `base` is the CRC-32 of the picture the windows were cut against, or NO_BASE when they cover it all. A board
    that holds another picture leaves everything as it is; its PictureAck then tells the host to send the whole.
    With `peek` there are dice in it that only this seat may see; `lamp` is the board's light: the table waits for
    this seat.
    """

    KIND = 0x07

    def __init__(
        self,
        number: int,
        base: int,
        crc: int,
        shine: DisplayMode,
        windows: "list[Window]",
        peek: bool = False,
        lamp: bool = False,
    ) -> None:
        self.number = number
        self.base = base
        self.crc = crc
        self.shine = shine
        self.windows = windows
        self.peek = peek
        self.lamp = lamp

    def pack(self) -> bytes:
        """Return the payload: number, base, crc, how to show it, then page, column, width, bytes of each window."""
        byte = self.shine.byte | (_PEEK if self.peek else 0) | (_LAMP if self.lamp else 0)
        head = struct.pack("<HIIB", self.number, self.base, self.crc, byte)
        return head + b"".join(struct.pack("<BBB", w.page, w.column, len(w.columns)) + w.columns for w in self.windows)

    @staticmethod
    def unpack(payload: bytes) -> "Picture":
        """Read a payload."""
        number, base, crc, byte = _fixed("<HIIB", payload[:11])
        shine = DisplayMode.read(byte & ~(_PEEK | _LAMP))
        if shine is None:
            raise MessageError("a panel is dark, dim or bright, and its picture at most three rows down")
        windows = []
        at, end = 11, len(payload)
        while at < end:
            # Read in line: a whole picture has eight windows, and a Pico takes its time over calls.
            width = payload[at + 2] if at + 3 < end else 0
            after = at + 3 + width
            if width == 0 or after > end or payload[at] >= PANEL_PAGES or payload[at + 1] + width > PANEL_WIDTH:
                raise MessageError("a window reaches out of the picture or of its message")
            windows.append(Window(payload[at], payload[at + 1], payload[at + 3 : after]))
            at = after
        return Picture(number, base, crc, shine, windows, bool(byte & _PEEK), bool(byte & _LAMP))

    def __hash__(self) -> int:
        return hash(self.pack())


class PictureAck(LinkMessage):
    """Board to host: the picture with this number was taken in; also sent when `lit` changes.

    `crc` is that of the picture the board now holds; `lit` is 1 when its panel took it, 0 when the panel does
    not answer.
    """

    KIND = 0x08

    def __init__(self, number: int, crc: int, lit: int) -> None:
        self.number = number
        self.crc = crc
        self.lit = lit

    def pack(self) -> bytes:
        """Return the payload: number, crc, lit."""
        return struct.pack("<HIB", self.number, self.crc, self.lit)

    @staticmethod
    def unpack(payload: bytes) -> "PictureAck":
        """Read a payload."""
        number, crc, lit = _fixed("<HIB", payload)
        return PictureAck(number, crc, lit)


class Draw(LinkMessage):
    """Host to cup: draw your entropy for the deal with this house commitment, unless you hold it already."""

    KIND = 0x09

    def __init__(self, deal: bytes) -> None:
        self.deal = deal

    def pack(self) -> bytes:
        """Return the payload: deal."""
        return self.deal

    @staticmethod
    def unpack(payload: bytes) -> "Draw":
        """Read a payload."""
        return Draw(_hashes(payload, 1)[0])


class Drawn(LinkMessage):
    """Cup to host, the answer to Draw: the commitment to the entropy that this cup holds for the deal."""

    KIND = 0x0A

    def __init__(self, deal: bytes, commitment: bytes) -> None:
        self.deal = deal
        self.commitment = commitment

    def pack(self) -> bytes:
        """Return the payload: deal, commitment."""
        return self.deal + self.commitment

    @staticmethod
    def unpack(payload: bytes) -> "Drawn":
        """Read a payload."""
        deal, commitment = _hashes(payload, 2)
        return Drawn(deal, commitment)


class Open(LinkMessage):
    """Host to cup: give your entropy for this deal; `head` is the chain's, with every commitment in it."""

    KIND = 0x0B

    def __init__(self, deal: bytes, head: bytes) -> None:
        self.deal = deal
        self.head = head

    def pack(self) -> bytes:
        """Return the payload: deal, head."""
        return self.deal + self.head

    @staticmethod
    def unpack(payload: bytes) -> "Open":
        """Read a payload."""
        deal, head = _hashes(payload, 2)
        return Open(deal, head)


class Opened(LinkMessage):
    """Cup to host, the answer to Open once the cup was shaken: its entropy for the deal."""

    KIND = 0x0C

    def __init__(self, deal: bytes, entropy: bytes) -> None:
        self.deal = deal
        self.entropy = entropy

    def pack(self) -> bytes:
        """Return the payload: deal, entropy."""
        return self.deal + self.entropy

    @staticmethod
    def unpack(payload: bytes) -> "Opened":
        """Read a payload."""
        deal, entropy = _hashes(payload, 2)
        return Opened(deal, entropy)


_MESSAGES = (Ask, Hello, Event, Ack, Ping, Pong, Picture, PictureAck, Draw, Drawn, Open, Opened)
_KINDS = {kind.KIND: kind for kind in _MESSAGES}


def to_body(address: int, message: LinkMessage) -> bytes:
    """Return the body that carries `message` to or from the cup with this address (0 to 255)."""
    return struct.pack("<BB", address, message.KIND) + message.pack()


def from_body(body: bytes) -> "tuple[int, LinkMessage | None]":
    """Return a body's address and message, None for an unknown kind. MessageError when it makes no sense."""
    address, code = _fixed("<BB", body[:2])
    kind = _KINDS.get(code)
    return address, None if kind is None else kind.unpack(body[2:])


def is_peek(body: bytes) -> bool:
    """Return whether a body is a Picture with dice that only one seat may see."""
    return len(body) > 12 and body[1] == Picture.KIND and bool(body[12] & _PEEK)


def whole_picture(picture: bytes) -> "list[Window]":
    """Return the eight windows that cover a picture of PICTURE_BYTES bytes."""
    return [Window(page, 0, picture[page * PANEL_WIDTH : (page + 1) * PANEL_WIDTH]) for page in range(PANEL_PAGES)]


def _fixed(layout: str, data: bytes) -> "tuple[int, ...]":
    if len(data) != struct.calcsize(layout):
        raise MessageError(f"{len(data)} bytes where the message has {struct.calcsize(layout)}")
    return struct.unpack(layout, data)


def _hashes(payload: bytes, count: int) -> "list[bytes]":
    if len(payload) != count * HASH_BYTES:
        raise MessageError(f"{len(payload)} bytes where the message has {count * HASH_BYTES}")
    return [payload[start : start + HASH_BYTES] for start in range(0, len(payload), HASH_BYTES)]


def _shown(value: object) -> str:
    # Entropy and pictures hold dice: their length is all a log may see.
    if isinstance(value, bytes):
        return f"<{len(value)} bytes>"
    if isinstance(value, list):
        return f"<{len(value)} windows>"
    return repr(value)
