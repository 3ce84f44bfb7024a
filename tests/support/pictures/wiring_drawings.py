"""A wiring drawing read back from its SVG alone: which wire ends at which terminal, and what is written where."""

import re
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import NamedTuple
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"
Point = tuple[float, float]

PICO_LEFT = "GP0 GP1 GND GP2 GP3 GP4 GP5 GND GP6 GP7 GP8 GP9 GND GP10 GP11 GP12 GP13 GND GP14 GP15"
PICO_RIGHT = "VBUS VSYS GND 3V3_EN 3V3 ADC_VREF GP28 AGND GP27 GP26 RUN GP22 GND GP21 GP20 GP19 GP18 GND GP17 GP16"
PICO = {
    **{str(number): name for number, name in enumerate(PICO_LEFT.split(), 1)},
    **{str(40 - row): name for row, name in enumerate(PICO_RIGHT.split())},
}
"""The Pico's edges from the USB socket down, as the silk screen of its underside has them."""


class Drawn(NamedTuple):
    """A wire: its kind, the terminals at its strokes' ends, and its strokes as points."""

    kind: str
    ends: frozenset[str]
    strokes: tuple[tuple[Point, ...], ...]


class Written(NamedTuple):
    """Words and the box they fill."""

    words: str
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, left: float, top: float, right: float, bottom: float) -> bool:
        return self.left < right and left < self.right and self.top < bottom and top < self.bottom


class Sheet:
    """What a drawing says."""

    def __init__(self, text: str) -> None:
        self._root = ElementTree.fromstring(text)
        self.width, self.height = float(self._root.attrib["width"]), float(self._root.attrib["height"])
        marks = [circle for circle in self._root.iter(f"{SVG}circle") if "data-terminal" in circle.attrib]
        self.terminals = {(float(m.attrib["cx"]), float(m.attrib["cy"])): m.attrib["data-terminal"] for m in marks}
        assert len(self.terminals) == len(marks), "two terminals at one place"

    def wires(self) -> list[Drawn]:
        return [self._wire(group) for group in self._root.iter(f"{SVG}g") if "data-wire" in group.attrib]

    def _wire(self, group: ElementTree.Element) -> Drawn:
        strokes = tuple(dict.fromkeys(points(path.attrib["d"]) for path in group.iter(f"{SVG}path")))
        ends = {end for stroke in strokes for end in (stroke[0], stroke[-1])}
        return Drawn(
            group.attrib["data-wire"], frozenset(self.terminals[e] for e in ends & self.terminals.keys()), strokes
        )

    def texts(self) -> list[Written]:
        return [*self._texts()]

    def _texts(self) -> Iterator[Written]:
        ordinary = float(self._root.attrib["font-size"])
        for text in self._root.iter(f"{SVG}text"):
            size = float(text.attrib.get("font-size", ordinary))
            words = text.text or ""
            wide = 0.6 * size * len(words)
            x, y = float(text.attrib["x"]), float(text.attrib["y"])
            left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[text.attrib.get("text-anchor", "start")]
            yield Written(words, left, y - 0.73 * size, left + wide, y)


def points(d: str) -> tuple[Point, ...]:
    """Return the points of a path of M, L, Q, H and V; a rounded bend is the corner that was rounded."""
    found: list[Point] = []
    for letter, rest in re.findall(r"([A-Za-z])([^A-Za-z]*)", d):
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", rest)]
        x, y = found[-1] if found else (0.0, 0.0)
        match letter:
            case "M" | "L":
                found.append((numbers[0], numbers[1]))
            case "Q":
                found += [(numbers[0], numbers[1]), (numbers[2], numbers[3])]
            case "H":
                found.append((numbers[0], y))
            case "V":
                found.append((x, numbers[0]))
            case _:
                raise AssertionError(f"{letter} in {d}")
    return tuple(found)


def level(wire: Drawn) -> Iterator[tuple[float, float, float]]:
    """Yield its level runs: height, left end, right end."""
    for stroke in wire.strokes:
        yield from ((a[1], min(a[0], b[0]), max(a[0], b[0])) for a, b in pairwise(stroke) if a[1] == b[1] and a != b)


def upright(wire: Drawn) -> Iterator[tuple[float, float, float]]:
    """Yield its upright runs: place, upper end, lower end."""
    for stroke in wire.strokes:
        yield from ((a[0], min(a[1], b[1]), max(a[1], b[1])) for a, b in pairwise(stroke) if a[0] == b[0] and a != b)


def assert_legible(drawn: Sheet) -> None:
    """No words on words, none on a wire or over the sheet's edge; no wire on top of another."""
    texts, wires = drawn.texts(), drawn.wires()
    for text in texts:
        assert 0 <= text.left <= text.right <= drawn.width, text
        assert 0 <= text.top <= text.bottom <= drawn.height, text
        for wire in wires:
            assert not any(text.meets(left, y - 1, right, y + 1) for y, left, right in level(wire)), (text, wire)
            assert not any(text.meets(x - 1, top, x + 1, bottom) for x, top, bottom in upright(wire)), (text, wire)
    for one, other in combinations(texts, 2):
        assert not one.meets(other.left, other.top, other.right, other.bottom), (one, other)
    for runs in (level, upright):
        for one, other in combinations(wires, 2):
            for at, start, end in runs(one):
                for its, its_start, its_end in runs(other):
                    assert abs(at - its) >= 4 or end <= its_start or its_end <= start, (one, other)
