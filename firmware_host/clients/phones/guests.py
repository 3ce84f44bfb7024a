"""The guests' file: who has which seat, over a restart of the phones' server."""

import logging
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from firmware_host.util.atomic_file import write_atomic
from firmware_host.util.system_error import reason_of
from firmware_host.wire import Seat
from hardware.config import regular_file

GUESTS_FILE = "guests.json"
MAX_FILE_BYTES = 1 << 14

log = logging.getLogger("dudo-table")


class Guest(msgspec.Struct, frozen=True):
    """A guest's token, as its hash, and the place of their seat: in another layout the number is another seat's."""

    token: str
    place: str = ""  # unknown: kept by an earlier version


_GUESTS = msgspec.json.Decoder(dict[str, Guest | str])


def read_guests(file: Path) -> Mapping[Seat, Guest]:
    """Return each seat's guest as `write_guests` left them; empty if the file is missing or another's."""
    try:
        stored = _GUESTS.decode(regular_file.read(file, MAX_FILE_BYTES))
        return {Seat(int(seat)): Guest(each) if isinstance(each, str) else each for seat, each in stored.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, msgspec.MsgspecError):
        log.warning("%s: is damaged; guests need new codes", file)
        return {}


def write_guests(file: Path, guests: Mapping[Seat, Guest]) -> None:
    """Store the guests. A failure is logged: after a restart guests then need new codes."""
    try:
        write_atomic(file, msgspec.json.encode({str(seat): guest for seat, guest in guests.items()}).decode())
    except OSError as error:
        with suppress(OSError):
            file.unlink()  # it may still let in a phone that has left
        log.warning("%s: can't be written: %s; after a restart guests need new codes", file, reason_of(error))
