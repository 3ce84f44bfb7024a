"""Phones at the table of `play`: which seats are theirs, when they get one, and who plays there without them."""

import asyncio
import re
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import pytest
from support.pages.page_clients import Browser, TableWithPages, at_a_table, plays_on

from engine import PERUDO
from firmware_host.clients.web.access import bind
from firmware_host.clients.web.addresses import own_addresses
from firmware_host.errors import UserError
from firmware_host.play.kept_match import GUESTS, KeptMatch, kept_match
from firmware_host.play.workbench.party import check_without_guests, open_party, with_phones
from firmware_host.store.journal.journal import Journal
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.wire import Seat
from hardware.config.layout import load_builtin

FREED = (1008, "removed")


def who(host: Browser) -> list[str]:
    seats: list[str] = host.latest["party"]["seats"]
    return seats


def bids(browser: Browser) -> bool:
    """Return whether all dice of a round are under the cups."""
    return bool(browser.state["scene"] == "bidding")


def next_round(browser: Browser) -> bool:
    return browser.state["scene"] == "shaking" and browser.state["round"]["number"] > 1


# Seats and their guests


def test_all_seats_but_the_hosts_are_for_phones() -> None:
    layout = with_phones(load_builtin("wired-4"), 1)
    assert [seat.phone for seat in layout.seats] == [None, "phone/2", "phone/3", "phone/4"]
    assert [seat.name for seat in layout.seats] == [seat.name for seat in load_builtin("wired-4").seats]
    assert layout.service_seat == 0
    assert all(seat.phone for seat in with_phones(layout, 0).seats)


@at_a_table(party=True)
async def test_the_host_has_a_code_for_the_next_guest(table: TableWithPages) -> None:
    assert table.phones is not None
    async with table.browser() as host:
        await host.until(lambda b: b.latest["party"]["link"])
        party = host.latest["party"]
        assert (host.you, who(host)) == (0, ["host", "open", "open"])
        assert re.fullmatch(f"{table.phones.address}#{table.phones.door.code}-[0-9A-F]{{24}}", party["link"])
        assert party["qr"].startswith("<svg ")
        async with table.phone(1):
            await host.until(lambda b: who(b)[1] == "away")
            assert host.latest["party"]["link"] != party["link"]
            async with table.phone(2):
                await host.until(lambda b: b.latest["party"]["link"] == "")


@at_a_table(party=True)
async def test_a_guest_sits_at_a_seat_and_the_robot_leaves_it(table: TableWithPages) -> None:
    async with table.browser() as host, table.phone(1) as phone:
        async with phone.page() as page:
            await page.until_here()
            await host.until(lambda b: who(b)[1] == "guest")
            assert host.chairs == ["you", "person", "robot"]
            assert table.seat(1).unplugged == ("board",)
        await host.until(lambda b: who(b)[1] == "away")
        assert host.chairs[1] == "free"
        async with table.browser() as another:
            assert another.you is None  # nobody takes it meanwhile
        async with phone.page() as page:
            await page.until_here()


@at_a_table(party=True)
async def test_a_seat_of_a_person_at_the_hosts_page_is_not_given_away(table: TableWithPages) -> None:
    assert table.phones is not None
    async with table.browser() as host, table.phone() as phone:
        await host.do("sit", seat=2)
        await host.until(lambda b: b.you == 2)
        for seat in (0, 2):
            assert await phone.join(table.phones.door.code, seat) == (403, "taken")
        assert await phone.join(table.phones.door.code, 1) == (200, None)


@at_a_table(party=True)
async def test_the_hosts_page_does_not_sit_down_at_a_guests_place(table: TableWithPages) -> None:
    async with table.browser() as host, table.phone(1):
        await host.until(lambda b: who(b)[1] == "away")
        await host.do("sit", seat=1)
        await host.until(lambda b: b.sentences)
        assert host.sentences == ["A guest has Cusco’s seat; take it back first."]


@at_a_table(party=True)
async def test_nobody_looks_under_a_cover_at_a_party(table: TableWithPages) -> None:
    async with table.browser() as host:
        await host.do("uncover", seat=2)
        await host.until(lambda b: b.sentences)
        assert host.sentences == ["At a party nobody looks under a cover."]


@at_a_table(party=True, seats=8, humans=0)
async def test_eight_phones_take_all_eight_seats(table: TableWithPages) -> None:
    async with table.browser() as host:
        assert (host.you, who(host)) == (None, ["open"] * 8)
        phones = [table.phone(seat) for seat in range(8)]
        pages = [(await phone.__aenter__()).page() for phone in phones]
        for page in pages:
            await (await page.__aenter__()).until_here()
        await host.until(lambda b: who(b) == ["guest"] * 8)
        for page, phone in zip(pages, phones, strict=True):
            await page.__aexit__(None, None, None)
            await phone.__aexit__(None, None, None)


@at_a_table(party=True)
async def test_a_guest_who_leaves_makes_room_for_a_robot(table: TableWithPages) -> None:
    async with table.browser() as host, table.phone(1) as phone, phone.page() as page:
        await page.until_here()
        leaving = asyncio.create_task(phone.leave())
        assert await page.closed() == FREED
        await leaving
        await host.until(lambda b: who(b)[1] == "open")
        assert host.chairs == ["you", "robot", "robot"]
        assert table.seat(1).unplugged == ()
        await plays_on(host, bids)  # with the robot


@at_a_table(party=True)
async def test_the_host_takes_a_seat_back_and_the_guest_is_out_at_once(table: TableWithPages) -> None:
    async with table.browser() as host, table.phone(1) as phone, phone.page() as page:
        await page.until_here()
        await host.do("takeback", seat=1)
        assert await page.closed() == FREED
        await host.until(lambda b: who(b)[1] == "open")
        assert host.chairs == ["you", "robot", "robot"]
        async with table.phone(1) as another, another.page() as theirs:
            await theirs.until_here()


@at_a_table(party=True)
async def test_a_seat_without_a_guest_can_not_be_taken_back(table: TableWithPages) -> None:
    async with table.browser() as host:
        await host.do("takeback", seat=2)
        await host.until(lambda b: b.sentences)
        assert host.sentences == ["There is no guest at Puno’s seat."]


@pytest.mark.slow
@at_a_table(party=True, seats=2, humans=0)
async def test_a_party_goes_on_without_anybody_until_it_is_stopped(table: TableWithPages) -> None:
    await asyncio.sleep(3600)
    assert not table.playing.done()
    assert table.events == [event for event in table.events if type(event).__name__ != "MatchBegan"]


# Persons who come in the middle of a round


@at_a_table(party=True, seed=3)
async def test_a_guest_who_comes_in_mid_round_gets_the_robots_seat_after_it(table: TableWithPages) -> None:
    async with table.browser() as host:
        await plays_on(host, bids)
        async with table.phone(1) as phone, phone.page() as page:
            await page.until(lambda told: told["held"])
            await host.until(lambda b: who(b)[1] == "guest")
            assert (host.chairs[1], page.frames) == ("robot", 0)
            await plays_on(host, lambda b: b.chairs[1] == "person")
            assert not bids(host)
            await page.until_here()
            assert not page.told["held"]


@at_a_table(party=True)
async def test_a_guest_who_comes_while_nobody_has_shaken_plays_at_once(table: TableWithPages) -> None:
    async with table.browser() as host:
        await plays_on(host, lambda b: b.state["scene"] == "shaking")
        async with table.phone(1) as phone, phone.page() as page:
            await page.until_here()
            assert host.state["scene"] == "shaking"


@at_a_table(party=True)
async def test_a_seat_that_is_promised_to_a_guest_waits_for_their_phone_after_the_round(table: TableWithPages) -> None:
    async with table.browser() as host:
        await plays_on(host, bids)
        async with table.phone(1) as phone:
            await host.until(lambda b: who(b)[1] == "away")
            assert host.chairs[1] == "robot"
            await plays_on(host, lambda b: b.chairs[1] == "free")
            async with phone.page() as page:
                await page.until_here()


@at_a_table(party=True)
async def test_a_guest_whose_seat_was_taken_back_before_they_got_it_gets_none(table: TableWithPages) -> None:
    async with table.browser() as host:
        await plays_on(host, bids)
        async with table.phone(1) as phone, phone.page() as page:
            await page.until(lambda told: told["held"])
            await host.do("takeback", seat=1)
            assert await page.closed() == FREED
        await plays_on(host, next_round)
        assert (host.chairs[1], who(host)[1]) == ("robot", "open")


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


# Restarts


LAYOUT = load_builtin("emulated").first(3)


def kept(folder: Path, *, goes_on: bool = True) -> KeptMatch:
    """Return a match in a folder, which goes on or begins."""
    return KeptMatch(cast(Journal, None), folder, Lobby() if goes_on else None)


def joined(folder: Path, match: KeptMatch) -> str:
    """Let a guest join at the second seat; return the token."""
    with bind(0) as page, open_party("127.0.0.1", page, folder / "events.sock", match) as phones:
        return phones.door.join(phones.door.code, Seat(1), [Seat(1)], "")


def known(folder: Path, match: KeptMatch, token: str) -> Seat | None:
    with bind(0) as page, open_party("127.0.0.1", page, folder / "events.sock", match) as phones:
        return phones.door.seat_of(token)


def test_the_guests_of_a_match_that_goes_on_keep_their_seats(tmp_path: Path) -> None:
    token = joined(tmp_path, kept(tmp_path))
    assert (tmp_path / GUESTS).stat().st_mode & 0o777 == 0o600
    assert known(tmp_path, kept(tmp_path), token) == 1


def test_a_guest_of_an_earlier_match_has_no_seat_in_another_one(tmp_path: Path) -> None:
    with kept_match(LAYOUT, PERUDO, tmp_path, print, fresh=False) as before:
        token = joined(tmp_path, before)
    with kept_match(LAYOUT, PERUDO, tmp_path, print, fresh=True) as begun:
        assert known(tmp_path, KeptMatch(begun.journal, begun.folder, Lobby()), token) is None


def test_a_match_with_guests_does_not_go_on_without_a_party(tmp_path: Path) -> None:
    """Else the host could restart it without one and look under the covers of the guests."""
    joined(tmp_path, kept(tmp_path))
    with pytest.raises(UserError, match=r"has guests \(Cusco\): add --host, or --fresh"):
        check_without_guests(kept(tmp_path), LAYOUT)
    check_without_guests(kept(tmp_path, goes_on=False), LAYOUT)
    check_without_guests(None, LAYOUT)


@pytest.mark.parametrize("content", ["", "{", "[]", "7", '{"Lima": "x"}', '{"1": 7}', "[" * 20_000])
def test_a_file_of_guests_that_is_damaged_lets_nobody_in(content: str, tmp_path: Path) -> None:
    (tmp_path / GUESTS).write_text(content)
    with bind(0) as page, open_party("127.0.0.1", page, tmp_path / "events.sock", kept(tmp_path)) as phones:
        guests: Mapping[Seat, bool] = phones.guests
        assert guests == {}


def test_a_party_is_reached_at_an_address_that_others_can_use(tmp_path: Path) -> None:
    with bind(0) as page, open_party("0.0.0.0", page, tmp_path / "events.sock", None) as phones:
        assert phones.address.startswith(f"http://{own_addresses()[0]}:")
