"""`dudo-table show`: what hangs where, drawn for whoever wires the table."""

import argparse
from pathlib import Path

from firmware_host.commands import Refusal
from firmware_host.commands.parser import Commands, Parser, file, named
from hardware.layout import Layout


def add_to(commands: "Commands[Parser]") -> None:
    """Declare the command's arguments."""
    parser = commands.add_parser(
        "show",
        help="draw a layout: seats, pins, addresses",
        description="Draw a layout for whoever wires it: the Pi's header, every seat's pins, buses and serial ids.",
    )
    parser.add_argument("file", metavar="FILE", type=named, help="a layout file, or the name of a shipped layout")
    parser.add_argument(
        "--wiring", metavar="PICTURE", type=file, help="write every wire to PICTURE, an SVG to print and wire from"
    )
    parser.set_defaults(command=_show)


def _show(options: argparse.Namespace) -> int:
    from firmware_host import papers

    layout = papers.layout(options.file)
    if options.wiring is None:
        _draw(layout)
    else:
        _write(layout, options.wiring)
    return 0


def _draw(layout: Layout) -> None:
    from firmware_host import terminal
    from firmware_host.drawing import drawn

    terminal.show(drawn(layout, terminal.width(), plain=terminal.plain()))


def _write(layout: Layout, picture: Path) -> None:
    from firmware_host.drawing.wiring import of_table, svg_of

    if picture.suffix.lower() != ".svg":
        raise Refusal(f"{picture}: the picture is an SVG; call it {picture.with_suffix('.svg').name}")
    try:
        picture.write_text(svg_of(of_table(layout)), encoding="utf-8")
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise Refusal(f"{picture}: can't be written: {why}; name a file in a folder that is yours") from error
    print(f"{picture}: every wire of {layout.name}; a browser shows and prints it")
