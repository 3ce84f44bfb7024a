"""The lamp's colour is far from every seat's, so that light falls on one player alone."""

import math
import re

from support.pages.legibility import linear

from firmware_host.clients.web.files import SHARED
from hardware.config.layout_schema import COLORS

LEAST = 40
"""Least distance, ΔE of CIE 1976."""


def test_the_lamp_differs_from_every_seat() -> None:
    sheet = (SHARED / "colors.css").read_text()
    lamp = re.findall(r"--lamp: (#\w{6})", sheet)[0]
    seats = dict(re.findall(r'\[data-color="(\w+)"\] \{ --named: (#\w{6})', sheet))
    seats["white"] = re.findall(r"\[data-color\] \{ --named: (#\w{6})", sheet)[0]
    assert seats.keys() == COLORS.keys()
    distances = {name: round(math.dist(_lab(lamp), _lab(color)), 1) for name, color in seats.items()}
    assert {name: distance for name, distance in distances.items() if distance < LEAST} == {}


def _lab(color: str) -> tuple[float, float, float]:
    """Return a colour in CIELAB, with the white of D65."""
    red, green, blue = linear(bytes.fromhex(color[1:]))
    x, y, z = (
        (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047,
        0.2126729 * red + 0.7151522 * green + 0.0721750 * blue,
        (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883,
    )
    x, y, z = (each ** (1 / 3) if each > 0.008856 else 7.787 * each + 16 / 116 for each in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)
