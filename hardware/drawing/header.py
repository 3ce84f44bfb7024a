"""The Pi's header as it lies on the board, with each pin's use in a layout."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rich.style import Style
from rich.text import Text

from hardware.boards import BoardPin
from hardware.boards.pi_header import EEPROM, HEADER, I2C, UART, spi_pins
from hardware.config.layout import Layout, LayoutSeat, SpiDisplay, TiltSwitch
from hardware.config.layout_schema import COLORS

DIM = Style(dim=True)
_LONG_FORM_WIDTH = 66  # columns from which "GPIO" is written at every pin


class HeaderPinUse(NamedTuple):
    """A pin's use: its label and style, and whether a seat or a bus has the pin."""

    label: str
    style: Style
    is_taken: bool = True


def tag_style(color: str) -> Style:
    """Return the style of a coloured tag in a layout's colour, with legible text."""
    background = COLORS.get(color, color)
    red, green, blue = (int(background[at : at + 2], 16) for at in (1, 3, 5))
    luma = 0.299 * red + 0.587 * green + 0.114 * blue  # ITU-R BT.601
    return Style(color="#000000" if luma > 120 else "#ffffff", bgcolor=background)


def switch_pins(seat: LayoutSeat) -> Iterator[tuple[str, int]]:
    """Yield name and GPIO for a seat's switches, in layout file order."""
    yield from (seat.buttons or {}).items()
    if isinstance(seat.cup, TiltSwitch):
        yield "tilt", seat.cup.pin


def display_pins(seat: LayoutSeat) -> Iterator[tuple[str, int]]:
    """Yield name and GPIO for the pins exclusive to a seat's panel."""
    if isinstance(seat.display, SpiDisplay):
        yield "dc", seat.display.dc
        yield "reset", seat.display.reset


def header_lines(layout: Layout, width: int, *, plain: bool) -> Iterator[Text]:
    """Yield the header as 20 rows with two pins each; empty for a layout without pins."""
    uses = _pin_uses(layout)
    if not any(use.is_taken for use in uses.values()):
        return
    long_form = width >= _LONG_FORM_WIDTH
    label_width = max(len(use.label) for use in uses.values()) + 2
    indent = label_width + (9 if long_form else 4) + 4
    top, edge, bottom = ("+-----+", "|", "+-----+") if plain else ("┌─────┐", "│", "└─────┘")
    yield Text("The Pi's header, its USB ports towards you", "bold")
    yield Text(" " * indent + top, DIM)
    for odd, even in zip(HEADER[::2], HEADER[1::2], strict=True):
        left, right = (_cell(pin, uses[pin.number], label_width, long_form=long_form) for pin in (odd, even))
        middle = Text.assemble(
            *((edge, DIM), " ", _dot(uses[odd.number], plain=plain), " "),
            *(_dot(uses[even.number], plain=plain), " ", (edge, DIM)),
        )
        yield Text.assemble(*left, middle, *reversed(right))
    yield Text(" " * indent + bottom, DIM)


def _cell(pin: BoardPin, use: HeaderPinUse, label_width: int, *, long_form: bool) -> list[Text]:
    """Return a pin's label and numbers for the left column; reverse them for the right one."""
    gpio = "" if pin.gpio is None else f"GPIO {pin.gpio}" if long_form else str(pin.gpio)
    is_left = pin.column == 0
    label = Text(f" {use.label} " if use.is_taken else use.label, use.style)
    padding = Text(" " * (label_width - len(label)))
    outer = Text.assemble(padding, label) if is_left else label
    gpio_width = 7 if long_form else 2
    number = f"{gpio:>{gpio_width}}  {pin.number:>2} " if is_left else f" {pin.number:<2}  {gpio:<{gpio_width}}"
    inner = Text(f" {number}" if is_left else f"{number} ", Style() if pin.gpio is not None else DIM)
    return [outer, inner]


def _dot(use: HeaderPinUse, *, plain: bool) -> Text:
    if use.is_taken:
        return Text("*" if plain else "●", Style(color=use.style.bgcolor))
    return Text("." if plain else "○", DIM)


def _pin_uses(layout: Layout) -> Mapping[int, HeaderPinUse]:
    """Return each header pin's use, by pin number."""
    by_gpio: dict[int, HeaderPinUse] = {gpio: HeaderPinUse("HAT", DIM, is_taken=False) for gpio in EEPROM}
    if layout.uart:
        by_gpio |= {
            gpio: HeaderPinUse(f"UART {end}", Style(bold=True)) for gpio, end in zip(UART, ("TXD", "RXD"), strict=True)
        }
    for bus in layout.header_buses():
        by_gpio |= {
            gpio: HeaderPinUse(f"I2C{bus} {line}", Style(bold=True))
            for gpio, line in zip(I2C[bus], ("SDA", "SCL"), strict=True)
        }
    for bus, panels in layout.spi_displays().items():
        pins = spi_pins(bus, [panel.select for panel in panels])
        by_gpio |= {gpio: HeaderPinUse(name, Style(bold=True)) for gpio, name in pins.items()}
    for seat in layout.seats:
        pins_of_seat = (*switch_pins(seat), *display_pins(seat))
        by_gpio |= {gpio: HeaderPinUse(f"{seat.name} {name}", tag_style(seat.color)) for name, gpio in pins_of_seat}
    free = HeaderPinUse("free", DIM, is_taken=False)
    return {
        pin.number: by_gpio.get(pin.gpio, free)
        if pin.gpio is not None
        else HeaderPinUse(str(pin.role), Style(bold=pin.role == "ground", dim=pin.role != "ground"), is_taken=False)
        for pin in HEADER
    }
