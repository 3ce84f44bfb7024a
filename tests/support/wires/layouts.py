"""Layouts that are not shipped: cups behind a radio dongle, and panels on SPI, upright and upside down."""

from hardware.config.layout import Layout, parse

SPI_TABLE = """\
name = "spi"

[[seat]]
name = "North"
color = "red"
buttons = { left = 5, right = 6, ok = 13 }
panel = { chip = "ssd1309", spi = 0, select = 0, dc = 24, reset = 25 }
cup = { tilt = 26 }

[[seat]]
name = "East"
color = "green"
buttons = { left = 14, right = 15, ok = 16 }
panel = { chip = "sh1106", spi = 0, select = 1, dc = 22, reset = 23, rotate = 180 }
cup = { tilt = 17 }

[[seat]]
name = "South"
color = "blue"
buttons = { left = 4, right = 12, ok = 27 }
panel = { chip = "ssd1306", bus = 1, address = 0x3c, rotate = 180 }
cup = { serial = "CUP1" }
"""

_RADIO_SEAT = """
[[seat]]
name = "{name}"
color = "red"
buttons = {{ left = {pin}, right = {pin_2}, ok = {pin_3} }}
panel = {{ chip = "ssd1309", bus = {bus}, address = 0x3c }}
cup = {cup}
"""


def at_a_dongle(*cups: str) -> Layout:
    """Return a seat for each of these cups, as a layout file writes them."""
    seats = (
        _RADIO_SEAT.format(name=f"Seat {n}", pin=4 + 3 * n, pin_2=5 + 3 * n, pin_3=6 + 3 * n, bus=30 + n, cup=cup)
        for n, cup in enumerate(cups)
    )
    return parse('name = "radio"' + "".join(seats), "radio.toml")
