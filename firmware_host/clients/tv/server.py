"""The public page's server: its files, its WebSocket at `/live`, and its address as a QR code.

After a match it serves the match record, and in `/check/` a page on which a guest's own browser checks the dice next to
the table's verdict on the rules. `/figures/` has the statistics of all matches.

It answers only GET, sets no cookies and keeps no data about visitors.
"""

import asyncio
import logging
import os
import socket
import time
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path

from aiohttp import web

from firmware_host.clients.tv.figures import HousePage
from firmware_host.clients.tv.page_socket import PageSocket
from firmware_host.clients.tv.picture import PageContent
from firmware_host.clients.tv.records import Records
from firmware_host.clients.tv.sounds import Listener, Sounds, Speaking, page_mix
from firmware_host.clients.voice.speech import Speech, default_cache
from firmware_host.clients.web.access import access_check, network_hosts, security_headers
from firmware_host.clients.web.addresses import EVERY_ADDRESS, own_addresses, qr_file
from firmware_host.clients.web.files import file_named, file_response, module_of, read_files
from firmware_host.clients.web.limits import ROOM, OpenPages, is_own
from firmware_host.clients.web.serving import serving
from firmware_host.clients.web.site import SITE, Site
from firmware_host.i18n.page_texts import CHECK_TEXTS, all_texts
from firmware_host.public import invitation, recap
from firmware_host.public.address import phones_folder
from firmware_host.public.reader import ReadLine, TableAway, TableBack, TableReader
from firmware_host.table.invitation import Invitation
from firmware_host.util.log import ErrorCounter
from firmware_host.wire import LineError

FILES = Path(__file__).parent / "page"
FIGURES = "figures/"
"""Path of the statistics page."""
CHECK = "check/"
"""Path of the page for checking a record."""
PAGES_AT_ONCE = 4
"""Number of pages that get a change at once: the longest connected ones, such as the TV's."""
LATER_PAGES_S = 0.02, 0.08
"""Earliest and latest delay for the other pages, in seconds. So a bar full of phones leaves the processor to the table
while it answers a press. A message is made when it is sent, so the delay does not make it stale.
"""
ADDRESS_INTERVAL_S = 30.0
"""Minimum seconds between two look-ups of this computer's address; DHCP may change it."""


log = logging.getLogger("dudo-table")
errors = ErrorCounter()


def build_of(files: dict[str, bytes]) -> str:
    """Return the name of this page version: a page with another one reloads itself."""
    digest = sha256()
    for name, content in sorted(files.items()):
        digest.update(b"%d %d %s" % (len(name), len(content), name.encode()) + content)
    return digest.hexdigest()[:16]


def load_files(language: str | None) -> dict[str, bytes]:
    """Return the page's files by name. `language` applies to every page; None leaves it to each browser."""
    files = read_files(FILES, language, all_texts())
    files[f"{CHECK}texts.js"] = module_of(all_texts(CHECK_TEXTS))
    files["mix.js"] = module_of(page_mix())
    index = files["index.html"]
    files["index.html"] = index.replace(b"{{build}}", build_of(files).encode())
    return files


class PublicPage:
    """One table's public page, reached at the address of `listening`."""

    def __init__(
        self,
        listening: socket.socket,
        language: str | None,
        speaking: Speaking = lambda language: Speech(language, default_cache()),
        site: Path = SITE,
    ) -> None:
        self._site = Site(site)
        self._listening = listening
        self._host, self._port = listening.getsockname()[:2]
        files = load_files(language)
        self._files = files
        build = files["index.html"].partition(b'name="build" content="')[2].partition(b'"')[0].decode()
        self._picture = PageContent(build)
        self._sounds = Sounds(speaking)
        self._pages: OpenPages[PageSocket] = OpenPages(ROOM)
        self._records: Records | None = None
        self._house: HousePage | None = None
        self._fetching: asyncio.Task[None] | None = None
        self._address: str | None = None
        self._looked_up_s = -ADDRESS_INTERVAL_S

    @asynccontextmanager
    async def serve(self, events: Path) -> AsyncIterator[None]:
        """Serve the page until the block ends; `events` is the table's public socket."""
        hosts = network_hosts(self._port)
        app = web.Application(middlewares=[access_check(hosts, "is reached at the address that the screen shows")])
        app.on_response_prepare.append(security_headers(hosts, is_loopback=False))
        app.router.add_get("/live", self._live)
        app.router.add_get("/sounds/{language}", self._listen)
        app.router.add_get("/clips/{name}.wav", self._clip)
        app.router.add_get("/qr.svg", self._qr)
        app.router.add_get("/invite.svg", self._invite_qr)
        app.router.add_get(f"/{CHECK}qr.svg", self._check_qr)
        app.router.add_get(f"/{CHECK}record.dudo", self._record)
        app.router.add_get(f"/{CHECK}verdict.json", self._verdict)
        app.router.add_get(f"/{FIGURES}figures.json", self._house_figures)
        self._site.add_to(app)
        app.router.add_get("/{name:.*}", self._file)
        async with serving(app, self._pages, self._listening, ROOM):
            self._records = Records(events)
            self._house = HousePage(events)
            works = self._read(events), self._watch_recap(events), self._watch_phones(phones_folder(events))
            reading = [asyncio.create_task(work) for work in works]
            try:
                yield
            finally:
                self._records.close()
                self._house.close()
                tasks = [*reading, self._fetching] if self._fetching else reading
                for each in tasks:
                    each.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    async def _read(self, events: Path) -> None:
        """Show the table's public lines, and its absence. Runs for ever."""
        async with aclosing(TableReader(events).lines()) as lines:
            async for read in lines:
                match read:
                    case TableAway(why):
                        log.warning("%s; waiting for a table there%s", why, _remedy(events))
                        self._picture.disconnected()
                        self._sounds.lost()  # missed sounds are too old to be heard
                        self._changed()
                    case TableBack():
                        log.info("%s: the table is there", events)
                    case ReadLine():
                        if read.missed:
                            self._sounds.lost()
                        self._sounds.read(read.raw, is_state=read.is_state)
                        self._take(read.raw)

    async def _watch_recap(self, events: Path) -> None:
        """Show the evening's recap while there is one."""
        while True:
            found = recap.read(events)
            shown = found if found is not None and found.is_shown(time.time()) else None
            if shown != self._picture.recap:
                self._picture.recap = shown
                self._changed()
            await asyncio.sleep(recap.POLL_S)

    async def _watch_phones(self, folder: Path) -> None:
        """Show this computer's own screen the present code for phones."""

        def show(found: Invitation | None) -> None:
            self._picture.invite = found
            self._changed()

        await invitation.follow(folder, show)

    def _take(self, line: bytes) -> None:
        try:
            needs_message = self._picture.take(line, self._now_s())
        except (LineError, LookupError) as error:  # from a newer table, or a faulty one
            errors.log("the public page", error)
            return
        if needs_message:
            self._fetch_record()
            self._changed()

    def _fetch_record(self) -> None:
        """Request the finished match's record, until another scene is shown."""
        records, match = self._records, self._picture.finished
        assert records is not None
        if self._fetching is not None and (match is None or self._fetching.get_name() != match):
            self._fetching.cancel()
            self._fetching = None
        if match is not None and self._fetching is None:
            self._fetching = asyncio.create_task(self._fetch(records, match), name=match)

    async def _fetch(self, records: Records, match: str) -> None:
        await records.fetch(match)
        if self._picture.finished == match:
            self._picture.has_record = True
            self._changed()

    def _changed(self) -> None:
        loop, (first_s, last_s) = asyncio.get_running_loop(), LATER_PAGES_S
        interval_s = (last_s - first_s) / max(1, len(self._pages))
        for place, page in enumerate(self._pages):
            if place < PAGES_AT_ONCE:
                page.changed()
            else:
                loop.call_later(first_s + (place - PAGES_AT_ONCE) * interval_s, page.changed)

    def _message(self, is_here: bool) -> str:
        return self._picture.message(self._now_s(), self.address, is_own=is_here)

    @property
    def local_address(self) -> str:
        """The page's address on this computer."""
        return f"http://{'127.0.0.1' if self._host == EVERY_ADDRESS else self._host}:{self._port}/"

    @property
    def address(self) -> str | None:
        """Return the page's numeric address for other devices, None on loopback alone."""
        if self._host != EVERY_ADDRESS:
            return None if self._host.startswith("127.") else f"http://{self._host}:{self._port}/"
        if time.monotonic() - self._looked_up_s >= ADDRESS_INTERVAL_S:
            self._looked_up_s = time.monotonic()
            found = own_addresses()[0]
            self._address = None if found.startswith("127.") else f"http://{found}:{self._port}/"
        return self._address

    async def _live(self, request: web.Request) -> web.StreamResponse:
        return await self._serve_socket(PageSocket(partial(self._message, is_own(request))), request)

    async def _listen(self, request: web.Request) -> web.StreamResponse:
        """Send a language's cues to a page with its sound on."""
        listener, language = Listener(), request.match_info["language"]
        page = PageSocket(listener.take)
        listener.changed = page.changed
        try:
            self._sounds.add(listener, language)
        except KeyError:
            raise web.HTTPNotFound from None
        try:
            return await self._serve_socket(page, request)
        finally:
            self._sounds.remove(listener, language)

    async def _serve_socket(self, page: PageSocket, request: web.Request) -> web.StreamResponse:
        with self._pages.holding(page, request):
            return await page.run(request)

    async def _clip(self, request: web.Request) -> web.Response:
        clip = self._sounds.clips.find(request.match_info["name"])
        if clip is None:
            raise web.HTTPNotFound
        return file_response(".wav", clip)

    async def _qr(self, _: web.Request) -> web.Response:
        address = self.address
        if address is None:
            raise web.HTTPNotFound
        return file_response(".svg", qr_file(address))

    async def _invite_qr(self, request: web.Request) -> web.Response:
        """Answer this computer's own screen with a QR code: the way to a seat for the next phone."""
        if self._picture.invite is None or not is_own(request):
            raise web.HTTPNotFound
        return file_response(".svg", qr_file(self._picture.invite.link))

    async def _check_qr(self, request: web.Request) -> web.Response:
        """Answer with a QR code: the phones' address for checking the query's match."""
        address, match = self.address, request.query.get("match", "")
        if address is None or self._records is None or match not in self._records:
            raise web.HTTPNotFound
        return file_response(".svg", qr_file(f"{address}{CHECK}?match={match}"))

    async def _record(self, request: web.Request) -> web.Response:
        """Answer with a record: of the query's match, or the last one."""
        text = self._records.get(request.query.get("match", "")) if self._records else None
        if text is None:
            raise web.HTTPNotFound
        return web.Response(text=text)

    async def _verdict(self, request: web.Request) -> web.Response:
        """Answer with the table's verdict on the query's match, or the last one."""
        text = await self._records.verdict(request.query.get("match", "")) if self._records else None
        if text is None:
            raise web.HTTPNotFound
        return web.Response(text=text, content_type="application/json")

    async def _house_figures(self, _: web.Request) -> web.Response:
        """Answer with the match statistics: null without kept matches, 503 while they are unavailable."""
        text = await self._house.get() if self._house else None
        if text is None:
            raise web.HTTPServiceUnavailable
        return web.Response(text=text, content_type="application/json")

    async def _file(self, request: web.Request) -> web.Response:
        return file_named(self._files, request.match_info["name"])

    def _now_s(self) -> float:
        return asyncio.get_running_loop().time()


def _remedy(events: Path) -> str:
    """Return the remedy if this user can't read the socket."""
    if events.exists() and not os.access(events, os.R_OK | os.W_OK):
        return "; this user may not read it: run sudo adduser $USER dudo-table, then log out and in again"
    return ""
