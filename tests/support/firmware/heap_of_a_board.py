"""A board that is stormed for an hour, for MicroPython alone; `test_on_a_pico` reads how much memory it takes.

Prints how many bytes are in use when the program has started, and the most that were after a garbage collection since.
"""

import binascii
import gc

gc.collect()
before = gc.mem_alloc()  # type: ignore[attr-defined]

from hardware.firmware.device_config import DeviceConfig  # noqa: E402
from hardware.firmware.program import Board, Inputs, Program  # noqa: E402
from hardware.link import framing  # noqa: E402
from hardware.link import messages as link  # noqa: E402
from hardware.link.gesture import GestureDetector  # noqa: E402
from hardware.link.oled import DisplayMode  # noqa: E402

MS = 1_000_000
CHUNK = 256


class FakeBoard(Board):
    def random(self, count):
        return b"r" * count

    def write_panel(self, data):
        pass

    def set_light(self, is_on):
        pass


def step(now_ns, inputs):
    for _ in cup.step(now_ns, inputs):
        cup.feel(now_ns, ())


def said(message):
    return framing.frame(link.to_body(0, message))


cup = Program(
    DeviceConfig("BOARD01", buttons=link.BUTTON_NAMES, panel="sh1106", light=True),
    7,
    0,
    FakeBoard(),
    GestureDetector(False, 0),
)
gc.collect()
started = gc.mem_alloc() - before  # type: ignore[attr-defined]
picture = bytes([number * number & 0xFF for number in range(link.PICTURE_BYTES)])
crc = binascii.crc32(picture)
storm = [
    said(link.Picture(1, 0, crc, DisplayMode(), link.whole_picture(picture), True, True)),
    b"\x55" * 3000,
    said(link.Ask()),
]
storm += [said(link.Draw(bytes([n]) * 32)) + said(link.Open(bytes([n]) * 32, bytes(32))) for n in range(3)]
most = 0
at_ms = 0
for hour_part in range(300):
    for number in range(12):
        at_ms += 70
        line = ("tilt", "left", "ok")[hour_part % 3]
        edges = ((line, number % 2 == 0, at_ms * MS), ("dudo", number % 3 == 0, at_ms * MS + 1))
        step(at_ms * MS, Inputs(b"", edges))
    data = storm[hour_part % len(storm)]
    for start in range(0, len(data), CHUNK):
        step(at_ms * MS, Inputs(data[start : start + CHUNK]))
    at_ms += 12_000
    step(at_ms * MS, Inputs())
    gc.collect()
    most = max(most, gc.mem_alloc() - before)  # type: ignore[attr-defined]
print(started, most)
