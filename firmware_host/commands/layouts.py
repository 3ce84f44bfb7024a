"""`dudo-table layouts`: the layouts that are shipped."""

import argparse

from firmware_host.commands.check import summary
from firmware_host.commands.parser import Commands, Parser
from hardware.layout import builtin, load_builtin


def add_to(commands: "Commands[Parser]") -> None:
    """Declare the command."""
    parser = commands.add_parser("layouts", help="list the shipped layouts", description="List the shipped layouts.")
    parser.set_defaults(command=_layouts)


def _layouts(_: argparse.Namespace) -> int:
    names = builtin()
    for name in names:
        print(f"{name:{max(map(len, names))}}  {summary(load_builtin(name))}")
    return 0
