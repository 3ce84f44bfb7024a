"""`dudo-table owner`: serve the page on which a table's owner cares for it, behind a code that a display shows."""

import argparse
import asyncio
from typing import TYPE_CHECKING

from firmware_host.clients.web.modules import page_modules
from firmware_host.commands.parser import CommandParser, Commands, add_command, add_page, add_socket, socket_of

if TYPE_CHECKING:
    pass

DEFAULT_PORT = 8670


def add_to(commands: "Commands[CommandParser]") -> None:
    """Declare the command's flags."""
    parser = add_command(
        commands,
        _owner,
        "owner",
        "serve a page for the owner of the running table",
        "It has what staff may do, behind a code in the staff menu, which dudo-table staff owner-page prints, too. As "
        "a service it is dudo-table-owner.service.",
    )
    add_socket(parser)
    add_page(parser, DEFAULT_PORT, ", for phones")


def _owner(options: argparse.Namespace) -> int:
    with page_modules("owner"):
        from firmware_host.clients.owner.server import OwnerPageServer
        from firmware_host.clients.web.access import bind_named
    from firmware_host.util.log import configure_logging
    from firmware_host.util.process import run_until_signal, serve
    from firmware_host.util.systemd import Notify

    configure_logging()
    host, port = options.listen
    with bind_named(host, port) as listening, Notify() as notify:
        page = OwnerPageServer(listening, options.language, socket_of(options))
        print(f"The owner's page is at http://{page.address}/ (Ctrl-C stops it).", flush=True)
        notify.status(f"serves the page at {host}:{port}")
        asyncio.run(run_until_signal(serve(page.serve(), notify)))
    return 0
