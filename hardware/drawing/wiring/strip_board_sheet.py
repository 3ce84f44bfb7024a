"""A strip-board's sheet: the component side with every lead, the cuts seen from the copper side, and the steps."""

from collections.abc import Iterator, Sequence

from hardware.boards.pico_pins import PICO, POWER
from hardware.drawing.wiring.components import draw_wire
from hardware.drawing.wiring.netlist import WIRE_STYLES, Diagram
from hardware.drawing.wiring.seat_board import GROUND, PICO_BOARD, pin_label
from hardware.drawing.wiring.strip_board import (
    COLUMNS,
    PICO_ROWS,
    PITCH_MM,
    ROWS,
    SCREWS,
    SOCKETS,
    Hole,
    Lead,
    Resistor,
    StripBoard,
    pin_hole,
    strip_board,
)
from hardware.drawing.wiring.svg import INK, PAPER, QUIET, Anchor, Attribute, Point, Svg, text_width

_PITCH, _COPPER_PITCH = 24.0, 12.0  # pixels from hole to hole on the two sides
_MARGIN, _TOP = 24.0, 126.0
_LINE = 18.0  # pixels from label to label, and from line to line of text
_FAN = 8.0  # pixels between the wires from one strip
_BEND = 44.0  # pixels from the board to the labels
_BOARD, _EDGE, _COPPER, _HOLE, _SOCKET = "#f6efdf", "#b9a983", "#e3b88f", "#8a6a48", "#3a3a3a"
_CUT, _RESISTOR = "#c1121f", "#d9c8a0"


def render_strip_board(diagram: Diagram) -> str:
    """Return a seat board's strip-board as an SVG file's text."""
    return _StripBoardSheet(diagram).render()


class _StripBoardSheet:
    """A strip-board with its positions on the sheet."""

    def __init__(self, diagram: Diagram) -> None:
        self._diagram = diagram
        self._board: StripBoard = strip_board(diagram)
        self._svg = Svg()
        left, right = ([lead for lead in self._board.leads if lead.is_right is side] for side in (False, True))
        self._left = float(round(_MARGIN + self._labels_width(left)))
        self._right = self._left + (COLUMNS + 1) * _PITCH
        self._right_end = self._right + self._labels_width(right)

    def render(self) -> str:
        """Draw everything, later things over earlier ones, and return the file's text."""
        svg, title = self._svg, f"{self._diagram.title.removesuffix(f' on a {PICO_BOARD}')} on strip-board"
        svg.text((_MARGIN, 36), title, size=20, font_weight="bold")
        svg.text((_MARGIN, 62), "Component side: the parts towards you, the copper below", font_weight="bold")
        self._draw_board()
        self._draw_pico()
        if self._board.resistor:
            self._draw_resistor(self._board.resistor)
        for is_right in (False, True):
            self._draw_leads(is_right)
        top = _TOP + ROWS * _PITCH + 54
        copper = self._draw_copper_side(top)
        steps = self._draw_steps((copper[0] + 40, top))
        right, bottom = max(self._right_end, steps[0]), max(copper[1], steps[1])
        return svg.document((right + _MARGIN, bottom + _MARGIN), title)

    def _labels_width(self, leads: Sequence[Lead]) -> float:
        return _BEND + 16 + max((text_width(_label(lead)) for lead in leads), default=0)

    def _at(self, hole: Hole) -> Point:
        return self._left + hole.column * _PITCH, _TOP + (hole.row - 0.5) * _PITCH

    def _draw_board(self) -> None:
        """Draw the board with its strips, cuts and holes, and name its rows and columns."""
        svg = self._svg
        svg.rect((self._left, _TOP), (self._right - self._left, ROWS * _PITCH), radius=4, fill=_BOARD, stroke=_EDGE)
        for row in range(1, ROWS + 1):
            x, y = self._at(Hole(row, 1))
            svg.rect((x - 9, y - 7), ((COLUMNS - 1) * _PITCH + 18, 14), radius=3, fill=_COPPER, data_strip=row)
        labelled = {lead.hole.row for lead in self._board.leads if not lead.is_right}
        for hole in self._board.cuts:
            self._draw_cut(self._at(hole), 14.6, 4.5, data_cut=str(hole))
        for row in range(1, ROWS + 1):
            for column in range(1, COLUMNS + 1):
                is_below_pico = SOCKETS[0] < column < SOCKETS[1] and row <= PICO_ROWS
                if not is_below_pico and Hole(row, column) not in self._board.cuts:
                    svg.circle(self._at(Hole(row, column)), 2.2, fill=_HOLE)
            if row not in labelled:
                svg.text((self._left - 8, self._at(Hole(row, 1))[1] + 4.5), str(row), anchor="end", fill=QUIET)
        for hole in SCREWS:
            svg.circle(self._at(hole), 13, fill=PAPER, stroke=_EDGE, stroke_width=1.5)
            svg.text((self._at(hole)[0], self._at(hole)[1] + 4.5), "⌀3", size=11, anchor="middle", fill=QUIET)
        for column in range(1, COLUMNS + 1):
            svg.text((self._at(Hole(1, column))[0], _TOP - 22), str(Hole(1, column))[0], anchor="middle", fill=QUIET)

    def _draw_cut(self, at: Point, height: float, arm: float, **mark: Attribute) -> None:
        x, y = at
        self._svg.rect((x - arm - 1.5, y - height / 2), (2 * arm + 3, height), fill=_BOARD, radius=0, **mark)
        cross = f"M{x - arm:g} {y - arm:g}l{2 * arm:g} {2 * arm:g}m0 -{2 * arm:g}l-{2 * arm:g} {2 * arm:g}"
        self._svg.path(cross, stroke=_CUT, stroke_width=2)

    def _draw_pico(self) -> None:
        """Draw the Pico as an outline, so that the cuts below it are seen, and its pins with their names."""
        svg, colors = self._svg, self._pin_colors()
        (left, top), (right, bottom) = self._at(Hole(1, SOCKETS[0])), self._at(Hole(PICO_ROWS, SOCKETS[1]))
        size = (right - left + 32, bottom - top + 26)
        svg.rect((left - 16, top - 13), size, radius=6, fill=PAPER, fill_opacity=0.62, stroke=INK, stroke_width=1.6)
        middle = (left + right) / 2
        svg.rect((middle - 30, top - 25), (60, 24), radius=2, fill="#cfd3cc", stroke=INK)
        svg.text((middle, top - 9), "USB", size=12, anchor="middle")
        for pin in PICO:
            x, y = self._at(pin_hole(pin.number))
            fill = colors.get(pin.number, "#e9e9e4")
            svg.rect((x - 8, y - 8), (16, 16), radius=2, fill=_SOCKET)
            svg.circle((x, y), 5, fill=fill, stroke=PAPER, data_terminal=f"{PICO_BOARD} {pin.number}")
            label = pin_label(pin.role)
            text = f"{label} {pin.number}" if pin.column else f"{pin.number} {label}"
            ink, weight = (INK, "bold") if pin.number in colors else (QUIET, None)
            edge = x - 12 if pin.column else x + 12
            anchor: Anchor = "end" if pin.column else "start"
            svg.text((edge, y + 4), text, size=11, anchor=anchor, fill=ink, font_weight=weight)

    def _pin_colors(self) -> dict[int, str]:
        """Return the wire colour of each pin with a lead in its strip."""
        pins = {(pin.row + 1, bool(pin.column)): pin.number for pin in PICO}
        return {pins[lead.hole.row, lead.is_right]: WIRE_STYLES[lead.kind].color for lead in self._board.leads}

    def _draw_resistor(self, resistor: Resistor) -> None:
        (x, y), (end, _) = sorted(map(self._at, (resistor.inner, resistor.outer)))
        self._svg.begin_group("the light's resistor", data_resistor=f"{resistor.inner} {resistor.outer}")
        self._svg.path(f"M{x:g} {y:g}H{end:g}", stroke=INK, stroke_width=2)
        self._svg.end_group()
        self._svg.rect((x + 12, y - 8), (end - x - 24, 16), radius=5, fill=_RESISTOR, stroke=INK)
        self._svg.text(((x + end) / 2, y + 4.5), "470 Ω", size=11, anchor="middle")
        for leg in (x, end):
            self._svg.circle((leg, y), 4, fill=INK)

    def _draw_leads(self, is_right: bool) -> None:
        """Draw one side's leads, from the top down, in an order without crossings."""
        leads = [lead for lead in self._board.leads if lead.is_right is is_right]
        leads.sort(key=lambda lead: (lead.hole.row, lead.towards))
        edge, out = (self._right, 1) if is_right else (self._left, -1)
        level = -_LINE
        for lead, fan in zip(leads, _fans(leads), strict=True):
            x, y = self._at(lead.hole)
            level = max(level + _LINE, y + fan)
            end = edge + out * _BEND
            way = f"M{x:g} {y:g}L{x + out * 10:g} {y + fan:g}H{edge + out * 6:g}L{end - out * 10:g} {level:g}H{end:g}"
            name = f"{lead.terminal.component} {lead.terminal.name}"
            self._svg.begin_group(f"{lead.words} to {lead.hole}", data_wire=lead.kind)
            draw_wire(self._svg, lead.kind, way)
            self._svg.end_group()
            self._svg.circle((x, y), 5, fill=WIRE_STYLES[lead.kind].color, stroke=INK)
            self._svg.circle((end, level), 5, fill=WIRE_STYLES[lead.kind].color, stroke=INK, data_terminal=name)
            anchor: Anchor = "start" if is_right else "end"
            self._svg.text((end + out * 12, level + 4.5), _label(lead), anchor=anchor)

    def _draw_copper_side(self, top: float) -> Point:
        """Draw the copper side with its cuts; return its right and lower end."""
        svg, left = self._svg, _MARGIN + 20
        svg.text((_MARGIN, top), "Copper side", font_weight="bold")
        svg.text((_MARGIN, top + _LINE), "turned over like a page", fill=QUIET)
        at, size = (left, top + 52), ((COLUMNS + 1) * _COPPER_PITCH, ROWS * _COPPER_PITCH)

        def middle(hole: Hole) -> Point:
            return left + (COLUMNS + 1 - hole.column) * _COPPER_PITCH, at[1] + (hole.row - 0.5) * _COPPER_PITCH

        svg.rect(at, size, radius=3, fill=_BOARD, stroke=_EDGE)
        for row in range(1, ROWS + 1):
            y = middle(Hole(row, 1))[1]
            svg.rect((left + 6, y - 3.5), (size[0] - 12, 7), radius=2, fill=_COPPER)
            if row in (1, 5, 10, 15, 20):
                svg.text((left - 6, y + 4), str(row), size=11, anchor="end", fill=QUIET)
        for hole in SCREWS:
            svg.circle(middle(hole), 7, fill=PAPER, stroke=_EDGE)
        for hole in self._board.cuts:
            self._draw_cut(middle(hole), 8, 3, data_cut_below=str(hole))
        for column in sorted({1, COLUMNS, *SOCKETS, *(hole.column for hole in self._board.cuts)}):
            x = middle(Hole(1, column))[0]
            svg.text((x, at[1] - 6), str(Hole(1, column))[0], size=11, anchor="middle", fill=QUIET)
        return left + size[0], at[1] + size[1]

    def _draw_steps(self, at: Point) -> Point:
        """Write the numbered steps; return their right and lower end."""
        x, y = at
        right = x
        for number, (title, *lines) in enumerate(self._steps(), 1):
            self._svg.text((x, y), f"{number}", font_weight="bold")
            for line in (title, *lines):
                self._svg.text((x + 20, y), line, font_weight="bold" if line is title else None)
                right = max(right, x + 20 + text_width(line))
                y += _LINE
        return right, y

    def _steps(self) -> Iterator[tuple[str, ...]]:
        """Yield each step's title and lines."""
        board, (one, other) = self._board, (str(Hole(1, column))[0] for column in SOCKETS)
        size = f"{(COLUMNS + 1) * PITCH_MM:.0f} × {ROWS * PITCH_MM:.0f} mm"
        yield (
            "Saw the board",
            f"{ROWS} strips of {COLUMNS} holes, {size}. Write A at hole {Hole(1, 1)}, on both sides.",
        )
        yield (
            f"Cut the copper at each of the {len(board.cuts)} ✕",
            "Turn a 4 mm drill bit in the hole by hand, until no hair of copper is left.",
            f"Drill {SCREWS[0]} and {SCREWS[1]} to 3 mm, for screws.",
        )
        yield (
            "Solder two sockets of 20 contacts",
            f"{one}1 to {one}20 and {other}1 to {other}20. With the Pico in them they stand straight: solder",
            "their four ends, pull the Pico out, and solder the rest.",
        )
        if board.resistor:
            yield (
                "Solder the resistor",
                f"{board.resistor.inner} to {board.resistor.outer}, flat on the board; either way round.",
            )
        yield (
            "Solder the wires, each into its hole",
            "Through from the component side, soldered on the copper side, cut short.",
            "Black is ground. Each strip of a GND pin is a ground bus: the Pico joins them all.",
        )
        yield (
            "Measure without the Pico",
            "A multimeter in its continuity mode is silent across every ✕, between strips",
            f"side by side, and between {' and '.join(self._rails())}. No button is pressed.",
        )
        yield ("Plug the Pico in", "Its USB socket is at row 1, where the board ends.")

    def _rails(self) -> Iterator[str]:
        """Yield the holes of the pins with power and ground."""
        for kind, number in (("3V3", POWER.number), ("GND", GROUND.number)):
            yield f"{pin_hole(number)} ({kind})"


def _label(lead: Lead) -> str:
    return f"{lead.hole} {lead.words}" if lead.is_right else f"{lead.words} {lead.hole}"


def _fans(leads: Sequence[Lead]) -> list[float]:
    """Return how far below its strip each lead leaves the board; `leads` from the top down."""
    rows = [lead.hole.row for lead in leads]
    fans: list[float] = []
    for index, row in enumerate(rows):
        count, before = rows.count(row), rows[:index].count(row)
        fans.append(_FAN * (2 * before - count + 1) / max(1, count - 1))
    return fans
