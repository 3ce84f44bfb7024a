"""`dudo-table setup`: make the change that the owner's page has asked root for, as dudo-table-setup.service does."""

import argparse
import os
import signal
import sys

from firmware_host.commands.parser import CommandParser, Commands, add_command

IDLE_TIMEOUT_S = 10.0
"""Seconds for the table to report whether a match is played."""


def add_to(commands: "Commands[CommandParser]") -> None:
    """Declare the command."""
    add_command(
        commands,
        _setup,
        "setup",
        "make the change that the owner's page has asked for: seats, copies, closing time, time zone or Wi-Fi",
        "It reads the request that its unit has taken up, and must be run as root. dudo-table-setup.service does so.",
    )


def _setup(options: argparse.Namespace) -> int:
    import asyncio

    from firmware_host.daemon.closing.evening import is_idle
    from firmware_host.daemon.service.jobs import SETUP_TAKEN_UP, Places, lines_of
    from firmware_host.daemon.service.setup import Computer, carry_out
    from firmware_host.errors import UserError
    from firmware_host.public.address import SERVICE_SOCKET
    from firmware_host.table.staff.machine import DONE, Job
    from firmware_host.util.system_error import reason_of

    if os.geteuid():
        raise UserError("the computer is changed by root alone; ask on the owner's page")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # at the unit's time limit: a stopped table starts again
    places = Places()
    try:
        change = places.take_change(SETUP_TAKEN_UP)
    except OSError as error:
        raise UserError(f"there is no request of the owner's page: {reason_of(error)}") from error
    result = carry_out(change, Computer(lambda: asyncio.run(is_idle(SERVICE_SOCKET, IDLE_TIMEOUT_S))))
    places.write(Job.SETUP, result)
    is_done = result.outcome in DONE
    for line in lines_of(Job.SETUP, result):
        print(line, file=sys.stdout if is_done else sys.stderr)
    return 0 if is_done else 2
