"""A plan of wires laid out on a sheet: parts on the left, seats on the right, every wire in a lane between them."""

from collections.abc import Sequence

from firmware_host.drawing.wiring import left_side
from firmware_host.drawing.wiring.lanes import Reach, bent, ordered
from firmware_host.drawing.wiring.nets import LOOKS, RAILS, Net, Terminal
from firmware_host.drawing.wiring.parts import Box, Connector, Plan, Seat
from firmware_host.drawing.wiring.right_side import SeatFace
from firmware_host.drawing.wiring.spots import EDGE, LEFT, STEP, Spots, height_of, spots_of
from firmware_host.drawing.wiring.svg import INK, PAPER, QUIET, Picture, Point, width_of

_TOP = 4 * STEP
_LANE = 9.0  # pixels from lane to lane
_LABELS = EDGE + 16
_SAMPLE = 48.0  # pixels of a wire in the legend


def svg_of(plan: Plan) -> str:
    """The plan as the text of an SVG file."""
    return _Sheet(plan).text()


class _Sheet:
    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._picture = Picture()
        many = len(plan.seats) > 1
        self._titles = {seat.name: f"{seat.title} " if many else "" for seat in plan.seats}
        self._labels = {net: self._label(net) for net in plan.nets}
        self._colors = {end: LOOKS[net.kind].color for net in plan.nets for end in net.ends}
        beside = [*self._labels.values(), *left_side.free_labels(plan.left, self._colors)]
        self._first_lane = float(round(_LABELS + max(map(width_of, beside), default=0) + 14))
        self._seats_left = self._first_lane + _LANE * len(plan.nets) + 14
        self._spots: Spots = {}
        self._tops: dict[str, float] = {}
        self._bottom = max(self._stack(plan.left), self._stack(plan.seats))

    def text(self) -> str:
        plan, picture = self._plan, self._picture
        sources = {end: self._source(net, end) for net in plan.nets for end in net.ends[1:]}
        face = SeatFace(plan.seats, sources, self._seats_left)
        picture.words((LEFT, 2 * STEP), plan.title, size=20, font_weight="bold")
        for part in plan.left:
            if isinstance(part, Connector):
                left_side.connector(picture, part, self._tops[part.name], self._spots)
            else:
                left_side.box(picture, part, self._tops[part.name], self._spots)
        for net, lane in self._lanes():
            self._wire(net, lane)
        for part in plan.left:
            if isinstance(part, Connector):
                left_side.pins(picture, part, self._spots, self._colors, _LABELS)
            for name in part.terminals:
                terminal = Terminal(part.name, name)
                left_side.mark(picture, terminal, self._spots[terminal].at, self._colors)
        for net in plan.nets:
            picture.words((_LABELS, self._spots[net.ends[0]].leaves - 4.5), self._labels[net])
        for seat in plan.seats:
            face.draw(picture, seat, self._tops[seat.name], self._spots, self._colors)
        bottom, right = self._legend(max(face.right, LEFT + width_of(plan.title, 20)))
        return picture.text((right + LEFT, bottom + STEP), plan.title)

    def _stack(self, parts: Sequence[Connector | Box | Seat]) -> float:
        y = _TOP
        for part in parts:
            self._tops[part.name] = y
            self._spots |= spots_of(part, y, self._seats_left)
            y += height_of(part)
        return y

    def _name(self, end: Terminal) -> str:
        return f"{self._titles.get(end.part, end.part + ' ')}{end.name}"

    def _label(self, net: Net) -> str:
        """What is written along a wire on its left: where it goes, or what rail it is."""
        source = f"{net.ends[0].name:<2} " if net.ends[0].name.isdecimal() else ""
        return source + (net.kind if len(net.ends) > 2 or net.kind in RAILS else self._name(net.ends[1]))

    def _source(self, net: Net, end: Terminal) -> str:
        """What is written beside a wire's other end: where it comes from."""
        source = net.ends[0]
        return f"pin {source.name}" if source.name.isdecimal() else f"{source.part} {source.name}"

    def _lanes(self) -> list[tuple[Net, float]]:
        def reach(net: Net) -> Reach:
            spots = [self._spots[end] for end in net.ends]
            left = tuple(spot.leaves for spot in spots if spot.to_the_right)
            return Reach(left, tuple(spot.leaves for spot in spots if not spot.to_the_right))

        order = ordered([reach(net) for net in self._plan.nets])
        return [(self._plan.nets[index], self._first_lane + _LANE * lane) for lane, index in enumerate(order)]

    def _wire(self, net: Net, lane: float) -> None:
        look = LOOKS[net.kind]
        self._picture.begin(
            f"{self._name(net.ends[0])} to {', '.join(map(self._name, net.ends[1:]))}", data_wire=net.kind
        )
        heights = [self._spots[end].leaves for end in net.ends]
        if len(net.ends) == 2:
            self._stroke(net.kind, bent([*self._way(net.ends[0], lane), *reversed(self._way(net.ends[1], lane))]))
        else:
            for end in net.ends:
                y = self._spots[end].leaves
                into = min(heights) if y > min(heights) else max(heights)
                corner = y in (min(heights), max(heights))
                way = [*self._way(end, lane), (lane, y + (8 if into > y else -8))] if corner else self._way(end, lane)
                self._stroke(net.kind, bent(way))
            self._stroke(net.kind, f"M{lane:g} {min(heights) + 4:g}V{max(heights) - 4:g}")
            for y in sorted(heights)[1:-1]:
                self._picture.circle((lane, y), look.width / 2 + 2, fill=look.color)
        self._picture.end()

    def _way(self, end: Terminal, lane: float) -> list[Point]:
        """From a terminal level to its lane; a pin behind another row first passes between two of that."""
        spot = self._spots[end]
        start = [] if spot.leaves == spot.at[1] else [(spot.at[0] + spot.leaves - spot.at[1], spot.leaves)]
        return [spot.at, *start, (lane, spot.leaves)]

    def _stroke(self, kind: str, d: str) -> None:
        look = LOOKS[kind]
        self._picture.path(d, stroke=PAPER, stroke_width=look.width + 3.6)
        self._picture.path(d, stroke=look.color, stroke_width=look.width, stroke_dasharray=look.dashes or None)
        if look.hollow:
            self._picture.path(d, stroke=PAPER, stroke_width=look.width / 3)

    def _legend(self, right: float) -> tuple[float, float]:
        """Draw which look is which wire, and the notes; return where they end, downwards and to the right."""
        y = self._bottom + STEP
        kinds = dict.fromkeys(net.kind for net in self._plan.nets)
        column = _SAMPLE + max((width_of(LOOKS[kind].words) for kind in kinds), default=0) + 30
        columns = max(1, int((right - LEFT) // column))
        for index, kind in enumerate(kinds):
            x, line = LEFT + column * (index % columns), y + STEP * (index // columns)
            self._stroke(kind, f"M{x:g} {line:g}h{_SAMPLE:g}")
            self._picture.words((x + _SAMPLE + 10, line + 4.5), LOOKS[kind].words, fill=INK)
        y += STEP * (-(-len(kinds) // columns) + 1)
        for note in self._plan.notes:
            self._picture.words((LEFT, y), note, fill=QUIET)
            y += STEP
        return y, max([right, *(LEFT + width_of(note) for note in self._plan.notes)])
