"""Holds the link's code and the cup's program against `vectors.json`, under either interpreter."""

import binascii
import json
import sys

from hardware.firmware.device_config import DeviceConfig
from hardware.firmware.program import Board, Inputs, Program
from hardware.link import framing
from hardware.link import messages as link
from hardware.link.gesture import GestureDetector
from hardware.link.oled import DisplayMode

BYTES = ("detail", "deal", "commitment", "head", "entropy", "release", "rejected", "hash", "data")
COMMANDS, OFF, ON = 0x00, 0xAE, 0xAF  # of a panel; none has an argument like these two
KINDS = {kind.__name__: kind for kind in link._MESSAGES}


def message_of(row):
    fields = {name: row[name] for name in row if name not in ("kind", "address", "body", "frame")}
    for name in BYTES:
        if name in fields:
            fields[name] = binascii.unhexlify(fields[name])
    if "windows" in fields:
        fields["windows"] = [link.Window(page, at, binascii.unhexlify(shown)) for page, at, shown in fields["windows"]]
        inverted, light, rows = fields["shine"]
        fields["shine"] = DisplayMode(bool(inverted), light, rows)
    return KINDS[row["kind"]](**fields)


def check_frames(rows):
    for row in rows:
        message, body = message_of(row), binascii.unhexlify(row["body"])
        assert link.to_body(row["address"], message) == body, row
        assert link.from_body(body) == (row["address"], message), row
        assert framing.frame(body) == binascii.unhexlify(row["frame"]), row
        assert framing.FrameParser().feed(framing.frame(body)) == [body], row


def check_nonsense(rows):
    for row in rows:
        (body,) = framing.FrameParser().feed(binascii.unhexlify(row["frame"]))
        assert body == binascii.unhexlify(row["body"]), row
        try:
            said = link.from_body(body)[1]
        except link.MessageError:
            said = None
        assert said is None, row


def check_damaged(rows):
    for row in rows:
        wire, bodies = binascii.unhexlify(row["wire"]), [binascii.unhexlify(body) for body in row["bodies"]]
        assert framing.FrameParser().feed(wire) == bodies, row
        parser = framing.FrameParser()
        assert [body for at in range(len(wire)) for body in parser.feed(wire[at : at + 1])] == bodies, row


class FakeBoard(Board):
    lamp = False

    def __init__(self, random):
        self._random = random
        self._switched = OFF

    def random(self, count):
        return self._random * count

    def write_panel(self, data):
        if data[0] == COMMANDS:
            for command in data:
                self._switched = command if command in (OFF, ON) else self._switched

    def set_light(self, is_on):
        self.lamp = is_on

    def shines(self):
        return self._switched == ON


def board_of(parameters):
    board = FakeBoard(binascii.unhexlify(parameters["random"]))
    fitted = DeviceConfig(parameters["identity"], buttons=link.BUTTON_NAMES, panel="ssd1309", light=True)
    return board, Program(fitted, parameters["boot"], 0, board, GestureDetector(False, 0))


def check_steps(rows, parameters):
    board, cup = board_of(parameters)
    for row in rows:
        at_ns = 1000 * row["at_us"]
        frames = []
        while cup.due_ns is not None and cup.due_ns <= at_ns:
            frames += cup.step(cup.due_ns, Inputs())
        host, edges = binascii.unhexlify(row.get("host", "")), ()
        if "hand" in row:
            line, closed = row["hand"]
            edges = ((line, closed, at_ns),)
        frames += cup.step(at_ns, Inputs(host, edges))
        said = framing.FrameParser().feed(b"".join(frames))
        assert said == [binascii.unhexlify(body) for body in row["says"]], (row, said)
        assert (board.shines(), board.lamp) == (row["shines"], row["lamp"]), row


def check_conversation(parameters):
    _, cup = board_of(parameters)
    said = []

    def step(at_ns, inputs):
        frames = b"".join(cup.step(at_ns, inputs))
        if frames:
            said.append((at_ns // 1000, frames))

    step(0, Inputs())
    for row in parameters["rows"]:
        at_ns = 1000 * row["at_us"]
        while cup.due_ns is not None and cup.due_ns < at_ns:
            step(cup.due_ns, Inputs())
        if "host" in row:
            step(at_ns, Inputs(binascii.unhexlify(row["host"])))
        elif "hand" in row:
            line, closed = row["hand"]
            step(at_ns, Inputs(b"", ((line, closed, at_ns),)))
        else:
            if cup.due_ns == at_ns:
                step(at_ns, Inputs())
            assert (row["at_us"], binascii.unhexlify(row["cup"])) == said.pop(0), row
    assert not said, said


def main(path):
    with open(path) as file:
        vectors = json.load(file)
    assert vectors["version"] == link.VERSION
    check_frames(vectors["frames"])
    check_nonsense(vectors["nonsense"])
    check_damaged(vectors["damaged"])
    check_steps(vectors["steps"], vectors["conversation"])
    check_conversation(vectors["conversation"])
    print({part: len(vectors[part]) for part in ("frames", "nonsense", "damaged", "steps")})


if __name__ == "__main__":
    main(sys.argv[1])
