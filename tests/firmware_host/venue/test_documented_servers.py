"""The blocks of docs/venue.md for Mosquitto and PostgreSQL work as they stand, with real programs in test folders."""

import asyncio
import getpass
import json
import os
import re
import socket
import ssl
import subprocess
import sys
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import pytest
from aiomqtt import Client, MqttError, Will
from support import ROOT
from support.broker.bridged_room import TABLE
from support.broker.mosquitto import Mosquitto, until
from support.pages.public_table import PublicTable
from support.venue.postgres import Postgres

from bench.tools.broker import free_port
from firmware_host.clients.bridge.app import Bridge
from firmware_host.clients.bridge.home_assistant import discovery_topic
from firmware_host.clients.bridge.outbox import EventOutbox
from firmware_host.commands.broker import tls_context
from firmware_host.util.process import ended
from firmware_host.venue.board import TableBoard
from firmware_host.venue.database import DatabaseAwayError, database_at
from firmware_host.venue.follower import Follower, StoreThread
from firmware_host.venue.messages import MAX_BYTES
from firmware_host.venue.store import Store
from firmware_host.wire import Joined

PASSWORDS = {"venue": "choose-a-password", "window": "choose-another-one"}


def block(heading: str, start: str) -> str:
    """Return the shell block that begins so, below a heading of the page."""
    page = (ROOT / "docs/venue.md").read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2]
    found = next(each for each in re.findall(r"```sh\n(.*?)```", page, re.DOTALL) if each.startswith(start))
    return str(found)


def run(script: str, **environment: str) -> None:
    """Run a block as its owner would, but without sudo and systemd."""
    script = re.sub(r"sudo (-u \w+ )?(?=\w)", "", re.sub(r"^sudo systemctl .*$", "", script, flags=re.MULTILINE))
    done = subprocess.run(
        ["bash", "-euc", script], env={**os.environ, **environment}, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr


class DocumentedMosquitto(Mosquitto):
    """Mosquitto with the settings of the page: one listener for this computer, one with TLS for the others."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.tls_port = free_port()
        for part in ("certs", "conf.d"):
            (folder / part).mkdir()
        script = block("The broker", "HOST=").replace("HOST=mqtt.local", "HOST=localhost")
        if os.geteuid() != 0:
            script = script.replace("-g mosquitto ", "").replace("sudo chown mosquitto:", "sudo chown $(id -un):")
        run(script.replace("/etc/mosquitto", str(folder)))
        conf = (folder / "conf.d" / "dudo.conf").read_text()
        assert "listener 8883\n" in conf
        conf = conf.replace("listener 1883", f"listener {self.port}").replace(
            "listener 8883", f"listener {self.tls_port}"
        )
        self._config.write_text(f"user {getpass.getuser()}\n{conf}")
        self.ca = folder / "certs" / "dudo.pem"

    def listens(self) -> bool:
        """Return whether both listeners take connections yet."""
        if not super().listens():
            return False
        with suppress(OSError), socket.create_connection(("localhost", self.tls_port), timeout=1):
            return True
        return False

    def client(self, user: str, will: Will | None = None, password: str | None = None) -> Client:
        """Return a client of another computer, with the login of a user."""
        tls = tls_context(self.ca)
        tls.verify_flags |= ssl.VERIFY_X509_STRICT  # as Python 3.13 checks certificates
        return Client(
            "localhost",
            self.tls_port,
            username=user,
            password=password or PASSWORDS[user],
            will=will,
            timeout=5,
            tls_context=tls,
        )


@pytest.mark.slow
def test_a_bridge_and_a_venue_have_all_they_need_by_the_documented_settings(tmp_path: Path) -> None:
    asyncio.run(_published(tmp_path))


async def _published(folder: Path) -> None:
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    async with AsyncExitStack() as stack:
        (folder / "mosquitto").mkdir()
        broker, table = DocumentedMosquitto(folder / "mosquitto"), PublicTable(folder)
        stack.callback(broker.close)
        await broker.start()
        await table.start()
        stack.push_async_callback(table.close)
        store, board = StoreThread(Store(database_at(str(folder / "venue.sqlite")))), TableBoard()
        stack.callback(store.close)
        follower = Follower(lambda: broker.client("venue"), store, board)
        stack.push_async_callback(ended, asyncio.create_task(follower.run()))
        bridges = []
        for name in ("one", "other"):
            said = list[str]()
            outbox = EventOutbox(folder / f"{name}.sqlite", name)
            stack.callback(outbox.close)
            bridge = Bridge(
                TABLE, outbox, lambda will, _: broker.client("window", will), home_assistant=True, on_status=said.append
            )
            stack.push_async_callback(ended, asyncio.create_task(bridge.run(table.path)))
            bridges.append((outbox, said))
            if name == "one":
                await table.happen(Joined(0))
                await until(lambda: follower.taken.events == 1 and board.cards()[0].reached)
                await until(lambda: len(bridges[0][0]) == 0)  # it may read the word of the venue
        await until(lambda: any("another table calls itself" in line for _, said in bridges for line in said))
        async with broker.client("venue") as client:  # the discovery message is not for the venue
            await client.subscribe([("#", 1)])
            await client.publish("dudo/v1/bar/window/seen", b"", qos=1)
        assert discovery_topic(TABLE) in block("The broker", "HOST=")


@pytest.mark.slow
def test_a_table_publishes_for_no_other_one_by_the_documented_settings(tmp_path: Path) -> None:
    asyncio.run(_refused(tmp_path))


async def _refused(folder: Path) -> None:
    (folder / "mosquitto").mkdir()
    broker = DocumentedMosquitto(folder / "mosquitto")
    try:
        await broker.start()
        async with broker.client("venue") as venue, broker.client("window") as window:
            await venue.subscribe([("dudo/v1/#", 1)])
            await window.publish("dudo/v1/bar/window/event", b"x" * (MAX_BYTES + 1), qos=1)
            for topic in ("dudo/v1/bar/door/event", "dudo/v1/bar/window/seen", "dudo/v1/bar/window/status"):
                await window.publish(topic, json.dumps(topic), qos=1)
            async for message in venue.messages:
                assert message.topic.value == "dudo/v1/bar/window/status"
                break
        with pytest.raises(MqttError):
            async with broker.client("window", password="wrong"):
                pass
        with pytest.raises(MqttError):
            async with Client("127.0.0.1", broker.port, timeout=5):
                pass
    finally:
        broker.close()


@pytest.mark.slow
def test_the_documented_role_and_database_are_those_of_a_venue(tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    postgres = Postgres(user="postgres")
    try:
        postgres.start()
        rules = tmp_path / "15" / "main" / "pg_hba.conf"
        rules.parent.mkdir(parents=True)
        rules.touch()
        script = block("The database", "sudo -u postgres psql").replace("/etc/postgresql", str(tmp_path))
        run(script, PGHOST="127.0.0.1", PGPORT=str(postgres.port), PGUSER="postgres", PGDATABASE="postgres")
        postgres.kill()
        postgres.allow("host all postgres 127.0.0.1/32 trust\n" + rules.read_text())
        postgres.start()
        url = f"postgresql://dudo@127.0.0.1:{postgres.port}/dudo"
        store = Store(database_at(url, "choose-a-password"))
        assert store.tables() == []
        assert store._database.run("SHOW listen_addresses") == [("*",)]
        store.close()
        with pytest.raises(DatabaseAwayError, match="password authentication failed"):
            Store(database_at(url, "wrong")).tables()
    finally:
        postgres.close()


def test_a_password_is_set_on_a_computer_without_the_packages_of_a_page(tmp_path: Path) -> None:
    file = tmp_path / "venue-password"
    code = (
        "import sys; sys.modules.update(dict.fromkeys(('segno', 'aiohttp', 'ifaddr', 'aiomqtt', 'paho', 'psycopg')))\n"
        f"from firmware_host import cli; sys.exit(cli.main(['venue', '--set-password', {str(file)!r}]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, input="correct horse\n", capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert file.read_text().startswith("scrypt$")
    with suppress(FileNotFoundError):
        assert file.stat().st_mode & 0o077 == 0
