"""Write the link's test vectors: `PYTHONPATH=tests python -m support.link.make_vectors > hardware/link/vectors.json`.

Frames are made without the link's own code: bodies with struct, framing with PyPI's `cobs`.
"""

import binascii
import json
import struct
from hashlib import sha256

from cobs import cobs
from support.link.conversation import BOOT, DEAL, HEAD, Row, conversation
from support.link.steps import steps

VERSION = 32
ENTROPY = sha256(b"an example of entropy").digest()
PROGRAM = sha256(b"an example of a program").digest()
RELEASE = PROGRAM[:8]
COMMITMENT = sha256(b"dudo cup\0" + DEAL + ENTROPY).digest()


def framed(body: bytes) -> bytes:
    """Return a body on the wire, with as many zeros behind it as make its length depend on the body's alone."""
    checked = body + struct.pack("<I", binascii.crc32(body))
    encoded: bytes = cobs.encode(checked)
    return encoded + bytes(len(checked) + -(-len(checked) // 254) + 1 - len(encoded))


def row(address: int, kind: int, name: str, payload: bytes, **fields: object) -> Row:
    body = bytes([address, kind]) + payload
    return {"kind": name, "address": address, **fields, "body": body.hex(), "frame": framed(body).hex()}


def frames() -> list[Row]:
    picture = bytes(number * number & 0xFF for number in range(1024))
    whole = [[page, 0, picture[128 * page : 128 * page + 128]] for page in range(8)]
    two = [[3, 50, b"\x00\xff\x00"], [7, 127, b"\x80"]]

    def painted(number: int, base: int, crc: int, byte: int, windows: list[list[object]]) -> bytes:
        said = struct.pack("<HIIB", number, base, crc, byte)
        for page, column, columns in windows:
            assert isinstance(columns, bytes)
            said += bytes([page, column, len(columns)]) + columns  # type: ignore[list-item]
        return said

    def shown(windows: list[list[object]]) -> list[list[object]]:
        return [[page, column, columns.hex()] for page, column, columns in windows]  # type: ignore[attr-defined]

    crc = binascii.crc32(picture)
    board = b"E6614103E7452D21"
    return [
        row(0, 1, "Ask", bytes([VERSION]), version=VERSION),
        row(
            0,
            2,
            "Hello",
            struct.pack("<BIHI", VERSION, BOOT, 31, 1) + board,
            version=VERSION,
            boot=BOOT,
            fitted=31,
            oldest=1,
            identity=board.decode(),
        ),
        row(
            255,
            2,
            "Hello",
            struct.pack("<BIHI", VERSION, 0x7FFF_FFFF, 1, 0xFFFF_FFFF) + b"!",
            version=VERSION,
            boot=0x7FFF_FFFF,
            fitted=1,
            oldest=0xFFFF_FFFF,
            identity="!",
        ),
        row(
            0,
            3,
            "Event",
            struct.pack("<IIQB", BOOT, 1, 1_500_000_000, 1),
            boot=BOOT,
            number=1,
            at_ns=1_500_000_000,
            what=1,
            detail="",
        ),
        row(
            2,
            3,
            "Event",
            struct.pack("<IIQB", BOOT, 2, (1 << 64) - 1, 5) + b"\x02",
            boot=BOOT,
            number=2,
            at_ns=(1 << 64) - 1,
            what=5,
            detail="02",
        ),
        row(0, 4, "Ack", struct.pack("<II", BOOT, 2), boot=BOOT, number=2),
        row(0, 5, "Ping", struct.pack("<IH", 1, 500), token=1, lease_ms=500),
        row(7, 5, "Ping", struct.pack("<IH", 0xFFFF_FFFF, 10_000), token=0xFFFF_FFFF, lease_ms=10_000),
        row(0, 6, "Pong", struct.pack("<IIQ", 1, BOOT, 123_456_789), token=1, boot=BOOT, at_ns=123_456_789),
        row(
            0,
            7,
            "Picture",
            painted(1, 0, crc, 0b00100, whole),
            number=1,
            base=0,
            crc=crc,
            shine=[0, 2, 0],
            windows=shown(whole),
            peek=False,
            lamp=False,
        ),
        row(
            0,
            7,
            "Picture",
            painted(65535, crc, 99, 0b1111011, two),
            number=65535,
            base=crc,
            crc=99,
            shine=[1, 1, 3],
            windows=shown(two),
            peek=True,
            lamp=True,
        ),
        row(
            0,
            7,
            "Picture",
            painted(2, crc, crc, 0, []),
            number=2,
            base=crc,
            crc=crc,
            shine=[0, 0, 0],
            windows=[],
            peek=False,
            lamp=False,
        ),
        row(0, 8, "PictureAck", struct.pack("<HIB", 1, crc, 1), number=1, crc=crc, lit=1),
        row(0, 9, "Draw", DEAL, deal=DEAL.hex()),
        row(0, 10, "Drawn", DEAL + COMMITMENT, deal=DEAL.hex(), commitment=COMMITMENT.hex()),
        row(0, 11, "Open", DEAL + HEAD, deal=DEAL.hex(), head=HEAD.hex()),
        row(0, 12, "Opened", DEAL + ENTROPY, deal=DEAL.hex(), entropy=ENTROPY.hex()),
        row(
            0,
            13,
            "Running",
            RELEASE + b"\x01" + bytes(8),
            release=RELEASE.hex(),
            loader=1,
            rejected=bytes(8).hex(),
        ),
        row(0, 14, "Install", struct.pack("<I", 35_000) + PROGRAM, size=35_000, hash=PROGRAM.hex()),
        row(0, 15, "Chunk", struct.pack("<I", 1024) + picture, offset=1024, data=picture.hex()),
        row(0, 16, "ChunkAck", struct.pack("<IB", 2048, 0), held=2048, state=0),
        row(0, 17, "Activate", PROGRAM, hash=PROGRAM.hex()),
    ]


def nonsense() -> list[Row]:
    """Sound frames that say nothing: they are passed over."""
    told = {
        "a kind of a later version": b"\x00\x7f\x01\x02",
        "no kind": b"\x00",
        "a ping that is too short": b"\x00\x05\x01",
        "a ping that is too long": b"\x00\x05" + bytes(7),
        "a hello without an identity": b"\x00\x02" + struct.pack("<BIHI", VERSION, 1, 1, 1),
        "an identity with a blank": b"\x00\x02" + struct.pack("<BIHI", VERSION, 1, 1, 1) + b"A B",
        "a hello with boot 0": b"\x00\x02" + struct.pack("<BIHI", VERSION, 0, 1, 1) + b"A",
        "a window that reaches out of the picture": b"\x00\x07" + struct.pack("<HIIB", 1, 0, 0, 4) + b"\x00\x7f\x02xx",
        "a window on a ninth page": b"\x00\x07" + struct.pack("<HIIB", 1, 0, 0, 4) + b"\x08\x00\x01x",
        "a window that is cut": b"\x00\x07" + struct.pack("<HIIB", 1, 0, 0, 4) + b"\x00\x00\x02x",
        "a light that no panel has": b"\x00\x07" + struct.pack("<HIIB", 1, 0, 0, 6),
        "bit 7 of how a picture is shown": b"\x00\x07" + struct.pack("<HIIB", 1, 0, 0, 0x84),
        "a deal that is too short": b"\x00\x09" + bytes(31),
        "a chunk without a byte": b"\x00\x0f" + bytes(4),
        "a chunk of more than 1024 bytes": b"\x00\x0f" + bytes(4 + 1025),
        "a hash that is too long": b"\x00\x11" + bytes(33),
    }
    return [{"what": what, "body": body.hex(), "frame": framed(body).hex()} for what, body in told.items()]


def damaged() -> list[Row]:
    """Bytes on the wire, and the bodies that a reader finds in them."""
    one, two = b"\x00\x05\x01\x00\x00\x00\xf4\x01", b"\x00\x04\x07\x00\x00\x00\x02\x00\x00\x00"
    first, second = framed(one), framed(two)
    flipped = bytes([first[0], first[1] ^ 0x40]) + first[2:]
    told = [
        ("two frames", first + second, [one, two]),
        ("zeros between them", first + bytes(5) + second, [one, two]),
        ("a zero before the first", b"\0" + first + second, [one, two]),
        ("garbage, a zero, a frame", b"garbage\0" + second, [two]),
        ("a bit that is wrong", flipped + second, [two]),
        ("an end that is missing takes the next with it", first[:7] + second, []),
        ("an end that is missing before a zero takes nothing with it", first[:7] + b"\0" + second, [two]),
        ("a closing zero that is missing", first.rstrip(b"\0") + second, []),
        ("a zero in the middle", first[:5] + b"\0" + first[5:] + second, [two]),
        ("twice the same", first + first, [one, one]),
        ("more bytes without a zero than any frame has", b"\x55" * 1200 + first + second, [two]),
        ("too short for a CRC", b"\x03ab\0" + second, [two]),
    ]
    return [
        {"what": what, "wire": wire.hex(), "bodies": [body.hex() for body in bodies]} for what, wire, bodies in told
    ]


def stepped() -> list[Row]:
    """Return the steps of a board with address 0: what it hears as frames, what it says as bodies."""
    told = [{**step} for step in steps()]
    for step in told:
        if "host" in step:
            step["host"] = b"".join(map(framed, step["host"])).hex()  # type: ignore[call-overload]
        step["says"] = [(b"\0" + said).hex() for said in step["says"]]  # type: ignore[attr-defined]
    return told


def main() -> None:
    conversed = conversation()
    rows = conversed.pop("rows")
    parts = {"frames": frames(), "nonsense": nonsense(), "damaged": damaged(), "steps": stepped()}
    print(f'{{"version": {VERSION},')
    for name, told in parts.items():
        print(f'"{name}": [')
        print(",\n".join(json.dumps(each) for each in told) + "],")
    print(f'"conversation": {json.dumps(conversed)[:-1]}, "rows": [')
    assert isinstance(rows, list)
    print(",\n".join(json.dumps(each) for each in rows) + "]}}")


if __name__ == "__main__":
    main()
