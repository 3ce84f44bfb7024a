"""Where a Pico's wires go: edit this on the Pico. As it stands it is a seat board; hardware/link/LINK.md has the parts.

GP numbers. Switches are between their pin and ground; the tilt switch is mounted so that it is open while the
cup stands.
"""

TILT: "int | None" = 22
BUTTONS = {"left": 18, "right": 19, "ok": 20, "dudo": 21}
PANEL: "str | None" = "ssd1309"  # or "ssd1306", "sh1106", None for a cup without one
PANEL_BUS, PANEL_SDA, PANEL_SCL, PANEL_ADDRESS = 0, 4, 5, 0x3C
ADDRESS = 0  # other than 0 only for a cup that shares its line
