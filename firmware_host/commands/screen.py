"""`dudo-table screen`: serve a table's public page, for the TV over it and for phones in the same network."""

import argparse
import asyncio

from firmware_host.clients.web.modules import page_modules
from firmware_host.commands.parser import (
    CommandParser,
    Commands,
    add_command,
    add_page,
    add_parent,
    add_socket,
    socket_of,
)

DEFAULT_PORT = 8650


def add_to(commands: "Commands[CommandParser]") -> None:
    """Declare the command's flags."""
    parser = add_command(
        commands,
        _screen,
        "screen",
        "serve a page of the running table for a TV and phones",
        "It reads the public events alone: the page can't change anything at the table. As a service it is "
        "dudo-table-screen.service.",
    )
    add_socket(parser)
    add_page(parser, DEFAULT_PORT, ", for phones")
    add_parent(parser)


def _screen(options: argparse.Namespace) -> int:
    with page_modules("screen"):
        from firmware_host.clients.tv.server import PublicPage
        from firmware_host.clients.web.access import bind_named
    from firmware_host.util.log import configure_logging
    from firmware_host.util.process import end_with_standard_input, run_until_signal, serve
    from firmware_host.util.systemd import Notify

    configure_logging()
    if options.with_parent:
        end_with_standard_input()
    host, port = options.listen
    with bind_named(host, port) as listening, Notify() as notify:
        page = PublicPage(listening, options.language)
        print(f"The screen is at {page.local_address}{_for_phones(page.address)} (Ctrl-C stops it).", flush=True)
        notify.status(f"serves the page at {host}:{port}")
        asyncio.run(run_until_signal(serve(page.serve(socket_of(options)), notify)))
    return 0


def _for_phones(address: str | None) -> str:
    return ", for this computer alone" if address is None else f", for phones at {address}"
