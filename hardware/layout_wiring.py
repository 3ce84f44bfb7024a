"""What a layout's seats can't have or share: the faults that need two places of a file to be seen.

`hardware.layout` calls `wiring_faults` on a parsed file. It may be wrong in every other way too: what
`hardware.layout_format` already told of is passed over here.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from hardware.faults import Fault, shown
from hardware.layout_format import PIN, seat_key, within

RESERVED = {
    0: "belongs to the HAT's EEPROM",
    1: "belongs to the HAT's EEPROM",
    2: "carries I2C to the panels",
    3: "carries I2C to the panels",
}
UART = {
    14: "belongs to the UART, as uart = true says",
    15: "belongs to the UART, as uart = true says",
}
WIRED = {
    "buttons": "{ left = 5, right = 6, ok = 13, dudo = 19 }",
    "panel": '{ chip = "ssd1309", bus = 1, address = 0x3c }',
    "cup": '{ tilt = 26 } or cup = { serial = "…" }',
}


def wiring_faults(table: Mapping[str, Any]) -> Iterator[Fault]:
    """Everything wrong between the seats of a parsed file, and between the parts of one seat."""
    listed = table.get("seat")
    rows = listed if isinstance(listed, list) else []
    seats = {seat_key(number, seat): seat for number, seat in enumerate(rows, start=1) if isinstance(seat, dict)}
    for key, seat in seats.items():
        yield from _incomplete(key, seat)
    yield from _shared(seats, _names, "two seats can't have one name", lambda _: "rename one of them")
    yield from _shared(seats, _serial_ids, "that device is already taken", lambda _: "give each seat its own")
    yield from _shared(seats, _panels, "a panel answers there already", lambda _: "change its address or its bus")
    reserved = RESERVED | (UART if table.get("uart") is True else {})
    yield from _pin_faults(seats, reserved)


Seats = Mapping[str, Mapping[str, Any]]
Claim = tuple[str, str, object]  # key, value as written, what nobody else may have


def _incomplete(key: str, seat: Mapping[str, Any]) -> Iterator[Fault]:
    wires = [part for part in WIRED if part in seat]
    if "board" in seat and wires:
        problem = f"a seat board brings its own {', '.join(wires)}"
        yield Fault(within(key, "board"), shown(seat["board"]), problem, "take out either the board or the wires")
    elif not wires and "board" not in seat:
        yield Fault(key, "", "has neither a board nor buttons", 'add board = "…", or buttons, panel and cup')
    elif wires:
        for part in WIRED.keys() - seat.keys():
            yield Fault(within(key, part), "", "is missing", f"add {part} = {WIRED[part]}")
    cup = seat.get("cup")
    if isinstance(cup, dict) and ("tilt" in cup) == ("serial" in cup):
        problem = "a cup is felt by a switch or by its own program, one of the two"
        yield Fault(within(key, "cup"), shown(cup), problem, "write { tilt = 26 } or { serial = \"…\" }")


def _names(key: str, seat: Mapping[str, Any]) -> Iterator[Claim]:
    if isinstance(name := seat.get("name"), str) and name.strip():
        yield within(key, "name"), shown(name), name.casefold()


def _serial_ids(key: str, seat: Mapping[str, Any]) -> Iterator[Claim]:
    cup = seat.get("cup")
    found = {"board": seat.get("board"), "cup.serial": cup.get("serial") if isinstance(cup, dict) else None}
    for part, device in found.items():
        if isinstance(device, str):
            yield within(key, part), shown(device), device.casefold()


def _panels(key: str, seat: Mapping[str, Any]) -> Iterator[Claim]:
    panel = seat.get("panel")
    if isinstance(panel, dict):
        bus, address = panel.get("bus"), panel.get("address")
        if isinstance(bus, int) and isinstance(address, int) and 0 <= address < 0x80:
            yield within(key, "panel.address"), f"{address:#04x} on bus {shown(bus)}", (bus, address)


def _pins(key: str, seat: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    for part in ("buttons", "cup"):
        table = seat.get(part)
        for name, pin in table.items() if isinstance(table, dict) else ():
            if name != "serial" and not any(PIN.faults("", pin)):
                yield within(key, f"{part}.{name}"), pin


def _shared(
    seats: Seats,
    claims: Callable[[str, Mapping[str, Any]], Iterator[Claim]],
    problem: str,
    remedy: Callable[[object], str],
) -> Iterator[Fault]:
    first: dict[object, str] = {}
    for seat, table in seats.items():
        for key, value, claim in claims(seat, table):
            if claim in first:
                yield Fault(key, value, f"{problem} ({first[claim]})", remedy(claim))
            first.setdefault(claim, key)


def _pin_faults(seats: Seats, reserved: Mapping[int, str]) -> Iterator[Fault]:
    placed = [claim for key, seat in seats.items() for claim in _pins(key, seat)]
    free = sorted(set(PIN.allowed) - reserved.keys() - {pin for _, pin in placed})
    remedy = f"free pins are {', '.join(map(str, free))}" if free else "no pin is free: leave out a DUDO button"
    first: dict[int, str] = {}
    for key, pin in placed:
        if pin in reserved:
            yield Fault(key, str(pin), f"pin {pin} {reserved[pin]}", remedy)
        elif pin in first:
            yield Fault(key, str(pin), f"pin {pin} is already {first[pin]}", remedy)
        first.setdefault(pin, key)
