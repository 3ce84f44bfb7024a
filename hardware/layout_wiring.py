"""What a layout's seats can't have or share: the faults that need two places of a file to be seen.

`hardware.layout` calls `wiring_faults` on a parsed file. The file may be wrong in every other way too: what
`hardware.layout_format` already told of is passed over here.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from hardware import header
from hardware.faults import Fault, shown
from hardware.file_kinds import within
from hardware.layout_format import BUTTONS, CUP, PANEL, PIN, seat_key

EEPROM = "belongs to the HAT's EEPROM"
I2C = "carries I2C to the panels"
UART = "belongs to the UART, as uart = true says"
WIRED = {"buttons": BUTTONS, "panel": PANEL, "cup": CUP}


class Claim(NamedTuple):
    """What one place of the file takes, so that no other place may: a pin, a name, an address on a bus."""

    key: str
    value: str
    thing: object


def wiring_faults(table: Mapping[str, Any]) -> Iterator[Fault]:
    """Everything wrong between the seats of a parsed file, and between the parts of one seat."""
    listed = table.get("seat")
    rows = enumerate(listed if isinstance(listed, list) else [], start=1)
    seats = [(seat_key(number, seat), seat) for number, seat in rows if isinstance(seat, dict)]

    def claims(take: Callable[[str, Mapping[str, Any]], Iterator[Claim]]) -> Iterator[Claim]:
        return chain.from_iterable(take(key, seat) for key, seat in seats)

    for key, seat in seats:
        yield from _unfinished(key, seat)
    yield from _twice(claims(_names), "two seats can't have one name", "rename one of them")
    yield from _twice(claims(_serial_ids), "this device is at another seat", "give each seat its own")
    yield from _twice(claims(_addresses), "another panel answers there", "change its address or its bus")
    yield from _pin_faults([*claims(_pins)], uart=table.get("uart") is True)


def _unfinished(key: str, seat: Mapping[str, Any]) -> Iterator[Fault]:
    wires = [part for part in WIRED if part in seat]
    if "board" in seat and wires:
        problem = f"a seat board brings its own {', '.join(wires)}"
        yield Fault(within(key, "board"), shown(seat["board"]), problem, "take out the board or the wires")
    elif not wires and "board" not in seat:
        yield Fault(key, "", "has neither a board nor buttons", 'add board = "…", or buttons, panel and cup')
    elif wires:
        for part in (part for part in WIRED if part not in seat):
            yield Fault(within(key, part), "", "is missing", f"add {part} = {WIRED[part].example}")
    cup = seat.get("cup")
    if isinstance(cup, dict) and ("tilt" in cup) == ("serial" in cup):
        problem = "a cup is felt by a switch or by a program of its own, one of the two"
        yield Fault(within(key, "cup"), shown(cup), problem, 'write { tilt = 26 } or { serial = "…" }')


def _names(key: str, seat: Mapping[str, Any]) -> Iterator[Claim]:
    if isinstance(name := seat.get("name"), str) and name.strip():
        yield Claim(within(key, "name"), shown(name), name.casefold())


def _serial_ids(key: str, seat: Mapping[str, Any]) -> Iterator[Claim]:
    cup = seat.get("cup")
    devices = {"board": seat.get("board"), "cup.serial": cup.get("serial") if isinstance(cup, dict) else None}
    for part, device in devices.items():
        if isinstance(device, str) and device:
            yield Claim(within(key, part), shown(device), device.casefold())


def _addresses(key: str, seat: Mapping[str, Any]) -> Iterator[Claim]:
    panel = seat.get("panel")
    bus, address = (panel.get("bus"), panel.get("address")) if isinstance(panel, dict) else (None, None)
    if isinstance(bus, int) and isinstance(address, int) and 0 <= address < 0x80:
        yield Claim(within(key, "panel.address"), f"{address:#04x} on bus {shown(bus)}", (bus, address))


def _pins(key: str, seat: Mapping[str, Any]) -> Iterator[Claim]:
    for part in ("buttons", "cup"):
        table = seat.get(part)
        for name, pin in table.items() if isinstance(table, dict) else ():
            if not any(PIN.faults("", pin)):
                yield Claim(within(key, f"{part}.{name}"), str(pin), pin)


def _twice(claims: Iterable[Claim], problem: str, remedy: str) -> Iterator[Fault]:
    first: dict[object, str] = {}
    for key, value, thing in claims:
        if thing in first:
            yield Fault(key, value, f"{problem} ({first[thing]})", remedy)
        first.setdefault(thing, key)


def _pin_faults(claims: list[Claim], *, uart: bool) -> Iterator[Fault]:
    reserved = {
        **dict.fromkeys(header.EEPROM, EEPROM),
        **dict.fromkeys((header.SDA, header.SCL), I2C),
        **(dict.fromkeys(header.UART, UART) if uart else {}),
    }
    taken = {claim.thing for claim in claims}
    free = [str(pin) for pin in PIN.allowed if pin not in taken and pin not in reserved]
    remedy = f"free pins are {', '.join(free)}" if free else "no pin is free: leave out a DUDO button"
    for key, value, pin in claims:
        if isinstance(pin, int) and pin in reserved:
            yield Fault(key, value, f"pin {pin} {reserved[pin]}", remedy)
    usable = (claim for claim in claims if claim.thing not in reserved)
    yield from _twice(usable, "this pin is already in use", remedy)
