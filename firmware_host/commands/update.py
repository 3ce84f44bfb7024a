"""`dudo-table update`: install a newer package version from a USB drive or apt's repositories, between matches."""

import argparse
import os
import sys

from firmware_host.commands.parser import CommandParser, Commands, add_command
from firmware_host.daemon.service import UPDATE_LABEL

IDLE_TIMEOUT_S = 10.0
"""Seconds for the table to report whether a match is played."""


def add_to(commands: "Commands[CommandParser]") -> None:
    """Declare the command's flags."""
    parser = add_command(
        commands,
        _update,
        "update",
        "install a newer version from a USB drive or the repositories that apt knows, unless a match is played",
        "It takes only signed packages, dudo-table and dudo-table-kiosk, and leaves the owner's files as they are. A "
        f"drive has the label {UPDATE_LABEL} and a repository's files. It must be run as root. As a service it "
        "is dudo-table-update.service.",
    )
    parser.add_argument(
        "--for-staff", action="store_true", help="write for the staff menu, too, what came of it; the service does"
    )


def _update(options: argparse.Namespace) -> int:
    # All modules are loaded before apt replaces their files.
    import asyncio

    from firmware_host.daemon.closing.evening import is_idle
    from firmware_host.daemon.service import apt
    from firmware_host.daemon.service.jobs import Places, lines_of
    from firmware_host.errors import UserError
    from firmware_host.public.address import SERVICE_SOCKET
    from firmware_host.table.staff.machine import DONE, Job

    if os.geteuid():
        raise UserError("packages are installed by root alone; run the command with sudo")
    os.umask(0o022)  # apt reads a drive as a user of its own
    result = apt.update(lambda: asyncio.run(is_idle(SERVICE_SOCKET, IDLE_TIMEOUT_S)))
    if options.for_staff:
        Places().write(Job.UPDATE, result)
    is_done = result.outcome in DONE
    for line in lines_of(Job.UPDATE, result):
        print(line, file=sys.stdout if is_done else sys.stderr)
    return 0 if is_done else 2
