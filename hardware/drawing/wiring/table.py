"""A layout's diagram: its table's components and the nets between them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from hardware.boards import pi_header
from hardware.boards.pi_header import GROUNDS, HEADER, I2C, UART, pin_of, spi_pins
from hardware.config.layout import I2cDisplay, Layout, LayoutSeat, SerialDevice, SpiDisplay
from hardware.drawing.header import display_pins, switch_pins
from hardware.drawing.seats import bus_notes, power_notes, regulator_a
from hardware.drawing.wiring.netlist import (
    Connector,
    ConnectorPin,
    Diagram,
    NetBuilder,
    PartBox,
    SeatBox,
    SeatModule,
    Terminal,
)

PI, HUB, REGULATOR = "Raspberry Pi", "hub", "regulator"
_I2C_TERMINALS = ("GND", "VCC", "SCL", "SDA")
_SPI_TERMINALS = ("GND", "VCC", "CLK", "DIN", "RES", "DC", "CS")
_PRINTED = {"dc": "DC", "reset": "RES"}  # a panel's pin names in a layout, and as printed on it
_POWER, _FIVE_VOLTS = (next(str(pin.number) for pin in HEADER if pin.role == role) for role in ("3V3", "5V"))
_GROUND = GROUNDS[0].number
_MUX_CHANNELS = 8  # on a TCA9548A or PCA9548A


def table_diagram(layout: Layout) -> Diagram:
    """Return a layout's diagram."""
    builder = NetBuilder()
    boxes = tuple(_seat_box(number, seat) for number, seat in enumerate(layout.seats, start=1))
    seats = [*zip(layout.seats, boxes, strict=True)]
    i2c = _i2c_buses(layout)
    regulators = _connect_regulator(builder, regulator_a(layout))
    power = Terminal(REGULATOR, "OUT") if regulators else Terminal(PI, _POWER)
    for seat, box in seats:
        for name, gpio in (*switch_pins(seat), *display_pins(seat)):
            printed = _PRINTED.get(name, name)
            builder.connect(printed, _pin(gpio), Terminal(box.name, printed))
    for bus in i2c.boxes:
        if "VIN" in bus.terminals:
            _connect_mux(builder, bus, i2c.mux_lines[bus.name], power)
    for seat, box in seats:
        _connect_panel(builder, layout, seat, box, i2c.lines, power)
    usb = _connect_usb(builder, seats)
    needs_header = any(net.ends[0].component == PI and net.ends[0].name != "USB" for net in builder.nets())
    own_notes = _notes(header=needs_header, regulator=bool(regulators), hub=bool(usb))
    notes = (*own_notes, *bus_notes(layout), *i2c.notes, *power_notes(layout))
    return Diagram(
        f"{layout.name}: {len(boxes)} seats clockwise",
        (*regulators, _pi(layout, header=needs_header, usb=bool(usb)), *i2c.boxes, *usb),
        boxes,
        builder.nets(),
        notes,
    )


def _seat_box(number: int, seat: LayoutSeat) -> SeatBox:
    plugs = []
    if (device := _serial_device(seat)) is not None:
        caption = (f"{'cup' if seat.board is None else 'seat board'} {device.id}",)
        plugs.append(SeatModule(caption, ("radio" if device.address else "USB",)))
    switches = tuple(name for name, _ in switch_pins(seat))
    modules = () if seat.display is None else (_panel_module(seat.display),)
    return SeatBox(f"seat {number}", seat.name, seat.color, switches, modules, tuple(plugs))


def _panel_module(panel: I2cDisplay | SpiDisplay) -> SeatModule:
    title = f"display {panel.chip}" + (f", turned {panel.rotate}" if panel.rotate else "")
    if isinstance(panel, SpiDisplay):
        return SeatModule((title, f"/dev/spidev{panel.spi}.{panel.select}"), _SPI_TERMINALS)
    return SeatModule((title, f"{panel.address:#04x} /dev/i2c-{panel.bus}"), _I2C_TERMINALS)


def _pi(layout: Layout, *, header: bool, usb: bool) -> Connector | PartBox:
    """Return the Pi: a plain box where no pin of its header is used."""
    terminals = ("USB",) if usb else ()
    if not header:
        return PartBox(PI, (PI,), terminals)
    reserved = dict.fromkeys(UART, " UART") if layout.uart else {}
    pins = tuple(
        ConnectorPin(
            pin.number, _label(pin.role) + (reserved.get(pin.gpio, "") if pin.gpio else ""), pin.row, pin.column
        )
        for pin in HEADER
    )
    return Connector(PI, (PI, "from above, its USB", "ports towards you"), pins, terminals=terminals)


def _label(role: int | str) -> str:
    return f"GPIO{role}" if isinstance(role, int) else {"ground": "GND", "5V": "5V: leave free"}.get(role, role)


def _pin(gpio: int) -> Terminal:
    return Terminal(PI, str(pin_of(gpio).number))


# I2C and SPI


class _I2cBuses(NamedTuple):
    """A layout's I2C buses: the boxes between the Pi and the panels, line sources of buses and muxes, and notes."""

    boxes: tuple[PartBox, ...]
    lines: Mapping[int, Mapping[str, Terminal]]
    mux_lines: Mapping[str, Mapping[str, Terminal]]
    notes: tuple[str, ...]


def _i2c_buses(layout: Layout) -> _I2cBuses:
    """Return a mux for each wire with several buses, and a box for each bus with its own pins.
    Panels on a bus of the header hang on the Pi's pins and need no box.
    """
    used = dict.fromkeys(seat.display.bus for seat in layout.seats if isinstance(seat.display, I2cDisplay))
    boxes: list[PartBox] = []
    lines = {bus: {"SCL": _pin(pins.scl), "SDA": _pin(pins.sda)} for bus, pins in I2C.items()}
    mux_lines = {}
    notes = []
    for wire in layout.wires:
        behind = sorted(bus for bus in wire if bus not in I2C)  # all but the Pi's own are channels of a mux
        channels = [bus for bus in behind if bus in used]
        if not channels:
            continue
        name = f"mux of i2c-{behind[0]}" if boxes else "mux"
        has_base = behind[-1] - behind[0] < _MUX_CHANNELS  # else a terminal has the bus's number, not the channel's
        terminals = ["VIN", "GND", "SCL", "SDA"]
        for bus in channels:
            channel = bus - behind[0] if has_base else bus
            terminals += [f"SC{channel}", f"SD{channel}"]
            lines[bus] = {"SCL": Terminal(name, f"SC{channel}"), "SDA": Terminal(name, f"SD{channel}")}
        boxes.append(PartBox(name, ("mux TCA9548A", f"channel 0: i2c-{behind[0]}"), tuple(terminals)))
        header_bus = layout.header_bus(behind[0])
        assert header_bus is not None, "a mux hangs on a bus of the header"
        mux_lines[name] = lines[header_bus]
        if has_base:
            notes.append(f"In config.txt: {pi_header.mux_overlay(header_bus, behind[0])}")
    for bus in used:
        if bus not in lines:
            name = f"i2c-{bus}"
            boxes.append(PartBox(name, (f"/dev/{name}", "pins: config.txt"), ("SCL", "SDA")))
            lines[bus] = {line: Terminal(name, line) for line in ("SCL", "SDA")}
    return _I2cBuses(tuple(boxes), lines, mux_lines, tuple(notes))


def _connect_regulator(builder: NetBuilder, amperes: int) -> tuple[PartBox, ...]:
    """Connect the regulator that makes 3.3 V of the Pi's 5 V; return it, or nothing where none is needed.

    5 V goes nowhere else.
    """
    if not amperes:
        return ()
    builder.connect("5V", Terminal(PI, _FIVE_VOLTS), Terminal(REGULATOR, "IN 5V"))
    builder.connect("GND", Terminal(PI, str(_GROUND)), Terminal(REGULATOR, "GND"))
    # Its input is lowest, beside pin 2: the wire with 5 V is short and crosses no other.
    return (PartBox(REGULATOR, (f"regulator 3.3 V, {amperes} A",), ("OUT", "GND", "IN 5V")),)


def _connect_mux(builder: NetBuilder, mux: PartBox, lines: Mapping[str, Terminal], power: Terminal) -> None:
    builder.connect("3V3", power, Terminal(mux.name, "VIN"))
    builder.connect("GND", Terminal(PI, str(_GROUND)), Terminal(mux.name, "GND"))
    for line, source in lines.items():
        builder.connect(line, source, Terminal(mux.name, line))


def _connect_panel(
    builder: NetBuilder,
    layout: Layout,
    seat: LayoutSeat,
    box: SeatBox,
    i2c: Mapping[int, Mapping[str, Terminal]],
    power: Terminal,
) -> None:
    if seat.display is None:
        return
    builder.connect("GND", Terminal(PI, str(_GROUND)), Terminal(box.name, "GND"))
    builder.connect("3V3", power, Terminal(box.name, "VCC"))
    if isinstance(seat.display, I2cDisplay):
        lines = i2c[seat.display.bus]
    else:
        selects = [panel.select for panel in layout.spi_displays()[seat.display.spi]]
        gpios = {name.split()[1]: gpio for gpio, name in spi_pins(seat.display.spi, selects).items()}
        select = f"CE{seat.display.select}"
        lines = {name: _pin(gpios[line]) for name, line in (("CLK", "SCLK"), ("DIN", "MOSI"), ("CS", select))}
    for name, source in lines.items():
        builder.connect(name, source, Terminal(box.name, name))


# USB and radio


def _connect_usb(builder: NetBuilder, seats: Sequence[tuple[LayoutSeat, SeatBox]]) -> tuple[PartBox, ...]:
    """Connect every serial device to a hub and the hub to the Pi; return the hub and the radio dongles, if any."""
    devices = [(device, box.name) for seat, box in seats if (device := _serial_device(seat)) is not None]
    if not devices:
        return ()
    ports: list[str] = []
    dongles: list[PartBox] = []
    builder.connect("USB", Terminal(PI, "USB"), Terminal(HUB, "cable"))
    for device, name in devices:
        dongle = f"dongle {device.id}"
        if not device.address:
            ports.append(f"port {len(ports) + 1}")
            builder.connect("USB", Terminal(HUB, ports[-1]), Terminal(name, "USB"))
            continue
        if dongle not in (box.name for box in dongles):
            ports.append(f"port {len(ports) + 1}")
            cups = tuple(f"cup {other.address}" for other, _ in devices if other.id == device.id)
            dongles.append(PartBox(dongle, ("radio dongle", device.id), ("USB", *cups)))
            builder.connect("USB", Terminal(HUB, ports[-1]), Terminal(dongle, "USB"))
        builder.connect("radio", Terminal(dongle, f"cup {device.address}"), Terminal(name, "radio"))
    return (PartBox(HUB, ("powered USB hub", "on its own supply"), ("cable", *ports)), *dongles)


def _serial_device(seat: LayoutSeat) -> SerialDevice | None:
    return seat.board or (seat.cup if isinstance(seat.cup, SerialDevice) else None)


# Notes


def _notes(*, header: bool, regulator: bool, hub: bool) -> Iterator[str]:
    if header and regulator:
        yield "5 V goes from pin 2 to the regulator only: at a GPIO, the mux or a display it can destroy the Pi."
        yield "GND and 3V3 are rails: one wire from pin 6 and one from the regulator's OUT, each to a row of clamps,"
        yield "and from there one to each part. Any other ground pin does as well; no 3V3 pin of the Pi does."
    elif header:
        yield "GND and 3V3 are rails: one wire from the Pi's pin to a row of clamps, and from there one to each part."
        yield "Any other ground pin does as well, and so does the other pin with 3V3."
    if header:
        yield "Go by what is printed on a display: the order of its pins differs from maker to maker."
    if hub:
        yield "Devices are known by their ids: any port of the hub does, and may change."
