"""What is said to an OLED controller: writes of I2C that change the memory in windows and how the panel shows it.

SSD1306, SSD1309 and SH1106 all understand it; only their set-ups differ. `hardware.cup.glass` says it to a board's
panel, `drivers.panel_chips` to a wired one. Written in the subset that MicroPython and CPython share.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hardware.link.messages import Window

COMMANDS, MEMORY = b"\x00", b"\x40"  # what follows in a write, see the SSD1306 data sheet, 8.1.5.2


def writes(first: bytes, windows: "list[Window]", last: bytes, first_column: int) -> "list[bytes]":
    """Return the payloads that say the commands `first`, then write the windows, then say `last`; in page addressing.

    `first_column` is that of the memory which stands at the left edge of the glass.
    """
    said = []
    commands, page = first, -1
    for window in windows:
        if window.page != page:
            page = window.page
            commands += bytes([0xB0 | page])
        column = window.column + first_column
        said.append(COMMANDS + commands + bytes([column & 0x0F, 0x10 | column >> 4]))
        said.append(MEMORY + window.columns)
        commands = b""
    if commands + last:
        said.append(COMMANDS + commands + last)
    return said
