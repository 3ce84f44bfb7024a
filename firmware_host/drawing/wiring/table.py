"""The wires of a layout: which parts its table has, and what is joined to what."""

from collections.abc import Iterator, Mapping, Sequence

from firmware_host.drawing.header import lines_of, pins_of
from firmware_host.drawing.seats import bus_notes, power_notes, regulator_a
from firmware_host.drawing.wiring.nets import Terminal, Wires
from firmware_host.drawing.wiring.parts import Box, Connector, Module, Pin, Plan, Seat
from hardware.boards.pi_header import GROUNDS, HEADER, SCL, SDA, UART, pin_of, spi_pins
from hardware.config.layout import Layout, Panel, SerialDevice, SpiPanel
from hardware.config.layout import Seat as Laid

PI, HUB, REGULATOR = "Raspberry Pi", "hub", "regulator"
_I2C, _SPI = ("GND", "VCC", "SCL", "SDA"), ("GND", "VCC", "CLK", "DIN", "RES", "DC", "CS")
_POWER, _FIVE_VOLTS = (next(str(pin.number) for pin in HEADER if pin.role == role) for role in ("3V3", "5V"))
_GROUND = GROUNDS[0].number
_CHANNELS = 8  # of a TCA9548A or PCA9548A


def of_table(layout: Layout) -> Plan:
    """A layout's parts and wires."""
    wires = Wires()
    seats = tuple(_seat(number, laid) for number, laid in enumerate(layout.seats, start=1))
    laid_seats = [*zip(layout.seats, seats, strict=True)]
    buses = _buses(layout)
    regulators = _join_regulator(wires, regulator_a(layout))
    power = Terminal(REGULATOR, "OUT") if regulators else Terminal(PI, _POWER)
    for laid, seat in laid_seats:
        for what, gpio in (*pins_of(laid), *lines_of(laid)):
            wires.join(_LINES.get(what, what), _pin(gpio), Terminal(seat.name, _LINES.get(what, what)))
    for box in dict.fromkeys(buses.values()):
        _join_bus(wires, box, power, shared=len(box.terminals) > 2)
    for laid, seat in laid_seats:
        _join_panel(wires, layout, laid, seat, buses, power)
    plugged = _join_usb(wires, laid_seats)
    header = any(net.ends[0].part == PI and net.ends[0].name != "USB" for net in wires.nets())
    told = _notes(header=header, regulator=bool(regulators), hub=bool(plugged))
    notes = [*told, *bus_notes(layout), *_mux_notes(layout), *power_notes(layout)]
    return Plan(
        f"{layout.name}: {len(seats)} seats clockwise",
        (*regulators, _pi(layout, header=header, usb=bool(plugged)), *dict.fromkeys(buses.values()), *plugged),
        seats,
        wires.nets(),
        tuple(notes),
    )


_LINES = {"dc": "DC", "reset": "RES"}


def _seat(number: int, laid: Laid) -> Seat:
    plugs = []
    if (device := _device(laid)) is not None:
        words = (f"{'cup' if laid.board is None else 'seat board'} {device.id}",)
        plugs.append(Module(words, ("radio" if device.address else "USB",)))
    switches = tuple(what for what, _ in pins_of(laid))
    modules = () if laid.panel is None else (_panel(laid.panel),)
    return Seat(f"seat {number}", laid.name, laid.color, switches, modules, tuple(plugs))


def _panel(panel: Panel | SpiPanel) -> Module:
    title = f"panel {panel.chip}" + (f", turned {panel.rotate}" if panel.rotate else "")
    if isinstance(panel, SpiPanel):
        return Module((title, f"/dev/spidev{panel.spi}.{panel.select}"), _SPI)
    return Module((title, f"{panel.address:#04x} /dev/i2c-{panel.bus}"), _I2C)


def _pi(layout: Layout, *, header: bool, usb: bool) -> Connector | Box:
    terminals = ("USB",) if usb else ()
    if not header:
        return Box(PI, (PI,), terminals)
    reserved = dict.fromkeys(UART, " UART") if layout.uart else {}
    pins = tuple(
        Pin(pin.number, _role(pin.role) + (reserved.get(pin.gpio, "") if pin.gpio else ""), pin.row, pin.column)
        for pin in HEADER
    )
    return Connector(PI, (PI, "from above, its USB", "ports towards you"), pins, terminals=terminals)


def _role(role: int | str) -> str:
    return f"GPIO{role}" if isinstance(role, int) else {"ground": "GND", "5V": "5V: leave free"}.get(role, role)


def _pin(gpio: int) -> Terminal:
    return Terminal(PI, str(pin_of(gpio).number))


def _buses(layout: Layout) -> Mapping[int, Box]:
    """What is between the Pi's pins and the panels of a bus: a mux, or the pins of a bus that is not the Pi's own."""
    panels = [seat.panel for seat in layout.seats if isinstance(seat.panel, Panel)]
    used = dict.fromkeys(panel.bus for panel in panels)
    boxes: dict[int, Box] = {}
    for wire in layout.wires:
        behind = [bus for bus in wire if bus != 1]
        if not used.keys() & set(behind):
            continue
        first = min(behind)
        channels = [bus for bus in sorted(behind) if bus in used]
        names = {bus: str(bus - first) if max(behind) - first < _CHANNELS else str(bus) for bus in channels}
        terminals = ["VIN", "GND", "SCL", "SDA"]
        for bus in channels:
            terminals += [f"SC{names[bus]}", f"SD{names[bus]}"]
        title = "mux" if not boxes else f"mux of i2c-{first}"
        box = Box(title, ("mux TCA9548A", f"channel 0: i2c-{first}"), tuple(terminals))
        boxes |= dict.fromkeys(channels, box)
    for bus in used:
        if bus != 1 and bus not in boxes:
            boxes[bus] = Box(f"i2c-{bus}", (f"/dev/i2c-{bus}", "pins: config.txt"), ("SCL", "SDA"))
    return boxes


def _join_regulator(wires: Wires, amperes: int) -> tuple[Box, ...]:
    """What makes 3.3 V of the Pi's 5 V, nothing where no amperes are asked of it. 5 V goes nowhere else."""
    if not amperes:
        return ()
    wires.join("5V", Terminal(PI, _FIVE_VOLTS), Terminal(REGULATOR, "IN 5V"))
    wires.join("GND", Terminal(PI, str(_GROUND)), Terminal(REGULATOR, "GND"))
    # Its input is lowest, beside pin 2: the wire with 5 V is short and passes no other part.
    return (Box(REGULATOR, (f"regulator 3.3 V, {amperes} A",), ("OUT", "GND", "IN 5V")),)


def _join_bus(wires: Wires, box: Box, power: Terminal, *, shared: bool) -> None:
    if shared:
        wires.join("3V3", power, Terminal(box.name, "VIN"))
        wires.join("GND", Terminal(PI, str(_GROUND)), Terminal(box.name, "GND"))
        wires.join("SCL", _pin(SCL), Terminal(box.name, "SCL"))
        wires.join("SDA", _pin(SDA), Terminal(box.name, "SDA"))


def _join_panel(
    wires: Wires, layout: Layout, laid: Laid, seat: Seat, buses: Mapping[int, Box], power: Terminal
) -> None:
    if laid.panel is None:
        return
    wires.join("GND", Terminal(PI, str(_GROUND)), Terminal(seat.name, "GND"))
    wires.join("3V3", power, Terminal(seat.name, "VCC"))
    if isinstance(laid.panel, Panel):
        box = buses.get(laid.panel.bus)
        for name, gpio in (("SCL", SCL), ("SDA", SDA)):
            source = _pin(gpio) if box is None else Terminal(box.name, _channel(layout, box, laid.panel.bus, name))
            wires.join(name, source, Terminal(seat.name, name))
        return
    of_bus = layout.spi_panels()[laid.panel.spi]
    gpios = {name.split()[1]: gpio for gpio, name in spi_pins(laid.panel.spi, [p.select for p in of_bus]).items()}
    for name, line in (("CLK", "SCLK"), ("DIN", "MOSI"), ("CS", f"CE{laid.panel.select}")):
        wires.join(name, _pin(gpios[line]), Terminal(seat.name, name))


def _channel(layout: Layout, box: Box, bus: int, name: str) -> str:
    """The terminal of a box for a line of a bus: SD3 of a mux's channel 3, SDA of a bus of its own."""
    if len(box.terminals) == 2:
        return name
    wire = next(wire for wire in layout.wires if bus in wire)
    behind = [other for other in wire if other != 1]
    number = bus - min(behind) if max(behind) - min(behind) < _CHANNELS else bus
    return f"{name[:2]}{number}"


def _join_usb(wires: Wires, seats: Sequence[tuple[Laid, Seat]]) -> tuple[Box, ...]:
    """Lead every device on USB to the hub and that to the Pi; the hub and the dongles, nothing where nothing plugs."""
    devices = [(device, seat.name) for laid, seat in seats if (device := _device(laid)) is not None]
    if not devices:
        return ()
    ports: list[str] = []
    dongles: list[Box] = []
    wires.join("USB", Terminal(PI, "USB"), Terminal(HUB, "cable"))
    for device, name in devices:
        dongle = f"dongle {device.id}"
        if not device.address:
            ports.append(f"port {len(ports) + 1}")
            wires.join("USB", Terminal(HUB, ports[-1]), Terminal(name, "USB"))
            continue
        if dongle not in (box.name for box in dongles):
            ports.append(f"port {len(ports) + 1}")
            taken = tuple(f"cup {other.address}" for other, _ in devices if other.id == device.id)
            dongles.append(Box(dongle, ("radio dongle", device.id), ("USB", *taken)))
            wires.join("USB", Terminal(HUB, ports[-1]), Terminal(dongle, "USB"))
        wires.join("radio", Terminal(dongle, f"cup {device.address}"), Terminal(name, "radio"))
    return (Box(HUB, ("powered USB hub", "on its own supply"), ("cable", *ports)), *dongles)


def _device(laid: Laid) -> SerialDevice | None:
    return laid.board or (laid.cup if isinstance(laid.cup, SerialDevice) else None)


def _notes(*, header: bool, regulator: bool, hub: bool) -> Iterator[str]:
    if header and regulator:
        yield "5 V goes from pin 2 to the regulator and nowhere else: at a GPIO, the mux or a panel it can end the Pi."
        yield "GND and 3V3 are rails: one wire from pin 6 and one from the regulator's OUT, each to a row of clamps,"
        yield "and from there one to each part. Any other ground pin does as well; no 3V3 pin of the Pi does."
    elif header:
        yield "GND and 3V3 are rails: one wire from the Pi's pin to a row of clamps, and from there one to each part."
        yield "Any other ground pin does as well, and so does the other pin with 3V3."
    if header:
        yield "Go by what is printed on a panel: the order of its pins differs from maker to maker."
    if hub:
        yield "Devices are known by their ids: any port of the hub will do, and another one next time."


def _mux_notes(layout: Layout) -> Iterator[str]:
    for wire in layout.wires:
        behind = [bus for bus in wire if bus != 1]
        if behind and max(behind) - min(behind) < _CHANNELS and set(behind) & _buses(layout).keys():
            yield f"In config.txt: dtoverlay=i2c-mux,pca9548,addr=0x70,base={min(behind)}"
