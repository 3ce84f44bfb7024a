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
    add_layout(parser, also="; with --wiring or --strip-board also a Pico's wiring.py")
    parser.add_argument(
        "--wiring", metavar="PICTURE", type=file, help="write a wiring diagram to PICTURE, an SVG to print"
    )
    parser.add_argument(
        "--strip-board", metavar="PICTURE", type=file, help="write a Pico's wiring on strip-board to PICTURE, an SVG"
    )
    add_command(commands, _layouts, "layouts", "list the shipped layouts")


def _show(options: argparse.Namespace) -> int:
    if options.wiring is None and options.strip_board is None:
        _draw(layout_of(options), options.state)
    if options.wiring is not None:
        _draw_wiring(layout_of(options), options.state, options.wiring)
    if options.strip_board is not None:
        _draw_strip_board(layout_of(options), options.strip_board)
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


def _draw_wiring(name: str, state: Path | None, picture: Path) -> None:
    from firmware_host.configuration import layout_in_force, lookup
    from hardware.boards import pico_wiring
    from hardware.drawing.wiring import render_svg, seat_board_diagram, table_diagram

    if name.endswith(".py"):
        diagram = seat_board_diagram(pico_wiring.load(name))
    else:
        diagram = table_diagram(layout_in_force.seated(lookup.layout(name), name, state)[0])
    _write(picture, render_svg(diagram), f"every wire of {name}")


def _draw_strip_board(name: str, picture: Path) -> None:
    from hardware.boards import pico_wiring
    from hardware.drawing.wiring import render_strip_board, seat_board_diagram

    if not name.endswith(".py"):
        raise UserError(f"{name}: strip-board carries one Pico; name its wiring, such as my-wiring.py")
    _write(picture, render_strip_board(seat_board_diagram(pico_wiring.load(name))), f"{name} on strip-board")


def _write(picture: Path, drawing: str, content: str) -> None:
    if picture.suffix.lower() != ".svg":
        raise UserError(f"{picture}: the picture is an SVG; call it {picture.with_suffix('.svg').name}")
    try:
        if picture.exists() and not picture.is_file():  # a write to a pipe would block
            raise OSError("Is not a file")
        picture.write_text(drawing, encoding="utf-8")
    except OSError as error:
        why = reason_of(error)
        raise UserError(f"{picture}: can't be written: {why}; name a file in a folder that is yours") from error
    print(f"{picture}: {content}; a browser shows and prints it")


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
