"""An SVG file writer: shapes and text at positions in pixels from the top left.

The font is monospaced, so a text's width does not depend on the reader's fonts.
"""

from typing import Literal
from xml.sax.saxutils import escape, quoteattr

from rich.cells import cell_len

FONT_SIZE = 13
"""Pixels of ordinary letters."""

INK, QUIET, PAPER = "#1b1b1b", "#5c5c5c", "#ffffff"
_FONTS = "'DejaVu Sans Mono','Liberation Mono',Menlo,Consolas,monospace"
_LETTER_WIDTH = 0.602  # of a letter's size: DejaVu Sans Mono, the widest of these fonts

Point = tuple[float, float]
Attribute = str | float | None
Anchor = Literal["start", "middle", "end"]


def text_width(text: str, size: float = FONT_SIZE) -> float:
    """Return a text's maximum width in pixels."""
    return cell_len(text) * _LETTER_WIDTH * size


class Svg:
    """A picture in the making; later shapes cover earlier ones.

    A shape's attributes are keyword arguments, as in `stroke_width=2`; None leaves one out.
    """

    def __init__(self) -> None:
        self._lines: list[str] = []

    def rect(self, at: Point, size: Point, *, radius: float = 0, **attributes: Attribute) -> None:
        """Add a rectangle with its top left corner at `at`."""
        self._add("rect", x=at[0], y=at[1], width=size[0], height=size[1], rx=radius or None, **attributes)

    def circle(self, at: Point, radius: float, **attributes: Attribute) -> None:
        """Add a disc."""
        self._add("circle", cx=at[0], cy=at[1], r=radius, **attributes)

    def path(self, d: str, **attributes: Attribute) -> None:
        """Add lines, in the syntax of SVG paths; they are not filled unless `fill` is given."""
        self._add("path", d=d, **{"fill": "none", **attributes})

    def text(
        self,
        at: Point,
        text: str,
        *,
        size: float = FONT_SIZE,
        anchor: Anchor = "start",
        **attributes: Attribute,
    ) -> None:
        """Add one line of text; `at` is on its baseline."""
        written = _written(
            x=at[0],
            y=at[1],
            font_size=size if size != FONT_SIZE else None,
            text_anchor=anchor if anchor != "start" else None,
            **attributes,
        )
        self._lines.append(f"<text{written}>{escape(text)}</text>")

    def begin_group(self, title: str = "", **attributes: Attribute) -> None:
        """Put the shapes up to `end_group` into a group; browsers show `title` under the pointer."""
        titled = f"<title>{escape(title)}</title>" if title else ""
        self._lines.append(f"<g{_written(**attributes)}>{titled}")

    def end_group(self) -> None:
        """End the group."""
        self._lines.append("</g>")

    def document(self, size: Point, title: str, *, unit: str = "") -> str:
        """Return the whole file's text; with `unit="mm"` all positions and sizes are in printed millimetres."""
        width, height = size
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
            f'width="{width:g}{unit}" height="{height:g}{unit}" '
            f'font-family="{_FONTS}" font-size="{FONT_SIZE}" fill="{INK}">'
        )
        paper = f'<rect width="{width:g}" height="{height:g}" fill="{PAPER}"/>'
        return "\n".join([head, f"<title>{escape(title)}</title>", paper, *self._lines, "</svg>", ""])

    def _add(self, element: str, **attributes: Attribute) -> None:
        self._lines.append(f"<{element}{_written(**attributes)}/>")


def _written(**attributes: Attribute) -> str:
    """Return attributes as they stand in a tag, each after a space."""
    words = []
    for name, value in attributes.items():
        if value is not None:
            text = value if isinstance(value, str) else f"{round(value, 2):g}"
            words.append(f" {name.replace('_', '-')}={quoteattr(text)}")
    return "".join(words)
