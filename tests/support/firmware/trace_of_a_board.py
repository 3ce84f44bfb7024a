"""Print a board's messages under either interpreter; `test_under_micropython` compares the output."""

from hardware.firmware.device_config import DeviceConfig
from hardware.firmware.program import Board, Inputs, Program
from hardware.link import framing
from hardware.link import messages as link
from hardware.link.gesture import GestureDetector
from hardware.link.oled import DARK, DIM, DisplayMode

MS = 1_000_000
writes = []
parser = framing.FrameParser()


class FakeBoard(Board):
    def random(self, count):
        return b"r" * count

    def write_panel(self, data):
        writes.append(data)

    def set_light(self, is_on):
        print("light", is_on)


cup = Program(
    DeviceConfig("BOARD01", buttons=link.BUTTON_NAMES, panel="sh1106", light=True),
    7,
    0,
    FakeBoard(),
    GestureDetector(False, 0),
)


def step(at_ms, received=b"", edges=()):
    for sent in cup.step(at_ms * MS, Inputs(received, edges)):
        print(at_ms, sent.hex())
        for body in parser.feed(sent):
            print(link.from_body(body))


def say(*messages):
    return b"".join([framing.frame(link.to_body(0, message)) for message in messages])


step(0)
for number in range(12):
    step(1000 + number * 80, b"", (("tilt", number % 2 == 0, (1000 + number * 80) * MS),))
step(3000)
step(3100, say(link.Ask(), link.Ack(7, 1), link.Ping(99, 500), link.Draw(b"d" * 32)) + b"\x01garbage\x00\x00")
step(3200, say(link.Draw(b"e" * 32)))
for number in range(12):
    step(3300 + number * 20, b"", (("tilt", number % 2 == 0, (2000 + number * 80) * MS),))
step(3900, say(link.Open(b"e" * 32, b"h" * 32), link.Open(b"x" * 32, b"h" * 32)))
step(4000, b"", (("ok", True, 3999 * MS), ("ok", False, 4000 * MS)))
step(4100)
picture = bytes([number * number & 0xFF for number in range(link.PICTURE_BYTES)])
for piece in range(0, 1200, 50):
    step(5000, say(link.Picture(1, link.NO_BASE, 1, DisplayMode(), link.whole_picture(picture)))[piece : piece + 50])
windows = [link.Window(3, 50, bytes(78)), link.Window(4, 0, bytes(9))]
step(5100, say(link.Picture(2, 0, 2, DisplayMode(True, DIM, 3), windows)))
step(
    5150, say(link.Picture(3, 0, 2, DisplayMode(), link.whole_picture(picture), True, True)), (("ok", True, 5140 * MS),)
)
step(5180, b"", (("ok", False, 5170 * MS),))
step(5200, say(link.Picture(4, 0, 2, DisplayMode(True, DARK, 1), [])))
step(6000, say(link.Hello(1, 2, 3, "X"), link.PictureAck(1, 2, 1)))
print(cup.due_ns, len(writes), b"".join(writes).hex())
picture_head = b"\x00\x07" + bytes(10)
for broken in (b"", b"\x05", b"\x00\x05\x01", b"\x00\x02\x01", picture_head + bytes(2), picture_head + b"\xff"):
    try:
        print(link.from_body(broken))
    except link.MessageError as error:
        print(error)
try:
    framing.frame(bytes(2000))
except ValueError as error:
    print(error)
