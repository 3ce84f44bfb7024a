"""The link's messages: the definition shared by the firmware and the host's drivers.
A body is `address, kind, payload`; numbers are little-endian. The address distinguishes cups on one line and is 0 for a
cup on its own cable. An unknown kind is ignored, so later versions may add kinds. LINK.md specifies when each message
is sent. The code runs under MicroPython and CPython.
"""

import struct

from hardware.link.oled import DisplayMode, Window

VERSION = 32
"""32 came after 3: at MicroPython's prompt, where a board may be, 0x01 to 0x04 are commands and 0x20 is a blank."""

TILT = 0x01  # the parts of a device: a sensor for shake and tilt
BUTTONS = 0x02  # left, right and OK
DUDO = 0x04  # the fourth button
PANEL = 0x08  # a 128x64 panel
LIGHT = 0x10  # a light that is on while the table waits for this seat
KEY = 0x20  # an input for the service key
FITTINGS = (
    (TILT, "a cup"),
    (BUTTONS, "buttons"),
    (DUDO, "a DUDO button"),
    (PANEL, "a display"),
    (LIGHT, "a light"),
    (KEY, "an input for the service key"),
)

SHAKEN = 1  # kinds of events; the detail is empty unless stated
SETTLED = 2
TILTED = 3
LEVELLED = 4
PRESSED = 5  # detail: one byte, the index of the button in BUTTON_NAMES
RELEASED = 6  # detail as PRESSED
KEY_ON = 7  # of the service key
KEY_OFF = 8
EVENTS_HELD = 64  # at most so many events wait at a cup to be acknowledged
BUTTON_NAMES = ("left", "right", "ok", "dudo")

PANEL_WIDTH = 128
PANEL_PAGES = 8  # of 8 dots each; a byte is a column of 8 dots, bit 0 on top
PICTURE_BYTES = PANEL_WIDTH * PANEL_PAGES
NO_BASE = 0  # a picture that does not depend on the one before

HASH_BYTES = 32  # a deal, a commitment, a cup's entropy, the head of the chain, a program

RELEASE_BYTES = 8
"""Bytes that tell one program from another: the beginning of a hash of its source files."""
NO_RELEASE = bytes(RELEASE_BYTES)
CHUNK_BYTES = 1024
"""Most bytes of a program in one Chunk."""

TAKING = 0  # states in a ChunkAck: the next chunk may come
SWITCHED = 1  # the new program starts now
REFUSED = 2  # no update now: dice may be lit, or the running program is on trial; or the program is too long
UNWRITABLE = 3  # the flash takes no more
DAMAGED = 4  # the program in the flash has another hash

_PEEK, _LAMP = 0x20, 0x40  # bits of a picture's `how` byte, beside those of its `shine`
_SECRET_FIELDS = ("base", "crc")  # of a picture: comparing them with all 252 hands would reveal the dice


class MessageError(ValueError):
    """A body with a correct CRC that is not a message in this version."""


class LinkMessage:
    """A message. `KIND` is its code; a payload with fixed length has the `FIELDS` in the `LAYOUT` for `struct`."""

    KIND = 0
    LAYOUT = "<"
    FIELDS: "tuple[str, ...]" = ()

    def pack(self) -> bytes:
        """Return the payload."""
        return struct.pack(self.LAYOUT, *[getattr(self, name) for name in self.FIELDS])

    @classmethod
    def unpack(cls, payload: bytes) -> "LinkMessage":
        """Read a payload. MessageError if its length or a value is wrong."""
        return cls(*_fixed(cls.LAYOUT, payload))

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((self.KIND, self.pack()))

    def __repr__(self) -> str:
        names = [name for name in sorted(self.__dict__) if name not in _SECRET_FIELDS]
        shown = ", ".join([f"{name}={_shown(self.__dict__[name])}" for name in names])
        return f"{type(self).__name__}({shown})"


class Ask(LinkMessage):
    """Host to cup, after opening the port: request for a Hello. `version` is the host's."""

    KIND = 0x01

    def __init__(self, version: int = VERSION) -> None:
        self.version = version

    def pack(self) -> bytes:
        """Return the payload: version."""
        return struct.pack("<B", self.version)

    @staticmethod
    def unpack(payload: bytes) -> "Ask":
        """Read a payload. A later version may have more after the first byte."""
        return Ask(_fixed("<B", payload[:1])[0])


class Hello(LinkMessage):
    """Cup to host: the answer to Ask; also sent once after a start.
    `boot` is random at every start (1 to 2^31-1), `fitted` the sum of the parts, `oldest` the first unacknowledged
    event's number (without one, the next event's), `identity` the cup's own id (at most 32 ASCII characters). If the
    `version` is not ours, only that byte is read and the rest is empty.
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
    """Cup to host: an event of kind `what`. Numbered from 1 at every start and repeated until acknowledged.
    `boot` is the Hello's: numbers count from one start. `at_ns` is nanoseconds on the cup's clock since its start.
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
    """Host to cup: all events of `boot` up to and including `number` are durable."""

    KIND = 0x04
    LAYOUT = "<II"
    FIELDS = ("boot", "number")

    def __init__(self, boot: int, number: int) -> None:
        self.boot = boot
        self.number = number


class Ping(LinkMessage):
    """Host to cup: request for a Pong. A board's picture may stay lit for another `lease_ms`."""

    KIND = 0x05
    LAYOUT = "<IH"
    FIELDS = ("token", "lease_ms")

    def __init__(self, token: int, lease_ms: int) -> None:
        self.token = token
        self.lease_ms = lease_ms


class Pong(LinkMessage):
    """Cup to host: the answer to the Ping with the same token; `at_ns` is the cup's clock when it answered.
    `boot` is the Hello's: every start has another clock.
    """

    KIND = 0x06
    LAYOUT = "<IIQ"
    FIELDS = ("token", "boot", "at_ns")

    def __init__(self, token: int, boot: int, at_ns: int) -> None:
        self.token = token
        self.boot = boot
        self.at_ns = at_ns


class Picture(LinkMessage):
    """Host to board: windows to change. The whole picture then has the CRC-32 `crc`; `shine` is its display mode.
    One is in flight at a time, unless the next one hides dice. `base` is the CRC-32 of the picture under the windows,
    or NO_BASE if they cover everything. A board with another picture changes nothing; its PictureAck then tells the
    host to send the whole picture. With `peek`, the picture has dice for this seat's eyes only. `lamp` switches the
    board's light: the table waits for this seat.
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
        """Return the payload: number, base, crc, display mode, then each window's page, column, width, bytes."""
        byte = self.shine.byte | (_PEEK if self.peek else 0) | (_LAMP if self.lamp else 0)
        head = struct.pack("<HIIB", self.number, self.base, self.crc, byte)
        return head + b"".join(struct.pack("<BBB", w.page, w.column, len(w.columns)) + w.columns for w in self.windows)

    @staticmethod
    def unpack(payload: bytes) -> "Picture":
        """Read a payload."""
        number, base, crc, byte = _fixed("<HIIB", payload[:11])
        shine = DisplayMode.read(byte & ~(_PEEK | _LAMP))
        if shine is None:
            raise MessageError("a display is dark, dim or bright, and its picture at most three rows down")
        windows = []
        at, end = 11, len(payload)
        while at < end:
            # Not in a function: a whole picture has eight windows, and calls are slow on a Pico.
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
    """Board to host: the picture with this number was handled; also sent when `lit` changes.
    `crc` is the board's present picture's. `lit` is 1 if the panel took it, 0 if the panel does not answer.
    """

    KIND = 0x08
    LAYOUT = "<HIB"
    FIELDS = ("number", "crc", "lit")

    def __init__(self, number: int, crc: int, lit: int) -> None:
        self.number = number
        self.crc = crc
        self.lit = lit


class Draw(LinkMessage):
    """Host to cup: draw the entropy for the deal with this host commitment, unless the cup holds it already."""

    KIND = 0x09
    LAYOUT = "<32s"
    FIELDS = ("deal",)

    def __init__(self, deal: bytes) -> None:
        self.deal = deal


class Drawn(LinkMessage):
    """Cup to host, the answer to Draw: the commitment to this cup's entropy for the deal."""

    KIND = 0x0A
    LAYOUT = "<32s32s"
    FIELDS = ("deal", "commitment")

    def __init__(self, deal: bytes, commitment: bytes) -> None:
        self.deal = deal
        self.commitment = commitment


class Open(LinkMessage):
    """Host to cup: reveal the entropy for this deal. `head` is the chain's hash with all commitments."""

    KIND = 0x0B
    LAYOUT = "<32s32s"
    FIELDS = ("deal", "head")

    def __init__(self, deal: bytes, head: bytes) -> None:
        self.deal = deal
        self.head = head


class Opened(LinkMessage):
    """Cup to host: the answer to Open after the cup was shaken, with its entropy for the deal."""

    KIND = 0x0C
    LAYOUT = "<32s32s"
    FIELDS = ("deal", "entropy")

    def __init__(self, deal: bytes, entropy: bytes) -> None:
        self.deal = deal
        self.entropy = entropy


class Running(LinkMessage):
    """Cup to host, after every Hello: the program that runs.
    `loader` is the version of its loader, 0 if it takes no update over the link. `rejected` is the release of
    a program that was installed and failed to start, NO_RELEASE without one.
    """

    KIND = 0x0D
    LAYOUT = "<8sB8s"
    FIELDS = ("release", "loader", "rejected")

    def __init__(self, release: bytes, loader: int, rejected: bytes = NO_RELEASE) -> None:
        self.release = release
        self.loader = loader
        self.rejected = rejected


class Install(LinkMessage):
    """Host to cup: a program of `size` bytes with this SHA-256 follows in chunks. The answer is a ChunkAck."""

    KIND = 0x0E
    LAYOUT = "<I32s"
    FIELDS = ("size", "hash")

    def __init__(self, size: int, hash: bytes) -> None:
        self.size = size
        self.hash = hash


class Chunk(LinkMessage):
    """Host to cup: the program's bytes from `offset` on, at most CHUNK_BYTES. The answer is a ChunkAck."""

    KIND = 0x0F

    def __init__(self, offset: int, data: bytes) -> None:
        self.offset = offset
        self.data = data

    def pack(self) -> bytes:
        """Return the payload: offset, data to the end."""
        return struct.pack("<I", self.offset) + self.data

    @staticmethod
    def unpack(payload: bytes) -> "Chunk":
        """Read a payload."""
        (offset,) = _fixed("<I", payload[:4])
        if not 4 < len(payload) <= 4 + CHUNK_BYTES:
            raise MessageError("a chunk has 1 to 1024 bytes")
        return Chunk(offset, payload[4:])


class ChunkAck(LinkMessage):
    """Cup to host: the number of bytes that it holds of the program, and the update's state."""

    KIND = 0x10
    LAYOUT = "<IB"
    FIELDS = ("held", "state")

    def __init__(self, held: int, state: int) -> None:
        self.held = held
        self.state = state


class Activate(LinkMessage):
    """Host to cup: start the program with this SHA-256, if the flash holds it. The answer is a ChunkAck."""

    KIND = 0x11
    LAYOUT = "<32s"
    FIELDS = ("hash",)

    def __init__(self, hash: bytes) -> None:
        self.hash = hash


_MESSAGES = (
    Ask,
    Hello,
    Event,
    Ack,
    Ping,
    Pong,
    Picture,
    PictureAck,
    Draw,
    Drawn,
    Open,
    Opened,
    Running,
    Install,
    Chunk,
    ChunkAck,
    Activate,
)
_LATEST = bytes([Ask.KIND]), bytes([Ack.KIND])
KINDS: "dict[int, type[LinkMessage]]" = {kind.KIND: kind for kind in _MESSAGES}


def to_body(address: int, message: LinkMessage) -> bytes:
    """Return the body with `message` to or from the cup with this address (0 to 255)."""
    return struct.pack("<BB", address, message.KIND) + message.pack()


def from_body(body: bytes) -> "tuple[int, LinkMessage | None]":
    """Return a body's address and message, None for an unknown kind. MessageError for an invalid body."""
    address, code = _fixed("<BB", body[:2])
    kind = KINDS.get(code)
    return address, None if kind is None else kind.unpack(body[2:])


def is_peek(body: bytes) -> bool:
    """Return whether a body is a Picture with dice for one seat's eyes only."""
    return len(body) > 12 and body[1] == Picture.KIND and bool(body[12] & _PEEK)


def without_outdated(bodies: "list[bytes]") -> "list[bytes]":
    """Return the bodies without Asks and Acks that another one follows: the last of them says it all."""
    if len(bodies) < 2:
        return bodies
    heads = [body[:2] for body in bodies]  # address and kind
    return [body for at, body in enumerate(bodies) if body[1:2] not in _LATEST or heads[at] not in heads[at + 1 :]]


def whole_picture(picture: bytes) -> "list[Window]":
    """Return eight windows covering a picture with PICTURE_BYTES bytes."""
    return [Window(page, 0, picture[page * PANEL_WIDTH : (page + 1) * PANEL_WIDTH]) for page in range(PANEL_PAGES)]


def _fixed(layout: str, data: bytes) -> "tuple[int, ...]":
    if len(data) != struct.calcsize(layout):
        raise MessageError(f"{len(data)} bytes where the message has {struct.calcsize(layout)}")
    return struct.unpack(layout, data)


def _shown(value: object) -> str:
    # Entropy and pictures hold dice, so a log may only see their length.
    if isinstance(value, bytes):
        return f"<{len(value)} bytes>"
    if isinstance(value, list):
        return f"<{len(value)} windows>"
    return repr(value)
