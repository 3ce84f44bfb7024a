"""Seat colours: as #rrggbb, and as a coloured tag's style in a terminal."""

from rich.style import Style

_NAMED = {
    "red": "#d5322f",
    "orange": "#f08a24",
    "yellow": "#f4d13d",
    "green": "#2f9e44",
    "turquoise": "#22b8b0",
    "blue": "#2f6fd6",
    "purple": "#8444c2",
    "pink": "#ec6aa8",
    "white": "#ffffff",
    "black": "#000000",
    "grey": "#808890",
    "brown": "#7a4b2a",
}


def hex_color(color: str) -> str:
    """Return a layout's colour, given by name or as #rrggbb, as #rrggbb."""
    return _NAMED.get(color, color)


def tag_style(color: str) -> Style:
    """Return a tag's style in a layout's colour, with legible text."""
    background = hex_color(color)
    red, green, blue = (int(background[at : at + 2], 16) for at in (1, 3, 5))
    luma = 0.299 * red + 0.587 * green + 0.114 * blue  # ITU-R BT.601
    return Style(color="#000000" if luma > 120 else "#ffffff", bgcolor=background)
