"""`dudo-table bridge`: publish a running table on an MQTT broker."""

import argparse
import re
import socket
from typing import TYPE_CHECKING

from firmware_host.commands.broker import add_broker, clients_of
from firmware_host.commands.parser import CommandParser, Commands, add_command, add_socket, directory, socket_of
from firmware_host.errors import UserError
from firmware_host.util.system_error import reason_of

if TYPE_CHECKING:
    from aiomqtt import Client, Will

_NAME = re.compile(r"[0-9A-Za-z_-]{1,32}", re.ASCII)


def add_to(commands: "Commands[CommandParser]") -> None:
    """Declare the command's flags."""
    parser = add_command(
        commands,
        _bridge,
        "bridge",
        "publish a running table on an MQTT broker",
        "It publishes public events until stopped. Those not confirmed by the broker or the venue behind it wait in "
        "a file and are sent again.",
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


def _name(text: str) -> str:
    if _NAME.fullmatch(text):
        return text
    raise argparse.ArgumentTypeError(f"{text} is not a name for a topic, write 1 to 32 letters, digits, - or _")


def _bridge(options: argparse.Namespace) -> int:
    client = clients_of(options, "bridge")
    import asyncio
    import sqlite3

    from firmware_host.clients.bridge.app import Bridge
    from firmware_host.clients.bridge.machine import machine_hash
    from firmware_host.clients.bridge.outbox import EventOutbox
    from firmware_host.clients.bridge.topics import Topics
    from firmware_host.util import log, state_dir
    from firmware_host.util.process import run_until_signal
    from firmware_host.util.systemd import Notify

    log.configure_logging()
    topics = Topics(options.site, options.table or _own_name())

    def connect(will: "Will", instance: str) -> "Client":
        identifier = f"dudo-{topics.site}-{topics.table}-{instance}"
        return client(identifier=identifier, will=will, max_queued_incoming_messages=100)

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
