"""What a page can get wrong: one sentence for each, and an end for one that goes on."""

import asyncio

import aiohttp
import pytest
from support.pages.page_clients import TableWithPages, at_a_table

from firmware_host.play.workbench.client import MAX_WAITING, Outbox
from firmware_host.play.workbench.workbench import MAX_PAGES

NONSENSE = {
    "": "''",
    "ok": "'ok'",
    "[]": "'[]'",
    "null": "'null'",
    "[" * 2000: "[[[",
    '{"do":"fly","seat":0}': "fly",
    '{"seat":0}': "do",
    '{"do":"press","seat":0}': "button",
    '{"do":"press","seat":"0","button":"ok"}': "seat",
    '{"do":"press","seat":0.5,"button":"ok"}': "seat",
    '{"do":"press","seat":true,"button":"ok"}': "seat",
    '{"do":"press","seat":99999999999999999999,"button":"ok"}': "seat",
    '{"do":"press","seat":9,"button":"ok"}': "There is no seat 9; seats go from 0 to 2.",
    '{"do":"press","seat":-1,"button":"ok"}': "There is no seat -1; seats go from 0 to 2.",
    '{"do":"uncover","seat":3}': "There is no seat 3; seats go from 0 to 2.",
    '{"do":"sit","seat":8}': "There is no seat 8",
    '{"do":"press","seat":0,"button":"OK"}': "Lima has no button 'OK'; there is left, right, ok, dudo.",
    '{"do":"unplug","seat":0,"device":"cup"}': "Lima has no device 'cup'; there is board.",
    '{"do":"press","seat":0,"button":"o\\nk\\u202e"}': "Lima has no button 'o?k?'; there is",
    '{"do":"press","seat":0,"button":"' + "x" * 3000 + '"}': "Lima has no button 'xxx",
}


@pytest.mark.parametrize(("text", "said"), NONSENSE.items(), ids=range(len(NONSENSE)))
def test_nonsense_gets_one_short_sentence_that_names_it(text: str, said: str) -> None:
    @at_a_table()
    async def scenario(table: TableWithPages) -> None:
        async with table.browser() as browser:
            await browser.socket.send_str(text.replace('{"do"', f'{{"beat":{browser.beat},"do"'))
            await browser.do("press", seat=0, button="ok")
            await browser.until(lambda b: b.hands[0]["pressed"] == ["ok"])
            (sentence,) = browser.sentences
            assert said in sentence
            assert len(sentence) < 200
            assert sentence.isprintable()

    scenario()


@at_a_table()
async def test_bytes_are_no_message(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await browser.socket.send_bytes(b'{"do":"stand"}')
        await browser.until(lambda b: b.sentences)
        assert browser.sentences == ["That was no message for the table: 14 bytes, not text."]
        assert browser.you == 0


@at_a_table()
async def test_a_page_that_goes_on_talking_nonsense_is_closed_with_a_reason(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await browser.do("press", seat=0, button="ok")
        for _ in range(21):
            await browser.socket.send_str("fly")
        assert await browser.closed() == (1008, "Too much of what this page said made no sense.")
        assert table.seat(0).pressed == ()


@at_a_table()
async def test_refusals_are_no_nonsense(table: TableWithPages) -> None:
    async with table.browser() as browser:
        for _ in range(30):
            await browser.do("tilt", seat=1)
        await browser.until(lambda b: len(b.sentences) == 30)
        assert not browser.socket.closed


@at_a_table()
async def test_a_page_that_talks_too_fast_is_told_so(table: TableWithPages) -> None:
    async with table.browser() as browser:
        for _ in range(90):
            await browser.do("level", seat=0)
        await browser.until(lambda b: b.sentences)
        assert set(browser.sentences) == {"Too fast: more than 40 messages a second; one was dropped."}
        await asyncio.sleep(3)
        await browser.do("press", seat=0, button="ok")
        await browser.until(lambda b: b.hands[0]["pressed"])


@at_a_table()
async def test_a_page_that_goes_on_talking_too_fast_is_closed(table: TableWithPages) -> None:
    async with table.browser() as browser:
        for _ in range(200):
            await browser.do("level", seat=0)
        assert (await browser.closed())[0] == 1008


@at_a_table()
async def test_a_huge_message_closes_the_connection_and_nothing_else(
    table: TableWithPages, caplog: pytest.LogCaptureFixture
) -> None:
    async with table.browser() as other, table.browser() as browser:
        await browser.socket.send_str("x" * 100_000)
        code, _ = await browser.closed()
        assert code == 1009
        await other.do("press", seat=0, button="ok")
        await other.until(lambda b: b.hands[0]["pressed"])
    assert not caplog.records


@at_a_table()
async def test_text_that_is_not_utf8_closes_the_connection(
    table: TableWithPages, caplog: pytest.LogCaptureFixture
) -> None:
    async with table.browser() as browser:
        await browser.socket._writer.send_frame(b"\xff\xfe", aiohttp.WSMsgType.TEXT)
        assert (await browser.closed())[0] == 1007
    assert not caplog.records


@at_a_table()
async def test_a_page_that_pings_without_end_is_closed(table: TableWithPages, caplog: pytest.LogCaptureFixture) -> None:
    async with table.browser() as browser:
        for _ in range(120):
            await browser.socket.ping()
        closed = await asyncio.wait_for(browser.closed(), 60)
        assert closed == (1008, "Too much of what this page said made no sense.")
    assert not caplog.records


@at_a_table()
async def test_a_page_that_sends_without_a_message_is_cut_off(
    table: TableWithPages, caplog: pytest.LogCaptureFixture
) -> None:
    async with table.browser() as other, table.browser() as browser:
        browser.socket._writer.transport.write(b"\x01\x80\0\0\0\0" + b"\0\x80\0\0\0\0" * 50_000)
        await asyncio.wait_for(browser.closed(), 5)
        await other.do("press", seat=0, button="ok")
        await other.until(lambda b: b.hands[0]["pressed"])
    assert not caplog.records


@at_a_table()
async def test_more_pages_than_there_is_room_for_are_told_so(table: TableWithPages) -> None:
    many = [await table.session.ws_connect(f"{table.address}live") for _ in range(MAX_PAGES)]
    for socket in many:
        await socket.receive()
    async with table.session.ws_connect(f"{table.address}live") as one_more:
        end = await one_more.receive()
        assert (end.data, end.extra) == (1013, "Too many pages look at this table; close one.")
    await many.pop().close()
    async with table.browser():
        pass
    for socket in many:
        await socket.close()


def test_of_what_replaces_each_other_only_the_newest_waits() -> None:
    outbox = Outbox()
    for number in range(10 * MAX_WAITING):
        outbox.put(bytes([number % 256]), "picture")
    assert not outbox.is_full


def test_what_does_not_replace_each_other_fills_the_outbox() -> None:
    outbox = Outbox()
    for _ in range(MAX_WAITING + 1):
        outbox.put("said")
    assert outbox.is_full
