"""A match's references: luma.oled's `display()` for the same pictures, a bare fsync beside each record.

Both sides take turns, to expose both to the same load.
"""

import asyncio
import binascii
import os
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from luma.core.interface.serial import i2c
from luma.oled import device as luma_devices
from PIL import Image
from smbus2 import i2c_msg

from bench.report import Spread
from bench.tools.table import Look, Traffic
from bench.tools.watched_match import Recorded
from drivers.display.frame import DesiredFrame, DeviceFrame, diff, to_page_format
from drivers.display.oled import OledController
from drivers.link.seat_board import picture_of
from firmware_host.public.encoder import LineEncoder
from firmware_host.screens import dice_boxes, draw, draw_peek
from firmware_host.store.journal.journal import Journal
from hardware.chips import CHIPS, RECOMMENDED
from hardware.config.layout import Layout
from hardware.link import messages as link
from hardware.link.framing import frame


class DrawingCost(NamedTuple):
    """The number of changed `pictures`, their CPU nanoseconds, and luma's traffic."""

    pictures: int
    drawing_ns: int
    packing_ns: int
    luma_ns: int
    luma: Traffic


def drawn_again(layout: Layout, looks: Sequence[Look]) -> DrawingCost:
    """Draw and pack the pictures again in the same order, and let luma display them."""
    controllers = [OledController(seat.display.chip) if seat.display else None for seat in layout.seats]
    lumas = [LumaBeside(seat.display.chip if seat.display else RECOMMENDED) for seat in layout.seats]
    shown = [DeviceFrame(DesiredFrame()) for _ in layout.seats]
    spent_ns: Counter[str] = Counter()
    pictures, clock_ns = 0, time.thread_time_ns
    for seat, view, menu, look in looks:
        began_ns = clock_ns()
        image = draw(view, menu) if look is None else draw_peek(view, menu, look)
        dice = () if look is None else dice_boxes(view, look)
        drawn_ns = clock_ns()
        controller, before = controllers[seat], shown[seat]
        desired = DesiredFrame(to_page_format(image) if controller is None else controller.dots(image), dice)
        if is_new := desired.dots != before.desired.dots:
            shown[seat] = _packed(controller, desired, before)
        packed_ns = clock_ns()
        spent_ns.update(drawing=drawn_ns - began_ns, packing=packed_ns - drawn_ns)
        if is_new:
            began_ns = clock_ns()
            lumas[seat].display(image)
            spent_ns["luma"] += clock_ns() - began_ns
            pictures += 1
    traffic = sum((luma.traffic for luma in lumas), Traffic())
    return DrawingCost(pictures, spent_ns["drawing"], spent_ns["packing"], spent_ns["luma"], traffic)


def _packed(controller: OledController | None, desired: DesiredFrame, before: DeviceFrame) -> DeviceFrame:
    """Pack a picture like the driver of a wired display or of a seat board."""
    update = diff(desired, before)
    if controller is None:
        frame(link.to_body(0, picture_of(update, 1, binascii.crc32(before.memory))))
    else:
        controller.apply(update, before)
    return update.after


class LumaBeside:
    """A luma device on a counting bus, address bytes included.

    It is luma's best case: the interface takes 4 KiB blocks in one transfer, as if luma had opened the bus itself.
    """

    def __init__(self, chip: str) -> None:
        self.traffic = Traffic()
        bus = i2c(bus=self)
        bus._managed = True  # as with `port=`
        bus._i2c_msg_write = i2c_msg.write
        self._device = getattr(luma_devices, CHIPS[chip].luma)(bus)
        self._device.persist = True  # no farewell at the end of the process
        self.traffic.clear()

    def display(self, image: Image.Image) -> None:
        """Display a picture."""
        self._device.display(image)

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int]) -> None:
        """Count address, register and data, in place of `smbus2.SMBus`."""
        self._count(2 + len(data))

    def i2c_rdwr(self, *messages: i2c_msg) -> None:
        """Count a transfer for each message."""
        for message in messages:
            self._count(1 + message.len)

    def _count(self, sent_bytes: int) -> None:
        self.traffic["transfers"] += 1
        self.traffic["i2c"] += sent_bytes


TIMED = 200
"""Records whose writing is timed."""
APPENDED = bytes(4096)  # a page of SQLite's log
NAMES = [f"Seat {number}" for number in range(8)]
"""In the public lines that are written with a record."""
HEARD = {f"e6614103e7452d{board:02x}": 0x5EED_CAFE << 32 | 1000 for board in range(8)}
"""The acknowledgement positions that a table of eight boards has in every record."""


class JournalCost(NamedTuple):
    """A match's journal: milliseconds to a durable record, those to a bare fsync, and bytes."""

    durable_ms: Spread
    bare_ms: Spread
    written: int
    """Written in all, with opening and closing."""
    file: int
    """The file's size afterwards."""


def written_again(records: Sequence[Recorded]) -> JournalCost:
    """Write a match's records to a new journal, and time some beside a bare fsync."""
    with tempfile.TemporaryDirectory(prefix="dudo-table-bench-") as folder:
        before = _written_bytes()
        durable_ms, bare_ms = asyncio.run(_written(Path(folder), records))
        written = _written_bytes() - before - len(bare_ms) * len(APPENDED)
        file = (Path(folder) / "journal.sqlite").stat().st_size
    return JournalCost(Spread.of(durable_ms), Spread.of(bare_ms), written, file)


async def _written(folder: Path, records: Sequence[Recorded]) -> tuple[list[float], list[float]]:
    durable_ms: list[float] = []
    bare_ms: list[float] = []
    bare = os.open(folder / "bare", os.O_CREAT | os.O_WRONLY)
    with Journal(folder / "journal.sqlite") as journal:
        journal.lines.encode = LineEncoder(NAMES).event
        for scene, told in records:
            began_s = time.perf_counter()
            await journal.write(scene, HEARD, told)
            taken_s = time.perf_counter() - began_s
            for event in told:
                journal.lines.publish(event)
            if len(bare_ms) < TIMED:
                durable_ms.append(1000 * taken_s)
                os.write(bare, APPENDED)
                began_s = time.perf_counter()
                os.fsync(bare)
                bare_ms.append(1000 * (time.perf_counter() - began_s))
    os.close(bare)
    return durable_ms, bare_ms


def _written_bytes() -> int:
    """Return the bytes written by this process so far; it has no other output meanwhile."""
    return int(dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())["wchar"])
