"""`dudo-table doctor`: find a table's faults, each with the one command or cable that fixes it."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from firmware_host.commands.parser import CommandParser, Commands, add_command, add_layout, layout_of
from firmware_host.errors import UserError

if TYPE_CHECKING:
    from firmware_host.daemon.service.jobs import JobResult
    from firmware_host.doctor.findings import Finding


def add_to(commands: "Commands[CommandParser]") -> None:
    """Declare the command's flags."""
    parser = add_command(
        commands,
        _doctor,
        "doctor",
        "find a table's faults, each with its remedy",
        "Nothing in use is touched: a running table is asked what it misses. Exit code 1: something is wrong.",
    )
    add_layout(parser)
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--all", action="store_true", help="also print what is right")
    output.add_argument("--json", action="store_true", help="print everything as one JSON object, for programs")
    output.add_argument(
        "--for-staff", action="store_true", help="write for the owner's page, too, what it found; the service does"
    )
    output.add_argument(
        "--try", dest="interactive", action="store_true", help="test every display, button and cup together with you"
    )


def _doctor(options: argparse.Namespace) -> int:
    from firmware_host.daemon.service.jobs import Places
    from firmware_host.devices.host_io.ports import SystemPorts
    from firmware_host.doctor import findings
    from firmware_host.doctor.checks.gpio import KernelPinHolders
    from firmware_host.doctor.context import build
    from firmware_host.doctor.machine import Machine
    from firmware_host.doctor.runner import run_checks
    from firmware_host.table.staff.machine import Job

    machine, ports = Machine(), SystemPorts()
    context = build(layout_of(options), options.state, ports=ports, pin_holders=KernelPinHolders(), machine=machine)
    if options.interactive:
        if context.running:
            raise UserError(f"the table runs and uses its buses; {context.stop}, then try again")
        if context.layout is None:
            raise UserError(f"{context.layout_name} can't be used; dudo-table doctor tells why")
        from firmware_host.doctor.interactive.terminal import run_in_terminal

        return run_in_terminal(context.layout)
    found = run_checks(context)
    if options.for_staff:
        Places().write(Job.DOCTOR, to_result(found))
    if options.json:
        print(findings.to_json(context.layout_name, context.running is not None, found))
    else:
        findings.print_report(context.layout_name, found, everything=options.all)
    return 0 if findings.is_well(found) else 1


def to_result(found: "Sequence[Finding]") -> "JobResult":
    """Return the findings for the owner's page."""
    from firmware_host.daemon.service.jobs import MAX_LINES, JobResult
    from firmware_host.doctor.findings import is_well, staff_lines
    from firmware_host.table.staff.machine import JobOutcome

    outcome = JobOutcome.WELL if is_well(found) else JobOutcome.FAULTS
    return JobResult(outcome, lines=tuple(staff_lines(found, MAX_LINES)))
