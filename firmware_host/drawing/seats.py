"""Every seat with its wires, pin by pin, as one solders them; and the buses they share."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from firmware_host.drawing.colors import tag
from firmware_host.drawing.header import lines_of, pins_of
from hardware.boards.pi_header import HEADER, SCL, SDA, nearest_ground, pin_of, spi_pins
from hardware.config.layout import Layout, Panel, Seat, SerialDevice, SpiPanel

_POWER = " or ".join(str(pin.number) for pin in HEADER if pin.role == "3V3")
_MOST_MA = {"ssd1309": 190, "sh1106": 90, "ssd1306": 30}  # all dots lit: hardware/README.md, Power
_HEADER_MA = 200  # asked of the header's 3.3 V at the most: one panel of 2.42 inch, or six of 0.96


def seat(number: int, seat: Seat, names: int) -> list[Text]:
    """One seat: a line where a board brings everything, else one for each wire. `number` counts from 1."""
    name = Text(f" {seat.name} ", tag(seat.color))
    if seat.board is not None:
        blank = " " * (names - len(seat.name))
        return [Text.assemble(f"{number:>2} ", name, f"{blank} board  {seat.board.id}")]
    lines = [Text.assemble(f"{number:>2} ", name)]
    lines += [Text(line) for line in _pins(seat)]
    lines += [Text(f"   {what:7}{where}") for what, where in _devices(seat)]
    return [*lines, Text()]


def _pins(seat: Seat) -> Iterator[str]:
    for what, gpio in pins_of(seat):
        pin, ground = pin_of(gpio).number, nearest_ground(gpio).number
        yield f"   {what:7}{f'GPIO {gpio}':9}pin {pin:<4}ground {ground}"
    for what, gpio in lines_of(seat):
        yield f"   {what:7}{f'GPIO {gpio}':9}pin {pin_of(gpio).number}"


def _devices(seat: Seat) -> Iterator[tuple[str, str]]:
    if isinstance(seat.cup, SerialDevice):
        yield "cup", f"{seat.cup.id}, address {seat.cup.address}" if seat.cup.address else seat.cup.id
    if seat.panel is not None:
        yield "panel", _panel(seat.panel)


def _panel(panel: Panel | SpiPanel) -> str:
    turned = f", turned {panel.rotate}" if panel.rotate else ""
    if isinstance(panel, SpiPanel):
        return f"{panel.chip} /dev/spidev{panel.spi}.{panel.select}{turned}"
    return f"{panel.chip} {panel.address:#04x} /dev/i2c-{panel.bus}{turned}"


def notes(layout: Layout) -> Iterator[str]:
    """What holds for all seats: where switches end, which wire the buses are, where serial ids come from."""
    if any(True for seat in layout.seats for _ in pins_of(seat)):
        yield "Switches go from their pin to any ground; the one named is the nearest."
    yield from bus_notes(layout)
    if layout.panel_wires() or layout.spi_panels():
        yield from [*power_notes(layout)] or [f"Panels take 3V3 (pin {_POWER}) and ground."]
    serial = {
        "boards": any(seat.board for seat in layout.seats),
        "serial cups": any(isinstance(seat.cup, SerialDevice) for seat in layout.seats),
    }
    if plugged := [name for name, there in serial.items() if there]:
        yield f"{' and '.join(plugged).capitalize()} plug into USB; ls /dev/serial/by-id tells their ids."


def power_notes(layout: Layout) -> Iterator[str]:
    """That panels ask for more than the Pi's own 3.3 V is for, where they do."""
    if amperes := regulator_a(layout):
        yield f"The panels can take {_panels_ma(layout)} mA at 3.3 V, too much for the Pi's pin {_POWER}."
        yield f"Leave both alone and give the row of 3V3 a regulator of {amperes} A: hardware/README.md, Power."


def regulator_a(layout: Layout) -> int:
    """The amperes of the regulator that the panels need, 0 where the Pi's own 3.3 V is enough for them."""
    most_ma = _panels_ma(layout)
    return -(-most_ma // 1000) if most_ma > _HEADER_MA else 0


def _panels_ma(layout: Layout) -> int:
    return sum(_MOST_MA[seat.panel.chip] for seat in layout.seats if seat.panel is not None)


def bus_notes(layout: Layout) -> Iterator[str]:
    """Which wire each bus of the panels is, and what has to stand in config.txt for it."""
    for wire in layout.panel_wires():
        yield _wire(wire)
    for bus, panels in layout.spi_panels().items():
        yield _spi(bus, panels)
    if layout.spi_panels():
        yield "On a panel SCLK is called CLK or D0, MOSI DIN or D1, and CE CS; MISO stays free."


def _wire(buses: tuple[int, ...]) -> str:
    pins = f"SDA (pin {pin_of(SDA).number}) and SCL (pin {pin_of(SCL).number})"
    listed = ", ".join(str(bus) for bus in buses)
    if len(buses) > 1:
        return f"I2C buses {listed} are one wire: a mux on {pins}."
    if buses == (1,):
        return f"I2C bus 1 is {pins}."
    return f"I2C bus {listed} is a wire of its own; config.txt says on which pins."


def _spi(bus: int, panels: Sequence[SpiPanel]) -> str:
    pins = spi_pins(bus, [panel.select for panel in panels])
    listed = ", ".join(f"{name.split()[1]} (pin {pin_of(gpio).number})" for gpio, name in pins.items())
    selects = sum("CE" in name for name in pins.values())
    return f"SPI {bus} is {listed}: dtoverlay=spi{bus}-{selects}cs in config.txt."
