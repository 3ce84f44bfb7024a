"""`dudo-table venue`: follow all tables on a broker into a database, and serve their page."""

import argparse
import asyncio
import getpass
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_host.clients.web.modules import page_modules
from firmware_host.commands.broker import MAX_CREDENTIAL_BYTES, add_broker, clients_of, credential
from firmware_host.commands.parser import CommandParser, Commands, add_command, add_page, file, proxy_name
from firmware_host.errors import UserError
from firmware_host.util.system_error import reason_of

if TYPE_CHECKING:
    from firmware_host.util.systemd import Notify
    from firmware_host.venue.follower import Follower
    from firmware_host.venue.owner import Password
    from firmware_host.venue.server import VenuePage

DEFAULT_PORT = 8660
FILE_NAME = "venue.sqlite"


def add_to(commands: "Commands[CommandParser]") -> None:
    """Declare the command's flags."""
    parser = add_command(
        commands,
        _venue,
        "venue",
        "follow all tables of a broker, and serve a page of them",
        "The tables are those that bridges publish on an MQTT broker. It runs until stopped, keeps their events in a "
        "database, and its page has the tables, the rankings and what needs attention.",
    )
    add_broker(parser)
    parser.add_argument(
        "--database",
        metavar="PLACE",
        help="a file, or postgresql://USER@HOST/NAME, with the password in ~/.pgpass or the credential "
        "database-password of the service (default: venue.sqlite in the state folder)",
    )
    add_page(parser, DEFAULT_PORT)
    parser.add_argument(
        "--proxy",
        metavar="NAME",
        type=proxy_name,
        help="the name under which a proxy with TLS serves the page, such as dudo.example or dudo.example:8443",
    )
    parser.add_argument(
        "--password",
        metavar="FILE",
        type=file,
        help="the file of --set-password, for the owner of the page (default: the credential venue-password of the "
        "service; without one nobody can change anything)",
    )
    parser.add_argument(
        "--set-password", metavar="FILE", type=file, help="ask for a password, write its hash to this file, and end"
    )


def _venue(options: argparse.Namespace) -> int:
    if options.set_password is not None:  # needs none of the packages below
        _set_password(options.set_password)
        return 0
    client = clients_of(options, "venue")
    with page_modules("venue"):
        from firmware_host.clients.web.access import bind_named
        from firmware_host.venue.board import TableBoard
        from firmware_host.venue.follower import Follower, StoreThread
        from firmware_host.venue.server import VenuePage
    from firmware_host.util import state_dir
    from firmware_host.util.log import configure_logging
    from firmware_host.util.process import run_until_signal
    from firmware_host.util.systemd import Notify
    from firmware_host.venue.database import database_at
    from firmware_host.venue.store import Store

    configure_logging()
    owner = _owner(options.password)
    place = options.database or str(state_dir.default() / FILE_NAME)
    database, second = (database_at(place, credential("database-password")) for _ in range(2))
    listening = bind_named(*options.listen)
    store, reader, board = StoreThread(Store(database)), StoreThread(Store(second), "venue-reader"), TableBoard()
    with listening, Notify() as notify:
        page = VenuePage(listening, options.language, board, owner, options.proxy)
        follower = Follower(
            lambda: client(identifier=f"dudo-venue-{os.urandom(4).hex()}"),
            store,
            board,
            reader,
            on_status=lambda line: _report(line, notify, page),
            on_results=page.results_came,
        )
        phones = ", for this computer alone" if page.address is None else f", for others at {page.address}"
        print(f"The venue is at {page.local_address}{phones} (Ctrl-C stops it).", flush=True)
        try:
            asyncio.run(run_until_signal(_serve(page, follower, notify)))
        finally:
            store.close()
            reader.close()
    return 0


def _set_password(path: Path) -> None:
    """Ask for a password, twice at a terminal, and write its hash."""
    from firmware_host.util.atomic_file import write_atomic
    from firmware_host.venue.owner import hash_of

    if sys.stdin.isatty():
        password = getpass.getpass("The owner's password: ")
        if getpass.getpass("Once more: ") != password:
            raise UserError("the two passwords differ; nothing was written")
    else:
        password = sys.stdin.readline(MAX_CREDENTIAL_BYTES).rstrip("\n")
    try:
        write_atomic(path, hash_of(password) + "\n")
    except OSError as error:
        raise UserError(f"{path}: can't be written: {reason_of(error)}") from error
    print(f"{path} has the hash; start the venue with --password {path}.")


def _owner(path: Path | None) -> "Password | None":
    """Return the owner's password, None if unset."""
    from firmware_host.venue.owner import Password
    from hardware.config import regular_file

    file = path or "the credential venue-password"
    try:
        given = None if path is None else regular_file.read(path, MAX_CREDENTIAL_BYTES).decode()
        text = credential("venue-password") if given is None else given
        return None if text is None else Password(text)
    except OSError as error:
        raise UserError(f"{file}: can't be read: {reason_of(error)}") from error
    except ValueError as error:
        made = path or "FILE"
        raise UserError(f"{file}: {error}; make it with dudo-table venue --set-password {made}") from error


async def _serve(page: "VenuePage", follower: "Follower", notify: "Notify") -> None:
    """Serve until cancelled. Raises `UserError` where the database can't be used."""
    async with page.serve(follower):
        notify.ready()
        await follower.run()


def _report(line: str, notify: "Notify", page: "VenuePage") -> None:
    notify.status(line)
    page.changed()
