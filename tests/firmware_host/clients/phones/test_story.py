"""The match so far, in words for a guest's phone alone."""

import json

import pytest
from nacl.exceptions import CryptoError
from support.pages.phone_table import PHONES, Phone, PhoneTable, at_phones, status, texts
from support.pages.public_pages import state

from firmware_host.clients.phones.story import MAX_EVENTS

BID = {"type": "said", "seat": 0, "action": "5x3", "bid": {"quantity": 5, "face": 3}}


async def story(phone: Phone, language: str) -> tuple[int, list[str]]:
    """Return the length on the network and the lines of this phone's story."""
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
