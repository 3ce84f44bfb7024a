"""`dudo-table show` and `layouts`: draw a layout for the person who wires the table, list the shipped ones."""

import argparse
from pathlib import Path

from firmware_host.commands.parser import CommandParser, Commands, add_command, add_layout, file, layout_of
from firmware_host.errors import UserError
from firmware_host.util.system_error import reason_of


def add_to(commands: "Commands[CommandParser]") -> None:
    """Declare both commands' arguments."""
    parser = add_command(
        commands, _show, "show", "draw a layout for wiring: the Pi's header, each seat's pins, buses and serial ids"
    )
    add_layout(parser, also="; with --wiring also a Pico's wiring.py")
    parser.add_argument(
        "--wiring", metavar="PICTURE", type=file, help="write a wiring diagram to PICTURE, an SVG to print"
    )
    add_command(commands, _layouts, "layouts", "list the shipped layouts")


def _show(options: argparse.Namespace) -> int:
    if options.wiring is None:
        _draw(layout_of(options), options.state)
    else:
        _write(layout_of(options), options.state, options.wiring)
    return 0


def _draw(name: str, state: Path | None) -> None:
    from firmware_host.configuration import layout_in_force, lookup
    from firmware_host.util import terminal
    from hardware.drawing import render

    if name.endswith(".py"):
        raise UserError(f"{name}: the wiring of a Pico can only be drawn as a picture; add --wiring my-board.svg")
    layout, replacements = layout_in_force.seated(lookup.layout(name), name, state)
    terminal.print_lines(render(layout, terminal.width(), plain=terminal.is_ascii()))
    for sentence in replacements:
        print(sentence)


def _write(name: str, state: Path | None, picture: Path) -> None:
    from firmware_host.configuration import layout_in_force, lookup
    from hardware.boards import pico_wiring
    from hardware.drawing.wiring import render_svg, seat_board_diagram, table_diagram

    if name.endswith(".py"):
        diagram = seat_board_diagram(pico_wiring.load(name))
    else:
        diagram = table_diagram(layout_in_force.seated(lookup.layout(name), name, state)[0])
    if picture.suffix.lower() != ".svg":
        raise UserError(f"{picture}: the picture is an SVG; call it {picture.with_suffix('.svg').name}")
    try:
        if picture.exists() and not picture.is_file():  # a write to a pipe would block
            raise OSError("Is not a file")
        picture.write_text(render_svg(diagram), encoding="utf-8")
    except OSError as error:
        why = reason_of(error)
        raise UserError(f"{picture}: can't be written: {why}; name a file in a folder that is yours") from error
    print(f"{picture}: every wire of {name}; a browser shows and prints it")


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
