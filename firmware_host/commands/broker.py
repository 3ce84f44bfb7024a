"""The broker connection of `dudo-table bridge` and `venue`: its flags, its secrets and its clients."""

import argparse
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_host.commands.parser import CommandParser, file, port
from firmware_host.errors import UserError

if TYPE_CHECKING:
    import ssl

    from aiomqtt import Client

PORT, TLS_PORT = 1883, 8883
MAX_CREDENTIAL_BYTES = 4096


def add_broker(parser: CommandParser) -> None:
    """Declare the flags for a broker connection."""
    parser.add_argument(
        "--broker",
        metavar="HOST:PORT",
        type=broker_address,
        help="the broker, which must be named (port: 1883, with TLS 8883)",
    )
    parser.add_argument("--tls", action="store_true", help="connect with TLS, and check the broker's certificate")
    parser.add_argument("--ca", metavar="FILE", type=file, help="the certificate that the broker's is signed with")
    parser.add_argument(
        "--login",
        metavar="FOLDER",
        type=Path,
        help="a folder with the files mqtt-user and mqtt-password (default: the credentials of the service)",
    )


def broker_address(text: str) -> tuple[str, int | None]:
    """Return a broker's host and its port, if given."""
    host, colon, number = text.rpartition(":") if text.count(":") == 1 or text.startswith("[") else (text, "", "")
    try:
        given = port(number) if colon else None
        host = host.strip("[]") if colon else text.strip("[]")
        if host and host.isprintable() and " " not in host:
            return host, given
    except argparse.ArgumentTypeError:
        pass
    raise argparse.ArgumentTypeError(f"{text} is not a broker, write a name or an address such as mqtt.local:1883")


def clients_of(options: argparse.Namespace, command: str) -> "Callable[..., Client]":
    """Return a maker of clients for the chosen broker, which takes further options of aiomqtt's `Client`.

    Raises `UserError` without a broker, without aiomqtt, or for unusable secrets.
    """
    try:
        from aiomqtt import Client
    except ModuleNotFoundError as error:
        if error.name not in {"aiomqtt", "paho"}:
            raise
        remedy = f"in a clone, .venv/bin/pip install -c constraints.txt -e '.[{command}]'"
        raise UserError(f"{command}: needs {error.name}: {remedy}") from error
    if options.broker is None:
        raise UserError(f"{command}: name the broker with --broker, such as --broker mqtt.local")
    tls = tls_context(options.ca) if options.tls or options.ca else None
    host, given = options.broker
    user, password = login_of(options.login)
    default = TLS_PORT if tls else PORT
    return partial(
        Client, host, given or default, username=user, password=password, keepalive=20, timeout=10, tls_context=tls
    )


def tls_context(ca: Path | None) -> "ssl.SSLContext":
    """Return the context for checking a broker's certificate, with its authority's unless a common one."""
    import ssl

    try:
        return ssl.create_default_context(cafile=ca)
    except (OSError, ssl.SSLError) as error:
        raise UserError(f"{ca}: can't be used as a certificate: {error.strerror or error}") from error


def login_of(folder: Path | None) -> tuple[str | None, str | None]:
    """Return user and password from files in the folder or from systemd's credentials, None for a missing one."""
    user, password = (credential(name, folder) for name in ("mqtt-user", "mqtt-password"))
    if folder is not None and user is None:
        raise UserError(f"{folder}/mqtt-user: has no name; --login names a folder with it and mqtt-password")
    return user, password


def credential(name: str, folder: Path | None = None) -> str | None:
    """Return a secret from its file in the folder or systemd's credentials, None if missing.

    An empty file counts as missing: a unit has one where its owner has set no secret.
    """
    from hardware.config import regular_file

    given = folder or (Path(credentials) if (credentials := os.environ.get("CREDENTIALS_DIRECTORY")) else None)
    if given is None:
        return None
    path = given / name
    try:
        return regular_file.read(path, MAX_CREDENTIAL_BYTES).decode().strip() or None
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: can't be read: {error}") from error
