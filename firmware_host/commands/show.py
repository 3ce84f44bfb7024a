"""`dudo-table show`: what hangs where, drawn for whoever wires the table."""

import argparse

from firmware_host.commands.parser import Commands, Parser, named


def add_to(commands: "Commands[Parser]") -> None:
    """Declare the command's arguments."""
    parser = commands.add_parser(
        "show",
        help="draw a layout: seats, pins, addresses",
        description="Draw a layout for whoever wires it: the Pi's header, every seat's pins, buses and serial ids.",
    )
    parser.add_argument("file", metavar="FILE", type=named, help="a layout file, or the name of a shipped layout")
    parser.set_defaults(command=_show)


def _show(options: argparse.Namespace) -> int:
    from firmware_host import papers, terminal
    from firmware_host.drawing import drawn

    layout = papers.layout(options.file)
    terminal.show(drawn(layout, terminal.width(), plain=terminal.plain()))
    return 0
