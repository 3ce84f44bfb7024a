"""The phones' server: who gets a seat, whose frames go where, and what guesses, copies and other origins bring."""

import asyncio
import functools
import json
import os
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from nacl.exceptions import CryptoError
from nacl.public import PrivateKey
from support.pages.phone_page import PhoneEnd
from support.pages.public_pages import state

from firmware_host.clients.phones import server
from firmware_host.clients.phones.guests import GUESTS_FILE, read_guests
from firmware_host.clients.phones.phone_socket import BEAT, BEAT_S, MAX_MESSAGE_BYTES, MAX_UNANSWERED
from firmware_host.clients.phones.server import FREED_AFTER_S, LOOK_S, PhonesServer, load_files
from firmware_host.clients.phones.story import MAX_EVENTS
from firmware_host.clients.web.access import listening_at
from firmware_host.clients.web.codes import GUESSES_AT_ONCE
from firmware_host.devices.host_io.phone_cipher import fingerprint
from firmware_host.devices.host_io.phone_port import open_phone
from firmware_host.public import invitation
from firmware_host.public.address import phone_socket, phones_folder
from firmware_host.wire import Seat
from hardware.emulated.virtual_loop import VirtualLoop

PHONES = [1, 3]
KEY = PrivateKey.generate()
FINGERPRINT = fingerprint(KEY)
Line = dict[str, Any]


class Phone:
    """A guest's browser."""

    def __init__(self, address: str, session: aiohttp.ClientSession) -> None:
        self.address = address
        self.session = session
        self.end = PhoneEnd()

    async def join(self, code: str, seat: int = 1, **headers: str) -> tuple[int, str | None]:
        """Send a code and a seat; return the status, and why there is none."""
        sent = {"code": code, "seat": seat, "key": self.end.door.hex()}
        async with self.session.post(f"{self.address}join", json=sent, headers=headers) as answer:
            said = await answer.json() if answer.content_type == "application/json" else {}
            return answer.status, said.get("why")

    async def me(self) -> Line:
        """Return what the server knows about this phone."""
        async with self.session.get(f"{self.address}me") as answer:
            known: Line = await answer.json()
            return known

    async def post(self, path: str, **headers: str) -> int:
        """Return the status of a request."""
        async with self.session.post(self.address + path, json={}, headers=headers) as answer:
            return answer.status

    @asynccontextmanager
    async def page(self, **headers: str) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
        """Open the seat's page."""
        async with self.session.ws_connect(f"{self.address}live", headers=headers) as socket:
            yield socket


class PhoneTable:
    """A server on virtual time beside a table whose lines a test chooses."""

    def __init__(self, phones: PhonesServer, address: str, events: Path) -> None:
        self.phones = phones
        self.address = address
        self.events = events
        self.folder = phones_folder(events)
        self.announced: list[str] = []
        self._writers: list[asyncio.StreamWriter] = []
        self._last = b""

    @property
    def code(self) -> str:
        """The code that is shown now."""
        return self.phones.door.code

    async def start(self, line: Line) -> None:
        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self._writers.append(writer)
            writer.write(self._last)

        self._last = json.dumps(line).encode() + b"\n"
        self._server = await asyncio.start_unix_server(connected, self.events)

    async def send(self, line: Line) -> None:
        for writer in self._writers:
            writer.write(json.dumps(line).encode() + b"\n")
        await asyncio.sleep(0.1)

    def end(self) -> None:
        self._server.close()
        for writer in self._writers:
            writer.transport.abort()

    @asynccontextmanager
    async def phone(self, seat: int | None = None) -> AsyncIterator[Phone]:
        """Open a browser of its own; with a seat, join there."""
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            phone = Phone(self.address, session)
            if seat is not None:
                assert await phone.join(self.code, seat) == (200, None)
            yield phone


def lobby(**more: Any) -> Line:
    """Return the line of a lobby in which nobody has joined."""
    line = state("lobby", match=None, phones=PHONES, players=[], **more)
    for seat in line["seats"]:
        seat["playing"] = False
    return line


def stored_tokens(table: PhoneTable) -> dict[Seat, str]:
    """Return the tokens of the guests' file."""
    return {seat: guest.token for seat, guest in read_guests(table.folder / GUESTS_FILE).items()}


def at_phones(test: Callable[[PhoneTable], Awaitable[None]]) -> Callable[[], None]:
    """Run a test with a server and a lobby with two seats for phones."""

    @functools.wraps(test)
    def run() -> None:
        async def scenario() -> None:
            with tempfile.TemporaryDirectory() as folder, listening_at("127.0.0.1", 0) as listening:
                events = Path(folder) / "events.sock"
                phones_folder(events).mkdir()
                invitation.write_key(FINGERPRINT, events)
                announced: list[str] = []
                phones = PhonesServer(listening, phones_folder(events), events, announce=announced.append)
                table = PhoneTable(phones, f"http://127.0.0.1:{listening.getsockname()[1]}/", events)
                table.announced = announced
                await table.start(lobby())
                async with phones.serve():
                    await asyncio.sleep(1)  # it finds the table
                    try:
                        await test(table)
                    finally:
                        table.end()
                assert not [*table.folder.glob("*.sock")]

        with asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=30)) as runner:
            runner.run(scenario())

    del run.__wrapped__  # type: ignore[attr-defined]
    return run


async def status(phone: Phone, page: aiohttp.ClientWebSocketResponse) -> Line:
    """Return what the next message about the table says to this phone."""
    said: Line = json.loads(phone.end.open_sealed(bytes.fromhex((await texts(page, "table"))["sealed"])))
    return said


async def texts(page: aiohttp.ClientWebSocketResponse, kind: str) -> Line:
    """Return the next text message of a kind."""
    while True:
        message = await page.receive(timeout=60)
        if message.type is aiohttp.WSMsgType.TEXT and (said := json.loads(message.data))["type"] == kind:
            return dict(said)
        assert message.type in (aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.BINARY), message


async def received(page: aiohttp.ClientWebSocketResponse) -> bytes:
    """Return the next binary message."""
    while (message := await page.receive(timeout=60)).type is not aiohttp.WSMsgType.BINARY:
        assert message.type is aiohttp.WSMsgType.TEXT, message
    return bytes(message.data)


async def closed(page: aiohttp.ClientWebSocketResponse) -> tuple[int | None, str]:
    """Wait until the server has closed a page; return its code and reason."""
    while True:
        message = await page.receive(timeout=60)
        if message.type is aiohttp.WSMsgType.CLOSE:
            return page.close_code, str(message.extra)
        if message.type in (aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.CLOSING, aiohttp.WSMsgType.ERROR):
            return page.close_code, ""


# The way in


@at_phones
async def test_the_files_are_strict_and_have_no_secret(table: PhoneTable) -> None:
    async with table.phone() as phone:
        for name in ("", *load_files(None)):
            async with phone.session.get(table.address + name) as answer:
                assert answer.status == 200
                assert "unsafe" not in answer.headers["Content-Security-Policy"]
                assert "Set-Cookie" not in answer.headers
                assert table.code.encode() not in await answer.read()
        assert (await phone.me())["seat"] is None
        assert table.code not in json.dumps(await phone.me())


@at_phones
async def test_a_code_becomes_a_seat_and_a_cookie_that_no_script_reads(table: PhoneTable) -> None:
    async with table.phone() as phone:
        async with phone.session.post(
            f"{table.address}join", json={"code": table.code, "seat": 3, "key": phone.end.door.hex()}
        ) as answer:
            (cookie,) = answer.headers.getall("Set-Cookie")
        parts = {part.strip() for part in cookie.split(";")[1:]}
        assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= parts
        assert not any(part.startswith("Domain") for part in parts)
        me = await phone.me()
        assert me["seat"] == 3
        assert [(each["seat"], each["name"], each["free"]) for each in me["seats"]] == [
            (1, "Cusco", True),
            (3, "Tacna", False),
        ]


@at_phones
async def test_each_way_of_getting_no_seat_has_its_own_reason(table: PhoneTable) -> None:
    first = table.code
    async with table.phone(1) as here, table.phone() as late:
        assert await late.join(first) == (403, "used")
        assert await late.join("AAAA BBBB") == (403, "unknown")
        assert await late.join(table.code, 1) == (403, "taken")
        assert await late.join(table.code, 0) == (403, "taken")  # has a board
        async with table.phone(3):
            assert await late.join(table.code, 3) == (403, "full")
        assert await here.join("AAAA BBBB") == (200, None)  # it has a seat already, and keeps it
        assert (await here.me())["seat"] == 1


@at_phones
async def test_guessed_codes_are_refused_and_then_not_even_looked_at(table: PhoneTable) -> None:
    async with table.phone() as phone:
        whys = [(await phone.join(f"{number:08}"))[1] for number in range(GUESSES_AT_ONCE + 3)]
        assert whys == ["unknown"] * GUESSES_AT_ONCE + ["slow"] * 3
        assert await phone.join(table.code) == (429, "slow")
        await asyncio.sleep(10)
        assert await phone.join(table.code) == (200, None)


@pytest.mark.parametrize(
    "sent",
    [b"", b"[]", b'{"code": 5, "seat": 1}', b'{"code": "A", "seat": true}', b"[" * 900, b'{"code": "A", "seat": 1e9}'],
)
def test_what_is_no_request_is_an_unknown_code(sent: bytes) -> None:
    @at_phones
    async def knock(table: PhoneTable) -> None:
        async with table.phone() as phone, phone.session.post(f"{table.address}join", data=sent) as answer:
            assert (answer.status, (await answer.json())["why"]) == (403, "unknown")

    knock()


@at_phones
async def test_other_origins_and_names_are_refused(table: PhoneTable) -> None:
    async with table.phone(1) as phone:
        for headers in ({"Origin": "http://evil.example"}, {"Host": "evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
            assert (await phone.join(table.code, 3, **headers))[0] == 403
            assert await phone.post("leave", **headers) == 403
            with pytest.raises(aiohttp.WSServerHandshakeError):
                async with phone.page(**headers):
                    pass
        assert (await phone.me())["seat"] == 1


@at_phones
async def test_a_code_or_a_guess_for_a_cookie_opens_no_page(table: PhoneTable) -> None:
    async with table.phone() as phone:
        name = table.phones._cookie
        for value in ("", "x" * 43, table.code, "1"):
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                async with phone.page(Cookie=f"{name}={value}"):
                    pass
            assert refused.value.status == 403
        assert await phone.post("leave") == 403


@at_phones
async def test_a_copied_cookie_opens_its_own_seat_alone_and_reads_nothing(table: PhoneTable) -> None:
    async with table.phone(1) as phone, table.phone(3) as neighbour, table.phone() as thief, phone.page() as page:
        copy = "; ".join(f"{cookie.key}={cookie.value}" for cookie in phone.session.cookie_jar)
        async with thief.page(Cookie=copy) as stolen:
            assert await closed(page) == (1008, "elsewhere")  # its owner sees that, and takes the seat back
            await asyncio.sleep(0.1)
            port = open_phone(table.folder, KEY, 2)
            thief.end.receive(await received(stolen))
            await stolen.send_bytes(thief.end.hello)
            await asyncio.sleep(0.1)
            port.read(1024)
            port.write(b"\1\2\0")
            with pytest.raises(CryptoError):
                thief.end.receive(await received(stolen))
            await stolen.send_bytes(thief.end.seal(b"\3\0"))
            await asyncio.sleep(0.1)
            with pytest.raises(OSError, match="changed, repeated"):
                port.read(1024)
            port.close()
        token, _, key = copy.rpartition(".")
        for forged in (f"{token}.{thief.end.door.hex()}", token, f"{copy}0", copy.replace(key, "")):
            with pytest.raises(aiohttp.WSServerHandshakeError):
                async with thief.page(Cookie=forged):
                    pass
        assert (await neighbour.me())["seat"] == 3


# The seat


@at_phones
async def test_frames_pass_between_a_phone_and_its_own_port_alone(table: PhoneTable) -> None:
    async with table.phone(1) as one, table.phone(3) as other, one.page() as first, other.page() as second:
        await asyncio.sleep(0.1)
        assert (await status(one, first))["here"] is False
        port, neighbour = (open_phone(table.folder, KEY, number) for number in (2, 4))
        await asyncio.sleep(0.1)
        assert (await status(one, first))["here"] is True
        one.end.receive(await received(first))
        await first.send_bytes(one.end.hello)
        await first.send_bytes(one.end.seal(b"\3\0"))
        await asyncio.sleep(0.1)
        assert port.read(1024) == b"\3\0"
        port.write(b"\1\2\0")
        assert one.end.receive(await received(first)) == b"\1\2\0"
        assert neighbour.read(64) == b""
        assert "here" in await status(other, second)
        neighbour.close()
        port.close()
        assert (await closed(first))[0] == 1012


@at_phones
async def test_a_phone_that_is_gone_takes_its_port_along(table: PhoneTable) -> None:
    async with table.phone(1) as phone:
        async with phone.page():
            await asyncio.sleep(0.1)
            port = open_phone(table.folder, KEY, 2)
        await asyncio.sleep(0.1)
        with pytest.raises(OSError, match="Input/output"):
            port.read(1)
        with pytest.raises(FileNotFoundError):
            open_phone(table.folder, KEY, 2)
        async with phone.page():  # it comes back without a code
            await asyncio.sleep(0.1)
            open_phone(table.folder, KEY, 2).close()


@at_phones
async def test_a_phone_with_a_sleeping_page_is_gone_although_its_browser_answers_pings(table: PhoneTable) -> None:
    async with table.phone(1) as phone, phone.page() as page:
        for _ in range(3 * MAX_UNANSWERED):
            await texts(page, "beat")
            await page.send_str(BEAT)
        assert phone_socket(table.folder, 2).exists()
        await asyncio.sleep(BEAT_S * (MAX_UNANSWERED + 2))  # the client still answers pings
        assert not phone_socket(table.folder, 2).exists()


@at_phones
async def test_a_second_page_of_a_seat_ends_the_first(table: PhoneTable) -> None:
    async with table.phone(1) as phone, phone.page() as first:
        await asyncio.sleep(0.1)
        async with phone.page() as second:
            assert await closed(first) == (1008, "elsewhere")
            await asyncio.sleep(0.1)
            open_phone(table.folder, KEY, 2).close()
            assert (await texts(second, "beat"))["type"] == "beat"


@at_phones
async def test_who_leaves_is_out_and_the_seat_is_free(table: PhoneTable) -> None:
    async with table.phone(1) as phone, phone.page() as page:
        token = {cookie.key: cookie.value for cookie in phone.session.cookie_jar}
        await asyncio.sleep(0.1)
        leaving = asyncio.create_task(phone.post("leave"))
        assert await closed(page) == (1008, "removed")
        assert await leaving == 200
        assert (await phone.me())["seat"] is None
        with pytest.raises(aiohttp.WSServerHandshakeError):  # a copy of the cookie is worth nothing either
            async with phone.page(Cookie="; ".join(f"{key}={value}" for key, value in token.items())):
                pass
        async with table.phone(1) as after:
            assert (await after.me())["seat"] == 1


@at_phones
async def test_dice_left_behind_are_for_no_other_phone_until_staff_hand_them_over(table: PhoneTable) -> None:
    async with table.phone(1) as phone, table.phone() as other:
        await table.send(state("bidding", phones=PHONES, players=[0, 1]))
        assert await phone.post("leave") == 200
        assert (await phone.me())["seat"] is None
        assert await phone.join(table.code, 1) == (403, "taken")
        assert await other.join(table.code, 1) == (403, "taken")
        assert server.Door(stored_tokens(table)).left == {1}
        await table.send({"type": "seat-handed-over", "seat": 1})
        assert await other.join(table.code, 1) == (200, None)


@at_phones
async def test_a_seat_that_was_left_in_a_match_is_free_when_its_dice_are_gone(table: PhoneTable) -> None:
    async with table.phone(1) as phone:
        await table.send(state("bidding", phones=PHONES, players=[0, 1]))
        assert await phone.post("leave") == 200
        await table.send(lobby())
        assert await phone.join(table.code, 1) == (200, None)


@pytest.mark.parametrize(
    "event", [{"type": "left", "seat": 1, "why": "staff"}, {"type": "seat-handed-over", "seat": 1}]
)
def test_a_seat_that_staff_take_or_hand_over_needs_a_new_code(event: Line) -> None:
    @at_phones
    async def take(table: PhoneTable) -> None:
        async with table.phone(1) as phone, table.phone(3) as other, phone.page() as page:
            await asyncio.sleep(0.1)
            await table.send({"type": "left", "seat": 1, "why": "gave-up"})
            assert (await phone.me())["seat"] == 1
            sending = asyncio.create_task(table.send(event))
            assert await closed(page) == (1008, "removed")
            await sending
            assert (await phone.me())["seat"] is None
            assert (await other.me())["seat"] == 3

    take()


@pytest.mark.parametrize("what", ["text", "a long message"])
def test_a_page_that_says_what_no_phone_says_is_closed(what: str) -> None:
    @at_phones
    async def say(table: PhoneTable) -> None:
        async with table.phone(1) as phone, phone.page() as page:
            await (page.send_str("hello") if what == "text" else page.send_bytes(bytes(MAX_MESSAGE_BYTES + 1)))
            assert (await closed(page))[0] in (1008, 1009)

    say()


@at_phones
async def test_processes_of_other_users_get_no_phone(table: PhoneTable) -> None:
    async with table.phone(1) as phone, phone.page():
        await asyncio.sleep(0.1)
        table.phones._phones[1].port._users = frozenset({os.geteuid() + 1})  # type: ignore[index]
        port = open_phone(table.folder, KEY, 2)
        await asyncio.sleep(0.1)
        with pytest.raises(OSError, match=r"Input/output|reset"):
            port.read(1)


# Time and restarts


@at_phones
async def test_the_seat_of_a_phone_that_stays_away_is_freed_unless_it_plays(table: PhoneTable) -> None:
    async with table.phone(1) as phone, table.phone(3) as player:
        line = lobby()
        line["seats"][3]["playing"] = True
        await table.send(line | {"players": [3]})
        await asyncio.sleep(FREED_AFTER_S + 3 * LOOK_S)
        assert (await phone.me())["seat"] is None
        assert (await player.me())["seat"] == 3


@at_phones
async def test_a_restart_keeps_the_guests_but_no_token(table: PhoneTable) -> None:
    async with table.phone(3) as phone:
        (cookie,) = [cookie.value for cookie in phone.session.cookie_jar]
        file = table.folder / GUESTS_FILE
        assert cookie not in file.read_text()
        assert file.stat().st_mode & 0o777 == 0o600
        assert server.Door(stored_tokens(table)).seat_of(cookie) == 3
        file.write_text("[1, 2")
        assert read_guests(file) == {}


@at_phones
async def test_a_phone_loses_its_seat_with_the_layout_that_has_another_there(table: PhoneTable) -> None:
    async with table.phone(1) as phone, table.phone(3) as other:
        line = lobby()
        line["seats"][1]["name"] = "Ana"  # a guest's name is none of the layout's
        line["seats"][1]["place"] = "Cusco"
        await table.send(line)
        assert (await phone.me())["seat"] == 1
        line["seats"][1]["place"] = "Ica"
        await table.send(line)
        assert (await phone.me())["seat"] is None
        assert (await other.me())["seat"] == 3


@at_phones
async def test_the_invitation_is_there_while_a_seat_is_free(table: PhoneTable) -> None:
    shown = invitation.read(table.folder)
    assert shown is not None
    assert (shown.address, shown.code, shown.key) == (table.address, table.code, FINGERPRINT)
    assert shown.link == f"{table.address}#{table.code}-{FINGERPRINT}"
    assert (table.folder / invitation.FILE_NAME).stat().st_mode & 0o007 == 0
    async with table.phone(1), table.phone(3):
        assert invitation.read(table.folder) is None
    assert len(table.announced) == 2
    (table.folder / invitation.FILE_NAME).write_text("x" * 5000)
    assert invitation.read(table.folder) is None


@at_phones
async def test_a_match_that_is_on_is_told_to_a_guest_who_looks_on(table: PhoneTable) -> None:
    async with table.phone(1) as phone, phone.page() as page:
        assert (await status(phone, page))["running"] is False
        line = state("bidding", phones=PHONES, players=[0, 2])
        line["seats"][1]["playing"] = False
        await table.send(line)
        told = await status(phone, page)
        assert (told["running"], told["playing"]) == (True, False)


# The story


BID = {"type": "said", "seat": 0, "action": "5x3", "bid": {"quantity": 5, "face": 3}}


async def story(phone: Phone, language: str) -> tuple[int, list[str]]:
    """Return the story that this phone gets, and the bytes on the network."""
    async with phone.session.get(f"{phone.address}story?language={language}") as answer:
        sealed = await answer.read()
        return len(sealed), json.loads(phone.end.open_sealed(sealed))


@at_phones
async def test_a_phone_is_told_the_match_so_far_in_its_language(table: PhoneTable) -> None:
    async with table.phone(1) as phone:
        empty, told = await story(phone, "en")
        assert told == []
        await table.send(state("bidding", phones=PHONES))
        await table.send(BID)
        await table.send({"type": "said", "seat": 1, "action": "dudo", "bid": None})
        assert await story(phone, "en") == (empty, ["Lima bids five trains.", "Cusco doubts: dudo!"])
        assert await story(phone, "es") == (empty, ["Lima apuesta 5 trenes.", "Cusco: ¡dudo!"])
        assert await story(phone, "xx") == await story(phone, "en")
        await table.send({"type": "match-began", "match": "n", "rules": "perudo", "players": [0, 1]})
        assert (await story(phone, "en"))[1] == ["A match of perudo between Lima and Cusco."]


@at_phones
async def test_the_story_has_its_last_events_and_no_word_of_a_newer_table(table: PhoneTable) -> None:
    async with table.phone(1) as phone:
        await table.send(state("bidding", phones=PHONES))
        await table.send({"type": "joined", "seat": 0, "robot": "dragon"})
        await table.send(BID | {"seat": 9})
        for quantity in range(1, 100):
            await table.send(BID | {"action": f"{quantity}x3", "bid": {"quantity": quantity, "face": 3}})
        _, told = await story(phone, "en")
        assert len(told) == MAX_EVENTS
        assert told[-1] == "Lima bids ninety-nine trains."


@at_phones
async def test_only_a_phone_with_a_seat_is_told_the_story_and_only_it_can_read_it(table: PhoneTable) -> None:
    async with table.phone(1) as phone, table.phone() as thief:
        copy = "; ".join(f"{cookie.key}={cookie.value}" for cookie in phone.session.cookie_jar)
        for headers, allowed in (({}, 403), ({"Cookie": copy}, 200)):
            async with thief.session.get(f"{table.address}story", headers=headers) as answer:
                assert answer.status == allowed
                sealed = await answer.read()
        with pytest.raises(CryptoError):
            thief.end.open_sealed(sealed)


@at_phones
async def test_a_phone_with_an_unfit_key_costs_only_itself(table: PhoneTable) -> None:
    async with table.phone() as phone:
        phone.end.door = bytes(32)
        assert await phone.join(table.code, 1) == (200, None)
        async with phone.page() as page:
            assert (await texts(page, "beat"))["type"] == "beat"
        async with phone.session.get(f"{table.address}story") as answer:
            assert answer.status == 403


@at_phones
async def test_a_phone_is_told_who_made_the_standing_bid_unless_it_did(table: PhoneTable) -> None:
    async with table.phone(1) as phone, phone.page() as page:
        assert (await status(phone, page))["bidder"] == ""
        for seat, name in ((0, "Lima"), (1, ""), (2, "Puno")):
            standing = {"quantity": 5, "face": 3, "seat": seat}
            await table.send(state("bidding", phones=PHONES, standing=standing))
            assert (await status(phone, page))["bidder"] == name
