"""Guests at the table: who gets in, what a guest's page is sent, and what a guest can't do."""

import asyncio
import json
from contextlib import suppress
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from support.host.page_clients import Browser, Phone, TableWithPages, at_a_table, plays_on

from firmware_host.clients.web.codes import GUESSES_AT_ONCE
from firmware_host.clients.web.limits import GUESTS
from firmware_host.clients.web.serving import REQUEST_TIMEOUT_S
from firmware_host.play.workbench.guest_app import MAX_JOIN_BYTES, OPEN_FILES
from firmware_host.play.workbench.web_app import FILES


def accesses(host: Browser) -> list[dict[str, Any]]:
    places: list[dict[str, Any]] = host.latest["party"]["seats"]
    return places


def who(host: Browser) -> list[str]:
    return [place["who"] for place in accesses(host)]


async def refused_handshake(phone: Phone, **headers: str) -> int:
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await phone.session.ws_connect(f"{phone.address}live", headers=headers)
    return refused.value.status


# The way in


@at_a_table(party=True)
async def test_without_a_code_everything_but_the_way_in_is_403(table: TableWithPages) -> None:
    async with table.phone() as phone:
        files = [file.relative_to(FILES).as_posix() for file in FILES.rglob("*") if file.is_file()]
        for path in ("", "seated", "live", "nothing", "join", "../access.py", *files):
            assert (path, await phone.status(path)) == (path, 200 if path in OPEN_FILES else 403)
        assert await refused_handshake(phone) == 403


@at_a_table(party=True)
async def test_the_page_of_the_way_in_names_no_seat_and_no_code(table: TableWithPages) -> None:
    assert table.party is not None
    async with table.phone() as phone, phone.session.get(phone.address) as answer:
        text = await answer.text()
        assert (answer.status, answer.content_type) == (403, "text/html")
        assert not [name for name in ("Lima", "Cusco", *map(table.party.guests.code, range(3))) if name in text]


@at_a_table(party=True)
async def test_a_code_becomes_a_cookie_for_this_address_alone_that_no_script_reads(table: TableWithPages) -> None:
    assert table.party is not None
    async with table.phone() as phone:
        sent = {"code": table.party.guests.code(1)}
        async with phone.session.post(f"{phone.address}join", json=sent) as answer:
            (cookie,) = answer.headers.getall("Set-Cookie")
        name, _, rest = cookie.partition("=")
        port = phone.address.rstrip("/").rpartition(":")[2]
        assert name == f"dudo-seat-{port}"
        parts = {part.strip() for part in rest.split(";")[1:]}
        assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= parts
        assert not any(part.startswith("Domain") for part in parts)
        assert sent["code"] not in cookie
        assert await phone.status() == 200
        async with phone.page() as page:
            assert (page.you, page.latest["guest"]["seat"]) == (1, 1)


@at_a_table(party=True)
async def test_the_second_person_with_a_code_is_refused(table: TableWithPages) -> None:
    assert table.party is not None
    code = table.party.guests.code(1)
    async with table.phone(1) as first, table.phone() as second:
        assert await second.join(code) == (403, "used")
        assert await second.status() == 403
        assert await first.status() == 200


@at_a_table(party=True)
async def test_the_phone_that_used_a_code_may_scan_it_again(table: TableWithPages) -> None:
    assert table.party is not None
    code = table.party.guests.code(1)
    async with table.phone(1) as phone:
        assert await phone.join(code) == (200, None)
        async with phone.page() as page:
            assert page.you == 1


@at_a_table(party=True)
async def test_a_phone_that_uses_the_code_of_another_seat_gives_up_its_own(table: TableWithPages) -> None:
    assert table.party is not None
    async with table.phone(1) as phone, phone.page() as before:
        assert await phone.join(table.party.guests.code(2)) == (200, None)
        assert await before.closed() == (1008, "This phone has another seat now.")
        assert table.party.guests.seats == {2}
        async with phone.page() as page:
            assert page.chairs == ["free", "robot", "you"]


@at_a_table(party=True)
async def test_a_seat_of_a_person_at_the_hosts_page_is_not_given_away(table: TableWithPages) -> None:
    assert table.party is not None
    code = table.party.guests.code(0)
    async with table.browser() as host, table.phone() as phone:
        assert (host.you, who(host)) == (0, ["host", "open", "open"])
        assert await phone.join(code) == (403, "taken")
        await host.do("stand")
        await host.until(lambda b: who(b)[0] == "open")
        assert await phone.join(code) == (200, None)


@at_a_table(party=True)
async def test_guessed_codes_are_refused_and_then_not_even_looked_at(table: TableWithPages) -> None:
    async with table.phone() as phone:
        tried = [await phone.join("0" * 16) for _ in range(GUESSES_AT_ONCE + 3)]
        assert tried == [(403, "unknown")] * GUESSES_AT_ONCE + [(429, "slow")] * 3
        assert table.party is not None
        await asyncio.sleep(10)
        assert await phone.join(table.party.guests.code(1)) == (200, None)


@at_a_table(party=True)
async def test_a_guest_who_sits_is_not_troubled_by_somebody_who_guesses(table: TableWithPages) -> None:
    async with table.phone(1) as phone, table.phone() as guesser:
        for _ in range(GUESSES_AT_ONCE + 5):
            await guesser.join("0" * 16)
        assert await phone.status() == 200
        async with phone.page() as page:
            assert page.you == 1


BAD_BODIES = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"7",
    b'{"code":7}',
    b'{"code":null}',
    b'{"code":"\\ud800"}',
    b"\xff\xfe",
    b"[" * (MAX_JOIN_BYTES - 1),
]


@pytest.mark.parametrize("body", BAD_BODIES, ids=str)
def test_a_request_without_a_code_lets_nobody_in(body: bytes) -> None:
    @at_a_table(party=True)
    async def knock(table: TableWithPages) -> None:
        async with table.phone() as phone, phone.session.post(f"{phone.address}join", data=body) as answer:
            assert (answer.status, await answer.json()) == (403, {"why": "unknown"})

    knock()


NAMED_WRONGLY = [
    {"Content-Type": "text/plain; charset=nonsense"},
    {"Content-Type": "text/plain; charset=hex"},
    {"Content-Encoding": "gzip"},
]


@pytest.mark.parametrize("headers", NAMED_WRONGLY, ids=str)
def test_a_body_that_is_not_what_its_headers_say_is_no_error_of_the_table(
    headers: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    @at_a_table(party=True)
    async def knock(table: TableWithPages) -> None:
        async with (
            table.phone() as phone,
            phone.session.post(
                f"{phone.address}join", data=b"{}", headers=headers, skip_auto_headers=("Content-Encoding",)
            ) as answer,
        ):
            assert (answer.status, await answer.json()) == (403, {"why": "unknown"})

    knock()
    assert not caplog.records


@at_a_table(party=True)
async def test_a_body_that_is_too_long_is_refused(table: TableWithPages) -> None:
    async with table.phone() as phone:
        body = b" " * (MAX_JOIN_BYTES + 1)
        async with phone.session.post(f"{phone.address}join", data=body) as answer:
            assert (answer.status, (await answer.text()).count("\n")) == (413, 1)


@at_a_table(party=True)
async def test_a_request_that_is_half_sent_is_cut_off_and_costs_nobody_else(table: TableWithPages) -> None:
    assert table.party is not None
    port = table.party.listening.getsockname()[1]
    halves = []
    assert GUESTS.of_an_address
    for _ in range(GUESTS.of_an_address // 2):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"POST /join HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 900\r\n\r\n{{".encode())
        halves.append((reader, writer))
    async with table.phone() as phone:
        assert await phone.join(table.party.guests.code(1)) == (200, None)
        assert await phone.status() == 200
    await asyncio.sleep(REQUEST_TIMEOUT_S + 1)
    for reader, writer in halves:
        with suppress(ConnectionResetError):
            assert await reader.read() == b""
        writer.close()


FOREIGN = [
    {"Origin": "http://dudo.example"},
    {"Origin": "http://127.0.0.1:1"},
    {"Origin": "http://localhost:{port}"},
    {"Origin": "null"},
    {"Host": "dudo.example:{port}"},
    {"Host": "localhost:{port}"},
    {"Host": "127.0.0.1"},
    {"Host": "127.0.0.2:{port}"},
    {"Sec-Fetch-Site": "cross-site"},
]


@pytest.mark.parametrize("given", FOREIGN, ids=str)
def test_a_page_elsewhere_can_use_neither_a_code_nor_a_cookie(given: dict[str, str]) -> None:
    @at_a_table(party=True)
    async def knock(table: TableWithPages) -> None:
        assert table.party is not None
        port = table.party.listening.getsockname()[1]
        headers = {name: value.format(port=port) for name, value in given.items()}
        async with table.phone(1) as guest, table.phone() as phone:
            assert (await phone.join(table.party.guests.code(2), **headers))[0] == 403
            assert table.party.guests.seats == {1}
            for path in ("", "page.js", "seated", "join.js"):
                assert await guest.status(path, **headers) == 403
            assert await refused_handshake(guest, **headers) == 403

    knock()


@at_a_table(party=True)
async def test_the_cookie_of_a_guest_is_nothing_at_the_hosts_page_and_the_host_has_no_seat_here(
    table: TableWithPages,
) -> None:
    async with table.phone() as phone:
        async with phone.session.get(table.address) as answer:
            assert answer.status == 200  # on loopback, of which the browser is the host's
        assert await phone.status() == 403


# What a guest's page is sent


@pytest.mark.slow
@at_a_table(party=True, seats=4, dice=2)
async def test_a_guest_gets_the_pictures_and_the_buttons_of_one_seat_alone(table: TableWithPages) -> None:
    async with (
        table.browser() as host,
        table.phone(1) as phone,
        table.phone(2) as other,
        phone.page() as page,
        other.page() as their_page,
    ):
        await host.until(lambda b: who(b) == ["host", "guest", "guest", "open"])

        def over(browser: Browser) -> bool:
            return browser.state["scene"] == "over"

        players = ((host, 0), (page, 1), (their_page, 2))
        await asyncio.gather(*(plays_on(each, over, seat) for each, seat in players))
        for each, seat in players[1:]:
            assert {frame[0] for frame in each.frames} == {seat}
            assert {word["seat"] for word in each.messages if word["type"] == "hands"} == {seat}
            assert not [word for word in each.messages if word["type"] == "party"]
            others = tuple(other for other in range(4) if other != seat)
            assert {tuple(word["seats"]) for word in each.messages if word["type"] == "covered"} == {others}


@at_a_table(party=True, seats=4)
async def test_no_code_of_any_seat_is_sent_to_a_guest(table: TableWithPages) -> None:
    assert table.party is not None
    async with table.browser() as host, table.phone(1) as phone, phone.page() as page:
        await host.do("takeback", seat=1)
        await page.closed()
        sent = json.dumps(page.messages)
        assert not [code for code in map(table.party.guests.code, range(4)) if code in sent]


SEAT_MESSAGES: list[dict[str, object]] = [
    {"do": "sit"},
    {"do": "uncover"},
    {"do": "cover"},
    {"do": "shake"},
    {"do": "tilt"},
    {"do": "level"},
    {"do": "press", "button": "ok"},
    {"do": "release", "button": "ok"},
    {"do": "unplug", "device": "board"},
    {"do": "plug", "device": "board"},
    {"do": "takeback"},
]


@pytest.mark.parametrize("message", SEAT_MESSAGES, ids=lambda message: message["do"])
@pytest.mark.parametrize("seat", [0, 2], ids=["a robot's seat", "a guest's seat"])
def test_a_guest_does_nothing_at_another_seat(message: dict[str, object], seat: int) -> None:
    @at_a_table(party=True, humans=0)
    async def attempt(table: TableWithPages) -> None:
        async with table.phone(1) as phone, table.phone(2) as other, other.page(), phone.page() as page:
            await page.until(lambda b: b.chairs == ["robot", "you", "person"])
            was = table.seat(seat).cup, table.seat(seat).pressed, table.seat(seat).unplugged
            await page.socket.send_str(json.dumps({"beat": page.beat, **message, "seat": seat}))
            await page.until(lambda b: b.sentences)
            assert page.sentences == ["Your seat is Cusco’s: you can use no other."]
            assert seat == 0 or (table.seat(seat).cup, table.seat(seat).pressed, table.seat(seat).unplugged) == was
            assert page.chairs == ["robot", "you", "person"]
            assert {frame[0] for frame in page.frames} <= {1}

    attempt()


@at_a_table(party=True)
async def test_a_guest_takes_no_seat_back_not_even_the_own_one(table: TableWithPages) -> None:
    async with table.phone(1) as phone, phone.page() as page:
        await page.do("takeback", seat=1)
        await page.until(lambda b: b.sentences)
        assert page.sentences == ["Only the host can take a seat back."]
        assert page.you == 1


@at_a_table(party=True)
async def test_nobody_looks_under_a_cover_at_a_party(table: TableWithPages) -> None:
    async with table.browser() as host:
        await host.do("uncover", seat=2)
        await host.until(lambda b: b.sentences)
        assert host.sentences == ["At a party nobody looks under a cover."]


# Persons who come in the middle of a round


def bids(browser: Browser) -> bool:
    """Whether all dice of a round are under the cups."""
    return browser.state["scene"] == "bidding"


def next_round(browser: Browser) -> bool:
    return browser.state["scene"] == "shaking" and browser.state["round"]["number"] > 1


@at_a_table(party=True, seed=3)
async def test_a_guest_who_comes_in_mid_round_gets_the_robots_seat_after_it(table: TableWithPages) -> None:
    async with table.browser() as host:
        await plays_on(host, bids)
        async with table.phone(1) as phone, phone.page() as page:
            assert (page.you, page.latest["chairs"]["soon"], page.chairs[1]) == (None, 1, "robot")
            assert page.sentences == ["A robot has dice at Cusco’s seat: it is yours after this round."]
            await host.until(lambda b: who(b)[1] == "guest")
            await plays_on(host, lambda _: page.you is not None)
            assert not bids(host)
            assert not [frame for frame in page.frames if frame[0] == 1 and bids(page)]
            await page.until(lambda b: b.displays)
            assert {frame[0] for frame in page.frames} == {1}
            assert page.latest["chairs"]["soon"] is None


@at_a_table(party=True)
async def test_a_guest_who_comes_while_nobody_has_shaken_plays_at_once(table: TableWithPages) -> None:
    async with table.browser() as host:
        await plays_on(host, lambda b: b.state["scene"] == "shaking")
        async with table.phone(1) as phone, phone.page() as page:
            assert (page.you, page.sentences) == (1, [])


@at_a_table(party=True)
async def test_a_guest_who_waits_for_a_seat_sees_and_does_nothing_there(table: TableWithPages) -> None:
    async with table.browser() as host:
        await plays_on(host, bids)
        async with table.phone(1) as phone, phone.page() as page:
            for message in ({"do": "tilt"}, {"do": "press", "button": "ok"}, {"do": "sit"}, {"do": "stand"}):
                await page.do(**message, seat=1)
            await page.until(lambda b: len(b.sentences) >= 4)
            assert set(page.sentences) == {"A robot has dice at Cusco’s seat: it is yours after this round."}
            assert (page.you, page.frames) == (None, [])


@at_a_table(party=True)
async def test_a_seat_that_is_promised_to_a_guest_waits_for_their_phone_after_the_round(table: TableWithPages) -> None:
    assert table.party is not None
    async with table.browser() as host, table.phone() as another:
        await plays_on(host, bids)
        async with table.phone(1) as phone:
            assert await another.join(table.party.guests.code(1)) == (403, "used")
            assert host.chairs[1] == "robot"
            await plays_on(host, lambda b: b.chairs[1] == "free")
            assert who(host)[1] == "away"
            async with phone.page() as page:
                assert page.you == 1


@at_a_table(party=True)
async def test_a_person_at_the_hosts_page_sees_no_second_hand_of_a_round(table: TableWithPages) -> None:
    async with table.browser() as host:
        await plays_on(host, bids)
        await host.do("sit", seat=2)
        await host.until(lambda b: b.latest["chairs"]["soon"] == 2)
        assert (host.you, who(host)) == (0, ["host", "open", "host"])
        async with table.browser() as second_tab:
            await second_tab.do("sit", seat=1)
            await second_tab.until(lambda b: b.latest["chairs"]["soon"] == 1)
            assert second_tab.frames == []
        await plays_on(host, lambda b: b.you == 2)
        assert not bids(host)
        assert {frame[0] for frame in host.frames} <= {0, 2}
        assert host.chairs[0] == "robot"


@at_a_table(party=True)
async def test_a_phone_that_changes_its_seat_in_mid_round_sees_no_second_hand_of_it(table: TableWithPages) -> None:
    assert table.party is not None
    async with table.browser() as host, table.phone(1) as phone, phone.page() as before:
        await asyncio.gather(plays_on(host, bids), plays_on(before, bids, 1))
        assert await phone.join(table.party.guests.code(2)) == (200, None)
        await before.closed()
        async with phone.page() as page:
            assert (page.you, page.latest["chairs"]["soon"]) == (None, 2)
            assert page.chairs[1:] == ["robot", "robot"]
            await plays_on(host, lambda _: page.you == 2)
            assert not bids(host)


@at_a_table(party=True)
async def test_a_guest_whose_seat_was_taken_back_before_they_got_it_gets_none(table: TableWithPages) -> None:
    async with table.browser() as host:
        await plays_on(host, bids)
        async with table.phone(1) as phone, phone.page() as page:
            await host.do("takeback", seat=1)
            assert await page.closed() == (1008, "The host has taken your seat back.")
        await plays_on(host, next_round)
        assert (host.chairs[1], who(host)[1]) == ("robot", "open")


# Phones that come and go


@pytest.mark.slow
@at_a_table(party=True)
async def test_a_phone_that_slept_has_its_seat_and_nobody_took_it(table: TableWithPages) -> None:
    async with table.browser() as host, table.phone(1) as phone:
        async with phone.page() as page:
            await page.until(lambda b: b.you == 1)
        await host.until(lambda b: who(b)[1] == "away")
        await asyncio.sleep(3600)
        async with table.browser() as another:
            assert another.you is None
            assert another.chairs[1] == "free"
        async with phone.page() as page:
            assert page.you == 1


@at_a_table(party=True)
async def test_a_phone_that_comes_back_takes_over_from_its_page_that_hangs(table: TableWithPages) -> None:
    async with table.phone(1) as phone, phone.page() as before, phone.page() as page:
        assert page.you == 1
        await before.until(lambda b: b.you is None)
        assert before.sentences == ["Cusco’s chair was taken on another page."]


@at_a_table(party=True)
async def test_a_guest_has_a_few_pages_at_most(table: TableWithPages) -> None:
    async with table.phone(1) as phone, phone.page() as first, phone.page(), phone.page() as third:
        assert await first.closed() == (1008, "Too many pages of yours look at this table; close one.")
        assert third.you == 1


@at_a_table(party=True)
async def test_the_host_takes_a_seat_back_and_the_guest_is_out_at_once(table: TableWithPages) -> None:
    assert table.party is not None
    async with table.browser() as host, table.phone(1) as phone, phone.page() as page:
        await host.until(lambda b: who(b)[1] == "guest")
        sent = len(page.frames)
        await host.do("takeback", seat=1)
        assert await page.closed() == (1008, "The host has taken your seat back.")
        assert len(page.frames) == sent
        assert await phone.status("seated") == 403
        assert await refused_handshake(phone) == 403
        await host.until(lambda b: who(b)[1] == "open")
        assert accesses(host)[1]["link"] == table.party.link(1)
        assert accesses(host)[1]["qr"].startswith("<svg ")
        assert host.chairs == ["you", "robot", "robot"]
        async with table.phone(1) as another, another.page() as theirs:
            assert theirs.you == 1


@at_a_table(party=True)
async def test_a_seat_that_is_taken_back_during_the_handshake_is_not_entered(table: TableWithPages) -> None:
    assert table.party is not None
    prepare = web.WebSocketResponse.prepare

    async def while_it_is_taken_back(socket: web.WebSocketResponse, request: web.BaseRequest) -> Any:
        await host.do("takeback", seat=1)
        await host.until(lambda b: who(b)[1] == "open")
        return await prepare(socket, request)

    async with table.browser() as host, table.phone(1) as phone:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(web.WebSocketResponse, "prepare", while_it_is_taken_back)
            async with phone.session.ws_connect(f"{phone.address}live") as socket:
                frame = await socket.receive()
        assert (frame.type, frame.data, frame.extra) == (
            aiohttp.WSMsgType.CLOSE,
            1008,
            "The host has taken your seat back.",
        )
        assert host.chairs == ["you", "robot", "robot"]


@at_a_table(party=True)
async def test_a_seat_whose_guest_pulled_its_cables_works_for_the_robot_after_it_was_taken_back(
    table: TableWithPages,
) -> None:
    async with table.browser() as host, table.phone(1) as phone, phone.page() as page:
        devices = table.seat(1).devices
        for device in devices:
            await page.do("unplug", seat=1, device=device)
        await page.until(lambda b: len(b.hands[1]["unplugged"]) == len(devices))
        await host.do("takeback", seat=1)
        await host.until(lambda b: who(b)[1] == "open")
        assert table.seat(1).unplugged == ()


@at_a_table(party=True)
async def test_a_seat_without_a_guest_can_not_be_taken_back(table: TableWithPages) -> None:
    async with table.browser() as host:
        await host.do("takeback", seat=2)
        await host.until(lambda b: b.sentences)
        assert host.sentences == ["There is no guest at Puno’s seat."]


@at_a_table(party=True)
async def test_the_hosts_page_does_not_sit_down_at_a_guests_place(table: TableWithPages) -> None:
    async with table.browser() as host, table.phone(1) as phone:
        async with phone.page() as page:
            await page.until(lambda b: b.you == 1)
        await host.do("sit", seat=1)
        await host.until(lambda b: b.sentences)
        assert host.sentences == ["A guest has Cusco’s seat; take it back first."]


@at_a_table(party=True, seats=8, humans=0)
async def test_eight_phones_take_all_eight_seats(table: TableWithPages) -> None:
    async with table.browser() as host:
        assert (host.you, who(host)) == (None, ["open"] * 8)
        phones = [table.phone(seat) for seat in range(8)]
        opened = [await phone.__aenter__() for phone in phones]
        pages = [phone.page() for phone in opened]
        browsers = [await page.__aenter__() for page in pages]
        assert [browser.you for browser in browsers] == [*range(8)]
        await host.until(lambda b: who(b) == ["guest"] * 8)
        for page, phone in zip(pages, phones, strict=True):
            await page.__aexit__(None, None, None)
            await phone.__aexit__(None, None, None)


@pytest.mark.slow
@at_a_table(party=True, seats=2, humans=0)
async def test_a_party_goes_on_without_anybody_until_it_is_stopped(table: TableWithPages) -> None:
    await asyncio.sleep(3600)
    assert not table.playing.done()
    assert table.events == [event for event in table.events if type(event).__name__ != "MatchBegan"]
