"""Pages for tests: a workbench on virtual time, and browsers that speak to it over real sockets.

@at_a_table(seats=2)
async def test_something(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await browser.do("sit", seat=0)
"""

import asyncio
import functools
import json
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp
from support.pages.phone_page import PhoneEnd

from engine import RULESETS, Rules
from firmware_host.clients.web.access import bind
from firmware_host.play.chairs import Chairs
from firmware_host.play.emulated_session import EmulatedSession
from firmware_host.play.workbench.party import open_party, with_phones
from firmware_host.play.workbench.server import WorkbenchServer
from firmware_host.public.server import PublicSocket
from firmware_host.table.events import PublicEvent
from firmware_host.wire import Seat
from hardware.config.layout import Layout, load_builtin
from hardware.emulated.seat import EmulatedSeat
from hardware.emulated.virtual_loop import VirtualLoop

Line = dict[str, Any]


class Browser:
    """A client of the page: everything that it was sent, by kind."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.frames: list[bytes] = []
        self.displays: dict[int, bytes] = {}
        self.messages: list[Line] = []
        self.latest: dict[str, Line] = {}
        self.hands: dict[int, Line] = {}
        self.state: Line = {}
        self.beat = 0
        self._news = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    @property
    def sentences(self) -> list[str]:
        """The sentences for the person."""
        return [word["text"] for word in self.messages if word["type"] == "told"]

    @property
    def happened(self) -> list[str]:
        """The public events since the page was opened, in sentences."""
        return [line for word in self.messages if word["type"] == "happened" for line in word["sentences"]]

    @property
    def you(self) -> int | None:
        """Where this page sits."""
        you: int | None = self.latest["chairs"]["you"]
        return you

    @property
    def chairs(self) -> list[str]:
        """Who sits where."""
        chairs: list[str] = self.latest["chairs"]["chairs"]
        return chairs

    async def do(self, do: str, **what: object) -> None:
        """Send a message."""
        await self.socket.send_str(json.dumps({"do": do, "beat": self.beat, **what}))

    async def tap(self, button: str, seat: int = 0) -> None:
        """Press a button for a moment."""
        await self.do("press", seat=seat, button=button)
        await asyncio.sleep(0.08)
        await self.do("release", seat=seat, button=button)

    async def until(self, seen: Callable[["Browser"], object], within_s: float = 600.0) -> None:
        """Wait until something has come."""
        async with asyncio.timeout(within_s):
            while not seen(self):
                self._news.clear()
                await self._news.wait()

    async def closed(self) -> tuple[int | None, str]:
        """Wait until the other side has closed; return its code and reason."""
        await self._reading
        return self.socket.close_code, self._reason

    async def go(self) -> None:
        """Close the tab."""
        await self.socket.close()

    async def _read(self) -> None:
        self._reason = ""
        while True:
            frame = await self.socket.receive()
            if frame.type is aiohttp.WSMsgType.BINARY:
                self.frames.append(frame.data)
                self.displays[frame.data[0]] = frame.data[2:]
            elif frame.type is aiohttp.WSMsgType.TEXT:
                self._take(json.loads(frame.data))
            else:
                self._reason = str(frame.extra or "")
                break
            self._news.set()
        self._news.set()

    def _take(self, word: Line) -> None:
        if word["type"] == "beat":
            self.beat = word["number"]
            return
        self.messages.append(word)
        self.latest[word["type"]] = word
        if word["type"] == "hands":
            self.hands[word["seat"]] = word
        if word["type"] == "state":
            self.state = word["line"]


class TableWithPages:
    """A running session with a page, and its address."""

    def __init__(self, server: WorkbenchServer, session: aiohttp.ClientSession) -> None:
        self.address = server.address
        self.session = session
        self.phones = server.phones
        self.events: list[PublicEvent] = []
        self.chairs: Chairs | None = None
        self.log: list[str] = []
        self.playing: asyncio.Task[None]

    def seat(self, number: int) -> EmulatedSeat:
        """Return the emulated seat."""
        assert self.chairs is not None
        return self.chairs[Seat(number)].seat

    @asynccontextmanager
    async def browser(self) -> AsyncIterator[Browser]:
        """Open the page, and wait until it knows everything."""
        async with self.session.ws_connect(f"{self.address}live") as socket:
            browser = Browser(socket)
            await browser.until(lambda b: "covered" in b.latest and b.state)
            yield browser

    @asynccontextmanager
    async def phone(self, seat: int | None = None) -> AsyncIterator["Phone"]:
        """Open a guest's browser; with a seat, join there."""
        assert self.phones is not None
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            phone = Phone(self.phones.address, session)
            if seat is not None:
                while self.phones.invitation is None:
                    await asyncio.sleep(0.1)
                assert await phone.join(self.phones.door.code, seat) == (200, None)
            yield phone


class Phone:
    """A guest's browser, with the cookie that it was given."""

    def __init__(self, address: str, session: aiohttp.ClientSession) -> None:
        self.address = address
        self.session = session
        self.end = PhoneEnd()

    async def join(self, code: str, seat: int) -> tuple[int, str | None]:
        """Send a code and a seat; return the status, and why it lets nobody in."""
        async with self.session.post(
            f"{self.address}join", json={"code": code, "seat": seat, "key": self.end.door.hex()}
        ) as answer:
            return answer.status, (await answer.json()).get("why")

    async def leave(self) -> None:
        """Give the seat up."""
        async with self.session.post(f"{self.address}leave", json={}) as answer:
            assert answer.status == 200

    @asynccontextmanager
    async def page(self) -> AsyncIterator["PhonePage"]:
        """Open the seat's page."""
        page = PhonePage(partial(self.session.ws_connect, f"{self.address}live"), self.end)
        await page.open()
        try:
            yield page
        finally:
            await page.close()


class PhonePage:
    """A seat's page that says nothing on the link. `told` is the table's last status, `frames` count what it is sent.

    As a page does, it connects again whenever the table has given it up.
    """

    def __init__(self, connect: Callable[[], Awaitable[aiohttp.ClientWebSocketResponse]], end: PhoneEnd) -> None:
        self.told: Line = {}
        self._end = end
        self.frames = 0
        self._connect = connect
        self._news = asyncio.Event()
        self._reason = ""

    async def open(self) -> None:
        """Connect."""
        self._socket = await self._connect()
        self._reading = asyncio.create_task(self._read())

    async def close(self) -> None:
        """Close the page."""
        self._reading.cancel()
        await self._socket.close()

    async def until(self, so: Callable[[Line], object], within_s: float = 600.0) -> None:
        """Wait until the table has told something."""
        async with asyncio.timeout(within_s):
            while not (self.told and so(self.told)):
                self._news.clear()
                await self._news.wait()

    async def until_here(self) -> None:
        """Wait until the table speaks to this phone."""
        await self.until(lambda told: told["here"])

    async def closed(self) -> tuple[int | None, str]:
        """Wait until the other side has closed; return its code and reason."""
        await self._reading
        return self._socket.close_code, self._reason

    async def _read(self) -> None:
        while True:
            message = await self._socket.receive()
            if message.type is aiohttp.WSMsgType.BINARY:
                self.frames += 1
            elif message.type is aiohttp.WSMsgType.TEXT:
                said = json.loads(message.data)
                if said["type"] == "table":
                    self.told = json.loads(self._end.open_sealed(bytes.fromhex(said["sealed"])))
                if said["type"] == "beat":
                    await self._socket.send_str(message.data)
            elif self._socket.close_code == aiohttp.WSCloseCode.SERVICE_RESTART:
                await asyncio.sleep(0.3)
                self._socket = await self._connect()
            else:
                self._reason = str(message.extra or "")
                break
            self._news.set()
        self._news.set()


@asynccontextmanager
async def open_table(
    layout: Layout, rules: Rules, humans: int, seed: int, *, party: bool = False
) -> AsyncIterator[TableWithPages]:
    """Run a session with a page, for guests too if it is a party."""
    with ExitStack() as held:
        listening = held.enter_context(bind(0))
        folder = held.enter_context(tempfile.TemporaryDirectory())
        events = Path(folder) / "events.sock"
        log: list[str] = []
        phones = held.enter_context(open_party("127.0.0.1", listening, events, None)) if party else None
        layout = with_phones(layout, humans) if party else layout
        listeners: list[Callable[[PublicEvent], None]] = []
        server = WorkbenchServer(layout, listening, events, rules, log.append, phones=phones, listen=listeners.append)
        async with (
            PublicSocket(events, [seat.name for seat in layout.seats]) as public,
            aiohttp.ClientSession() as session,
        ):
            table = TableWithPages(server, session)
            table.log = log

            def tell(event: PublicEvent) -> None:
                for listener in (table.events.append, *listeners, public.announce):
                    listener(event)

            def serve_people(chairs: Chairs) -> Any:
                table.chairs = chairs
                return server.serve(chairs)

            table_session = EmulatedSession(layout, rules, seed)
            playing = table_session.play(tell, publish=public.publish, people=humans, serve_people=serve_people)
            table.playing = asyncio.create_task(playing)
            try:
                yield table
                if table.playing.done():
                    table.playing.result()
            finally:
                table.playing.cancel()
                await asyncio.gather(table.playing, return_exceptions=True)


def at_a_table(
    *,
    layout: str = "emulated",
    seats: int = 3,
    rules: str = "perudo",
    humans: int = 1,
    seed: int = 1,
    party: bool = False,
    dice: int = 5,
) -> Callable[[Callable[..., Awaitable[None]]], Callable[..., None]]:
    """Run a test in such a session; its first argument is the `TableWithPages`."""

    def decorate(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
        @functools.wraps(test)
        def run(**given: Any) -> None:
            async def scenario() -> None:
                played = replace(RULESETS[rules], starting_dice=dice)
                async with open_table(load_builtin(layout).first(seats), played, humans, seed, party=party) as table:
                    await test(table, **given)

            with asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=30)) as runner:
                runner.run(scenario())

        # pytest asks for the arguments that are left.
        import inspect

        signature = inspect.signature(test)
        run.__signature__ = signature.replace(parameters=list(signature.parameters.values())[1:])  # type: ignore[attr-defined]
        del run.__wrapped__  # type: ignore[attr-defined]
        return run

    return decorate


async def plays_on(browser: Browser, until: Callable[[Browser], object], seat: int = 0) -> None:
    """Play a seat by what everybody may know, OK on whatever the menu offers first, until something is there."""
    while not until(browser):
        state = browser.state
        scene = state["scene"]
        if scene == "lobby" or scene == "over":
            await browser.tap("ok", seat)
        elif seat in state["waiting_for"]:
            if scene == "shaking":
                await browser.do("shake", seat=seat)
                await asyncio.sleep(1.0)
            else:
                await browser.tap("ok", seat)
        await asyncio.sleep(1.0)
