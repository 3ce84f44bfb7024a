"""`dudo-table doctor`: what is wrong with a table, and the one command or cable that mends it."""

import argparse

from firmware_host.commands.parser import Commands, Parser, add_layout
from firmware_host.errors import UserError


def add_to(commands: "Commands[Parser]") -> None:
    """Declare the command's flags."""
    parser = commands.add_parser(
        "doctor",
        help="say what is wrong with a table, and what mends it",
        description="Look at everything a table needs, touching nothing that is in use; exit code 1 if something is "
        "wrong. While the table runs, it is asked what it misses.",
    )
    add_layout(parser)
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--all", action="store_true", help="also tell what is right")
    shown.add_argument("--json", action="store_true", help="tell all of it as one JSON object, for programs")
    shown.add_argument(
        "--try", dest="walk", action="store_true", help="go round the table: press every button, shake every cup"
    )
    parser.set_defaults(command=_doctor)


def _doctor(options: argparse.Namespace) -> int:
    from firmware_host.doctor import report
    from firmware_host.doctor.check_list import CHECKS
    from firmware_host.doctor.checks.gpio import KernelPins
    from firmware_host.doctor.context_builder import admit
    from firmware_host.doctor.machine import Machine
    from firmware_host.doctor.runner import examine, is_well
    from firmware_host.host_io.ports import SystemPorts

    wires = SystemPorts()
    patient = admit(options.layout, options.state, wires=wires, pins=KernelPins(), machine=Machine())
    if options.walk:
        if patient.running:
            raise UserError(f"the table runs, and its wires are its own; {patient.stop}, then try it")
        if patient.layout is None:
            raise UserError(f"{patient.layout_name} can't be used; dudo-table doctor tells why")
        from firmware_host.doctor.interactive.terminal import walk_here

        return walk_here(patient.layout)
    findings = examine(patient, CHECKS)
    if options.json:
        print(report.to_json(patient.layout_name, patient.running is not None, findings))
    else:
        report.show(patient.layout_name, findings, everything=options.all)
    return 0 if is_well(findings) else 1
