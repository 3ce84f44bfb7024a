"""A wiring diagram's sheet: components on the left, seats on the right, every net in a lane between them."""

from collections.abc import Sequence

from hardware.drawing.wiring import components
from hardware.drawing.wiring.netlist import RAILS, WIRE_STYLES, Connector, Diagram, Net, PartBox, SeatBox, Terminal
from hardware.drawing.wiring.routing import (
    EDGE,
    LEFT,
    STEP,
    NetHeights,
    Placements,
    height_of,
    lane_order,
    positions_of,
    rounded_path,
)
from hardware.drawing.wiring.svg import INK, QUIET, Point, Svg, text_width

_TOP = 4 * STEP
_LANE_PITCH = 9.0  # pixels from lane to lane
_LABELS_LEFT = EDGE + 16
_SAMPLE_WIDTH = 48.0  # pixels; a legend wire's length


def render_svg(diagram: Diagram) -> str:
    """Return a diagram as an SVG file's text."""
    return _Sheet(diagram).render()


class _Sheet:
    """A diagram with its components and nets in position."""

    def __init__(self, diagram: Diagram) -> None:
        self._diagram = diagram
        self._svg = Svg()
        # With one seat its title would only lengthen every label.
        has_many_seats = len(diagram.seats) > 1
        self._prefixes = {seat.name: f"{seat.title} " if has_many_seats else "" for seat in diagram.seats}
        self._labels = {net: self._label(net) for net in diagram.nets}
        self._colors = {end: WIRE_STYLES[net.kind].color for net in diagram.nets for end in net.ends}
        labels = [*self._labels.values(), *components.free_pin_labels(diagram.left, self._colors)]
        self._first_lane = float(round(_LABELS_LEFT + max(map(text_width, labels), default=0) + 14))
        self._seats_left = self._first_lane + _LANE_PITCH * len(diagram.nets) + 14
        self._positions: Placements = {}
        self._tops: dict[str, float] = {}
        self._bottom = max(self._place(diagram.left), self._place(diagram.seats))

    def render(self) -> str:
        """Draw everything, later things over earlier ones, and return the file's text."""
        diagram, svg = self._diagram, self._svg
        svg.text((LEFT, 2 * STEP), diagram.title, size=20, font_weight="bold")
        for part in diagram.left:
            if isinstance(part, Connector):
                components.draw_board(svg, part, self._tops[part.name], self._positions)
            else:
                components.draw_box(svg, part, self._tops[part.name], self._positions)
        for net, lane in self._lanes():
            self._draw_net(net, lane)
        for part in diagram.left:
            if isinstance(part, Connector):
                components.draw_pins(svg, part, self._positions, self._colors, _LABELS_LEFT)
            for name in part.terminals:
                terminal = Terminal(part.name, name)
                components.draw_terminal(svg, terminal, self._positions[terminal].at, self._colors)
        for net in diagram.nets:
            svg.text((_LABELS_LEFT, self._positions[net.ends[0]].wire_y - 4.5), self._labels[net])
        sources = {end: self._source(net) for net in diagram.nets for end in net.ends[1:]}
        painter = components.SeatPainter(diagram.seats, sources, self._seats_left)
        for seat in diagram.seats:
            painter.draw(svg, seat, self._tops[seat.name], self._positions, self._colors)
        right, bottom = self._draw_legend(max(painter.right, LEFT + text_width(diagram.title, 20)))
        return svg.document((right + LEFT, bottom + STEP), diagram.title)

    def _place(self, column: Sequence[Connector | PartBox | SeatBox]) -> float:
        """Place components one below the other; return where the last one ends."""
        y = _TOP
        for component in column:
            self._tops[component.name] = y
            self._positions |= positions_of(component, y, self._seats_left)
            y += height_of(component)
        return y

    def _name(self, end: Terminal) -> str:
        return f"{self._prefixes.get(end.component, end.component + ' ')}{end.name}"

    def _label(self, net: Net) -> str:
        """Return the label at a net's source: the wire's end, or the rail's name."""
        pin = f"{net.ends[0].name:<2} " if net.ends[0].name.isdecimal() else ""
        return pin + (net.kind if len(net.ends) > 2 or net.kind in RAILS else self._name(net.ends[1]))

    def _source(self, net: Net) -> str:
        """Return the text at a net's other ends: the wire's source."""
        source = net.ends[0]
        return f"pin {source.name}" if source.name.isdecimal() else f"{source.component} {source.name}"

    def _lanes(self) -> list[tuple[Net, float]]:
        """Return every net with its lane's position, from the left."""

        def heights(net: Net) -> NetHeights:
            ends = [self._positions[end] for end in net.ends]
            left = tuple(end.wire_y for end in ends if end.is_left)
            return NetHeights(left, tuple(end.wire_y for end in ends if not end.is_left))

        order = lane_order([heights(net) for net in self._diagram.nets])
        return [(self._diagram.nets[index], self._first_lane + _LANE_PITCH * lane) for lane, index in enumerate(order)]

    def _draw_net(self, net: Net, lane: float) -> None:
        title = f"{self._name(net.ends[0])} to {', '.join(map(self._name, net.ends[1:]))}"
        self._svg.begin_group(title, data_wire=net.kind)
        if len(net.ends) == 2:
            start, end = (self._to_lane(end, lane) for end in net.ends)
            components.draw_wire(self._svg, net.kind, rounded_path([*start, *reversed(end)]))
        else:
            self._draw_rail(net, lane)
        self._svg.end_group()

    def _draw_rail(self, net: Net, lane: float) -> None:
        """Draw the taps, then the lane over them, then a dot where a tap meets the lane."""
        heights = [self._positions[end].wire_y for end in net.ends]
        top, bottom = min(heights), max(heights)
        for end, y in zip(net.ends, heights, strict=True):
            way = self._to_lane(end, lane)
            if y in (top, bottom):  # the ends of the lane are bends, not taps
                way.append((lane, y + (8 if y == top else -8)))
            components.draw_wire(self._svg, net.kind, rounded_path(way))
        components.draw_wire(self._svg, net.kind, f"M{lane:g} {top + 4:g}V{bottom - 4:g}")
        style = WIRE_STYLES[net.kind]
        for y in sorted(heights)[1:-1]:
            self._svg.circle((lane, y), style.width / 2 + 2, fill=style.color)

    def _to_lane(self, end: Terminal, lane: float) -> list[Point]:
        """Return the points from a terminal to its lane; a wire from the left pins passes between two right ones."""
        position = self._positions[end]
        x, y = position.at
        slope = [] if position.wire_y == y else [(x + position.wire_y - y, position.wire_y)]
        return [position.at, *slope, (lane, position.wire_y)]

    def _draw_legend(self, right: float) -> tuple[float, float]:
        """Draw the wire legend and the notes; return the content's right and lower end."""
        y = self._bottom + STEP
        kinds = dict.fromkeys(net.kind for net in self._diagram.nets)
        column = _SAMPLE_WIDTH + max((text_width(WIRE_STYLES[kind].label) for kind in kinds), default=0) + 30
        columns = max(1, int((right - LEFT) // column))
        for index, kind in enumerate(kinds):
            x, line = LEFT + column * (index % columns), y + STEP * (index // columns)
            components.draw_wire(self._svg, kind, f"M{x:g} {line:g}h{_SAMPLE_WIDTH:g}")
            self._svg.text((x + _SAMPLE_WIDTH + 10, line + 4.5), WIRE_STYLES[kind].label, fill=INK)
        y += STEP * (-(-len(kinds) // columns) + 1)
        for note in self._diagram.notes:
            self._svg.text((LEFT, y), note, fill=QUIET)
            y += STEP
        return max([right, *(LEFT + text_width(note) for note in self._diagram.notes)]), y
