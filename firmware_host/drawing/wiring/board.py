"""The wires of a seat board or a cup: what hangs on a Pico's pins."""

from collections.abc import Iterator, Mapping
from typing import Protocol

from firmware_host.drawing.wiring.nets import Terminal, Wires
from firmware_host.drawing.wiring.parts import Connector, Module, Pin, Plan, Seat, own
from hardware.boards.pico_pins import GROUNDS, PICO, POWER, pin_of

PICO_BOARD, SEAT = "Raspberry Pi Pico", "seat"
_GROUND = max(GROUNDS, key=lambda pin: (pin.column, pin.number))  # beside the one with 3.3 V
_TERMINALS = ("GND", "VCC", "SCL", "SDA")


class CupWiring(Protocol):
    """What `hardware/firmware/wiring.py` says of the wires."""

    @property
    def TILT(self) -> int | None: ...  # noqa: D102
    @property
    def ACCELEROMETER(self) -> int | None: ...  # noqa: D102
    @property
    def BUTTONS(self) -> Mapping[str, int]: ...  # noqa: D102
    @property
    def PANEL(self) -> str | None: ...  # noqa: D102
    @property
    def PANEL_ADDRESS(self) -> int: ...  # noqa: D102
    @property
    def SDA(self) -> int: ...  # noqa: D102
    @property
    def SCL(self) -> int: ...  # noqa: D102
    @property
    def LIGHT(self) -> int | None: ...  # noqa: D102
    @property
    def SERVICE(self) -> int: ...  # noqa: D102


def of_board(wiring: CupWiring) -> Plan:
    """A Pico and what is fitted to it."""
    others = {"tilt": wiring.TILT, "light": wiring.LIGHT}
    switches = {**wiring.BUTTONS, **{name: gpio for name, gpio in others.items() if gpio is not None}}
    modules = tuple(_modules(wiring))
    title = "A seat board" if wiring.PANEL is not None else "A cup"
    seat = Seat(SEAT, "Seat", None, tuple(switches), modules)
    wires = Wires()
    for name, gpio in switches.items():
        wires.join(name, _pin(gpio), Terminal(SEAT, name))
    sources = {
        "GND": ("GND", Terminal(PICO_BOARD, str(_GROUND.number))),
        "VCC": ("3V3", Terminal(PICO_BOARD, str(POWER.number))),
        "SCL": ("SCL", _pin(wiring.SCL)),
        "SDA": ("SDA", _pin(wiring.SDA)),
    }
    taken = [*switches]
    if switches and not modules:
        wires.join(*sources["GND"], Terminal(SEAT, "GND"))
    for module in modules:
        rows = {name: own(module, name, taken) for name in module.terminals}
        taken += rows.values()
        for name, row in rows.items():
            wires.join(*sources[name], Terminal(SEAT, row))
    pins = tuple(Pin(pin.number, _role(pin.role), pin.row, pin.column) for pin in PICO)
    pico = Connector(PICO_BOARD, (), pins, inside=True)
    return Plan(f"{title} on a Raspberry Pi Pico", (pico,), (seat,), wires.nets(), tuple(_notes(wiring)))


def _modules(wiring: CupWiring) -> Iterator[Module]:
    if wiring.PANEL is not None:
        yield Module((f"panel {wiring.PANEL}", f"{wiring.PANEL_ADDRESS:#04x}"), _TERMINALS)
    if wiring.ACCELEROMETER is not None:
        yield Module(("LIS3DH", f"{wiring.ACCELEROMETER:#04x}"), _TERMINALS)


def _pin(gpio: int) -> Terminal:
    return Terminal(PICO_BOARD, str(pin_of(gpio).number))


def _role(role: int | str) -> str:
    return f"GP{role}" if isinstance(role, int) else {"ground": "GND"}.get(role, role)


def _notes(wiring: CupWiring) -> Iterator[str]:
    service = pin_of(wiring.SERVICE)
    yield "The Pico from above: its chip towards you, its USB socket on top."
    yield "Any other pin called GND does as well. Nothing here takes 5 V: leave VBUS and VSYS free."
    yield "Go by what is printed on panel and sensor: the order of their pins differs from maker to maker."
    ground = min(GROUNDS, key=lambda pin: (pin.column != service.column, abs(pin.row - service.row))).number
    yield f"To change the program: join pins {service.number} (GP{wiring.SERVICE}) and {ground} while you plug it in."
