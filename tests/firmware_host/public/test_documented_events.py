"""The examples and field lists of `docs/events.md` match what a table sends, byte for byte."""

import asyncio
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from msgspec.structs import replace
from support import ROOT
from support.table.harness import TableHarness, lay_out

from drivers.messages import Button, Device, Replaced
from engine import OBLIGING, PALO_FIJO, PERUDO, Bid
from firmware_host import wire
from firmware_host.daemon.seats import seat_infos
from firmware_host.public.decoder import event_of
from firmware_host.public.encoder import LineEncoder
from firmware_host.public.narration import Narrator
from firmware_host.public.server import PublicSocket
from firmware_host.table.effects import Announce, Publish
from firmware_host.table.health import Alert, AlertCleared, AlertRaised
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.staff.actions import StaffAction, StaffCommand
from firmware_host.wire import VERSION
from hardware.config.layout import load_builtin
from hardware.emulated.virtual_loop import VirtualLoop

PAGE = (ROOT / "docs" / "events.md").read_text(encoding="utf-8")
CHAPTERS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
SEATS = seat_infos(load_builtin("wired-4").first(3))
WRITER = LineEncoder([seat.name for seat in SEATS])


def block(chapter: str, language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", CHAPTERS[chapter], re.MULTILINE | re.DOTALL)
    return str(found)


def encoded_lines(harness: TableHarness) -> Iterator[bytes]:
    seq = 0
    for effect in harness.effects:
        if isinstance(effect, Announce):
            seq += 1
            yield WRITER.event(effect.event, seq)
        if isinstance(effect, Publish):
            colored = tuple(
                replace(seat, color=info.color) for seat, info in zip(effect.state.seats, SEATS, strict=False)
            )
            yield WRITER.state(replace(effect.state, seats=colored), seq, "5f0c3a91")


def called_round() -> TableHarness:
    """Return the round that the page tells of."""
    harness = lay_out(PERUDO, [(1, 3, 3, 5, 6), (2, 2, 4, 6), (4, 5)])
    harness[0].pick(Bid(4, 3))
    harness[1].press(Button.DUDO)
    harness.revealed()
    return harness


def lobby() -> TableHarness:
    harness = TableHarness(OBLIGING, seats=3)
    harness[1].pick(MenuCommand.JOIN)
    harness[1].pick(MenuCommand.LEAVE)
    harness.joined()
    harness[2].lose(Device.CUP)
    harness.send(Replaced(2, Device.CUP))
    harness[2].find(Device.CUP)
    harness.send(AlertRaised(Alert.DISK_FULL, "/var/lib/dudo-table: no space left on device; make room there"))
    harness.send(AlertCleared(Alert.DISK_FULL))
    return harness.dealt()


def special_round() -> TableHarness:
    """Somebody falls to one die and has a choice."""
    harness = lay_out(PALO_FIJO, [(2, 3), (2, 4, 4), (5, 5)])
    harness[0].pick(Bid(3, 3))
    harness[1].tap(Button.DUDO)
    harness.told()
    harness.wait(1)
    for hand in harness:
        hand.pick(MenuCommand.GO_ON)
    return harness


def last_round() -> TableHarness:
    harness = lay_out(PERUDO, [(), (4,), (2,)], Bid(2, 4), by=2, fallen=(0,))
    harness[1].press(Button.DUDO)
    harness.told()
    harness.wait(1)
    harness[1].pick(MenuCommand.GO_ON)
    return harness


def repeated_deal() -> TableHarness:
    """Everybody has shaken and a cup says nothing."""
    harness = TableHarness(PERUDO, seats=3, programs=(1, 2)).joined()
    harness[1].cup.keeps_silent = True
    for hand in harness:
        hand.shake()
    harness.wait(2)
    return harness


def taken_back() -> TableHarness:
    """Return a round in which staff take a call back before the cups go up."""
    harness = lay_out(OBLIGING, [(1, 3, 3, 5, 6), (2, 2, 4, 6), (4, 5)], Bid(4, 3))
    harness[1].press(Button.DUDO)
    harness.send(StaffAction(StaffCommand.UNDO))
    return harness


def deserted() -> TableHarness:
    """Whoever is awaited lets the time run out, is away, comes back, staff pause, and then everybody goes home."""
    slow = lay_out(PERUDO, [(1, 3, 3), (2, 2)], turn_clock_s=60)
    slow.wait(60)
    harness = lay_out(PERUDO, [(1, 3, 3), (2, 2)], Bid(2, 3))
    harness.wait(300)
    harness[1].press(Button.LEFT)
    harness.send(StaffAction(StaffCommand.PAUSE))
    harness.send(StaffAction(StaffCommand.RESUME))
    harness.send(StaffAction(StaffCommand.HAND_OVER, 0))
    harness.wait(3600)
    harness.send(StaffAction(StaffCommand.REOPEN))
    harness.effects += slow.effects
    return harness


@pytest.fixture(scope="module")
def example_lines() -> list[bytes]:
    """Give all lines of the seven."""
    harnesses = lobby(), special_round(), last_round(), repeated_deal(), called_round(), taken_back(), deserted()
    return [line for harness in harnesses for line in encoded_lines(harness)]


def without_seq(line: bytes) -> bytes:
    """Return an event's line without its number, which depends on what happened before."""
    return re.sub(rb'"seq":\d+,', b"", line, count=1)


TYPES = {kind.__struct_config__.tag: kind for kind in get_args(wire.AnyLine)}
EXAMPLES = [line.encode() + b"\n" for line in block("The events", "json").splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda line: json.loads(line)["type"])
def test_the_events_on_the_page_come_out_of_a_table(example: bytes, example_lines: list[bytes]) -> None:
    assert without_seq(example) in map(without_seq, example_lines)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda line: json.loads(line)["type"])
def test_the_sentences_of_a_line_come_back_from_its_fields(example: bytes) -> None:
    line = wire.read(example)
    assert line is not None
    assert not isinstance(line, wire.PublicState)
    told = " ".join(Narrator([seat.name for seat in SEATS]).sentences(event_of(line)))
    # A line has the dice of a round by seat, the event in order of play.
    assert sorted(re.findall(r"\w+", told)) == sorted(re.findall(r"\w+", " ".join(json.loads(example)["sentences"])))


def test_the_numbers_of_the_events_on_the_page_have_no_gap() -> None:
    assert [json.loads(line)["seq"] for line in EXAMPLES] == [*range(1, len(EXAMPLES) + 1)]


def test_the_page_has_an_example_of_every_event() -> None:
    shown = {json.loads(line)["type"] for line in EXAMPLES}
    missing = sorted(TYPES.keys() - {"state"} - shown)
    assert missing == [], f"write an example of these events: {', '.join(missing)}"
    assert shown == TYPES.keys() - {"state"}


def test_the_state_on_the_page_is_the_one_between_the_bid_and_the_call() -> None:
    _, _, after_the_bid, *_ = encoded_lines(called_round())
    assert json.loads(block("The state", "json")) == json.loads(after_the_bid)


def test_the_page_tells_of_every_field_of_the_state_and_of_no_other() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", CHAPTERS["The state"], re.MULTILINE)
    assert rows == list(wire.PublicState.__struct_fields__)


def test_the_page_tells_of_every_field_of_every_event() -> None:
    rows = dict(re.findall(r"^\| (`[a-z`, -]+`) \| (.+) \|$", CHAPTERS["The events"], re.MULTILINE))
    told_of = {
        kind: set(re.findall(r"`(\w+)`", fields))
        for kinds, fields in rows.items()
        for kind in re.findall(r"`([a-z-]+)`", kinds)
    }
    missing = sorted(TYPES.keys() - {"state"} - told_of.keys())
    assert missing == [], f"write a row for these events: {', '.join(missing)}"
    for kind in TYPES.keys() - {"state"}:
        assert set(TYPES[kind].__struct_fields__) - {"sentences"} <= told_of[kind]


def test_the_request_on_the_page_is_one() -> None:
    assert msgspec.json.decode(block("Missed events", "json"), type=wire.Request) == wire.Request(117, "5f0c3a91")
    request = block("The record of the last match", "json")
    assert msgspec.json.decode(request, type=wire.Request) == wire.Request(record=True)


def test_the_page_tells_this_version() -> None:
    assert f"| `version` | of this format: {VERSION} |" in PAGE


def test_the_reader_on_the_page_reads_a_table(loop: VirtualLoop, tmp_path: Path) -> None:
    """It runs in a process of its own while a round is called, until the table is gone."""
    path = tmp_path / "events.sock"
    reader = f"PATH = {str(path)!r}\n" + block("Reading", "python")

    async def harness() -> bytes:
        async with PublicSocket(path, [seat.name for seat in SEATS]) as public:
            effects = iter(called_round().effects)
            while not isinstance(first := next(effects), Publish):
                pass
            public.publish(first.state)
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-c", reader, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
            )
            while not public._clients:
                await asyncio.sleep(0.01)
            for effect in effects:
                if isinstance(effect, Announce):
                    public.announce(effect.event)
                if isinstance(effect, Publish):
                    public.publish(effect.state)
        assert process.stdout is not None
        return await process.stdout.read()

    assert loop.run_until_complete(harness()).decode() == block("Reading", "text")
