"""Each seat's wires, pin by pin, and notes on the shared buses and power."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from hardware.boards.pi_header import HEADER, I2C, nearest_ground, pin_of, spi_pins
from hardware.chips import CHIPS
from hardware.config.layout import I2cDisplay, Layout, LayoutSeat, SerialDevice, SpiDisplay
from hardware.drawing.header import display_pins, switch_pins, tag_style

_POWER_PINS = " or ".join(str(pin.number) for pin in HEADER if pin.role == "3V3")
_HEADER_MAX_MA = 200  # maximum from the header's 3.3 V: hardware/README.md, Power


def seat_lines(number: int, seat: LayoutSeat, name_width: int) -> list[Text]:
    """Return one line for a seat with a board or a phone, else one line for each wire. `number` counts from 1."""
    name = Text(f" {seat.name} ", tag_style(seat.color))
    padding = " " * (name_width - len(seat.name))
    if seat.board is not None:
        return [Text.assemble(f"{number:>2} ", name, f"{padding} board  {seat.board.id}")]
    if seat.phone is not None:
        return [Text.assemble(f"{number:>2} ", name, f"{padding} phone  of a guest")]
    lines = [Text.assemble(f"{number:>2} ", name)]
    lines += [Text(line) for line in _pin_lines(seat)]
    lines += [Text(f"   {device:8}{address}") for device, address in _devices(seat)]
    return [*lines, Text()]


def _pin_lines(seat: LayoutSeat) -> Iterator[str]:
    for name, gpio in switch_pins(seat):
        pin, ground = pin_of(gpio).number, nearest_ground(gpio).number
        yield f"   {name:8}{f'GPIO {gpio}':9}pin {pin:<4}ground {ground}"
    for name, gpio in display_pins(seat):
        yield f"   {name:8}{f'GPIO {gpio}':9}pin {pin_of(gpio).number}"


def _devices(seat: LayoutSeat) -> Iterator[tuple[str, str]]:
    """Yield the seat's cup and panel with their addresses."""
    if isinstance(seat.cup, SerialDevice):
        yield "cup", f"{seat.cup.id}, address {seat.cup.address}" if seat.cup.address else seat.cup.id
    if seat.display is not None:
        yield "display", _panel_address(seat.display)


def _panel_address(panel: I2cDisplay | SpiDisplay) -> str:
    turned = f", turned {panel.rotate}" if panel.rotate else ""
    if isinstance(panel, SpiDisplay):
        return f"{panel.chip} /dev/spidev{panel.spi}.{panel.select}{turned}"
    return f"{panel.chip} {panel.address:#04x} /dev/i2c-{panel.bus}{turned}"


def notes(layout: Layout) -> Iterator[str]:
    """Yield notes for all seats: switch ends, buses, power, and where to find serial ids."""
    if any(True for seat in layout.seats for _ in switch_pins(seat)):
        yield "Switches go from their pin to any ground; the one named is the nearest."
    yield from bus_notes(layout)
    if layout.display_wires() or layout.spi_displays():
        yield from [*power_notes(layout)] or [f"Displays take 3V3 (pin {_POWER_PINS}) and ground."]
    usb_devices = {
        "boards": any(seat.board for seat in layout.seats),
        "serial cups": any(isinstance(seat.cup, SerialDevice) for seat in layout.seats),
    }
    if names := [name for name, is_used in usb_devices.items() if is_used]:
        yield f"{' and '.join(names).capitalize()} plug into USB; ls /dev/serial/by-id lists their ids."


def power_notes(layout: Layout) -> Iterator[str]:
    """Yield the need for a regulator if the panels draw more than the Pi's own 3.3 V may give."""
    if amperes := regulator_a(layout):
        yield f"The displays can take {_panels_max_ma(layout)} mA at 3.3 V, too much for the Pi's pin {_POWER_PINS}."
        yield f"Use neither and feed the row of 3V3 from a regulator of {amperes} A: hardware/README.md, Power."


def regulator_a(layout: Layout) -> int:
    """Return the current in amperes for the panels' regulator, 0 if the Pi's own 3.3 V is enough."""
    max_ma = _panels_max_ma(layout)
    return -(-max_ma // 1000) if max_ma > _HEADER_MAX_MA else 0


def _panels_max_ma(layout: Layout) -> int:
    return sum(CHIPS[seat.display.chip].max_ma for seat in layout.seats if seat.display is not None)


def bus_notes(layout: Layout) -> Iterator[str]:
    """Yield the pins of each panel bus, and its lines for config.txt."""
    for wire in layout.display_wires():
        yield _i2c_note(wire, layout.header_bus(wire[0]))
    if 0 in layout.header_buses():
        sda, scl = (pin_of(gpio).number for gpio in I2C[0])
        yield f"The Pi has no pull-ups at pins {sda} and {scl}: add 2200 ohms from each to 3V3, beside the mux."
    for bus, panels in layout.spi_displays().items():
        yield _spi_note(bus, panels)
    if layout.spi_displays():
        yield "On a display SCLK is called CLK or D0, MOSI DIN or D1, and CE CS; MISO stays free."


def _i2c_note(buses: tuple[int, ...], header_bus: int | None) -> str:
    listed = ", ".join(str(bus) for bus in buses)
    if header_bus is None:
        return f"I2C bus {listed} is a wire of its own; config.txt says on which pins."
    sda, scl = (pin_of(gpio).number for gpio in I2C[header_bus])
    pins = f"SDA (pin {sda}) and SCL (pin {scl})"
    if buses == (header_bus,):
        return f"I2C bus {listed} is {pins}."
    return f"I2C buses {listed} are one wire: a mux on {pins}."


def _spi_note(bus: int, panels: Sequence[SpiDisplay]) -> str:
    pins = spi_pins(bus, [panel.select for panel in panels])
    listed = ", ".join(f"{name.split()[1]} (pin {pin_of(gpio).number})" for gpio, name in pins.items())
    selects = sum("CE" in name for name in pins.values())
    return f"SPI {bus} is {listed}: dtoverlay=spi{bus}-{selects}cs in config.txt."
