"""Drawing and packing the pictures of a match again, beside luma.oled's `display()` for the same pictures.

Both do every picture in turn on one thread, so that whatever else the machine does hits both.
"""

import binascii
import time
from collections.abc import Sequence
from dataclasses import dataclass

from bench.luma_beside import LumaBeside
from bench.watched_match import Look
from drivers.display.frame import Shown, Sight, change_to, pages_of
from drivers.display.oled import PanelChip
from drivers.link.seat_board import picture_of
from firmware_host.screens import dice_boxes, draw, draw_peek
from hardware.config.layout import Layout
from hardware.emulated.table import BOARD_CHIP
from hardware.link import messages as link
from hardware.link.framing import frame


@dataclass
class Drawn:
    """CPU in nanoseconds for `pictures` that differ from the one before on the same glass."""

    pictures: int = 0
    drawing_ns: int = 0
    packing_ns: int = 0
    luma_ns: int = 0
    luma_bytes: int = 0
    luma_transfers: int = 0


def drawn_again(layout: Layout, looks: Sequence[Look]) -> Drawn:
    """Draw, pack and let luma display what was on the glasses of a layout, in the same order."""
    drawn = Drawn()
    seats = range(len(layout.seats))
    chips = [seat.panel.chip if seat.panel else BOARD_CHIP for seat in layout.seats]
    lumas = [LumaBeside(chip) for chip in chips]
    packers = [PanelChip(chips[seat]) if layout.seats[seat].panel else None for seat in seats]
    shown = [Shown(Sight()) for _ in seats]
    clock_ns = time.thread_time_ns
    for seat, view, menu, look in looks:
        began_ns = clock_ns()
        image = draw(view, menu) if look is None else draw_peek(view, menu, look)
        dice = () if look is None else dice_boxes(view, look)
        drawn_ns = clock_ns()
        chip = packers[seat]
        before = shown[seat]
        sight = Sight(pages_of(image) if chip is None else chip.dots(image), dice)
        if sight.dots != before.sight.dots:
            shown[seat] = _packed(chip, sight, before)
        packed_ns = clock_ns()
        drawn.drawing_ns += drawn_ns - began_ns
        drawn.packing_ns += packed_ns - drawn_ns
        if shown[seat] is before:
            continue
        luma_from_ns = clock_ns()
        lumas[seat].display(image)
        drawn.luma_ns += clock_ns() - luma_from_ns
        drawn.pictures += 1
    drawn.luma_bytes = sum(luma.bus.sent_bytes for luma in lumas)
    drawn.luma_transfers = sum(luma.bus.transfers for luma in lumas)
    return drawn


def _packed(chip: PanelChip | None, sight: Sight, before: Shown) -> Shown:
    """As the driver of a wired panel does, or a seat board's."""
    change = change_to(sight, before)
    if chip is None:
        frame(link.to_body(0, picture_of(change, 1, binascii.crc32(before.memory))))
    else:
        chip.frame(change, before)
    return change.after
