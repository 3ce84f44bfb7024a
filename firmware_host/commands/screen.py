"""`dudo-table screen`: serve the public page of a table, for the TV over it and for phones in the same network."""

import argparse
import asyncio
from ipaddress import IPv4Address
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_host.commands.parser import Commands, Parser, add_socket, language, socket_of
from firmware_host.errors import UserError
from firmware_host.web.modules import page_modules

if TYPE_CHECKING:
    from firmware_host.public_page.server import PublicPage
    from firmware_host.service.notify import Notify

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8650


def add_to(commands: "Commands[Parser]") -> None:
    """Declare the command's flags."""
    parser = commands.add_parser(
        "screen",
        help="serve a page of the running table for a TV and phones",
        description="Serve a page that shows the table that runs here: for the TV over it, and for phones. It "
        "reads the public events alone, and nobody can do anything at the table with it.",
    )
    add_socket(parser)
    parser.add_argument(
        "--listen",
        metavar="HOST:PORT",
        type=host_and_port,
        default=(DEFAULT_HOST, DEFAULT_PORT),
        help="where the page is; 0.0.0.0:8650 is every address of this computer, for phones "
        f"(default: {DEFAULT_HOST}:{DEFAULT_PORT}, this computer alone)",
    )
    parser.add_argument(
        "--language",
        metavar="LANGUAGE",
        type=language,
        help="the page's language: en, es or fr (default: that of each browser)",
    )
    parser.set_defaults(command=_screen)


def host_and_port(text: str) -> tuple[str, int]:
    """Return an IPv4 address and a port."""
    host, colon, port = text.rpartition(":")
    try:
        if not (colon and port.isascii() and port.isdecimal() and 1 <= int(port[:9]) <= 65535):
            raise ValueError(text)
        return str(IPv4Address("127.0.0.1" if host == "localhost" else host)), int(port)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text} is no IPv4 address with a port, write one such as 0.0.0.0:8650 or 127.0.0.1:8650"
        ) from None


def _screen(options: argparse.Namespace) -> int:
    with page_modules("screen"):
        from firmware_host.public_page.server import PublicPage
        from firmware_host.web.access import listening_at, listening_problem
    from firmware_host.service.log import configure_logging
    from firmware_host.service.notify import Notify
    from firmware_host.service.signals import run_until_signal

    configure_logging()
    host, port = options.listen
    try:
        listening = listening_at(host, port)
    except OSError as error:
        raise UserError(f"--listen {host}:{port}: {listening_problem(error)}") from error
    with listening, Notify() as notify:
        page = PublicPage(listening, options.language)
        print(f"The screen is at {page.local_address}{_for_phones(page.address)} (Ctrl-C stops it).", flush=True)
        notify.status(f"serves the page at {host}:{port}")
        asyncio.run(run_until_signal(_serve(page, socket_of(options), notify)))
    return 0


async def _serve(page: "PublicPage", events: Path, notify: "Notify") -> None:
    """Serve until cancelled."""
    async with page.serve(events):
        notify.ready()
        await asyncio.Event().wait()


def _for_phones(address: str | None) -> str:
    return ", for this computer alone" if address is None else f", for phones at {address}"
