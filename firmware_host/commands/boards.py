"""`dudo-table boards`: list a running table's cups and boards with their programs, update these, or flash new ones."""

import argparse
import sys
from pathlib import Path

from firmware_host.commands.parser import CommandParser, Commands, add_command, add_events
from firmware_host.commands.staff import ask, control_socket, print_reply
from firmware_host.errors import UserError


def add_to(commands: "Commands[CommandParser]") -> None:
    """Declare the command's arguments."""
    parser = add_command(
        commands,
        _boards,
        "boards",
        "list the cups and boards of a running table: seat, id, release, wiring, last error",
        "Programs are updated over the cables while nobody plays. Without a table, dudo-table doctor --all lists them.",
    )
    add_events(parser)
    parser.add_argument(
        "what",
        metavar="WHAT",
        nargs="?",
        choices=("update", "flash"),
        help="update: update them now, also after a failure; flash: put MicroPython and the program on new Picos, one "
        "after the other, and try their parts",
    )
    parser.add_argument("file", metavar="FILE", type=Path, nargs="?", help="MicroPython for flash, a .uf2 file")
    parser.add_argument("--wiring", metavar="FILE", type=Path, help="your own wiring.py for flash")
    parser.add_argument("--sha256", metavar="HASH", default="", help="the SHA-256 that the .uf2 file must have")


def _boards(options: argparse.Namespace) -> int:
    if options.what == "flash":
        return _flash(options)
    if options.file or options.wiring or options.sha256:
        raise UserError("a file, --wiring and --sha256 are for flash; write dudo-table boards flash FILE")
    return print_reply(ask(control_socket(options.events), {"ask": "boards", "update": options.what == "update"}))


def _flash(options: argparse.Namespace) -> int:
    import tempfile
    from contextlib import closing

    from firmware_host.devices.host_io.ports import SystemPorts
    from firmware_host.doctor.flash import flashing, micropython
    from firmware_host.doctor.interactive.terminal import try_layout
    from firmware_host.util import terminal
    from hardware.boards import pico_bundle

    if options.file is None:
        raise UserError(f"flash needs MicroPython; {micropython.DOWNLOAD}, and write dudo-table boards flash FILE")
    if not sys.stdin.isatty():
        raise UserError("boards flash asks questions; run it in a terminal")
    if not flashing.has_mpremote():
        raise UserError("mpremote is not installed; in a clone: .venv/bin/pip install -c constraints.txt -e '.[pico]'")
    file = micropython.read(options.file, options.sha256)
    with tempfile.TemporaryDirectory(prefix="dudo-table-") as folder, closing(SystemPorts()) as ports:
        bundle = Path(folder) / "pico"
        pico_bundle.gather(bundle, compiled=pico_bundle.can_compile(), wiring=options.wiring)
        print(f"{options.file}: MicroPython {file.version}, SHA-256 {file.sha256}")
        place = flashing.Workplace(
            ports,
            flashing.copier(bundle),
            lambda layout, has_light: try_layout(layout, tries_lights=has_light),
            lambda line: terminal.print_lines([line]),
        )
        session = flashing.Flashing(place, file)
        try:
            session.run()
        except KeyboardInterrupt:
            terminal.print_lines(["", *session.lines])
    return 0
