"""`dudo-table screen`: serve the public page of a table, for the TV over it and for phones in the same network."""

import argparse
import asyncio
import errno
import signal
from ipaddress import IPv4Address
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_host.commands.parser import Commands, Parser, add_socket, language, socket_of
from firmware_host.errors import UserError

if TYPE_CHECKING:
    from firmware_host.public_page.server import PublicPage

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8650
MODULES = ("aiohttp", "ifaddr", "segno")
"""The modules of the extra `page`."""


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
    try:
        from firmware_host.public_page.server import PublicPage
    except ModuleNotFoundError as error:
        if error.name not in MODULES:
            raise
        names = " ".join(f"python3-{name}" for name in MODULES)
        raise UserError(f"screen: the page needs {error.name}: sudo apt install {names}") from error
    from firmware_host.service.log import configure_logging
    from firmware_host.web.access import listening_at

    configure_logging()
    host, port = options.listen
    try:
        listening = listening_at(host, port)
    except OSError as error:
        raise UserError(f"--listen {host}:{port}: {_why(error)}") from error
    with listening:
        page = PublicPage(listening, options.language)
        print(f"The screen is at {page.local_address}{_for_phones(page.address)} (Ctrl-C stops it).", flush=True)
        asyncio.run(_serve(page, socket_of(options)))
    return 0


async def _serve(page: "PublicPage", events: Path) -> None:
    """Serve until a signal ends it."""
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    async with page.serve(events):
        await ended.wait()


def _for_phones(address: str | None) -> str:
    return ", for this computer alone" if address is None else f", for phones at {address}"


def _why(error: OSError) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return "another program listens there; stop it, or name another port"
        case errno.EADDRNOTAVAIL:
            return "is no address of this computer; ip -brief address lists them, and 0.0.0.0 is all of them"
        case errno.EACCES:
            return "ports below 1024 are not for everybody; name one above"
    return f"can't be served: {(error.strerror or str(error)).lower()}"
