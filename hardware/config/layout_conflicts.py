"""Conflicts in a layout file: problems between two seats, or between two parts at one seat.
`hardware.config.layout` calls `layout_conflicts` on a parsed file. It ignores problems found by
`hardware.config.layout_schema`, which the file may have as well.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from hardware.boards import pi_header
from hardware.config.layout_schema import (
    BOARD_KEY,
    BUTTONS,
    CUP,
    DISPLAY,
    PIN,
    SPI_DISPLAY,
    display_key,
    is_on_spi,
    seat_key,
)
from hardware.config.problems import Problem, preview, suggest
from hardware.config.schema import ValueType, within

EEPROM = "belongs to the HAT's EEPROM"
I2C = "carries I2C to the displays"
SPI = "carries SPI to the displays"
UART = "belongs to the UART, as uart = true says"
WIRED: Mapping[str, ValueType] = {"buttons": BUTTONS, "display": DISPLAY, "cup": CUP}


class Claim(NamedTuple):
    """An exclusive resource in the file: a pin, a name, an address on a bus."""

    key: str
    value: str
    thing: Any


def layout_conflicts(table: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield a parsed file's conflicts."""
    listed = table.get("seat")
    rows = enumerate(listed if isinstance(listed, list) else [], start=1)
    seats = [(seat_key(number, seat), seat) for number, seat in rows if isinstance(seat, dict)]

    def claims(take: Callable[[str, Mapping[str, Any]], Iterator[Claim]]) -> Iterator[Claim]:
        return chain.from_iterable(take(key, seat) for key, seat in seats)

    for key, seat in seats:
        yield from _incomplete_seat(key, seat)
        yield from _unknown_select(key, seat)
    yield from _unknown_service(table.get("service"), [seat["name"] for _, seat in seats if _has_name(seat)])
    yield from _key_without_board(table, [seat for _, seat in seats])
    yield from _staff_at_a_phone(table, [seat for _, seat in seats])
    yield from _duplicates(claims(_names), "two seats can't have one name", "rename one of them")
    remedy = "give each seat its own; cups behind one dongle have an address each"
    yield from _duplicates(claims(_serial_ids), "this device is at another seat", remedy)
    yield from _duplicates(
        claims(_radio_addresses), "another cup answers there", "give each cup behind a dongle its own"
    )
    yield from _dongles_without_address([*claims(_serial_ids)], [*claims(_radio_addresses)])
    yield from _duplicates(claims(_addresses), "another display answers there", "change its address or its bus")
    yield from _duplicates(claims(_selects), "another display is selected there", "change its select or its spi")
    reserved = _reserved((seat for _, seat in seats), table.get("wires"), uart=table.get("uart") is True)
    yield from _pin_conflicts([*_service_key(table.get("service_key")), *claims(_pins)], reserved)


def _unknown_service(service: object, names: list[str]) -> Iterator[Problem]:
    if isinstance(service, str) and names and service.strip() and service not in names:
        yield Problem("service", preview(service), "is not a seat's name", suggest(service, names))


def _has_name(seat: Mapping[str, Any]) -> bool:
    return isinstance(seat.get("name"), str)


def _incomplete_seat(key: str, seat: Mapping[str, Any]) -> Iterator[Problem]:
    keys = {part: display_key(seat) if part == "display" else part for part in WIRED}
    wires = [key for key in keys.values() if key in seat]
    if is_phone(seat):
        if own := [part for part in ("board", *wires) if part in seat]:
            message = f"a phone brings its own {', '.join(own)}"
            yield Problem(within(key, "phone"), "true", message, f"take out phone or the {own[0]}")
    elif "board" in seat and wires:
        message = f"a seat board brings its own {', '.join(wires)}"
        yield Problem(within(key, "board"), preview(seat["board"]), message, "take out the board or the wires")
    elif not wires and "board" not in seat:
        remedy = 'add board = "…", or phone = true, or buttons, display and cup'
        yield Problem(key, "", "has neither a board nor buttons", remedy)
    elif wires:
        for part in (part for part, written in keys.items() if written not in seat):
            yield Problem(within(key, part), "", "is missing", f"add {part} = {WIRED[part].example}")
    cup = seat.get("cup")
    if isinstance(cup, dict) and "tilt" in cup and "address" in cup and "serial" not in cup:
        message = "a switch on a pin has no address"
        yield Problem(within(key, "cup.address"), preview(cup["address"]), message, "take it out")
    if isinstance(cup, dict) and ("tilt" in cup) == ("serial" in cup):
        message = "a cup is felt by a switch or by a program of its own, one of the two"
        yield Problem(within(key, "cup"), preview(cup), message, 'write { tilt = 26 } or { serial = "…" }')


def _names(key: str, seat: Mapping[str, Any]) -> Iterator[Claim]:
    if isinstance(name := seat.get("name"), str) and name.strip():
        yield Claim(within(key, "name"), preview(name), name.casefold())


def _serial_ids(key: str, seat: Mapping[str, Any]) -> Iterator[Claim]:
    """Yield the devices with their own serial port."""
    cup = seat.get("cup")
    devices = {"board": seat.get("board")}
    if isinstance(cup, dict) and cup.get("address", 0) == 0:
        devices["cup.serial"] = cup.get("serial")
    for part, device in devices.items():
        if isinstance(device, str) and device:
            yield Claim(within(key, part), preview(device), device.casefold())


def _radio_addresses(key: str, seat: Mapping[str, Any]) -> Iterator[Claim]:
    """Yield the cups on a shared dongle's port."""
    cup = seat.get("cup")
    dongle, address = (cup.get("serial"), cup.get("address")) if isinstance(cup, dict) else (None, None)
    if isinstance(dongle, str) and type(address) is int and address in range(1, 256):
        yield Claim(within(key, "cup.address"), f"{address} behind {preview(dongle)}", (dongle.casefold(), address))


def _dongles_without_address(ports: Iterable[Claim], addresses: Iterable[Claim]) -> Iterator[Problem]:
    """Yield devices with their own port at one seat that are a dongle at another."""
    dongles = {dongle: claim.key for claim in addresses for dongle in claim.thing[:1]}
    for claim in ports:
        if claim.thing in dongles:
            message = f"this device is a dongle with other cups behind it ({dongles[claim.thing]})"
            yield Problem(claim.key, claim.value, message, "give this cup an address of 1 to 255, or its own cable")


def _addresses(key: str, seat: Mapping[str, Any]) -> Iterator[Claim]:
    display = seat.get(display_key(seat))
    bus, address = (display.get("bus"), display.get("address")) if isinstance(display, dict) else (None, None)
    if isinstance(bus, int) and isinstance(address, int) and 0 <= address < 0x80:
        yield Claim(
            within(key, f"{display_key(seat)}.address"), f"{address:#04x} on bus {preview(bus)}", (bus, address)
        )


def _spi_select(seat: Mapping[str, Any]) -> tuple[int, int] | None:
    """Return the SPI bus and chip select for a seat's display, None without valid ones."""
    display = seat.get(display_key(seat))
    if not isinstance(display, dict) or not is_on_spi(display):
        return None
    bus, select = display.get("spi"), display.get("select")
    right = not any(
        (*SPI_DISPLAY.required["spi"].problems("", bus), *SPI_DISPLAY.required["select"].problems("", select))
    )
    return (bus, select) if right and isinstance(bus, int) and isinstance(select, int) else None


def _selects(key: str, seat: Mapping[str, Any]) -> Iterator[Claim]:
    if place := _spi_select(seat):
        bus, select = place
        yield Claim(within(key, f"{display_key(seat)}.select"), f"{select} on SPI {bus}", place)


def _unknown_select(key: str, seat: Mapping[str, Any]) -> Iterator[Problem]:
    for bus, select in filter(None, [_spi_select(seat)]):
        if select >= (there := len(pi_header.SPI[bus].selects)):
            message = f"SPI {bus} has {there} chip selects"
            yield Problem(within(key, f"{display_key(seat)}.select"), str(select), message, f"use 0 to {there - 1}")


def _pins(key: str, seat: Mapping[str, Any]) -> Iterator[Claim]:
    for part in ("buttons", "cup", display_key(seat)):
        table = seat.get(part)
        for name, pin in table.items() if isinstance(table, dict) else ():
            if (part == "buttons" or name in ("tilt", "dc", "reset")) and not any(PIN.problems("", pin)):
                yield Claim(within(key, f"{part}.{name}"), str(pin), pin)


def _service_key(pin: object) -> Iterator[Claim]:
    if type(pin) is int and not any(PIN.problems("", pin)):
        yield Claim("service_key", str(pin), pin)


def _key_without_board(table: Mapping[str, Any], seats: list[Mapping[str, Any]]) -> Iterator[Problem]:
    if table.get("service_key") == BOARD_KEY and seats:
        built = [seat for seat in seats if not is_phone(seat)]
        seat = next((seat for seat in seats if seat.get("name") == table.get("service")), (built or seats)[0])
        if "board" not in seat:
            remedy = "put the key on a GPIO and write its number, or name a seat with a board as service"
            yield Problem("service_key", preview(BOARD_KEY), "the service seat has no board", remedy)


def is_phone(seat: Mapping[str, Any]) -> bool:
    """Return whether a guest's phone plays at a seat."""
    return seat.get("phone") is True


def _staff_at_a_phone(table: Mapping[str, Any], seats: list[Mapping[str, Any]]) -> Iterator[Problem]:
    """Yield a problem where a guest's phone would be the service seat: the staff menu is not for guests."""
    named = next((seat for seat in seats if seat.get("name") == table.get("service")), None)
    if named is not None and is_phone(named):
        remedy = "name a seat with a display of its own, or leave service out"
        yield Problem("service", preview(table["service"]), "a guest's phone is no place for the owner", remedy)
    elif seats and all(map(is_phone, seats)):
        for key in ("service_key", "service_hold"):
            if table.get(key):
                message = "the staff menu needs a display of the table's own, and every seat is a phone"
                yield Problem(key, preview(table[key]), message, "take it out; dudo-table staff does the same")


def _duplicates(claims: Iterable[Claim], problem: str, remedy: str) -> Iterator[Problem]:
    first: dict[object, str] = {}
    for key, value, thing in claims:
        if thing in first:
            yield Problem(key, value, f"{problem} ({first[thing]})", remedy)
        first.setdefault(thing, key)


def _reserved(seats: Iterable[Mapping[str, Any]], wires: object, *, uart: bool) -> dict[int, str]:
    """Return the reserved pins, with the reason."""
    seats = [seat for seat in seats if display_key(seat) in seat]
    used: dict[int, list[int]] = {}
    for bus, select in filter(None, map(_spi_select, seats)):
        used.setdefault(bus, []).append(select)
    no_i2c = seats and all(is_on_spi(seat[display_key(seat)]) for seat in seats)
    i2c = set() if no_i2c else {1, *_header_buses(seats, wires)}
    return {
        **dict.fromkeys(pi_header.EEPROM, EEPROM),
        **{pin: I2C for bus in i2c for pin in pi_header.I2C[bus]},
        **(dict.fromkeys(pi_header.UART, UART) if uart else {}),
        **{pin: SPI for bus, selects in used.items() for pin in pi_header.spi_pins(bus, selects)},
    }


def _header_buses(seats: Iterable[Mapping[str, Any]], wires: object) -> Iterator[int]:
    """Yield the header's I2C buses with displays."""
    lists = [wire for wire in wires if isinstance(wire, list)] if isinstance(wires, list) else []
    displays = (seat[display_key(seat)] for seat in seats)
    for bus in (display.get("bus") for display in displays if isinstance(display, dict)):
        if type(bus) is int and (own := pi_header.header_i2c(bus, lists)) is not None:
            yield own


def _pin_conflicts(claims: list[Claim], reserved: Mapping[int, str]) -> Iterator[Problem]:
    taken = {claim.thing for claim in claims}
    free = [str(pin) for pin in PIN.allowed if pin not in taken and pin not in reserved]
    remedy = f"free pins are {', '.join(free)}" if free else "no pin is free: leave out a DUDO button"
    for key, value, pin in claims:
        if isinstance(pin, int) and pin in reserved:
            yield Problem(key, value, f"pin {pin} {reserved[pin]}", remedy)
    usable = (claim for claim in claims if claim.thing not in reserved)
    yield from _duplicates(usable, "this pin is already in use", remedy)
