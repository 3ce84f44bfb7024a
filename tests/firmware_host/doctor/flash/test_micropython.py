"""The MicroPython file that an owner downloads: the right one is taken, and each wrong one refused with its fault."""

import hashlib
import os
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_host.doctor.flash.micropython import ACCEPTED, read
from firmware_host.errors import UserError

PICO, PICO_2, OTHER, ABSOLUTE = 0xE48BFF56, 0xE48BFF59, 0x16573617, 0xE48BFF57


def block(number: int, count: int, data: bytes, family: int) -> bytes:
    head = struct.pack("<8I", 0x0A324655, 0x9E5D5157, 0x2000, 0x1000_0000 + 256 * number, 256, number, count, family)
    return head + data.ljust(476, b"\0") + struct.pack("<I", 0x0AB16F30)


def uf2(version: str = "1.28.0", family: int = PICO) -> bytes:
    """Return a file of three blocks; the version's text lies across two of them."""
    text = (b"\0" * 250 + f"MicroPython v{version} on 2026-04-06".encode()).ljust(768, b"\0")
    return b"".join(block(at, 3, text[256 * at : 256 * (at + 1)], family) for at in range(3))


@pytest.mark.parametrize("version", ACCEPTED)
def test_an_accepted_version_is_taken_with_its_chip_and_hash(tmp_path: Path, version: str) -> None:
    (file := tmp_path / "m.uf2").write_bytes(data := uf2(f"{version}.1"))
    found = read(file, hashlib.sha256(data).hexdigest().upper())
    assert (found.version, found.drive, found.data) == (f"{version}.1", "RPI-RP2", data)


def test_a_block_before_the_program_of_a_pico_2_is_passed_over(tmp_path: Path) -> None:
    (file := tmp_path / "m.uf2").write_bytes(block(0, 2, b"", ABSOLUTE) + uf2(family=PICO_2))
    assert read(file).drive == "RP2350"


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda data: b"", "is empty"),
        (lambda data: b"<html>" + data, "is no UF2 file, or a damaged one"),
        (lambda data: data[:1024], "has 2 of 3 blocks"),
        (lambda data: data[:1100], "is no UF2 file, or a damaged one"),
        (lambda data: data[:512] + data[1024:], "lacks block 1"),
        (lambda data: data.replace(b"Micro", b"Circu"), "is no MicroPython"),
        (lambda data: uf2("1.19.1"), "is MicroPython 1.19.1; download one of 1.24 to 1.29"),
        (lambda data: uf2(family=OTHER), "is for another chip than a Pico's"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, change: Callable[[bytes], bytes], fault: str) -> None:
    (file := tmp_path / "m.uf2").write_bytes(change(uf2()))
    with pytest.raises(UserError, match=fault):
        read(file)


def test_another_hash_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    (file := tmp_path / "m.uf2").write_bytes(uf2())
    with pytest.raises(UserError, match="has the SHA-256"):
        read(file, "00" * 32)
    with pytest.raises(UserError, match="can't be read"):
        read(tmp_path / "no.uf2")


def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(file := tmp_path / "m.uf2")
    with pytest.raises(UserError, match="can't be read: is a pipe, not a file"):
        read(file)
