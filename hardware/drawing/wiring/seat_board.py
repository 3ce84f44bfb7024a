"""A seat board's or cup's diagram: the parts on a Pico's pins."""

from collections.abc import Iterator

from hardware.boards.pico_pins import GROUNDS, PICO, POWER, pin_of
from hardware.boards.pico_wiring import PicoWiring
from hardware.drawing.wiring.netlist import Connector, ConnectorPin, Diagram, NetBuilder, SeatBox, SeatModule, Terminal

PICO_BOARD, SEAT = "Raspberry Pi Pico", "seat"
GROUND = max(GROUNDS, key=lambda pin: (pin.column, pin.number))
"""The ground pin next to the pin with 3.3 V."""
_TERMINALS = ("GND", "VCC", "SCL", "SDA")


def seat_board_diagram(wiring: PicoWiring) -> Diagram:
    """Return the diagram for a Pico and its parts."""
    others = {"tilt": wiring.TILT, "light": wiring.LIGHT, "key": wiring.KEY}
    switches = {**wiring.BUTTONS, **{name: gpio for name, gpio in others.items() if gpio is not None}}
    seat = SeatBox(SEAT, "Seat", None, tuple(switches), tuple(_modules(wiring)))
    builder = NetBuilder()
    for name, gpio in switches.items():
        builder.connect(name, _pin(gpio), Terminal(SEAT, name))
    sources = {
        "GND": ("GND", Terminal(PICO_BOARD, str(GROUND.number))),
        "VCC": ("3V3", Terminal(PICO_BOARD, str(POWER.number))),
        "SCL": ("SCL", _pin(wiring.SCL)),
        "SDA": ("SDA", _pin(wiring.SDA)),
    }
    if "GND" in seat.own_terminals:
        builder.connect(*sources["GND"], Terminal(SEAT, "GND"))
    for module, names in seat.module_terminals():
        for printed, name in zip(module.terminals, names, strict=True):
            builder.connect(*sources[printed], Terminal(SEAT, name))
    pins = tuple(ConnectorPin(pin.number, pin_label(pin.role), pin.row, pin.column) for pin in PICO)
    pico = Connector(PICO_BOARD, (), pins, pins_at_edges=True)
    title = "A seat board" if wiring.PANEL is not None else "A cup"
    return Diagram(f"{title} on a Raspberry Pi Pico", (pico,), (seat,), builder.nets(), tuple(_notes(wiring)))


def _modules(wiring: PicoWiring) -> Iterator[SeatModule]:
    if wiring.PANEL is not None:
        yield SeatModule((f"display {wiring.PANEL}", f"{wiring.PANEL_ADDRESS:#04x}"), _TERMINALS)
    if wiring.ACCELEROMETER is not None:
        yield SeatModule(("LIS3DH", f"{wiring.ACCELEROMETER:#04x}"), _TERMINALS)


def _pin(gpio: int) -> Terminal:
    return Terminal(PICO_BOARD, str(pin_of(gpio).number))


def pin_label(role: int | str) -> str:
    """Return a Pico pin's name as printed on its underside."""
    return f"GP{role}" if isinstance(role, int) else {"ground": "GND"}.get(role, role)


def _notes(wiring: PicoWiring) -> Iterator[str]:
    service = pin_of(wiring.SERVICE)
    yield "The Pico from above: its chip towards you, its USB socket on top."
    yield "Any other pin called GND does as well. Nothing here takes 5 V: leave VBUS and VSYS free."
    yield "Go by what is printed on display and sensor: the order of their pins differs from maker to maker."
    ground = min(GROUNDS, key=lambda pin: (pin.column != service.column, abs(pin.row - service.row))).number
    yield f"To change the program: join pins {service.number} (GP{wiring.SERVICE}) and {ground} while you plug it in."
