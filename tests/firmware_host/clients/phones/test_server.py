"""The phones' server: who gets a seat, whose frames go where, and what guesses, copies and other origins bring."""

import asyncio
import json
import os

import aiohttp
import pytest
from nacl.exceptions import CryptoError
from support.pages.phone_table import (
    FINGERPRINT,
    KEY,
    PHONES,
    Line,
    PhoneTable,
    at_phones,
    closed,
    lobby,
    received,
    status,
    stored_tokens,
    texts,
)
from support.pages.public_pages import state

from firmware_host.clients.phones import server
from firmware_host.clients.phones.guests import GUESTS_FILE, read_guests
from firmware_host.clients.phones.phone_socket import BEAT, BEAT_S, MAX_MESSAGE_BYTES, MAX_UNANSWERED
from firmware_host.clients.phones.server import FREED_AFTER_S, LOOK_S, load_files
from firmware_host.clients.web.codes import GUESSES_AT_ONCE
from firmware_host.devices.host_io.phone_port import open_phone
from firmware_host.public import invitation
from firmware_host.public.address import phone_socket

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
