"""Cups and boards replacing the layout's: assigned at the table, remembered in the state folder.

`SessionRunner` applies them at its start; `UnassignedScanner` adds one when a player has shaken it. The file is TOML, a
line for each device: `"the layout's id" = "the id of its replacement"`. To undo one, the owner deletes its line.
"""

import logging
from collections.abc import Iterator, Mapping
from pathlib import Path
from unicodedata import normalize

from msgspec.structs import replace

from drivers.messages import Device
from firmware_host.devices.host_io.serial_ports import is_named_after
from firmware_host.util import atomic_file
from firmware_host.util.system_error import reason_of
from firmware_host.wire import Seat, enumerate_seats
from hardware.config import regular_file, toml_file
from hardware.config.layout import Layout, LayoutSeat, SerialDevice
from hardware.config.layout_schema import SerialId
from hardware.config.problems import FileError, one_line, preview

log = logging.getLogger(__name__)

FILE = "stand-ins.toml"
_HEAD = """\
# Cups and seat boards that stand in for those of the layout, as they were assigned at the table:
# "the layout's id" = "what stands in for it". Take a line away, or the whole file, to undo it.
"""
_ID = SerialId()
_REMEDY = "the layout's ids stand; correct the file or delete it"


class ReplacementsError(ValueError):
    """An unusable file; its `str()` is one line with the remedy."""


class Replacements:
    """A layout and its devices' replacements, as remembered in `folder`.

    An unreadable file is logged, and the layout's ids are used.
    """

    def __init__(self, layout: Layout, folder: Path) -> None:
        self._original = layout
        self._folder = folder
        try:
            self._by_id = read(folder)
        except ReplacementsError as error:
            log.error("%s", error)
            self._by_id = {}
        self.layout = seated(layout, self._by_id)
        """The layout with the replacements applied."""
        for sentence in differences(layout, self.layout):
            log.info("%s (%s)", sentence, folder / FILE)

    @property
    def devices(self) -> Mapping[Seat, Device]:
        """Each seat's kind of replaceable device, cup or board."""
        seats = enumerate_seats(self._original.seats)
        return {seat: Device.BOARD if entry.board else Device.CUP for seat, entry in seats if device_of(entry)}

    @property
    def names(self) -> tuple[str, ...]:
        """The seats' names."""
        return tuple(normalize("NFC", seat.name) for seat in self._original.seats)

    def knows(self, port: str) -> bool:
        """Return whether a port's name belongs to a seat's device."""
        devices = (seat.board or seat.cup for seat in self.layout.seats)
        ids = [device.id for device in devices if isinstance(device, SerialDevice)]
        return any(is_named_after(port, id) for id in (*ids, *(seat.phone for seat in self.layout.seats if seat.phone)))

    def assign(self, seat: Seat, identity: str) -> None:
        """Give a seat a device; `keep` stores it."""
        own = device_of(self._original.seats[seat])
        assert own is not None
        self._by_id = remembering(self._by_id, own.id, identity)
        self.layout = seated(self._original, self._by_id)
        log.info("%s’s %s is now %s (%s)", self.names[seat], self.devices[seat], identity, self._folder / FILE)

    def keep(self) -> None:
        """Write the file, on any thread; an error is logged."""
        try:
            write(self._folder, self._by_id)
        except ReplacementsError as error:
            log.error("%s; the assignment is lost when the table is switched off", error)


def read(folder: Path) -> dict[str, str]:
    """Return the replacements by the layout's ids; empty if there is no file. Raises `ReplacementsError`."""
    file = folder / FILE
    try:
        told = toml_file.table(regular_file.read(file, toml_file.MAX_BYTES).decode(), str(file), FileError)
    except FileNotFoundError:
        return {}
    except FileError as error:
        why = f"{error.problems[0].key} {error.problems[0].message}".strip()
        raise ReplacementsError(one_line(f"{file}: can't be read: {why}; {_REMEDY}")) from error
    except (OSError, ValueError) as error:
        raise ReplacementsError(one_line(f"{file}: can't be read: {reason_of(error)}; {_REMEDY}")) from error
    for own, other in told.items():
        if [*_ID.problems("", own), *_ID.problems("", other)]:
            raise ReplacementsError(f"{file}: {preview(own)} or its replacement is not a serial id; {_REMEDY}")
    if len(set(map(str.casefold, told.values()))) < len(told):
        raise ReplacementsError(f"{file}: one device stands in for two; {_REMEDY}")
    return told


def write(folder: Path, by_id: Mapping[str, str]) -> None:
    """Write the file, atomically. Raises `ReplacementsError`."""
    file = folder / FILE
    text = _HEAD + "".join(f'"{own}" = "{other}"\n' for own, other in by_id.items())
    try:
        atomic_file.write_atomic(file, text)
    except OSError as error:
        raise ReplacementsError(f"{file}: can't be written: {reason_of(error)}") from error


def remembering(by_id: Mapping[str, str], own: str, device: str) -> dict[str, str]:
    """Return `by_id` with `device` in place of the layout's `own`; no entry if that is the same device."""
    others = {id: other for id, other in by_id.items() if id != own}
    return others if device.casefold() == own.casefold() else {**others, own: device}


def seated(layout: Layout, by_id: Mapping[str, str]) -> Layout:
    """Return the layout with replacements applied, except for a device that is another seat's own in the layout."""
    own = {device.id.casefold() for seat in layout.seats if (device := device_of(seat))}
    by_own = {id.casefold(): other for id, other in by_id.items() if other.casefold() not in own}
    seats = (_seated(seat, by_own) for seat in layout.seats)
    return replace(layout, seats=tuple(seats))


def differences(layout: Layout, seated: Layout) -> Iterator[str]:
    """Yield a sentence for each seat whose device differs from the layout's."""
    for before, after in zip(layout.seats, seated.seats, strict=True):
        was, now = device_of(before), device_of(after)
        if was != now and was and now:
            what = "board" if after.board else "cup"
            yield f"{after.name}’s {what} is {now.id}, assigned at the table, in place of the layout's {was.id}"


def device_of(seat: LayoutSeat) -> SerialDevice | None:
    """Return the seat's replaceable cup or board with its own program, if any.

    A cup behind a dongle has only an address: to replace it, give another cup that address.
    """
    return seat.board or (seat.cup if isinstance(seat.cup, SerialDevice) and not seat.cup.address else None)


def _seated(seat: LayoutSeat, by_own: Mapping[str, str]) -> LayoutSeat:
    device = device_of(seat)
    other = None if device is None else by_own.get(device.id.casefold())
    if other is None:
        return seat
    replacement = SerialDevice(other)
    return replace(seat, board=replacement) if seat.board else replace(seat, cup=replacement)
