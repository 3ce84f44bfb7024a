"""`dudo-table phones`: let guests play on their phones at a running table."""

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_host.clients.web.modules import page_modules
from firmware_host.commands.parser import (
    CommandParser,
    Commands,
    add_command,
    add_page,
    add_parent,
    add_socket,
    add_tls,
    proxy_name,
    socket_of,
    tls_of,
)
from firmware_host.errors import UserError
from firmware_host.util.system_error import reason_of

if TYPE_CHECKING:
    pass

DEFAULT_PORT = 8680


def add_to(commands: "Commands[CommandParser]") -> None:
    """Declare the command's flags."""
    parser = add_command(
        commands,
        _phones,
        "phones",
        "let guests play on their phones at a running table",
        "A seat with phone = true in the layout is for a guest, who scans the code on the TV. It passes what phone and "
        "table say to each other. As a service it is dudo-table-phones.service.",
    )
    add_socket(parser)
    add_page(parser, DEFAULT_PORT, ", for phones")
    parser.add_argument(
        "--proxy",
        metavar="NAME",
        type=proxy_name,
        help="the name for which HTTPS is served, by a proxy or by --tls, such as dudo.example or dudo.example:8443",
    )
    add_tls(parser)
    add_parent(parser)
    parser.add_argument("--empty", action="store_true", help="begin with every seat free: guests need new codes")


def _phones(options: argparse.Namespace) -> int:
    with page_modules("phones"):
        from firmware_host.clients.phones.guests import GUESTS_FILE
        from firmware_host.clients.phones.server import PhonesServer
        from firmware_host.clients.web.access import bind_named
    from firmware_host.public.address import phones_folder
    from firmware_host.util.log import configure_logging
    from firmware_host.util.process import end_with_standard_input, run_until_signal, serve
    from firmware_host.util.systemd import Notify

    configure_logging()
    if options.with_parent:
        end_with_standard_input()
    events = socket_of(options)
    folder = _prepared(phones_folder(events))
    if options.empty:
        (folder / GUESTS_FILE).unlink(missing_ok=True)
    host, port = options.listen
    tls = tls_of(options)
    with bind_named(host, port) as listening, Notify() as notify:
        server = PhonesServer(
            listening, folder, events, language=options.language, proxy=options.proxy, tls=tls, announce=_print_line
        )
        print(f"Phones come to {server.address} (Ctrl-C stops it).", flush=True)
        notify.status(f"serves phones at {host}:{port}")
        asyncio.run(run_until_signal(serve(server.serve(), notify)))
    return 0


def _prepared(folder: Path) -> Path:
    """Return the folder of the phones' sockets, made if it is missing. Raises `UserError`."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise UserError(f"{folder}: can't be made: {reason_of(error)}; start the table first") from error
    return folder


def _print_line(line: str) -> None:
    print(line, flush=True)
