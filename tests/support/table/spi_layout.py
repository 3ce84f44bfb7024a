"""A table on which panels hang on SPI, upright and upside down, and one on I2C."""

TABLE = """\
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
