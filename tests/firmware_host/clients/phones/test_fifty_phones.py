"""Fifty phones that look for a seat at once, and the frames of the one that has it, in real time."""

import asyncio
import tempfile
import time
from pathlib import Path
from statistics import quantiles

import aiohttp
import pytest
from nacl.public import PrivateKey
from support.pages.phone_page import PhoneEnd
from support.pages.public_pages import StagedTable, state

from firmware_host.clients.phones.server import PhonesServer, load_files
from firmware_host.clients.web.access import listening_at
from firmware_host.devices.host_io.phone_port import open_phone
from firmware_host.public.address import phone_socket, phones_folder

pytestmark = pytest.mark.slow

PHONES = 50
WITHIN_S = 0.25
"""A frame's way through the process at the 95th percentile, beside fifty phones that load the page."""


def test_fifty_phones_do_not_hold_up_a_seat() -> None:
    async def scenario() -> tuple[list[float], list[int]]:
        with tempfile.TemporaryDirectory() as folder, listening_at("0.0.0.0", 0) as listening:
            events, port = Path(folder) / "events.sock", listening.getsockname()[1]
            phones_folder(events).mkdir()
            table = StagedTable(events)
            table.send(state("lobby", match=None, phones=[1, 3]))
            phones = PhonesServer(listening, phones_folder(events), events)
            async with phones.serve():
                for _ in range(100):
                    if phones._seats:
                        break
                    await asyncio.sleep(0.05)
                jar = aiohttp.CookieJar(unsafe=True)
                async with aiohttp.ClientSession(cookie_jar=jar) as session:
                    address = f"http://127.0.0.1:{port}/"
                    end = PhoneEnd()
                    sent = {"code": phones.door.code, "seat": 1, "key": end.door.hex()}
                    async with session.post(f"{address}join", json=sent) as answer:
                        assert answer.status == 200
                    async with session.ws_connect(f"{address}live") as page:
                        while not phone_socket(phones_folder(events), 2).exists():
                            await asyncio.sleep(0.01)
                        daemon = open_phone(phones_folder(events), PrivateKey.generate(), 2)
                        while end.keys is None:
                            if (said := await page.receive(timeout=10)).type is aiohttp.WSMsgType.BINARY:
                                end.receive(said.data)
                        await page.send_bytes(end.hello)
                        await asyncio.sleep(0.1)
                        assert daemon.read(1024) == b""
                        storm = [asyncio.create_task(guest(number, port)) for number in range(PHONES)]
                        took_s = []
                        while not all(task.done() for task in storm):
                            began_s = time.perf_counter()
                            daemon.write(b"\1\0")
                            while (await page.receive(timeout=10)).type is not aiohttp.WSMsgType.BINARY:
                                pass
                            took_s.append(time.perf_counter() - began_s)
                            await asyncio.sleep(0.01)
                        daemon.close()
                        files = [task.result() for task in storm]
            table.close()
            return took_s, files

    took_s, files = asyncio.run(scenario())
    print(f"{len(took_s)} frames, 95 of 100 within {1000 * quantiles(took_s, n=100)[94]:.0f} ms")
    assert files == [len(load_files(None))] * PHONES
    assert quantiles(took_s, n=100)[94] < WITHIN_S


async def guest(number: int, port: int) -> int:
    """Load the whole page from an address of its own; return the number of files."""
    connector = aiohttp.TCPConnector(local_addr=(f"127.0.1.{number + 1}", 0), limit=6)
    async with aiohttp.ClientSession(connector=connector) as session:
        count = 0
        for name in load_files(None):
            async with session.get(f"http://127.0.0.1:{port}/{name}") as answer:
                assert answer.status == 200
                await answer.read()
            count += 1
        async with session.get(f"http://127.0.0.1:{port}/me") as answer:
            assert (await answer.json())["seat"] is None
        return count
