"""`dudo-table bridge`: publish a running table on an MQTT broker."""

import argparse
import os
import re
import socket
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_host.commands.parser import Commands, Parser, add_socket, directory, file, socket_of
from firmware_host.errors import UserError
from firmware_host.util.system_error import reason_of

if TYPE_CHECKING:
    import ssl

_NAME = re.compile(r"[0-9A-Za-z_-]{1,32}", re.ASCII)
PORT, TLS_PORT = 1883, 8883
MAX_CREDENTIAL_BYTES = 4096


def add_to(commands: "Commands[Parser]") -> None:
    """Declare the command's flags."""
    parser = commands.add_parser(
        "bridge",
        help="publish a running table on an MQTT broker",
        description="Publish the public events of a table that runs here on an MQTT broker, until stopped. What the "
        "broker or the venue behind it has not confirmed waits in a file and is sent again.",
    )
    add_socket(parser)
    add_broker(parser)
    parser.add_argument(
        "--site", metavar="NAME", type=_name, default="home", help="the name of the place (default: home)"
    )
    parser.add_argument(
        "--table", metavar="NAME", type=_name, help="the name of the table there (default: that of this computer)"
    )
    parser.add_argument(
        "--outbox", metavar="FOLDER", type=directory, help="where unconfirmed events wait (default: the state folder)"
    )
    parser.add_argument(
        "--home-assistant",
        action="store_true",
        help="have Home Assistant discover the table, and publish cues for lights",
    )
    parser.set_defaults(command=_bridge)


def add_broker(parser: "Parser") -> None:
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
    host, colon, port = text.rpartition(":") if text.count(":") == 1 or text.startswith("[") else (text, "", "")
    host = host.strip("[]") if colon else text.strip("[]")
    if host and host.isprintable() and " " not in host and (not colon or _is_port(port)):
        return host, int(port) if colon else None
    raise argparse.ArgumentTypeError(f"{text} is not a broker, write a name or an address such as mqtt.local:1883")


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdecimal() and 1 <= int(text[:9]) <= 65535


def _name(text: str) -> str:
    if _NAME.fullmatch(text):
        return text
    raise argparse.ArgumentTypeError(f"{text} is not a name for a topic, write 1 to 32 letters, digits, - or _")


def _bridge(options: argparse.Namespace) -> int:
    import asyncio
    import sqlite3

    try:
        from aiomqtt import Client, Will

        from firmware_host.clients.bridge.app import Bridge
    except ModuleNotFoundError as error:
        if error.name not in {"aiomqtt", "paho"}:
            raise
        raise UserError(
            f"bridge: needs {error.name}: in a clone, .venv/bin/pip install -c constraints.txt -e '.[bridge]'"
        ) from error
    from firmware_host.clients.bridge.machine import machine_hash
    from firmware_host.clients.bridge.outbox import EventOutbox
    from firmware_host.clients.bridge.topics import Topics
    from firmware_host.util import log, state_dir
    from firmware_host.util.process import run_until_signal
    from firmware_host.util.systemd import Notify

    if options.broker is None:
        raise UserError("bridge: name the broker with --broker, such as --broker mqtt.local")
    log.configure_logging()
    topics = Topics(options.site, options.table or _own_name())
    tls = tls_context(options.ca) if options.tls or options.ca else None
    host, port = options.broker
    user, password = login_of(options.login)

    def connect(will: Will, instance: str) -> Client:
        return Client(
            host,
            port or (TLS_PORT if tls else PORT),
            username=user,
            password=password,
            identifier=f"dudo-{topics.site}-{topics.table}-{instance}",
            will=will,
            keepalive=20,
            timeout=10,
            tls_context=tls,
            max_queued_incoming_messages=100,
        )

    file = (options.outbox or state_dir.default()) / "outbox.sqlite"
    try:
        outbox = EventOutbox(file, machine_hash())
    except (OSError, sqlite3.Error) as error:
        why = reason_of(error)
        raise UserError(
            f"{file}: can't keep unconfirmed events there: {why}; make room, or name another folder with --outbox"
        ) from error
    with Notify() as notify:
        bridge = Bridge(topics, outbox, connect, home_assistant=options.home_assistant, on_status=notify.status)
        notify.ready()
        try:
            asyncio.run(run_until_signal(bridge.run(socket_of(options))))
        finally:
            outbox.close()
    return 0


def _own_name() -> str:
    name = re.sub(r"[^0-9A-Za-z_-]", "-", socket.gethostname())[:32]
    return name or "table"


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
