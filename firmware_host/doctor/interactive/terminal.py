"""`dudo-table doctor --try` on the wires of a table, in the terminal it was typed in."""

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from random import Random, SystemRandom

from drivers.messages import Message
from firmware_host.devices.devices import Devices
from firmware_host.doctor import report
from firmware_host.doctor.findings import Finding
from firmware_host.doctor.interactive.dialogue import Talk
from firmware_host.doctor.interactive.guided_test import Walk
from firmware_host.errors import UserError
from firmware_host.host_io.ports import Ports, SystemPorts
from firmware_host.util import terminal
from hardware.config.layout import Layout

LONGEST_LINE = 4096


def walk_here(layout: Layout) -> int:
    """Go round the table with whoever sits at this terminal; return 1 if something was amiss."""
    if not sys.stdin.isatty():
        raise UserError("doctor --try asks whoever goes round the table; type it in a terminal")
    found = asyncio.run(_with_real_wires(layout))
    print()
    report.show(layout.name, found, everything=False)
    return 1 if found else 0


async def _with_real_wires(layout: Layout) -> list[Finding]:
    talk = Talk(lambda line: terminal.print_lines([line]))
    with closing(SystemPorts(switches=layout.switches())) as wires, _typing(sys.stdin.fileno(), talk):
        return await round_table(layout, wires, talk, rng=SystemRandom())


async def round_table(layout: Layout, wires: Ports, talk: Talk, *, rng: Random) -> list[Finding]:
    """Go round a table, whatever its wires; panels are dark when this returns."""
    loop = asyncio.get_running_loop()
    opened: list[Devices] = []

    def post(message: Message) -> None:
        talk.hear(message)
        for devices in opened:
            devices.links.durable(message)  # a cup that was heard forgets what it said: no match is to hear it

    async with Devices(layout, wires, loop=loop, post=post) as devices:
        opened.append(devices)
        return await Walk(layout, talk, rng=rng).go(devices.panels)


@contextmanager
def _typing(terminal_in: int, talk: Talk) -> Iterator[None]:
    """Take lines from a terminal while the loop runs."""
    loop = asyncio.get_running_loop()
    unread = bytearray()

    def read() -> None:
        try:
            chunk = os.read(terminal_in, LONGEST_LINE)
        except OSError:  # the terminal has gone
            chunk = b""
        if not chunk:
            loop.remove_reader(terminal_in)
            talk.type(None)
        unread.extend(chunk)
        while b"\n" in unread:
            line, _, rest = unread.partition(b"\n")
            unread[:] = rest
            talk.type(line.decode(errors="replace"))

    loop.add_reader(terminal_in, read)
    try:
        yield
    finally:
        loop.remove_reader(terminal_in)
