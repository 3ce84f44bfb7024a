"""The diagram of a layout: the components of its table and the nets between them."""

from collections.abc import Iterator, Mapping, Sequence

from hardware.boards.pi_header import GROUNDS, HEADER, SCL, SDA, UART, pin_of, spi_pins
from hardware.config.layout import I2cDisplay, Layout, Seat, SerialDevice, SpiDisplay
from hardware.drawing.header import display_pins, switch_pins
from hardware.drawing.seats import bus_notes, power_notes, regulator_a
from hardware.drawing.wiring.netlist import Box, Connector, Diagram, Module, NetBuilder, Pin, SeatBox, Terminal

PI, HUB, REGULATOR = "Raspberry Pi", "hub", "regulator"
_I2C_TERMINALS = ("GND", "VCC", "SCL", "SDA")
_SPI_TERMINALS = ("GND", "VCC", "CLK", "DIN", "RES", "DC", "CS")
_PRINTED = {"dc": "DC", "reset": "RES"}  # a layout's names of a panel's pins, as they are printed on it
_POWER, _FIVE_VOLTS = (next(str(pin.number) for pin in HEADER if pin.role == role) for role in ("3V3", "5V"))
_GROUND = GROUNDS[0].number
_MUX_CHANNELS = 8  # of a TCA9548A or PCA9548A


def table_diagram(layout: Layout) -> Diagram:
    """Return the diagram of a layout."""
    builder = NetBuilder()
    boxes = tuple(_seat_box(number, seat) for number, seat in enumerate(layout.seats, start=1))
    seats = [*zip(layout.seats, boxes, strict=True)]
    buses = _bus_boxes(layout)
    regulators = _connect_regulator(builder, regulator_a(layout))
    power = Terminal(REGULATOR, "OUT") if regulators else Terminal(PI, _POWER)
    for seat, box in seats:
        for name, gpio in (*switch_pins(seat), *display_pins(seat)):
            printed = _PRINTED.get(name, name)
            builder.connect(printed, _pin(gpio), Terminal(box.name, printed))
    for bus in dict.fromkeys(buses.values()):
        if _is_mux(bus):
            _connect_mux(builder, bus, power)
    for seat, box in seats:
        _connect_panel(builder, layout, seat, box, buses, power)
    usb = _connect_usb(builder, seats)
    needs_header = any(net.ends[0].component == PI and net.ends[0].name != "USB" for net in builder.nets())
    own_notes = _notes(header=needs_header, regulator=bool(regulators), hub=bool(usb))
    notes = [*own_notes, *bus_notes(layout), *_mux_notes(layout), *power_notes(layout)]
    return Diagram(
        f"{layout.name}: {len(boxes)} seats clockwise",
        (*regulators, _pi(layout, header=needs_header, usb=bool(usb)), *dict.fromkeys(buses.values()), *usb),
        boxes,
        builder.nets(),
        tuple(notes),
    )


def _seat_box(number: int, seat: Seat) -> SeatBox:
    plugs = []
    if (device := _serial_device(seat)) is not None:
        caption = (f"{'cup' if seat.board is None else 'seat board'} {device.id}",)
        plugs.append(Module(caption, ("radio" if device.address else "USB",)))
    switches = tuple(name for name, _ in switch_pins(seat))
    modules = () if seat.display is None else (_panel_module(seat.display),)
    return SeatBox(f"seat {number}", seat.name, seat.color, switches, modules, tuple(plugs))


def _panel_module(panel: I2cDisplay | SpiDisplay) -> Module:
    title = f"display {panel.chip}" + (f", turned {panel.rotate}" if panel.rotate else "")
    if isinstance(panel, SpiDisplay):
        return Module((title, f"/dev/spidev{panel.spi}.{panel.select}"), _SPI_TERMINALS)
    return Module((title, f"{panel.address:#04x} /dev/i2c-{panel.bus}"), _I2C_TERMINALS)


def _pi(layout: Layout, *, header: bool, usb: bool) -> Connector | Box:
    """Return the Pi: a plain box where no pin of its header is used."""
    terminals = ("USB",) if usb else ()
    if not header:
        return Box(PI, (PI,), terminals)
    reserved = dict.fromkeys(UART, " UART") if layout.uart else {}
    pins = tuple(
        Pin(pin.number, _label(pin.role) + (reserved.get(pin.gpio, "") if pin.gpio else ""), pin.row, pin.column)
        for pin in HEADER
    )
    return Connector(PI, (PI, "from above, its USB", "ports towards you"), pins, terminals=terminals)


def _label(role: int | str) -> str:
    return f"GPIO{role}" if isinstance(role, int) else {"ground": "GND", "5V": "5V: leave free"}.get(role, role)


def _pin(gpio: int) -> Terminal:
    return Terminal(PI, str(pin_of(gpio).number))


# I2C and SPI


def _bus_boxes(layout: Layout) -> Mapping[int, Box]:
    """Return the box between the Pi and the panels of each bus: a mux, or the pins of a bus that is not the Pi's own.

    Panels on bus 1 hang on the Pi's pins and need no box.
    """
    panels = [seat.display for seat in layout.seats if isinstance(seat.display, I2cDisplay)]
    used = dict.fromkeys(panel.bus for panel in panels)
    boxes: dict[int, Box] = {}
    for wire in layout.wires:
        behind = _behind_mux(wire)
        channels = [bus for bus in sorted(behind) if bus in used]
        if not channels:
            continue
        terminals = ["VIN", "GND", "SCL", "SDA"]
        for bus in channels:
            number = _channel(behind, bus)
            terminals += [f"SC{number}", f"SD{number}"]
        title = "mux" if not boxes else f"mux of i2c-{min(behind)}"
        boxes |= dict.fromkeys(
            channels, Box(title, ("mux TCA9548A", f"channel 0: i2c-{min(behind)}"), tuple(terminals))
        )
    for bus in used:
        if bus != 1 and bus not in boxes:
            boxes[bus] = Box(f"i2c-{bus}", (f"/dev/i2c-{bus}", "pins: config.txt"), ("SCL", "SDA"))
    return boxes


def _behind_mux(wire: Sequence[int]) -> list[int]:
    """Return the buses of one wire that are channels of a mux: all but the Pi's own."""
    return [bus for bus in wire if bus != 1]


def _has_base(behind: Sequence[int]) -> bool:
    """Whether the buses can be the channels of one mux, numbered from the lowest bus."""
    return max(behind) - min(behind) < _MUX_CHANNELS


def _channel(behind: Sequence[int], bus: int) -> int:
    """Return the channel of a mux that a bus is, or the bus's own number where channels are not known."""
    return bus - min(behind) if _has_base(behind) else bus


def _is_mux(box: Box) -> bool:
    return "VIN" in box.terminals


def _connect_regulator(builder: NetBuilder, amperes: int) -> tuple[Box, ...]:
    """Connect the regulator that makes 3.3 V of the Pi's 5 V; return it, or nothing where none is needed.

    5 V goes nowhere else.
    """
    if not amperes:
        return ()
    builder.connect("5V", Terminal(PI, _FIVE_VOLTS), Terminal(REGULATOR, "IN 5V"))
    builder.connect("GND", Terminal(PI, str(_GROUND)), Terminal(REGULATOR, "GND"))
    # Its input is lowest, beside pin 2: the wire with 5 V is short and crosses no other.
    return (Box(REGULATOR, (f"regulator 3.3 V, {amperes} A",), ("OUT", "GND", "IN 5V")),)


def _connect_mux(builder: NetBuilder, mux: Box, power: Terminal) -> None:
    builder.connect("3V3", power, Terminal(mux.name, "VIN"))
    builder.connect("GND", Terminal(PI, str(_GROUND)), Terminal(mux.name, "GND"))
    builder.connect("SCL", _pin(SCL), Terminal(mux.name, "SCL"))
    builder.connect("SDA", _pin(SDA), Terminal(mux.name, "SDA"))


def _connect_panel(
    builder: NetBuilder, layout: Layout, seat: Seat, box: SeatBox, buses: Mapping[int, Box], power: Terminal
) -> None:
    if seat.display is None:
        return
    builder.connect("GND", Terminal(PI, str(_GROUND)), Terminal(box.name, "GND"))
    builder.connect("3V3", power, Terminal(box.name, "VCC"))
    if isinstance(seat.display, I2cDisplay):
        number = seat.display.bus
        bus = buses.get(number)
        for name, gpio in (("SCL", SCL), ("SDA", SDA)):
            source = _pin(gpio) if bus is None else Terminal(bus.name, _bus_terminal(layout, bus, number, name))
            builder.connect(name, source, Terminal(box.name, name))
        return
    selects = [panel.select for panel in layout.spi_displays()[seat.display.spi]]
    gpios = {name.split()[1]: gpio for gpio, name in spi_pins(seat.display.spi, selects).items()}
    for name, line in (("CLK", "SCLK"), ("DIN", "MOSI"), ("CS", f"CE{seat.display.select}")):
        builder.connect(name, _pin(gpios[line]), Terminal(box.name, name))


def _bus_terminal(layout: Layout, box: Box, bus: int, name: str) -> str:
    """Return the terminal for a line of a bus: SD3 for channel 3 of a mux, SDA for a bus with pins of its own."""
    if not _is_mux(box):
        return name
    wire = next(wire for wire in layout.wires if bus in wire)
    return f"{name[:2]}{_channel(_behind_mux(wire), bus)}"


# USB and radio


def _connect_usb(builder: NetBuilder, seats: Sequence[tuple[Seat, SeatBox]]) -> tuple[Box, ...]:
    """Connect every serial device to a hub and the hub to the Pi; return the hub and the radio dongles, if any."""
    devices = [(device, box.name) for seat, box in seats if (device := _serial_device(seat)) is not None]
    if not devices:
        return ()
    ports: list[str] = []
    dongles: list[Box] = []
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
            dongles.append(Box(dongle, ("radio dongle", device.id), ("USB", *cups)))
            builder.connect("USB", Terminal(HUB, ports[-1]), Terminal(dongle, "USB"))
        builder.connect("radio", Terminal(dongle, f"cup {device.address}"), Terminal(name, "radio"))
    return (Box(HUB, ("powered USB hub", "on its own supply"), ("cable", *ports)), *dongles)


def _serial_device(seat: Seat) -> SerialDevice | None:
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


def _mux_notes(layout: Layout) -> Iterator[str]:
    for wire in layout.wires:
        behind = _behind_mux(wire)
        if behind and _has_base(behind) and set(behind) & _bus_boxes(layout).keys():
            yield f"In config.txt: dtoverlay=i2c-mux,pca9548,addr=0x70,base={min(behind)}"
