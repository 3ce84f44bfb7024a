"""The examples and field lists of `docs/events.md` match what a table sends, byte for byte."""

import asyncio
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from msgspec.structs import replace
from support import ROOT
from support.table.harness import Evening, laid

from drivers.messages import Button, Device, Replaced
from engine import OBLIGING, PALO_FIJO, PERUDO, Bid
from firmware_host.daemon.seats import seat_infos
from firmware_host.public import messages
from firmware_host.public.encoder import LineEncoder
from firmware_host.public.server import PublicSocket
from firmware_host.table.effects import Announce, Publish
from firmware_host.table.health import Alert, AlertCleared, AlertRaised
from firmware_host.table.menu import MenuCommand
from hardware.config.layout import load_builtin
from hardware.emulated.virtual_loop import VirtualLoop

PAGE = (ROOT / "docs" / "events.md").read_text(encoding="utf-8")
CHAPTERS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
SEATS = seat_infos(load_builtin("wired-4").first(3))
WRITER = LineEncoder([seat.name for seat in SEATS])


def block(chapter: str, language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", CHAPTERS[chapter], re.MULTILINE | re.DOTALL)
    return str(found)


def told(evening: Evening) -> Iterator[bytes]:
    for effect in evening.effects:
        if isinstance(effect, Announce):
            yield WRITER.event(effect.event)
        if isinstance(effect, Publish):
            yield WRITER.state(replace(effect.state, seats=SEATS))


def called_round() -> Evening:
    """The round that the page tells of."""
    evening = laid(PERUDO, [(1, 3, 3, 5, 6), (2, 2, 4, 6), (4, 5)])
    evening[0].pick(Bid(4, 3))
    evening[1].press(Button.DUDO)
    evening.revealed()
    return evening


def lobby() -> Evening:
    evening = Evening(OBLIGING, seats=3)
    evening[1].pick(MenuCommand.JOIN)
    evening[1].pick(MenuCommand.LEAVE)
    evening.joined()
    evening[2].lose(Device.CUP)
    evening.send(Replaced(2, Device.CUP))
    evening[2].find(Device.CUP)
    evening.send(AlertRaised(Alert.DISK_FULL, "/var/lib/dudo-table: no space left on device; make room there"))
    evening.send(AlertCleared(Alert.DISK_FULL))
    return evening.dealt()


def special_round() -> Evening:
    """Somebody falls to one die and has a choice."""
    evening = laid(PALO_FIJO, [(2, 3), (2, 4, 4), (5, 5)])
    evening[0].pick(Bid(3, 3))
    evening[1].tap(Button.DUDO)
    evening.revealed()
    for hand in evening:
        hand.pick(MenuCommand.GO_ON)
    return evening


def last_round() -> Evening:
    evening = laid(PERUDO, [(), (4,), (2,)], Bid(2, 4), by=2, fallen=(0,))
    evening[1].press(Button.DUDO)
    evening.revealed()
    evening[1].pick(MenuCommand.GO_ON)
    return evening


def repeated_deal() -> Evening:
    """Everybody has shaken and a cup says nothing."""
    evening = Evening(PERUDO, seats=3, programs=(1, 2)).joined()
    evening[1].cup.keeps_silent = True
    for hand in evening:
        hand.shake()
    evening.wait(2)
    return evening


def deserted() -> Evening:
    """Whoever is awaited lets the time run out, is away, comes back, and then everybody goes home."""
    slow = laid(PERUDO, [(1, 3, 3), (2, 2)], turn_clock_s=60)
    slow.wait(60)
    evening = laid(PERUDO, [(1, 3, 3), (2, 2)], Bid(2, 3))
    evening.wait(300)
    evening[1].press(Button.LEFT)
    evening.wait(3600)
    evening.effects += slow.effects
    return evening


@pytest.fixture(scope="module")
def heard() -> list[bytes]:
    """All lines of the six."""
    evenings = lobby(), special_round(), last_round(), repeated_deal(), called_round(), deserted()
    return [line for evening in evenings for line in told(evening)]


TYPES = {kind.__struct_config__.tag: kind for kind in get_args(messages.AnyLine)}
EXAMPLES = [line.encode() + b"\n" for line in block("The events", "json").splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda line: json.loads(line)["type"])
def test_the_events_on_the_page_come_out_of_a_table(example: bytes, heard: list[bytes]) -> None:
    assert example in heard


def test_the_page_has_an_example_of_every_event() -> None:
    assert {json.loads(line)["type"] for line in EXAMPLES} == TYPES.keys() - {"state"}


def test_the_state_on_the_page_is_the_one_between_the_bid_and_the_call() -> None:
    _, _, after_the_bid, *_ = told(called_round())
    assert json.loads(block("The state", "json")) == json.loads(after_the_bid)


def test_the_page_tells_of_every_field_of_the_state_and_of_no_other() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", CHAPTERS["The state"], re.MULTILINE)
    assert rows == list(messages.State.__struct_fields__)


def test_the_page_tells_of_every_field_of_every_event() -> None:
    rows = dict(re.findall(r"^\| (`[a-z`, -]+`) \| (.+) \|$", CHAPTERS["The events"], re.MULTILINE))
    told_of = {
        kind: set(re.findall(r"`(\w+)`", fields))
        for kinds, fields in rows.items()
        for kind in re.findall(r"`([a-z-]+)`", kinds)
    }
    for kind in TYPES.keys() - {"state"}:
        assert set(TYPES[kind].__struct_fields__) - {"sentences"} <= told_of[kind]


def test_the_page_tells_this_version() -> None:
    assert f"| `version` | of this format: {messages.VERSION} |" in PAGE


def test_the_reader_on_the_page_reads_a_table(loop: VirtualLoop, tmp_path: Path) -> None:
    """It runs in a process of its own while a round is called, until the table is gone."""
    path = tmp_path / "events.sock"
    reader = f"PATH = {str(path)!r}\n" + block("Reading", "python")

    async def evening() -> bytes:
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

    assert loop.run_until_complete(evening()).decode() == block("Reading", "text")
