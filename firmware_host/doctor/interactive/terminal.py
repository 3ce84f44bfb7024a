"""The interactive test of `dudo-table doctor --try` on the real ports, in the terminal."""

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from random import Random, SystemRandom

from drivers.messages import Message
from firmware_host.devices.devices import Devices
from firmware_host.devices.host_io.ports import Ports, SystemPorts
from firmware_host.doctor.findings import Finding, print_report
from firmware_host.doctor.interactive.dialogue import Dialogue
from firmware_host.doctor.interactive.guided_test import GuidedTest
from firmware_host.errors import UserError
from firmware_host.util import terminal
from hardware.config.layout import Layout

MAX_LINE_BYTES = 4096


def run_in_terminal(layout: Layout) -> int:
    """Test the table with the person at this terminal; return 1 for a fault, else 0."""
    if not sys.stdin.isatty():
        raise UserError("doctor --try asks questions; run it in a terminal")
    found = try_layout(layout)
    print()
    print_report(layout.name, found, everything=False)
    return 1 if found else 0


def try_layout(layout: Layout, *, tries_lights: bool = False) -> list[Finding]:
    """Test a table's parts with the person at this terminal; return the faults."""
    return asyncio.run(_on_system_ports(layout, tries_lights))


async def _on_system_ports(layout: Layout, tries_lights: bool) -> list[Finding]:
    dialogue = Dialogue(lambda line: terminal.print_lines([line]))
    with closing(SystemPorts(switches=layout.switches())) as ports, _typing(sys.stdin.fileno(), dialogue):
        return await run_guided_test(layout, ports, dialogue, rng=SystemRandom(), tries_lights=tries_lights)


async def run_guided_test(
    layout: Layout, ports: Ports, dialogue: Dialogue, *, rng: Random, tries_lights: bool = False
) -> list[Finding]:
    """Test a table on any ports; its displays are dark when this returns."""
    loop = asyncio.get_running_loop()
    opened: list[Devices] = []

    def post(message: Message) -> None:
        dialogue.on_message(message)
        for devices in opened:
            devices.links.durable(message)  # the cup then forgets the event and keeps it out of matches

    async with Devices(layout, ports, loop=loop, post=post) as devices:
        opened.append(devices)
        return await GuidedTest(layout, dialogue, rng=rng, tries_lights=tries_lights).run(devices.displays)


@contextmanager
def _typing(terminal_in: int, dialogue: Dialogue) -> Iterator[None]:
    """Pass lines from a terminal to the dialogue while the loop runs."""
    loop = asyncio.get_running_loop()
    unread = bytearray()

    def read() -> None:
        try:
            chunk = os.read(terminal_in, MAX_LINE_BYTES)
        except OSError:  # the terminal is closed
            chunk = b""
        if not chunk:
            loop.remove_reader(terminal_in)
            dialogue.on_line(None)
        unread.extend(chunk)
        while b"\n" in unread:
            line, _, rest = unread.partition(b"\n")
            unread[:] = rest
            dialogue.on_line(line.decode(errors="replace"))

    loop.add_reader(terminal_in, read)
    try:
        yield
    finally:
        loop.remove_reader(terminal_in)
