"""TLS to a real broker: the right certificate is taken, and of a wrong one the bridge says once what to do."""

import asyncio
import gc
import warnings
from dataclasses import dataclass
from pathlib import Path

import pytest
from aiomqtt import Client, Will
from support.broker.bridged_room import TABLE
from support.broker.mosquitto import Mosquitto, until
from support.host.certificates import ELSEWHERE, Authority
from support.pages.public_table import PublicTable

from firmware_host.clients.bridge.app import Bridge
from firmware_host.clients.bridge.outbox import EventOutbox
from firmware_host.commands.broker import tls_context
from firmware_host.errors import UserError
from firmware_host.util.process import ended

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Certificates:
    """An authority, another one, and brokers' certificates by what they are."""

    authority: Authority
    other: Authority
    of_broker: dict[str, tuple[Path, Path]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    folder = tmp_path_factory.mktemp("certificates")
    authority, other = Authority(folder, "authority"), Authority(folder, "other")
    brokers = {
        "right": authority.certificate("right"),
        "expired": authority.certificate("expired", days=-1),
        "of another name": authority.certificate("elsewhere", names=ELSEWHERE),
    }
    return Certificates(authority, other, brokers)


def status_of(folder: Path, certificate: tuple[Path, Path], ca: Path) -> str:
    """Return the first line of the status of a bridge with this authority, at a broker with this certificate."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # paho leaves a socket open whose certificate it refuses
        status = asyncio.run(_status_of(folder, certificate, ca))
        gc.collect()
    return status


async def _status_of(folder: Path, certificate: tuple[Path, Path], ca: Path) -> str:
    broker, table, said = Mosquitto(certificate), PublicTable(folder), list[str]()
    outbox, tls = EventOutbox(folder / "outbox.sqlite"), tls_context(ca)

    def connect(will: Will, instance: str) -> Client:
        return Client("127.0.0.1", broker.port, identifier=instance, will=will, timeout=5, tls_context=tls)

    await broker.start()
    await table.start()
    bridge = asyncio.create_task(Bridge(TABLE, outbox, connect, on_status=said.append).run(table.path))
    try:
        await until(lambda: said)
    finally:
        await ended(bridge)
        await table.close()
        outbox.close()
        broker.close()
    return said[0]


def test_a_certificate_of_the_authority_is_taken(made: Certificates, tmp_path: Path) -> None:
    status = status_of(tmp_path, made.of_broker["right"], made.authority.file)
    assert status == "publishes the table"


def test_a_certificate_of_another_authority_is_refused_with_what_to_do(made: Certificates, tmp_path: Path) -> None:
    status = status_of(tmp_path, made.of_broker["right"], made.other.file)
    assert status.startswith("broker: its certificate is refused: ")
    assert status.endswith("; name the certificate that it is signed with by --ca; trying again")


@pytest.mark.parametrize(
    ("certificate", "said"),
    [
        ("expired", "its certificate is refused: certificate has expired; give the broker a new one"),
        ("of another name", "name the broker by --broker as its certificate does"),
    ],
)
def test_a_wrong_certificate_is_one_clear_line(made: Certificates, tmp_path: Path, certificate: str, said: str) -> None:
    status = status_of(tmp_path, made.of_broker[certificate], made.authority.file)
    assert status.startswith("broker: ")
    assert said in status
    assert "\n" not in status


def test_a_file_that_is_no_certificate_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("no certificate")
    with pytest.raises(UserError, match=r"ca\.pem: can't be used as a certificate: "):
        tls_context(tmp_path / "ca.pem")
