"""The look of components: boards with their pins and boxes on the left, seats with their symbols on the right."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from hardware.config.layout_schema import COLORS
from hardware.drawing.wiring.netlist import WIRE_STYLES, Connector, ConnectorPin, PartBox, SeatBox, SeatModule, Terminal
from hardware.drawing.wiring.routing import EDGE, EVEN, LEFT, ODD, STEP, Placements, height_of
from hardware.drawing.wiring.svg import INK, PAPER, QUIET, Point, Svg, text_width

BOARD, OUTLINE = "#f3f5f1", "#8a8f87"
_METAL, _HEADER, _FREE_PIN, _FREE_EDGE = "#cfd3cc", "#2b2b2b", "#e9e9e4", "#9a9a94"
_SEAT, _MODULE = "#fafafa", "#e4e9ee"
Colors = Mapping[Terminal, str]
"""Wire colour at each wired terminal."""


# Components on the left


def draw_board(svg: Svg, connector: Connector, top: float, positions: Placements) -> None:
    """Draw a connector's board without its pins, which come later: wires run under them."""
    svg.rect((LEFT, top), (EDGE - LEFT, height_of(connector) - 2 * STEP), radius=10, fill=BOARD, stroke=OUTLINE)
    _draw_caption(svg, connector.caption, top + STEP + 5)
    pins = [positions[Terminal(connector.name, str(pin.number))].at for pin in connector.pins]
    if connector.pins_at_edges:
        _draw_usb_socket(svg, ((LEFT + EDGE) / 2, top))
    else:
        first, last = min(y for _, y in pins), max(y for _, y in pins)
        svg.rect((ODD - 14, first - 14), (EVEN - ODD + 28, last - first + 28), radius=3, fill=_HEADER)
    for name in connector.terminals:
        x, y = positions[Terminal(connector.name, name)].at
        svg.rect((x - 70, y - 13), (70, 26), fill=_METAL, stroke=OUTLINE)
        svg.text((x - 14, y + 4.5), name, anchor="end")


def _draw_usb_socket(svg: Svg, at: Point) -> None:
    x, y = at
    svg.rect((x - 22, y - 10), (44, 24), radius=2, fill=_METAL, stroke=OUTLINE)
    svg.text((x, y + 7), "USB", size=11, anchor="middle")


def _draw_caption(svg: Svg, caption: tuple[str, ...], first: float) -> None:
    for index, line in enumerate(caption):
        weight, ink = ("bold", INK) if index == 0 else (None, QUIET)
        svg.text((LEFT + 14, first + STEP * index), line, font_weight=weight, fill=ink)


def draw_pins(svg: Svg, connector: Connector, positions: Placements, colors: Colors, labels_left: float) -> None:
    """Draw a connector's pins over the wires, each with its number and label.

    Free pins' labels in the right column begin at `labels_left`, in line with the wire labels.
    """
    for pin in connector.pins:
        terminal = Terminal(connector.name, str(pin.number))
        x, y = positions[terminal].at
        is_wired = terminal in colors
        fill, edge = colors.get(terminal, _FREE_PIN), PAPER if is_wired else _FREE_EDGE
        if pin.number == 1:  # boards mark it by a square pad
            svg.rect((x - 8, y - 8), (16, 16), fill=fill, stroke=edge, stroke_width=1.5)
        radius = 8 if pin.number != 1 else 5.5
        name = f"{connector.name} {pin.number}"
        svg.circle((x, y), radius, fill=fill, stroke=edge, stroke_width=1.5, data_terminal=name)
        ink, weight = (INK, "bold") if is_wired else (QUIET, None)
        if connector.pins_at_edges:
            text, at = f"{pin.number:>2} {pin.label}", (x + 14, y + 4.5)
            if pin.column:
                text, at = f"{pin.label} {pin.number}", (x - 14, y + 4.5)
            svg.text(at, text, anchor="end" if pin.column else "start", fill=ink, font_weight=weight)
        elif pin.column == 0:
            svg.text((x - 20, y + 4.5), f"{pin.label} {pin.number:>2}", anchor="end", fill=ink, font_weight=weight)
        elif not is_wired:
            svg.text((labels_left, y - 4.5), _free_pin_label(pin), fill=ink)
        if not is_wired and pin.label.startswith("5V"):
            svg.path(f"M{x - 4:g} {y - 4:g}l8 8m0 -8l-8 8", stroke=INK, stroke_width=2)


def free_pin_labels(components: Iterable[Connector | PartBox], colors: Colors) -> Iterator[str]:
    """Yield the labels that `draw_pins` writes among the wires: those of free pins in the right column."""
    for component in components:
        if isinstance(component, Connector) and not component.pins_at_edges:
            for pin in component.pins:
                if pin.column and Terminal(component.name, str(pin.number)) not in colors:
                    yield _free_pin_label(pin)


def _free_pin_label(pin: ConnectorPin) -> str:
    return f"{pin.number:<2} {pin.label}"


def draw_box(svg: Svg, box: PartBox, top: float, positions: Placements) -> None:
    """Draw a box and the names of its terminals; the terminals come later, over the wires."""
    svg.rect((LEFT, top), (EDGE - LEFT, height_of(box) - STEP), radius=6, fill=BOARD, stroke=OUTLINE)
    _draw_caption(svg, box.caption, top + STEP)
    for name in box.terminals:
        x, y = positions[Terminal(box.name, name)].at
        svg.text((x - 14, y + 4.5), name, anchor="end")


def draw_terminal(svg: Svg, terminal: Terminal, at: Point, colors: Colors) -> None:
    """Draw a terminal in its wire's colour."""
    name = f"{terminal.component} {terminal.name}"
    svg.circle(at, 5, fill=colors.get(terminal, PAPER), stroke=INK, stroke_width=1, data_terminal=name)


def draw_wire(svg: Svg, kind: str, d: str) -> None:
    """Draw a wire with a paper margin, so that it visibly passes over others."""
    style = WIRE_STYLES[kind]
    svg.path(d, stroke=PAPER, stroke_width=style.width + 3.6)
    svg.path(d, stroke=style.color, stroke_width=style.width, stroke_dasharray=style.dashes or None)
    if style.hollow:
        svg.path(d, stroke=PAPER, stroke_width=style.width / 3)


# Symbols of circuit diagrams

SYMBOL_WIDTH = 74.0
"""Pixels from a symbol's left end to the modules' left edge."""


def draw_button(svg: Svg, left: float, right: float, y: float) -> None:
    """Draw a push button, open: two contacts with a bridge above them."""
    one, other = left + 18, left + 38
    svg.path(f"M{left:g} {y:g}H{one:g}M{other:g} {y:g}H{right:g}", stroke=INK, stroke_width=1.6)
    svg.path(f"M{one - 2:g} {y - 5:g}H{other + 2:g}M{(one + other) / 2:g} {y - 5:g}v-3", stroke=INK, stroke_width=1.6)
    for x in (one, other):
        svg.circle((x, y), 2.4, fill=PAPER, stroke=INK)


def draw_tilt_switch(svg: Svg, left: float, right: float, y: float) -> None:
    """Draw a tilt switch: a tube with a ball."""
    one, other = left + 12, left + 44
    svg.path(f"M{left:g} {y:g}H{one:g}M{other:g} {y:g}H{right:g}", stroke=INK, stroke_width=1.6)
    svg.rect((one, y - 6), (other - one, 12), radius=6, fill=PAPER, stroke=INK, stroke_width=1.4)
    svg.circle((one + 8, y), 3.6, fill=INK)


def draw_light(svg: Svg, left: float, right: float, y: float) -> None:
    """Draw a light-emitting diode behind its resistor."""
    resistor, diode = left + 5, left + 34
    wires = ((left, resistor), (resistor + 19, diode), (diode + 10, right))
    svg.path("".join(f"M{a:g} {y:g}H{b:g}" for a, b in wires), stroke=INK, stroke_width=1.6)
    svg.rect((resistor, y - 4), (19, 8), fill=PAPER, stroke=INK, stroke_width=1.4)
    triangle = f"M{diode:g} {y - 5:g}L{diode + 10:g} {y:g}L{diode:g} {y + 5:g}ZM{diode + 10:g} {y - 5:g}v10"
    svg.path(triangle, stroke=INK, stroke_width=1.6)


_SYMBOLS: Mapping[str, Callable[[Svg, float, float, float], None]] = {"tilt": draw_tilt_switch, "light": draw_light}
"""Symbols for switches other than buttons."""


# Seats


class SeatPainter:
    """A seat painter, with the columns shared by all seats: terminals, wire sources, symbols, modules."""

    def __init__(self, seats: tuple[SeatBox, ...], sources: Mapping[Terminal, str], left: float) -> None:
        """`sources` has the source of each terminal's wire; `left` is all seats' left edge."""
        self._sources = sources
        self._left = left
        names = max((text_width(name) for seat in seats for name in seat.terminals), default=0)
        self._sources_left = left + 14 + names + 16
        self._symbols_left = self._sources_left + max(map(text_width, sources.values()), default=0) + 14
        self._modules_left = self._symbols_left + SYMBOL_WIDTH
        captions = (line for seat in seats for module in (*seat.modules, *seat.plugs) for line in module.caption)
        titles = max(left + 14 + text_width(seat.title, 15) + 30 for seat in seats)
        self.right = max(self._modules_left + 24 + max(map(text_width, captions), default=60), titles)

    def draw(self, svg: Svg, seat: SeatBox, top: float, positions: Placements, colors: Colors) -> None:
        """Draw a seat whose upper edge is at `top`."""
        left, size = self._left, (self.right - self._left, height_of(seat) - 10)
        svg.rect((left, top), size, radius=8, fill=_SEAT)
        svg.rect((left, top), size, radius=8, fill="none", stroke=OUTLINE)
        if seat.color is not None:
            svg.rect((left + 14, top + 10), (16, 16), fill=COLORS.get(seat.color, seat.color), stroke=INK)
        svg.text((left + (40 if seat.color else 14), top + 24), seat.title, size=15, font_weight="bold")
        heights = {name: positions[Terminal(seat.name, name)].at[1] for name in seat.terminals}
        self._draw_switches(svg, seat, heights)
        for module, names in seat.module_terminals():
            self._draw_module(svg, module, [heights[name] for name in names])
        for name, y in heights.items():
            terminal = Terminal(seat.name, name)
            svg.text((left + 14, y + 4.5), name, font_weight="bold")
            svg.text((self._sources_left, y + 4.5), self._sources.get(terminal, ""), fill=QUIET)
            draw_terminal(svg, terminal, (left, y), colors)

    def _draw_switches(self, svg: Svg, seat: SeatBox, heights: Mapping[str, float]) -> None:
        """Draw each switch's symbol and their common wire to GND."""
        if not seat.switches:
            return
        common = self._modules_left - 12
        ground = heights["GND"]
        for name in seat.switches:
            _SYMBOLS.get(name, draw_button)(svg, self._symbols_left, common, heights[name])
        rows = [*(heights[name] for name in seat.switches), ground]
        svg.path(f"M{common:g} {rows[0]:g}V{ground:g}", stroke=INK, stroke_width=1.6)
        if not seat.modules:
            svg.path(f"M{self._symbols_left:g} {ground:g}H{common:g}", stroke=INK, stroke_width=1.6)
        for y in rows[1:]:
            svg.circle((common, y), 3, fill=INK)

    def _draw_module(self, svg: Svg, module: SeatModule, rows: list[float]) -> None:
        left, right = self._modules_left, self.right - 12
        top, height = rows[0] - 8, rows[-1] - rows[0] + 16
        for y in rows:
            svg.path(f"M{self._symbols_left:g} {y:g}H{left:g}", stroke=INK, stroke_width=1.6)
        svg.rect((left, top), (right - left, height), radius=4, fill=_MODULE, stroke=OUTLINE)
        for index, line in enumerate(module.caption):
            weight = "bold" if index == 0 else None
            svg.text((left + 10, top + STEP * (index + 1) - 5.5), line, font_weight=weight)
