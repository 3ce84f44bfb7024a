"""The parts on the left as they look: boards with their pins, and boxes with their terminals."""

from collections.abc import Iterable, Iterator, Mapping

from firmware_host.drawing.wiring.nets import Terminal
from firmware_host.drawing.wiring.parts import Box, Connector, Pin
from firmware_host.drawing.wiring.spots import EDGE, EVEN, LEFT, ODD, STEP, Spots, height_of
from firmware_host.drawing.wiring.svg import INK, PAPER, QUIET, Picture, Point

BOARD, LINE = "#f3f5f1", "#8a8f87"
Colors = Mapping[Terminal, str]
"""What colour the wire at a terminal has."""


def connector(picture: Picture, part: Connector, top: float, spots: Spots) -> None:
    """A board with two rows of pins, which are drawn later: wires run under them."""
    high = height_of(part) - 2 * STEP
    picture.rect((LEFT, top), (EDGE - LEFT, high), radius=10, fill=BOARD, stroke=LINE)
    for index, words in enumerate(part.words):
        bold = "bold" if index == 0 else None
        picture.words((LEFT + 14, top + STEP * (index + 1) + 5), words, font_weight=bold, fill=INK if bold else QUIET)
    places = [spots[Terminal(part.name, str(pin.number))].at for pin in part.pins]
    if part.inside:
        _usb_socket(picture, ((LEFT + EDGE) / 2, top))
    else:
        first, last = min(y for _, y in places), max(y for _, y in places)
        frame = (EVEN - ODD + 28, last - first + 28)
        picture.rect((ODD - 14, first - 14), frame, radius=3, fill="#2b2b2b")
    for name in part.terminals:
        x, y = spots[Terminal(part.name, name)].at
        picture.rect((x - 70, y - 13), (70, 26), fill="#cfd3cc", stroke=LINE)
        picture.words((x - 14, y + 4.5), name, anchor="end")


def _usb_socket(picture: Picture, middle: Point) -> None:
    x, y = middle
    picture.rect((x - 22, y - 10), (44, 24), radius=2, fill="#cfd3cc", stroke=LINE)
    picture.words((x, y + 7), "USB", size=11, anchor="middle")


def pins(picture: Picture, part: Connector, spots: Spots, colors: Colors, labels: float) -> None:
    """A connector's pins over the wires, each with its number and what it is; free ones' words begin at `labels`."""
    for pin in part.pins:
        terminal = Terminal(part.name, str(pin.number))
        x, y = spots[terminal].at
        taken = terminal in colors
        fill, edge = colors.get(terminal, "#e9e9e4"), PAPER if taken else "#9a9a94"
        if pin.number == 1:
            picture.rect((x - 8, y - 8), (16, 16), fill=fill, stroke=edge, stroke_width=1.5)
        told = f"{part.name} {pin.number}"
        radius = 8 if pin.number != 1 else 5.5
        picture.circle((x, y), radius, fill=fill, stroke=edge, stroke_width=1.5, data_terminal=told)
        ink, weight = (INK, "bold") if taken else (QUIET, None)
        if part.inside:
            words, at = f"{pin.number:>2} {pin.role}", (x + 14, y + 4.5)
            if pin.column:
                words, at = f"{pin.role} {pin.number}", (x - 14, y + 4.5)
            picture.words(at, words, anchor="end" if pin.column else "start", fill=ink, font_weight=weight)
        elif pin.column == 0:
            picture.words((x - 20, y + 4.5), f"{pin.role} {pin.number:>2}", anchor="end", fill=ink, font_weight=weight)
        elif not taken:
            picture.words((labels, y - 4.5), _free(pin), fill=ink)
        if not taken and pin.role.startswith("5V"):
            picture.path(f"M{x - 4:g} {y - 4:g}l8 8m0 -8l-8 8", stroke=INK, stroke_width=2)


def free_labels(parts: Iterable[Connector | Box], colors: Colors) -> Iterator[str]:
    """What `pins` writes among the wires, where none leaves."""
    for part in parts:
        if isinstance(part, Connector) and not part.inside:
            for pin in part.pins:
                if pin.column and Terminal(part.name, str(pin.number)) not in colors:
                    yield _free(pin)


def _free(pin: Pin) -> str:
    return f"{pin.number:<2} {pin.role}"


def box(picture: Picture, part: Box, top: float, spots: Spots) -> None:
    """A part on the left; its terminals are drawn later, over the wires."""
    high = height_of(part) - STEP
    picture.rect((LEFT, top), (EDGE - LEFT, high), radius=6, fill=BOARD, stroke=LINE)
    for index, words in enumerate(part.words):
        bold = "bold" if index == 0 else None
        picture.words((LEFT + 14, top + STEP * (index + 1)), words, font_weight=bold, fill=INK if bold else QUIET)
    for name in part.terminals:
        x, y = spots[Terminal(part.name, name)].at
        picture.words((x - 14, y + 4.5), name, anchor="end")


def mark(picture: Picture, terminal: Terminal, at: Point, colors: Colors) -> None:
    """A terminal, in its wire's colour."""
    fill = colors.get(terminal, PAPER)
    named = f"{terminal.part} {terminal.name}"
    picture.circle(at, 5, fill=fill, stroke=INK, stroke_width=1, data_terminal=named)
