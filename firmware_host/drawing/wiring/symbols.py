"""The signs of what is joined to ground at a seat, as circuit diagrams have them."""

from firmware_host.drawing.wiring.svg import INK, PAPER, Picture

WIDTH = 74.0
"""Pixels from a sign's left end to where modules begin."""


def button(picture: Picture, left: float, right: float, y: float) -> None:
    """A push button, open: two contacts with a bridge above them."""
    one, other = left + 18, left + 38
    picture.path(f"M{left:g} {y:g}H{one:g}M{other:g} {y:g}H{right:g}", stroke=INK, stroke_width=1.6)
    picture.path(
        f"M{one - 2:g} {y - 5:g}H{other + 2:g}M{(one + other) / 2:g} {y - 5:g}v-3", stroke=INK, stroke_width=1.6
    )
    for x in (one, other):
        picture.circle((x, y), 2.4, fill=PAPER, stroke=INK)


def tilt(picture: Picture, left: float, right: float, y: float) -> None:
    """A tilt switch: a tube with a ball."""
    one, other = left + 12, left + 44
    picture.path(f"M{left:g} {y:g}H{one:g}M{other:g} {y:g}H{right:g}", stroke=INK, stroke_width=1.6)
    picture.rect((one, y - 6), (other - one, 12), radius=6, fill=PAPER, stroke=INK, stroke_width=1.4)
    picture.circle((one + 8, y), 3.6, fill=INK)


def light(picture: Picture, left: float, right: float, y: float) -> None:
    """A light-emitting diode behind its resistor."""
    resistor, diode = left + 5, left + 34
    ends = ((left, resistor), (resistor + 19, diode), (diode + 10, right))
    picture.path("".join(f"M{a:g} {y:g}H{b:g}" for a, b in ends), stroke=INK, stroke_width=1.6)
    picture.rect((resistor, y - 4), (19, 8), fill=PAPER, stroke=INK, stroke_width=1.4)
    triangle = f"M{diode:g} {y - 5:g}L{diode + 10:g} {y:g}L{diode:g} {y + 5:g}ZM{diode + 10:g} {y - 5:g}v10"
    picture.path(triangle, stroke=INK, stroke_width=1.6)


BY_NAME = {"tilt": tilt, "light": light}
"""Those that are no button."""
