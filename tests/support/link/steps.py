"""A board is led through what is easily misread in LINK.md, step by step: part of `vectors.json`.

What it says is written here with struct alone, not asked of the program. Every step is 20 ms or more from the end of
every wait, so that a board that is a little slow takes the same steps.
"""

import binascii
import struct
from hashlib import sha256

from support.link.conversation import BOOT, DEAL, HEAD, Row

IDENTITY = b"BOARD01"
RANDOM = b"\x42" * 32
VERSION = 32
JOLTS_MS = range(900, 1276, 75)
DARK = bytes(1024)
FULL = b"\xff" * 1024
HALF = b"\x0f" * 3 + FULL[3:]
EDGE = b"\x0f" * 3 + DARK[3:]
BRIGHT, PEEK, LAMP = 0x04, 0x20, 0x40
SHAKEN, SETTLED, TILTED, LEVELLED, PRESSED, RELEASED = range(1, 7)
OK = b"\x02"

Step_ = tuple[str, float, object, list[bytes], bool, bool]


def crc(picture: bytes) -> int:
    return binascii.crc32(picture)


def ping(token: int, lease_ms: int) -> bytes:
    return b"\x05" + struct.pack("<IH", token, lease_ms)


def pong(token: int, at_ms: int) -> bytes:
    return b"\x06" + struct.pack("<IIQ", token, BOOT, at_ms * 1_000_000)


def picture(number: int, base: int, expected: int, how: int, *windows: bytes) -> bytes:
    return b"\x07" + struct.pack("<HIIB", number, base, expected, how) + b"".join(windows)


def whole(number: int, shown: bytes, how: int) -> bytes:
    pages = (bytes([page, 0, 128]) + shown[128 * page : 128 * page + 128] for page in range(8))
    return picture(number, 0, crc(shown), how, *pages)


def holds(number: int, shown: bytes) -> bytes:
    return b"\x08" + struct.pack("<HIB", number, crc(shown), 1)


def event(number: int, at_ms: int, what: int, detail: bytes = b"") -> bytes:
    return b"\x03" + struct.pack("<IIQB", BOOT, number, at_ms * 1_000_000, what) + detail


def ack(number: int) -> bytes:
    return b"\x04" + struct.pack("<II", BOOT, number)


def drawn(entropy: bytes) -> bytes:
    return b"\x0a" + DEAL + sha256(b"dudo cup\0" + DEAL + entropy).digest()


def steps() -> list[Row]:
    """Return the steps: what comes, from whom, and what the board has said since the step before, shines and lights."""
    return [
        {
            "what": what,
            "at_us": round(at_ms * 1000),
            **({} if comes is None else {"hand": comes} if _is_hand(comes) else {"host": _bodies(comes)}),
            "says": said,
            "shines": shines,
            "lamp": lamp,
        }
        for what, at_ms, comes, said, shines, lamp in (*_display(), *_deals(), *_lifted())
    ]


def _is_hand(comes: object) -> bool:
    return isinstance(comes, list) and isinstance(comes[0], str)


def _bodies(comes: object) -> list[bytes]:
    """Return what comes from the host, one body or some, to address 0 unless it is given."""
    if isinstance(comes, tuple):
        return [bytes([comes[0]]) + comes[1]]
    return [b"\0" + body for body in (comes if isinstance(comes, list) else [comes])]


def _display() -> list[Step_]:
    hello = b"\x02" + struct.pack("<BIHI", VERSION, BOOT, 31, 1) + IDENTITY
    peek = picture(11, crc(FULL), crc(HALF), BRIGHT | PEEK, bytes([0, 0, 3]) + HALF[:3])
    peeks = BRIGHT | PEEK | LAMP
    both = [picture(10, crc(FULL), crc(FULL), BRIGHT), ping(5, 10_000)]
    hello_again = hello[:8] + struct.pack("<I", 3) + IDENTITY
    return [
        ("the start", 0, None, [hello, holds(0, DARK)], True, False),
        ("a long lease", 10, ping(1, 10_000), [pong(1, 10)], True, False),
        ("the first picture, whatever its number", 11, whole(9, FULL, BRIGHT | LAMP), [holds(9, FULL)], True, True),
        ("cut against another picture: it counts", 12, picture(10, crc(DARK), 0, 0), [holds(10, FULL)], True, True),
        ("that number again", 13, whole(10, DARK, 0), [holds(10, FULL)], True, True),
        ("a number 32768 ahead", 14, whole(32778, DARK, 0), [holds(10, FULL)], True, True),
        ("a picture to peek at", 15, peek, [holds(11, HALF)], *_OFF),
        ("OK goes down", 20, ["ok", True], [event(1, 20, PRESSED, OK)], True, False),
        ("an ack", 25, ack(1), [], True, False),
        ("just before half a second after the ping", 480, None, [], True, False),
        ("just after it", 540, None, [], *_OFF),
        ("another ping", 545, ping(2, 10_000), [pong(2, 545)], True, False),
        ("OK comes up", 550, ["ok", False], [event(2, 550, RELEASED, OK)], *_OFF),
        ("an ack", 555, ack(2), [], *_OFF),
        ("no peek, but another CRC than is held", 585, picture(12, crc(HALF), 99, BRIGHT), [holds(12, HALF)], *_OFF),
        ("a whole picture without peek", 590, whole(13, FULL, BRIGHT | LAMP), [holds(13, FULL)], True, True),
        ("a short lease", 600, ping(3, 100), [pong(3, 600)], True, True),
        ("just before its end", 670, None, [], True, True),
        ("just after its end", 730, None, [], *_OFF),
        ("a ping", 735, ping(4, 10_000), [pong(4, 735)], True, True),
        ("an ask of another version", 740, b"\x01\x21", [hello_again, holds(13, FULL)], True, True),
        ("an older number after an ask", 745, whole(5, DARK, 0), [holds(5, DARK)], *_OFF),
        (
            "base 0 and one window: the rest stays",
            750,
            picture(6, 0, crc(EDGE), BRIGHT, _CORNER),
            [holds(6, EDGE)],
            *_ON,
        ),
        ("base 0 and no window", 755, picture(7, 0, crc(EDGE), BRIGHT | LAMP), [holds(7, EDGE)], True, True),
        ("peek, and another CRC than is held", 760, picture(8, crc(EDGE), 99, peeks), [holds(8, EDGE)], False, True),
        ("a ping to another cup", 765, (1, ping(9, 0)), [], False, True),
        ("a whole picture without peek", 770, whole(9, FULL, BRIGHT), [holds(9, FULL)], *_ON),
        ("a picture and a ping in one write", 775, both, [holds(10, FULL), pong(5, 775)], *_ON),
        ("an ask of a later version that says more", 780, b"\x01\x21ab", [hello_again, holds(10, FULL)], *_ON),
    ]


def _deals() -> list[Step_]:
    draw, opens = b"\x09" + DEAL, b"\x0b" + DEAL + HEAD
    entropy = sha256(RANDOM).digest()
    redrawn = sha256(RANDOM + b"".join(struct.pack("<Q", at_ms * 1_000_000) for at_ms in JOLTS_MS)).digest()
    shake: list[Step_] = [
        ("a shake", at_ms, ["tilt", number % 2 == 0], [event(3, at_ms, SHAKEN)] if number == 4 else [], *_ON)
        for number, at_ms in enumerate(JOLTS_MS)
    ]
    shake.insert(5, ("an ack", 1205, ack(3), [], *_ON))
    return [
        ("a draw", 800, draw, [drawn(entropy)], *_ON),
        ("the same again", 810, draw, [drawn(entropy)], *_ON),
        ("open, before a shake", 820, opens, [], *_ON),
        *shake,
        ("open, before it has settled", 1500, opens, [], *_ON),
        ("it has settled", 1700, None, [event(4, 1675, SETTLED)], *_ON),
        ("an ack", 1705, ack(4), [], *_ON),
        ("the draw again, not opened yet", 1710, draw, [drawn(entropy)], *_ON),
        ("open", 1720, opens, [b"\x0c" + DEAL + entropy], *_ON),
        ("open again", 1730, opens, [b"\x0c" + DEAL + entropy], *_ON),
        ("the draw of what was opened", 1740, draw, [drawn(redrawn)], *_ON),
        ("open, before another shake", 1750, opens, [], *_ON),
    ]


def _lifted() -> list[Step_]:
    return [
        ("a picture to peek at", 3000, whole(6, FULL, BRIGHT | PEEK), [holds(6, FULL)], *_OFF),
        ("the cup is lifted", 3010, ["tilt", True], [], *_OFF),
        ("a ping", 3185, ping(6, 10_000), [pong(6, 3185)], *_OFF),
        ("still lifted", 3235, None, [event(5, 3210, TILTED)], True, False),
        ("an ack", 3240, ack(5), [], True, False),
        ("the cup stands", 3300, ["tilt", False], [event(6, 3300, LEVELLED)], *_OFF),
        ("an ack", 3305, ack(6), [], *_OFF),
    ]


_OFF, _ON = (False, False), (True, False)
_CORNER = bytes([0, 0, 3]) + EDGE[:3]
