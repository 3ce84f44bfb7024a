"""An SVG picture in the making: shapes and words at places counted in pixels from the top left.

Letters are of one width, so that it is known where words end whatever font a reader has.
"""

from collections.abc import Iterable
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

from rich.cells import cell_len

SIZE = 13
"""Pixels of ordinary letters."""

INK, QUIET, PAPER = "#1b1b1b", "#5c5c5c", "#ffffff"
_FONT = "'DejaVu Sans Mono','Liberation Mono',Menlo,Consolas,monospace"
_ADVANCE = 0.602  # of a letter's size: DejaVu Sans Mono's, and the widest of these fonts

Point = tuple[float, float]
Attribute = str | float | None


def width_of(words: str, size: float = SIZE) -> float:
    """The pixels that words take at most."""
    return cell_len(words) * _ADVANCE * size


class Picture:
    """Shapes in the order in which they cover each other."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def rect(self, at: Point, size: Point, *, radius: float = 0, **look: Attribute) -> None:
        """A box, `at` its top left corner."""
        self._put("rect", x=at[0], y=at[1], width=size[0], height=size[1], rx=radius or None, **look)

    def circle(self, at: Point, radius: float, **look: Attribute) -> None:
        """A disc."""
        self._put("circle", cx=at[0], cy=at[1], r=radius, **look)

    def path(self, d: str, **look: Attribute) -> None:
        """Lines as SVG writes them; not filled unless `look` says so."""
        self._put("path", d=d, **{"fill": "none", **look})

    def words(
        self,
        at: Point,
        words: str,
        *,
        size: float = SIZE,
        anchor: Literal["start", "middle", "end"] = "start",
        **look: Attribute,
    ) -> None:
        """Words on a line, `at` where they stand on it."""
        attributes = {
            "x": at[0],
            "y": at[1],
            "font_size": size if size != SIZE else None,
            "text_anchor": anchor if anchor != "start" else None,
            **look,
        }
        self._lines.append(f"<text{_attributes(attributes)}>{escape(words)}</text>")

    def begin(self, title: str = "", **look: Attribute) -> None:
        """Put what follows in a group, up to `end`; `title` is what a reader's pointer is told of it."""
        told = f"<title>{escape(title)}</title>" if title else ""
        self._lines.append(f"<g{_attributes(look)}>{told}")

    def end(self) -> None:
        """End the group."""
        self._lines.append("</g>")

    def text(self, size: Point, title: str) -> str:
        """The whole file; `size` is that of the sheet."""
        wide, high = size
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" width="{wide:g}" '
            f'height="{high:g}" font-family="{_FONT}" font-size="{SIZE}" fill="{INK}">'
        )
        ground = f'<rect width="{wide:g}" height="{high:g}" fill="{PAPER}"/>'
        return "\n".join([head, f"<title>{escape(title)}</title>", ground, *self._lines, "</svg>", ""])

    def _put(self, name: str, **attributes: Attribute) -> None:
        self._lines.append(f"<{name}{_attributes(attributes)}/>")


def _attributes(attributes: dict[str, Attribute]) -> str:
    return "".join(_written(attributes.items()))


def _written(attributes: Iterable[tuple[str, Attribute]]) -> Iterable[str]:
    for name, value in attributes:
        if value is not None:
            text = value if isinstance(value, str) else f"{round(value, 2):g}"
            yield f" {name.replace('_', '-')}={quoteattr(text)}"
