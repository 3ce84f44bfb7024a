"""A layout of wired seats whose cups are behind a radio dongle."""

from hardware.config.layout import Layout, parse

SEATS = """
[[seat]]
name = "{name}"
color = "red"
buttons = {{ left = {pin}, right = {pin_2}, ok = {pin_3} }}
panel = {{ chip = "ssd1309", bus = {bus}, address = 0x3c }}
cup = {cup}
"""


def at_a_dongle(*cups: str) -> Layout:
    """A seat for each of these cups, as a layout file writes them."""
    seats = (
        SEATS.format(name=f"Seat {n}", pin=4 + 3 * n, pin_2=5 + 3 * n, pin_3=6 + 3 * n, bus=30 + n, cup=cup)
        for n, cup in enumerate(cups)
    )
    return parse('name = "radio"' + "".join(seats), "radio.toml")
