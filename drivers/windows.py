"""The windows in which the marked bytes of a memory go to a panel: so cut that the fewest bytes go over the wire.

Windows lie on one page each. Those over several pages, which an SSD1306 takes too, were tried on whole matches: they
need ten bytes instead of seven to say where they are, and what changes in these pictures is seldom so high.
"""

import re

from hardware.link.messages import PANEL_PAGES, PANEL_WIDTH, Window

PARTING_BYTES = 6
"""What another window on the same page costs besides its bytes: two address, two control and two command bytes."""

_RUN = re.compile(rb"[^\0]+(?:\0{1,%d}[^\0]+)*" % PARTING_BYTES)


def windows(memory: bytes, marks: bytes) -> list[Window]:
    """Return windows of a memory that hold all bytes whose mark is not zero; a gap cheaper than a window is filled.

    Both are of 1024 bytes. How many windows there are, and how wide, depends on the marks alone.
    """
    cut = []
    for page in range(PANEL_PAGES):
        start = page * PANEL_WIDTH
        for run in _RUN.finditer(marks[start : start + PANEL_WIDTH]):
            first, end = run.span()
            cut.append(Window(page, first, memory[start + first : start + end]))
    return cut
