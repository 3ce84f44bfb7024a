"""The phones' page over HTTPS: its address, cookie and WebSocket; plain HTTP, silence and bad files."""

import asyncio
import shutil
import socket
import ssl
import subprocess
from collections.abc import Awaitable, Callable
from pathlib import Path

import aiohttp
import pytest
from support.pages.public_pages import StagedTable, state

from firmware_host.clients.phones.server import PhonesServer
from firmware_host.clients.web.access import listening_at
from firmware_host.commands.parser import CommandParser, add_tls, tls_of
from firmware_host.errors import UserError
from firmware_host.public import invitation
from firmware_host.public.accepting import HANDSHAKES_OF_AN_ADDRESS
from firmware_host.public.address import phones_folder

NAME = "dudo.example"
Test = Callable[[PhonesServer, aiohttp.ClientSession], Awaitable[None]]


def openssl(*words: str | Path) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl on the PATH")
    subprocess.run(["openssl", *words], check=True, capture_output=True)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Make a certificate and its key."""
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    made = ("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")
    names = ("-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME},IP:127.0.0.1")
    openssl(*made, "-keyout", key, "-out", certificate, *names)
    return certificate, key


def context_of(*files: Path) -> ssl.SSLContext | None:
    parser = CommandParser(prog="phones")
    add_tls(parser)
    words = (word for flag, file in zip(("--tls", "--tls-key"), files, strict=False) for word in (flag, str(file)))
    return tls_of(parser.parse_args([*words]))


def serve(folder: Path, files: tuple[Path, Path], test: Test, proxy: str | None = None) -> None:
    """Run a test with a server for HTTPS and a client that trusts its certificate."""

    async def scenario() -> None:
        with listening_at("127.0.0.1", 0) as listening:
            events = folder / "events.sock"
            phones_folder(events).mkdir()
            invitation.write_key("0123456789ABCDEF01234567", events)
            table = StagedTable(events)
            table.send(state("lobby", match=None, phones=[1, 3]))
            phones = PhonesServer(listening, phones_folder(events), events, tls=context_of(*files), proxy=proxy)
            trusting = aiohttp.TCPConnector(ssl=ssl.create_default_context(cafile=str(files[0])))
            jar = aiohttp.CookieJar(unsafe=True)
            async with phones.serve(), aiohttp.ClientSession(connector=trusting, cookie_jar=jar) as session:
                while phones.invitation is None:
                    await asyncio.sleep(0.05)
                await test(phones, session)
            table.close()

    asyncio.run(scenario())


def test_a_phone_joins_over_https_with_a_cookie_for_https_alone(tmp_path: Path, files: tuple[Path, Path]) -> None:
    async def join(phones: PhonesServer, session: aiohttp.ClientSession) -> None:
        assert phones.address.startswith("https://127.0.0.1:")
        async with session.post(
            f"{phones.address}join", json={"code": phones.door.code, "seat": 1, "key": "0f" * 32}
        ) as answer:
            assert answer.status == 200
            assert "Secure" in answer.headers["Set-Cookie"]
            assert "wss://" in answer.headers["Content-Security-Policy"]
        origin = phones.address.rstrip("/")
        async with session.ws_connect(f"{phones.address}live", headers={"Origin": origin}) as page:
            assert (await page.receive_json(timeout=10))["type"] in ("table", "beat")
        plain = {"Origin": origin.replace("https", "http")}
        with pytest.raises(aiohttp.WSServerHandshakeError):
            async with session.ws_connect(f"{phones.address}live", headers=plain):
                pass

    serve(tmp_path, files, join)


def test_the_address_is_the_certificates_name(tmp_path: Path, files: tuple[Path, Path]) -> None:
    async def look(phones: PhonesServer, session: aiohttp.ClientSession) -> None:
        assert phones.address == f"https://{NAME}/"
        assert phones.invitation is not None
        assert len(phones.invitation.qr) == 29
        async with session.get(f"https://127.0.0.1:{phones._port}/me", headers={"Host": NAME}) as answer:
            assert answer.status == 200

    serve(tmp_path, files, look, proxy=NAME)


def test_clients_without_tls_or_a_word_hold_up_nobody(tmp_path: Path, files: tuple[Path, Path]) -> None:
    async def hang(phones: PhonesServer, session: aiohttp.ClientSession) -> None:
        there = "127.0.0.1", phones._port
        silent = [socket.create_connection(there) for _ in range(HANDSHAKES_OF_AN_ADDRESS - 4)]
        silent[0].sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        async with asyncio.timeout(4), session.get(f"{phones.address}me") as answer:
            assert answer.status == 200
        for each in silent:
            each.close()

    serve(tmp_path, files, hang)


def test_files_that_are_no_certificate_and_key_are_named(tmp_path: Path, files: tuple[Path, Path]) -> None:
    certificate, key = files
    assert context_of() is None
    with pytest.raises(UserError, match=r"nowhere.pem: can't be read: no such file"):
        context_of(certificate, tmp_path / "nowhere.pem")
    both = tmp_path / "both.pem"
    both.write_text(certificate.read_text() + key.read_text())
    assert context_of(both) is not None
    with pytest.raises(UserError, match="its own key"):
        context_of(key, certificate)
    locked = tmp_path / "locked.pem"
    openssl("ec", "-in", key, "-aes256", "-passout", "pass:secret", "-out", locked)
    with pytest.raises(UserError, match="without a password"):
        context_of(certificate, locked)
