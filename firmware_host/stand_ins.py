"""Cups and boards that stand in for those of the layout: assigned at the table, remembered in the state folder.

`run` seats them at its start, `strangers` adds one when somebody has shaken it. The file is TOML, a line a device:
`"the layout's id" = "the id of what stands in for it"`. A line that is taken away is undone.
"""

import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec.structs import replace

from hardware.layout import Layout, Seat, SerialDevice
from hardware.layout_format import SerialId

FILE = "stand-ins.toml"
_HEAD = """\
# Cups and seat boards that stand in for those of the layout, as they were assigned at the table:
# "the layout's id" = "what stands in for it". Take a line away, or the whole file, to undo it.
"""
_ID = SerialId()
_REMEDY = "the layout's ids stand; mend the file or take it away"


class StandInsError(ValueError):
    """A file that can't be read or written; its `str()` is one line that says what to do."""


def read(folder: Path) -> dict[str, str]:
    """What is remembered, by the layout's ids; nothing where nothing was ever assigned. Raises `StandInsError`."""
    file = folder / FILE
    try:
        told = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error).partition("\n")[0]
        raise StandInsError(f"{file}: can't be read: {why}; {_REMEDY}") from error
    for own, other in told.items():
        if [*_ID.faults("", own), *_ID.faults("", other)]:
            raise StandInsError(f"{file}: {own[:70]!r} or what it is to be is no serial id; {_REMEDY}")
    if len(set(map(str.casefold, told.values()))) < len(told):
        raise StandInsError(f"{file}: one device stands in for two; {_REMEDY}")
    return told


def write(folder: Path, by_id: Mapping[str, str]) -> None:
    """Remember these and no others; the file is always the old one or the new one. Raises `StandInsError`."""
    file, new = folder / FILE, folder / f"{FILE}.new"
    text = _HEAD + "".join(f'"{own}" = "{other}"\n' for own, other in by_id.items())
    try:
        descriptor = os.open(new, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
        with open(descriptor, "w", encoding="utf-8") as written:
            written.write(text)
            written.flush()
            os.fsync(descriptor)
        new.replace(file)
    except OSError as error:
        raise StandInsError(f"{file}: can't be written: {(error.strerror or str(error)).lower()}") from error


def remembering(by_id: Mapping[str, str], own: str, device: str) -> dict[str, str]:
    """`by_id` with `device` in the place of the layout's `own`; the layout's own in its place needs no line."""
    others = {id: other for id, other in by_id.items() if id != own}
    return others if device.casefold() == own.casefold() else {**others, own: device}


def seated(layout: Layout, by_id: Mapping[str, str]) -> Layout:
    """The layout with what stands in for its cups and boards, but for devices that are another seat's own."""
    own = {device.id.casefold() for seat in layout.seats if (device := device_of(seat))}
    by_own = {id.casefold(): other for id, other in by_id.items() if other.casefold() not in own}
    seats = (_seated(seat, by_own) for seat in layout.seats)
    return replace(layout, seats=tuple(seats))


def told(layout: Layout, seated: Layout) -> Iterator[str]:
    """A sentence for each seat whose device is not the layout's."""
    for before, after in zip(layout.seats, seated.seats, strict=True):
        was, now = device_of(before), device_of(after)
        if was != now and was and now:
            what = "board" if after.board else "cup"
            yield f"{after.name}’s {what} is {now.id}, assigned at the table, in place of the layout's {was.id}"


def device_of(seat: Seat) -> SerialDevice | None:
    """The cup or board with a program of its own at a seat, if another one could stand in for it."""
    return seat.board or (seat.cup if isinstance(seat.cup, SerialDevice) else None)


def _seated(seat: Seat, by_own: Mapping[str, str]) -> Seat:
    device = device_of(seat)
    other = None if device is None else by_own.get(device.id.casefold())
    if other is None:
        return seat
    stands_in = SerialDevice(other)
    return replace(seat, board=stands_in) if seat.board else replace(seat, cup=stands_in)
