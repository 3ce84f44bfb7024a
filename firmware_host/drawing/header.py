"""The Pi's header as it lies on the board, each pin with who hangs on it."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rich.style import Style
from rich.text import Text

from firmware_host.drawing.colors import tag
from hardware.boards.pi_header import EEPROM, HEADER, SCL, SDA, UART, HeaderPin, spi_pins
from hardware.config.layout import Layout, Seat, SpiPanel, TiltSwitch

DIM = Style(dim=True)
_ROOMY = 66  # columns from which "GPIO" is written at every pin


class Hanging(NamedTuple):
    """What hangs on a pin: words for it, how they look, and whether the pin is taken by a seat or a bus."""

    words: str
    style: Style
    taken: bool = True


def pins_of(seat: Seat) -> Iterator[tuple[str, int]]:
    """The switches that a seat has on GPIOs, in the order in which a layout names them."""
    yield from (seat.buttons or {}).items()
    if isinstance(seat.cup, TiltSwitch):
        yield "tilt", seat.cup.pin


def lines_of(seat: Seat) -> Iterator[tuple[str, int]]:
    """The lines of a seat's own that its panel has on GPIOs."""
    if isinstance(seat.panel, SpiPanel):
        yield "dc", seat.panel.dc
        yield "reset", seat.panel.reset


def header(layout: Layout, width: int, *, plain: bool) -> Iterator[Text]:
    """The header, 20 rows of two pins; nothing where a layout needs no pin of it."""
    hanging = _hanging(layout)
    if not any(thing.taken for thing in hanging.values()):
        return
    roomy = width >= _ROOMY
    label = max(len(thing.words) for thing in hanging.values()) + 2
    side = label + (9 if roomy else 4) + 4
    top, edge, bottom = ("+-----+", "|", "+-----+") if plain else ("┌─────┐", "│", "└─────┘")
    yield Text("The Pi's header, its USB ports towards you", "bold")
    yield Text(" " * side + top, DIM)
    for odd, even in zip(HEADER[::2], HEADER[1::2], strict=True):
        left, right = (_cell(pin, hanging[pin.number], label, roomy=roomy) for pin in (odd, even))
        middle = Text.assemble(
            *((edge, DIM), " ", _dot(hanging[odd.number], plain=plain), " "),
            *(_dot(hanging[even.number], plain=plain), " ", (edge, DIM)),
        )
        yield Text.assemble(*left, middle, *reversed(right))
    yield Text(" " * side + bottom, DIM)


def _cell(pin: HeaderPin, thing: Hanging, label: int, *, roomy: bool) -> list[Text]:
    """The words beside a pin, from the outside in: turned round they are those of the other row."""
    gpio = "" if pin.gpio is None else f"GPIO {pin.gpio}" if roomy else str(pin.gpio)
    on_the_left = pin.column == 0
    words = Text(f" {thing.words} " if thing.taken else thing.words, thing.style)
    blank = Text(" " * (label - len(words)))
    outer = Text.assemble(blank, words) if on_the_left else words
    room = 7 if roomy else 2
    number = f"{gpio:>{room}}  {pin.number:>2} " if on_the_left else f" {pin.number:<2}  {gpio:<{room}}"
    inner = Text(f" {number}" if on_the_left else f"{number} ", Style() if pin.gpio is not None else DIM)
    return [outer, inner]


def _dot(thing: Hanging, *, plain: bool) -> Text:
    if thing.taken:
        return Text("*" if plain else "●", Style(color=thing.style.bgcolor))
    return Text("." if plain else "○", DIM)


def _hanging(layout: Layout) -> Mapping[int, Hanging]:
    """What hangs on each pin of the header, by its number there."""
    named: dict[int, Hanging] = {gpio: Hanging("HAT", DIM, taken=False) for gpio in EEPROM}
    if layout.uart:
        named |= {
            gpio: Hanging(f"UART {end}", Style(bold=True)) for gpio, end in zip(UART, ("TXD", "RXD"), strict=True)
        }
    if layout.panel_wires():
        named |= {SDA: Hanging("I2C SDA", Style(bold=True)), SCL: Hanging("I2C SCL", Style(bold=True))}
    for bus, panels in layout.spi_panels().items():
        pins = spi_pins(bus, [panel.select for panel in panels])
        named |= {gpio: Hanging(name, Style(bold=True)) for gpio, name in pins.items()}
    for seat in layout.seats:
        hung = (*pins_of(seat), *lines_of(seat))
        named |= {gpio: Hanging(f"{seat.name} {what}", tag(seat.color)) for what, gpio in hung}
    free = Hanging("free", DIM, taken=False)
    return {
        pin.number: named.get(pin.gpio, free)
        if pin.gpio is not None
        else Hanging(str(pin.role), Style(bold=pin.role == "ground", dim=pin.role != "ground"), taken=False)
        for pin in HEADER
    }
