"""A seat as it looks: its switches to ground, its modules, and what plugs in."""

from collections.abc import Iterator, Mapping

from firmware_host.drawing.colors import ground_of
from firmware_host.drawing.wiring import symbols
from firmware_host.drawing.wiring.left_side import LINE, Colors, mark
from firmware_host.drawing.wiring.nets import Terminal
from firmware_host.drawing.wiring.parts import Module, Seat, own
from firmware_host.drawing.wiring.spots import STEP, Spots, height_of
from firmware_host.drawing.wiring.svg import INK, QUIET, Picture, width_of


class SeatFace:
    """A seat at its place, with the columns that all seats share: names, where wires come from, symbols, modules."""

    def __init__(self, seats: tuple[Seat, ...], sources: Mapping[Terminal, str], left: float) -> None:
        self._sources = sources
        self._left = left
        names = max((width_of(name) for seat in seats for name in seat.terminals), default=0)
        self._where = left + 14 + names + 16
        self._symbols = self._where + max((width_of(words) for words in sources.values()), default=0) + 14
        self._modules = self._symbols + symbols.WIDTH
        words = (text for seat in seats for module in (*seat.modules, *seat.plugs) for text in module.words)
        titles = max(left + 14 + width_of(seat.title, 15) + 30 for seat in seats)
        self.right = max(self._modules + 24 + max(map(width_of, words), default=60), titles)

    def draw(self, picture: Picture, seat: Seat, top: float, spots: Spots, colors: Colors) -> None:
        """Draw a seat whose upper edge is at `top`."""
        picture.rect((self._left, top), (self.right - self._left, height_of(seat) - 10), radius=8, fill="#fafafa")
        frame = {"fill": "none", "stroke": LINE}
        picture.rect((self._left, top), (self.right - self._left, height_of(seat) - 10), radius=8, **frame)
        if seat.color is not None:
            picture.rect((self._left + 14, top + 10), (16, 16), fill=ground_of(seat.color), stroke=INK)
        picture.words((self._left + (40 if seat.color else 14), top + 24), seat.title, size=15, font_weight="bold")
        heights = {name: spots[Terminal(seat.name, name)].at[1] for name in seat.terminals}
        self._switches(picture, seat, heights)
        for module, rows in self._rows(seat):
            self._module(picture, module, [heights[row] for row in rows])
        for name, y in heights.items():
            terminal = Terminal(seat.name, name)
            picture.words((self._left + 14, y + 4.5), name, font_weight="bold")
            picture.words((self._where, y + 4.5), self._sources.get(terminal, ""), fill=QUIET)
            mark(picture, terminal, (self._left, y), colors)

    @staticmethod
    def _rows(seat: Seat) -> Iterator[tuple[Module, list[str]]]:
        taken = [*seat.switches]
        if "GND" in seat.terminals and not any("GND" in module.terminals for module in seat.modules[:1]):
            taken.append("GND")
        for module in (*seat.modules, *seat.plugs):
            rows = [own(module, name, taken) for name in module.terminals]
            taken += rows
            yield module, rows

    def _switches(self, picture: Picture, seat: Seat, heights: Mapping[str, float]) -> None:
        if not seat.switches:
            return
        common = self._modules - 12
        bottom = heights["GND"]
        for name in seat.switches:
            symbol = symbols.BY_NAME.get(name, symbols.button)
            symbol(picture, self._symbols, common, heights[name])
        rows = [*(heights[name] for name in seat.switches), bottom]
        picture.path(f"M{common:g} {rows[0]:g}V{bottom:g}", stroke=INK, stroke_width=1.6)
        if not seat.modules:
            picture.path(f"M{self._symbols:g} {bottom:g}H{common:g}", stroke=INK, stroke_width=1.6)
        for y in rows[1:]:
            picture.circle((common, y), 3, fill=INK)

    def _module(self, picture: Picture, module: Module, rows: list[float]) -> None:
        x, right = self._modules, self.right - 12
        top, high = rows[0] - 8, rows[-1] - rows[0] + 16
        for y in rows:
            picture.path(f"M{self._symbols:g} {y:g}H{x:g}", stroke=INK, stroke_width=1.6)
        picture.rect((x, top), (right - x, high), radius=4, fill="#e4e9ee", stroke=LINE)
        for index, words in enumerate(module.words):
            bold = "bold" if index == 0 else None
            picture.words((x + 10, top + STEP * (index + 1) - 5.5), words, font_weight=bold)
