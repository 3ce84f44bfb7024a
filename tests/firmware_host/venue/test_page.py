"""The page of a venue over HTTP: everybody may look, the owner alone may change something, and guessing is slow."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, TCPConnector, WSServerHandshakeError
from support.host.wifi_addresses import held_pages
from support.venue.page import PASSWORD, StagedVenue, a_browser, staged_venue
from support.venue.tables import VenueTable

from firmware_host.clients.web.limits import OWN_PAGES, VENUE
from firmware_host.clients.web.login import HEADER, MAX_SESSIONS, SESSION_S, TRIES, Guesses, Sessions
from firmware_host.errors import UserError
from firmware_host.venue import owner
from firmware_host.venue.owner import COOKIE, Password, hash_of
from firmware_host.venue.store import Store

Visit = Callable[[StagedVenue, ClientSession], Awaitable[None]]


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a comparison of passwords as cheap as a test likes it."""
    monkeypatch.setattr(owner, "_COST", 16)
    monkeypatch.setattr(owner, "_LINE", owner.re.compile(r"scrypt\$16\$8\$1\$([0-9a-f]{32})\$([0-9a-f]{64})"))


def visited(test: Visit) -> Callable[[Path], None]:
    """Run a test at a venue with one table."""

    async def run(folder: Path) -> None:
        async with staged_venue(folder) as venue, a_browser() as browser:
            table = VenueTable("bar", "window")
            await venue.hear(table.status(), *table.match())
            await test(venue, browser)

    def in_folder(tmp_path: Path) -> None:
        asyncio.run(run(tmp_path))

    in_folder.__name__, in_folder.__doc__ = test.__name__, test.__doc__
    return in_folder


async def post(browser: ClientSession, venue: StagedVenue, path: str, body: Any, **headers: str) -> int:
    """Return the status of a request of the page."""
    sent = {"Content-Type": "application/json", **headers}
    async with browser.post(f"{venue.address}owner/{path}", data=json.dumps(body), headers=sent) as answer:
        return answer.status


async def csrf(browser: ClientSession, venue: StagedVenue) -> str | None:
    """Return the token that the page is told."""
    async with browser.get(f"{venue.address}owner") as answer:
        found: str | None = (await answer.json())["csrf"]
        return found


async def log_in(browser: ClientSession, venue: StagedVenue) -> dict[str, str]:
    """Log in and return the header of what changes something."""
    assert await post(browser, venue, "login", {"password": PASSWORD}) == 204
    return {HEADER: await csrf(browser, venue) or ""}


TITLE = {"site": "bar", "table": "window", "title": "By the window", "hidden": False}


@visited
async def test_a_page_gets_everything_and_then_what_changes(venue: StagedVenue, browser: ClientSession) -> None:
    async with browser.ws_connect(f"{venue.address}live") as live:
        first = await live.receive_json()
        while first["ranking"] is None or not first["ranking"]["tonight"]:
            first |= {key: value for key, value in (await live.receive_json()).items() if value}
        assert [card["table"] for card in first["cards"]] == ["window"]
        other = VenueTable("bar", "corner", seed=2)
        await venue.hear(other.status(), other.state())
        while not (news := await live.receive_json())["cards"]:
            pass
        assert [card["table"] for card in news["cards"]] == ["corner"]


@visited
async def test_a_table_is_followed_live_as_its_screen_shows_it(venue: StagedVenue, browser: ClientSession) -> None:
    async with browser.ws_connect(f"{venue.address}follow/bar/window/live") as live:
        message = await live.receive_json()
        assert (message["is_connected"], message["state"]["scene"]) == (True, "over")
        table = VenueTable("bar", "window")
        table.seq = 99
        table.bidding([5, 5, 5, 5], 0, 7)
        await venue.hear(table.state())
        assert (await live.receive_json())["state"]["standing"]["quantity"] == 7
    async with browser.get(f"{venue.address}follow/bar/attic/") as missing:
        assert missing.status == 404


@visited
async def test_nobody_changes_anything_without_a_login(venue: StagedVenue, browser: ClientSession) -> None:
    for path, body in {"table": TITLE, "season": {"number": 1, "title": ""}, "logout": {}}.items():
        assert await post(browser, venue, path, body) == 403
    assert await post(browser, venue, "login", {"password": "wrong horse"}) == 403
    assert await csrf(browser, venue) is None


@visited
async def test_the_owner_names_a_table_and_ends_a_season(venue: StagedVenue, browser: ClientSession) -> None:
    header = await log_in(browser, venue)
    assert await post(browser, venue, "table", TITLE, **header) == 204
    assert await post(browser, venue, "season", {"number": 1, "title": "Winter"}, **header) == 204
    assert await post(browser, venue, "season", {"number": 1, "title": "Winter"}, **header) == 409
    assert await post(browser, venue, "table", {**TITLE, "table": "attic"}, **header) == 409
    (record,) = await venue.store.run(lambda store: store.tables())
    assert record.title == "By the window"
    assert (await venue.store.run(lambda store: store.season())).title == "Winter"
    assert await post(browser, venue, "logout", {}, **header) == 204
    assert await post(browser, venue, "table", TITLE, **header) == 403


@visited
async def test_the_owner_deletes_a_table_with_its_points(venue: StagedVenue, browser: ClientSession) -> None:
    header, window = await log_in(browser, venue), {"site": "bar", "table": "window"}
    async with browser.ws_connect(f"{venue.address}live") as live:
        while (ranking := (await live.receive_json())["ranking"]) is None or not ranking["tonight"]:
            pass
        assert await post(browser, venue, "delete", window) == 403
        assert await post(browser, venue, "delete", window, **header) == 204
        gone, ranked = list[list[str]](), {"North"}
        while not gone or ranked:
            news = await live.receive_json()
            gone += news["gone"]
            if news["ranking"] is not None:
                ranked = {score["player"] for score in news["ranking"]["tonight"]}
        assert gone == [["bar", "window"]]
    assert await venue.store.run(lambda store: store.tables()) == []


@visited
async def test_rankings_are_counted_after_a_change_only_and_while_somebody_looks(
    venue: StagedVenue, browser: ClientSession
) -> None:
    statements: list[str] = []
    await venue.reader.run(lambda store: store._database._open().set_trace_callback(statements.append))  # type: ignore[attr-defined]

    def counted() -> int:
        return sum("FROM scores JOIN" in statement for statement in statements)

    table = VenueTable("bar", "corner", seed=2)
    await venue.hear(table.status(), *table.match())
    await venue.page.refresh()
    await asyncio.sleep(0.1)
    assert counted() == 0
    async with browser.ws_connect(f"{venue.address}live") as live:
        while (ranking := (await live.receive_json())["ranking"]) is None or not ranking["tonight"]:
            pass
        assert counted() == 2
        for _ in range(3):
            await venue.page.refresh()
            await asyncio.sleep(0.05)
        assert counted() == 2
        await venue.hear(*table.match())
        while (ranking := (await live.receive_json())["ranking"]) is None:
            pass
        assert counted() == 4


@visited
async def test_rankings_are_counted_beside_the_thread_that_stores_events(
    venue: StagedVenue, browser: ClientSession
) -> None:
    names: list[str] = []
    look = venue.follower.look

    async def noted(work: Callable[[Store], Any]) -> Any:
        names.append(await look(lambda store: (work(store), threading.current_thread().name)[1]))
        return await look(work)

    venue.follower.look = noted  # type: ignore[assignment]
    async with browser.ws_connect(f"{venue.address}live") as live:
        while (ranking := (await live.receive_json())["ranking"]) is None or not ranking["tonight"]:
            pass
    storing = await venue.store.run(lambda _: threading.current_thread().name)
    assert names
    assert storing not in names


@visited
async def test_a_page_says_when_there_is_no_room_for_another_table(venue: StagedVenue, browser: ClientSession) -> None:
    venue.board.is_full = True
    async with browser.ws_connect(f"{venue.address}live") as live:
        assert "tables" in (await live.receive_json())["problems"]


@visited
async def test_a_cookie_alone_changes_nothing_and_no_script_or_other_site_gets_it(
    venue: StagedVenue, browser: ClientSession
) -> None:
    sent = {"Content-Type": "application/json"}
    login = f"{venue.address}owner/login"
    async with browser.post(login, data=json.dumps({"password": PASSWORD}), headers=sent) as answer:
        cookie = answer.cookies[COOKIE]
        assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Strict", "/")
    assert await post(browser, venue, "table", TITLE) == 403
    assert await post(browser, venue, "table", TITLE, **{HEADER: "é" * 43}) == 403
    header = {HEADER: await csrf(browser, venue) or ""}
    assert await post(browser, venue, "table", TITLE, **header, Origin="http://elsewhere.example") == 403
    assert await post(browser, venue, "table", TITLE, **{**header, "Content-Type": "text/plain"}) == 400


@pytest.mark.parametrize(
    ("host", "origin", "allowed"),
    [
        ("dudo.example", "https://dudo.example", True),
        ("dudo.example", "https://elsewhere.example", False),
        ("elsewhere.example", "https://elsewhere.example", False),
    ],
)
def test_a_proxy_with_tls_may_serve_the_page_by_the_name_that_was_given(
    tmp_path: Path, host: str, origin: str, *, allowed: bool
) -> None:
    async def run() -> None:
        async with staged_venue(tmp_path, proxy="dudo.example") as venue, a_browser() as browser:
            found = await post(browser, venue, "login", {"password": PASSWORD}, Host=host, Origin=origin)
            assert found == (204 if allowed else 403)

    asyncio.run(run())


@visited
async def test_guessing_passwords_is_limited(venue: StagedVenue, browser: ClientSession) -> None:
    tried = [await post(browser, venue, "login", {"password": f"guess {number}"}) for number in range(TRIES + 2)]
    assert tried == [403] * TRIES + [429] * 2


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        {**TITLE, "title": "x" * 41},
        {**TITLE, "title": "a\0b"},
        {**TITLE, "title": "a\nb"},
        {**TITLE, "hidden": "yes"},
        {**TITLE, "table": "a\0b"},
        {"site": "bar"},
    ],
)
def test_nonsense_of_the_owner_is_a_bad_request(tmp_path: Path, body: Any) -> None:
    async def run() -> None:
        async with staged_venue(tmp_path) as venue, a_browser() as browser:
            assert await post(browser, venue, "table", body, **await log_in(browser, venue)) == 400

    asyncio.run(run())


def test_without_a_password_nobody_can_log_in(tmp_path: Path) -> None:
    async def run() -> None:
        async with staged_venue(tmp_path, password=None) as venue, a_browser() as browser:
            assert await post(browser, venue, "login", {"password": ""}) == 403

    asyncio.run(run())


def test_a_session_ends_and_the_oldest_goes_first() -> None:
    now_s = 0.0
    sessions = Sessions(lambda: now_s)
    first = sessions.begin()
    assert sessions.csrf(first)
    for _ in range(MAX_SESSIONS):
        now_s += 1
        last = sessions.begin()
    assert sessions.csrf(first) is None
    assert sessions.csrf(last)
    now_s += SESSION_S + 1
    assert sessions.csrf(last) is None


def test_one_address_cannot_use_up_the_tries_of_another() -> None:
    guesses = Guesses(lambda: 0.0)
    assert [guesses.allow("a") for _ in range(TRIES + 1)] == [True] * TRIES + [False]
    assert guesses.allow("b")


def test_guests_that_guess_lock_neither_the_computer_of_the_venue_out_nor_a_session() -> None:
    guesses = Guesses(lambda: 0.0)
    for guest in range(6):
        for _ in range(TRIES):
            guesses.allow(f"10.0.0.{guest}")
    assert not guesses.allow("10.0.0.7")
    assert guesses.allow("127.0.0.1", is_apart=True)
    assert guesses.allow("a session", is_apart=True)
    assert [guesses.allow("127.0.0.1", is_apart=True) for _ in range(TRIES)] == [True] * 4 + [False]


@visited
async def test_a_session_has_tries_of_its_own(venue: StagedVenue, browser: ClientSession) -> None:
    await log_in(browser, venue)
    async with a_browser() as other:
        while await post(other, venue, "login", {"password": "wrong horse"}) != 429:
            pass
    guesses = venue.page.owner_routes.login.guesses
    while guesses.allow(f"10.0.0.{len(guesses)}"):  # until guests have used up those of all addresses
        pass
    await log_in(browser, venue)


@visited
async def test_the_owner_logs_in_at_the_computer_of_the_venue_while_guests_guess(
    venue: StagedVenue, browser: ClientSession
) -> None:
    guesses = venue.page.owner_routes.login.guesses
    while guesses.allow(f"10.0.0.{len(guesses)}"):
        pass
    await log_in(browser, venue)


def test_everybody_behind_a_proxy_is_one_guest(tmp_path: Path) -> None:
    async def run() -> None:
        async with staged_venue(tmp_path, proxy="dudo.example") as venue, a_browser() as guest, a_browser() as browser:
            while await post(guest, venue, "login", {"password": "wrong horse"}, Host="dudo.example") != 429:
                pass
            await log_in(browser, venue)

    asyncio.run(run())


def test_a_password_is_kept_as_a_hash_with_a_salt() -> None:
    one, other = hash_of(PASSWORD), hash_of(PASSWORD)
    assert one != other
    assert PASSWORD not in one
    assert Password(one).is_right(PASSWORD)
    assert not Password(one).is_right("wrong horse")
    assert "horse" not in repr(Password(one))


@pytest.mark.parametrize("line", ["", "plain text", "scrypt$1$8$1$00$00"])
def test_what_is_no_hash_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="no hash"):
        Password(line)


def test_a_short_password_is_refused() -> None:
    with pytest.raises(UserError, match="a password of 5 characters: choose 8"):
        hash_of("short")


@visited
async def test_the_owner_runs_a_tournament(venue: StagedVenue, browser: ClientSession) -> None:
    start = {"players": ["Ana", "Bo", "Cy", "Di"], "draws": 1, "seats": 4, "final": 0}
    assert await post(browser, venue, "tournament/start", start) == 403
    header = await log_in(browser, venue)
    assert await post(browser, venue, "tournament/start", {**start, "seats": 99}, **header) == 422
    assert await post(browser, venue, "tournament/start", start, **header) == 204
    assert await post(browser, venue, "tournament/start", start, **header) == 422
    step: dict[str, Any] = {"revision": 1, "tables": ["bar/window"]}
    assert await post(browser, venue, "tournament", {**step, "do": "draw"}) == 403
    assert await post(browser, venue, "tournament", {**step, "do": "explode"}, **header) == 400
    steps: list[dict[str, Any]] = [
        {"do": "draw"},
        {"do": "absent", "player": "Ana"},
        {"do": "enter", "player": "Eve"},
        {"do": "release", "table": "bar/window"},
        {"do": "call"},
        {"do": "report", "table": "bar/window", "standings": ["Eve", "Bo"]},
        {"do": "correct", "heat": 1, "standings": ["Bo", "Eve"]},
        {"do": "close"},
    ]
    for revision, done in enumerate(steps, start=1):
        assert await post(browser, venue, "tournament", {**step, **done, "revision": revision}, **header) == 204, done
    running = await venue.store.run(lambda store: store.tournament())
    assert running is not None
    assert running.tournament.heats[0].standings == ("Bo", "Eve")


@visited
async def test_however_many_pages_others_hold_the_venues_own_computer_gets_its_page(
    venue: StagedVenue, browser: ClientSession
) -> None:
    async with held_pages(f"{venue.address}live", addresses=5) as counts:
        assert counts[0] == counts[1] < 60
        assert counts[2] > 0, "two addresses leave room for a third"
        async with browser.ws_connect(f"{venue.address}live") as live:
            assert (await live.receive_json())["cards"]


def test_guests_behind_a_proxy_leave_the_venues_own_computer_its_page(tmp_path: Path) -> None:
    async def run() -> None:
        async with AsyncExitStack() as stack:
            venue = await stack.enter_async_context(staged_venue(tmp_path, proxy="dudo.example"))
            browser = await stack.enter_async_context(ClientSession(connector=TCPConnector(limit=0)))
            proxied = {"Host": "dudo.example"}
            assert VENUE.pages
            for _ in range(VENUE.pages - OWN_PAGES):
                await stack.enter_async_context(browser.ws_connect(f"{venue.address}live", headers=proxied))
            with pytest.raises(WSServerHandshakeError, match="503"):
                await browser.ws_connect(f"{venue.address}live", headers=proxied)
            async with browser.ws_connect(f"{venue.address}live"):
                pass

    asyncio.run(run())
