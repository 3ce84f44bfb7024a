"""`dudo-table layouts`: list the shipped layouts."""

import argparse

from firmware_host.commands.parser import Commands, Parser


def add_to(commands: "Commands[Parser]") -> None:
    """Declare the command."""
    parser = commands.add_parser("layouts", help="list the shipped layouts", description="List the shipped layouts.")
    parser.set_defaults(command=_layouts)


def _layouts(_: argparse.Namespace) -> int:
    from firmware_host.configuration import summary
    from firmware_host.util import terminal
    from hardware.config.layout import builtin, load_builtin

    names = builtin()
    column = max(map(len, names)) + 2
    width = terminal.width()
    for name in names:
        terminal.print_lines(
            terminal.two_columns(name, summary.of_layout(load_builtin(name)), column, width, style="bold")
        )
    terminal.print_lines(
        ("", *terminal.wrapped("dudo-table show NAME draws one. To make your own, copy a file:", width))
    )
    terminal.print_lines(["  " + str(load_builtin(names[0]).path).rpartition("/")[0]])
    return 0
