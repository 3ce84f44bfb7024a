"""The owner's page: its files, the sign-in by the code on a display, and the table's form and changes as JSON.

The page reaches the table by the control socket alone, and holds no state of it. Its code is in a file beside that
socket, which the daemon shows in the staff menu, and is good for one sign-in.
"""

import asyncio
import hmac
import logging
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
from aiohttp import web

from firmware_host.clients.owner import computer
from firmware_host.clients.owner.copies import Copies
from firmware_host.clients.owner.form import answer, in_words, shown
from firmware_host.clients.owner.table import StaffTable, TableAwayError, decoded
from firmware_host.clients.web.access import access_check, network_hosts, security_headers
from firmware_host.clients.web.addresses import reachable_at
from firmware_host.clients.web.files import file_named, read_files
from firmware_host.clients.web.limits import OWNER, OpenPages
from firmware_host.clients.web.login import MAX_BODY_BYTES, Login
from firmware_host.clients.web.serving import serving
from firmware_host.clients.web.site import SITE, Site
from firmware_host.i18n.catalogues import LANGUAGES, translation_for
from firmware_host.i18n.owner_texts import all_owner_texts
from firmware_host.i18n.words import Words
from firmware_host.public import owner_page
from firmware_host.public.address import path_beside
from firmware_host.table.staff.actions import LAYOUT_VALUE
from firmware_host.table.staff.machine import Job
from firmware_host.table.staff.requests import (
    Act,
    Configure,
    DoJob,
    ReadRules,
    ReadSeats,
    Reset,
    RulesForm,
    SeatsForm,
    SetUp,
    WriteRules,
)
from firmware_host.util.system_error import reason_of

FILES = Path(__file__).parent / "page"
COOKIE = "dudo-table-owner"
ADDRESS_INTERVAL_S = 30.0
"""Seconds between two look-ups of this computer's address; DHCP may change it."""
_JSON = "application/json"

log = logging.getLogger("dudo-table")


class _Sent(msgspec.Struct):
    """A change. Reading is done by `/form`, and no other request of the control socket passes."""

    request: Act | Configure | DoJob | Reset | SetUp | WriteRules


class _Asked(msgspec.Struct):
    request: ReadRules


class _Answer(msgspec.Struct):
    done: bool
    text: str


class SignInCode:
    """The code for the next sign-in, and its file."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._address = ""
        self._code = ""
        self._renew()

    def __repr__(self) -> str:
        return "<SignInCode>"

    async def is_right(self, tried: str) -> bool:
        """Return whether this is the code; blanks don't matter. A right one is replaced at once."""
        digits = "".join(tried.split())[: 2 * owner_page.CODE_DIGITS]
        if not hmac.compare_digest(digits.encode(errors="replace"), self._code.encode()):
            return False
        self._renew()
        await asyncio.to_thread(self._write)
        return True

    async def show_at(self, address: str) -> None:
        """Write the file anew for the page's present address."""
        if address != self._address:
            self._address = address
            await asyncio.to_thread(self._write)

    def remove(self) -> None:
        """Remove the file: no page is served any more."""
        with suppress(OSError):
            self._file.unlink()

    def _renew(self) -> None:
        self._code = f"{secrets.randbelow(10**owner_page.CODE_DIGITS):0{owner_page.CODE_DIGITS}}"

    def _write(self) -> None:
        middle = owner_page.CODE_DIGITS // 2
        code = f"{self._code[:middle]} {self._code[middle:]}"
        try:
            owner_page.write(self._file, owner_page.OwnerPage(self._address, code))
        except OSError as error:
            log.error("%s can't be written: %s; no display shows the code", self._file, reason_of(error))


class OwnerPageServer:
    """One table's owner's page, reached at the address of `listening`; `events` is the table's public socket,
    `root` has the computer's files, and `site` the documents.
    """

    def __init__(
        self, listening: socket.socket, language: str | None, events: Path, root: Path = Path("/"), site: Path = SITE
    ) -> None:
        self._listening = listening
        self._host, self._port = listening.getsockname()[:2]
        self._files = read_files(FILES, language, all_owner_texts())
        self._language = language or "en"
        self._table = StaffTable(path_beside(events))
        self._code = SignInCode(owner_page.path_of(events))
        self.login = Login(COOKIE, self._code.is_right)
        self._copies = Copies(owner_page.path_of(events).parent, self.login)
        self._root = root
        self._site = Site(site)
        self._pages: OpenPages[Any] = OpenPages(OWNER)

    @asynccontextmanager
    async def serve(self) -> AsyncIterator[None]:
        """Serve the page until the block ends."""
        hosts = network_hosts(self._port)
        checked = access_check(hosts, "is reached at the address that the display shows")
        app = web.Application(middlewares=[checked], client_max_size=MAX_BODY_BYTES)
        app.on_response_prepare.append(security_headers(hosts, is_loopback=False))
        self.login.add_to(app)
        app.router.add_get("/form", self._form)
        app.router.add_post("/staff", self._staff)
        app.router.add_post("/rules", self._rules)
        app.router.add_get("/seats", self._seats)
        self._copies.add_to(app)
        self._site.add_to(app)
        app.router.add_get("/{name:[^/]*}", self._file)
        await self._code.show_at(self.address)
        async with serving(app, self._pages, self._listening, OWNER):
            following = asyncio.create_task(self._follow_address())
            try:
                yield
            finally:
                following.cancel()
                await asyncio.gather(following, return_exceptions=True)
                self._code.remove()

    @property
    def address(self) -> str:
        """The page's numeric address, with its port."""
        return f"{reachable_at(self._host)}:{self._port}"

    async def _follow_address(self) -> None:
        while True:
            await asyncio.sleep(ADDRESS_INTERVAL_S)
            await self._code.show_at(self.address)

    def _words(self, request: web.Request) -> Words:
        asked = request.query.get("language", "")
        return Words(translation_for(asked if asked in LANGUAGES else self._language))

    async def _form(self, request: web.Request) -> web.Response:
        """Answer with the page's content."""
        self.login.check(request)
        try:
            form = await self._table.form()
        except TableAwayError:
            raise web.HTTPServiceUnavailable from None
        facts, has_documents = await asyncio.to_thread(lambda: (computer.read(self._root), self._site.is_here))
        page = shown(form, facts, self._words(request), has_documents=has_documents)
        return web.Response(body=msgspec.json.encode(page), content_type=_JSON)

    async def _staff(self, request: web.Request) -> web.Response:
        """Have the table change something; answer with the result."""
        asked = (await self.login.body(request, _Sent)).request
        if isinstance(asked, Configure) and asked.value == LAYOUT_VALUE:
            asked = Configure(asked.setting)
        try:
            reply = await self._table.ask(asked)
        except TableAwayError:
            raise web.HTTPServiceUnavailable from None
        job = asked.job if isinstance(asked, DoJob) else Job.SETUP if isinstance(asked, SetUp) else None
        text = answer(reply, self._words(request), job)
        return web.Response(body=msgspec.json.encode(_Answer(reply.done, text)), content_type=_JSON)

    async def _rules(self, request: web.Request) -> web.Response:
        """Answer with the questions behind a rule set."""
        asked = (await self.login.body(request, _Asked)).request
        try:
            reply = await self._table.ask(asked)
        except TableAwayError:
            raise web.HTTPServiceUnavailable from None
        if not reply.done:
            return web.Response(status=422, text="; ".join(reply.lines))
        form = in_words(decoded(reply, RulesForm), self._words(request))
        return web.Response(body=msgspec.json.encode(form), content_type=_JSON)

    async def _seats(self, request: web.Request) -> web.Response:
        """Answer with the layout's seats and the boards without one; the table looks for these meanwhile."""
        self.login.check(request)
        try:
            reply = await self._table.ask(ReadSeats())
            if not reply.done:
                return web.Response(status=422, text=answer(reply, self._words(request)))
            form = decoded(reply, SeatsForm)
        except TableAwayError:
            raise web.HTTPServiceUnavailable from None
        return web.Response(body=msgspec.json.encode(form), content_type=_JSON)

    async def _file(self, request: web.Request) -> web.Response:
        return file_named(self._files, request.match_info["name"])
