"""The phones' server: the page, the way in, and each phone's connection to the daemon.

The table's public lines tell it the seats for phones, whether a match is on, and its story. Phone and daemon encrypt
their messages for each other.
"""

import asyncio
import json
import logging
import os
import socket
import ssl
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
from aiohttp import WSCloseCode, web
from msgspec import structs
from nacl.exceptions import CryptoError

from firmware_host.clients.phones.door import Door, JoinError, key_of, shown
from firmware_host.clients.phones.guests import GUESTS_FILE, Guest, read_guests, write_guests
from firmware_host.clients.phones.phone_socket import PhoneSocket
from firmware_host.clients.phones.seat_port import SeatPort
from firmware_host.clients.phones.story import Story, seal
from firmware_host.clients.web.access import access_check, network_hosts, security_headers
from firmware_host.clients.web.addresses import reachable_at, small_qr
from firmware_host.clients.web.codes import GuessLimiter
from firmware_host.clients.web.files import file_named, read_files
from firmware_host.clients.web.limits import ROOM, OpenPages
from firmware_host.clients.web.serving import serving
from firmware_host.i18n.phone_texts import all_phone_texts
from firmware_host.public import invitation
from firmware_host.public.address import phone_socket
from firmware_host.public.reader import ReadLine, TableAway, TableReader
from firmware_host.table.events import LeaveReason
from firmware_host.table.invitation import MAX_MODULES, Invitation
from firmware_host.util.log import ErrorCounter
from firmware_host.wire import Left, PublicState, Seat, SeatHandedOver

FILES = Path(__file__).parent / "page"
MAX_JOIN_BYTES = 1024
STATUS_BYTES, STORY_BYTES = 512, 1 << 14
"""The lengths of what a phone gets encrypted for it, whatever is in it; of a longer story the end."""
COOKIE_S = 24 * 60 * 60
"""Seconds for which a browser keeps the cookie, also when it is closed."""
FREED_AFTER_S = 600.0
"""Seconds after which the seat of an absent phone is free again, unless it plays."""
LOOK_S = 10.0
"""Seconds between two looks for such seats."""
GOODBYE = "goodbye"

log = logging.getLogger("dudo-table")
errors = ErrorCounter()


class _Asked(msgspec.Struct):
    """A request for a seat."""

    code: str
    seat: int
    key: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}\Z")]


class PhonesServer:
    """One table's phones. `folder` is for their sockets, `events` the table's public socket.

    `proxy` is a further name for the page, with a port if any, for which a proxy or, by `tls`, this server has HTTPS.
    `announce` gets each new code, in words. `guests` is the file with the phones' tokens, if it is not in the folder.
    """

    def __init__(
        self,
        listening: socket.socket,
        folder: Path,
        events: Path,
        *,
        language: str | None = None,
        proxy: str | None = None,
        tls: ssl.SSLContext | None = None,
        announce: Callable[[str], None] = lambda _: None,
        guests: Path | None = None,
    ) -> None:
        self.folder = folder
        self.invitation: Invitation | None = None
        """The code that is shown now, None while every seat is taken."""
        self.on_change: Callable[[], None] = lambda: None
        """Called when `guests` or `invitation` may be others."""
        self.occupied: Callable[[], Collection[Seat]] = tuple
        """Returns the seats for phones at which somebody sits without one."""
        self.is_held: Callable[[Seat], bool] = lambda seat: False
        """Whether a robot plays a guest's seat to the end of its round."""
        self.has_robots = False
        """Whether a robot takes over the dice that a guest leaves behind."""
        self._listening = listening
        self._host, self._port = listening.getsockname()[:2]
        self._events = events
        self._proxy = proxy
        self._tls = tls
        self._announce = announce
        self._files = load_files(language)
        self._cookie = f"dudo-phone-{self._port}"
        self._guesses = GuessLimiter()
        self._guests_file = guests or folder / GUESTS_FILE
        stored = read_guests(self._guests_file)
        self._places = {seat: guest.place for seat, guest in stored.items()}
        self.door = Door({seat: guest.token for seat, guest in stored.items()}, save=self._save)
        self._state: PublicState | None = None
        self._story = Story()
        self._pages: OpenPages[PhoneSocket] = OpenPages(ROOM, GOODBYE)
        self._phones: dict[Seat, PhoneSocket] = {}
        self._absent_since_s: dict[Seat, float] = {}

    @property
    def guests(self) -> Mapping[Seat, bool]:
        """Each guest's seat, and whether their page is open."""
        return {seat: seat in self._phones for seat in self.door.taken}

    @property
    def address(self) -> str:
        """The page's address for phones."""
        if self._proxy is not None:
            return f"https://{self._proxy}/"
        return f"{'https' if self._tls else 'http'}://{reachable_at(self._host)}:{self._port}/"

    @asynccontextmanager
    async def serve(self) -> AsyncIterator[None]:
        """Serve until the block ends; then every phone is away."""
        hosts = network_hosts(self._port, self._proxy)
        elsewhere = "is reached at the address that it shows"
        app = web.Application(
            middlewares=[access_check(hosts, elsewhere, proxy=self._proxy)], client_max_size=MAX_JOIN_BYTES
        )
        app.on_response_prepare.append(security_headers(hosts, is_loopback=False))
        app.router.add_get("/live", self._live)
        app.router.add_get("/me", self._me)
        app.router.add_get("/story", self._tell_story)
        app.router.add_post("/join", self._join)
        app.router.add_post("/leave", self._leave)
        app.router.add_get("/{name:.*}", self._file)
        async with serving(app, self._pages, self._listening, ROOM, self._tls):
            tasks = [asyncio.create_task(work) for work in (self._read(), self._watch())]
            try:
                yield
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                self._invite(None)

    # The table

    async def _read(self) -> None:
        """Follow the table's public state. Runs for ever."""
        async with aclosing(TableReader(self._events).lines()) as lines:
            async for read in lines:
                match read:
                    case TableAway(why):
                        log.warning("%s; waiting for a table there", why)
                        self._state = None
                        self._changed()
                    case ReadLine(is_state=True) if isinstance(state := read.message(), PublicState):
                        self._state = state
                        self._story.follow(state)
                        for seat in self.door.taken:
                            if self._places.get(seat) and self._places[seat] != self._place(seat):
                                await self.remove(seat)
                        self._changed()
                    case ReadLine() if (event := read.message()) and not isinstance(event, PublicState):
                        self._story.add(event)
                        match event:
                            case Left(seat=seat, why=LeaveReason.STAFF) | SeatHandedOver(seat=seat):
                                await self.remove(Seat(seat))

    async def _watch(self) -> None:
        """Free the seats of phones that stay away. Runs for ever."""
        loop = asyncio.get_running_loop()
        while True:
            for seat in self.door.taken:
                since_s = self._absent_since_s.setdefault(seat, loop.time())
                if seat in self._phones or self._plays(seat) is not False:
                    self._absent_since_s.pop(seat)
                elif loop.time() - since_s >= FREED_AFTER_S:
                    self._free(seat)
            self._changed()
            await asyncio.sleep(LOOK_S)

    @property
    def _seats(self) -> tuple[Seat, ...]:
        """The seats for phones."""
        if self._state is None:
            return ()
        others = {*self.occupied()} - self.door.taken
        return tuple(seat for seat in self._state.phones if seat not in others)

    def _place(self, seat: Seat) -> str:
        """Return the name of a seat itself; empty if it is not there."""
        seats = () if self._state is None else self._state.seats
        return seats[seat].place or seats[seat].name if seat < len(seats) else ""

    def _save(self, tokens: Mapping[Seat, str]) -> None:
        """Store who has a seat."""
        self._places = {seat: self._places.get(seat) or self._place(seat) for seat in tokens}
        write_guests(self._guests_file, {seat: Guest(token, self._places[seat]) for seat, token in tokens.items()})

    def _plays(self, seat: Seat) -> bool | None:
        """Return whether a seat has joined or plays, None while the table is away."""
        if self._state is None:
            return None
        return seat < len(self._state.seats) and self._state.seats[seat].playing

    def _has_dice(self, seat: Seat) -> bool:
        """Return whether a seat may have dice under its cup."""
        if (state := self._state) is None:
            return True
        is_over = self.has_robots or state.match is None or state.winner is not None
        return not is_over and seat < len(state.seats) and state.seats[seat].dice > 0

    def _changed(self) -> None:
        """Tell every phone and the TV of a possible change."""
        for seat in self.door.left:
            if not self._has_dice(seat):
                self.door.free(seat)
                self._absent_since_s.pop(seat, None)
        for phone in self._phones.values():
            phone.changed()
        has_room = bool({*self._seats} - self.door.taken)
        key = invitation.read_key(self._events) if has_room else ""
        self._invite((self.address, self.door.code, key) if key else None)
        self.on_change()

    def _invite(self, wanted: tuple[str, str, str] | None) -> None:
        """Show an address, a code and the key of the table to the table and its TV, None for no code."""
        before = self.invitation
        if wanted == (None if before is None else (before.address, before.code, before.key)):
            return
        if wanted is not None and (before is None or wanted[1] != before.code):
            self._announce(f"The next phone opens {wanted[0]} with the code {shown(wanted[1])}.")
        self.invitation = None if wanted is None else _invitation(*wanted)
        try:
            invitation.write(self.invitation, self.folder)
        except OSError as error:
            errors.log("the invitation for the TV", error)

    async def remove(self, seat: Seat) -> None:
        """Take a seat from its phone, which needs a new code from now on."""
        self._free(seat)
        await self._send_away(seat)

    async def _send_away(self, seat: Seat) -> None:
        if (phone := self._phones.get(seat)) is not None:
            await phone.close(WSCloseCode.POLICY_VIOLATION, "removed")

    def _free(self, seat: Seat) -> None:
        self.door.free(seat)
        self._absent_since_s.pop(seat, None)
        self._changed()

    # Requests

    def _seat(self, request: web.Request) -> Seat | None:
        """Return the seat of the phone behind a request."""
        token = request.cookies.get(self._cookie, "")
        seat = self.door.seat_of(token) if token else None
        return seat if seat is None or self._state is None or seat in self._seats else None

    def _key(self, request: web.Request) -> str:
        """Return the public key of the phone behind a request, which must have a seat; empty without one."""
        return key_of(request.cookies.get(self._cookie, ""))

    async def _me(self, request: web.Request) -> web.Response:
        """Answer with this phone's seat, if any, and the seats for phones."""
        if self._state is None:
            raise web.HTTPServiceUnavailable
        colors = [seat.color for seat in self._state.seats]
        seats = [
            {"seat": seat, "name": self._place(seat), "color": colors[seat], "free": seat not in self.door.taken}
            for seat in self._seats
        ]
        return web.json_response({"seat": self._seat(request), "key": self._key(request), "seats": seats})

    async def _join(self, request: web.Request) -> web.Response:
        code, seat, key = await _asked(request)
        try:
            if self._seat(request) is not None and self._key(request) == key:
                return web.json_response({})  # pressed twice: the phone has its seat already
            if not self._guesses.allow(request.remote or "", asyncio.get_running_loop().time()):
                raise JoinError("slow")
            token = self.door.join(code, seat, self._seats, key)
        except JoinError as error:
            return web.json_response({"why": error.why}, status=429 if error.why == "slow" else 403)
        self._changed()
        joined = web.json_response({})
        is_secure = request.secure or (self._proxy is not None and request.host.lower() == self._proxy.lower())
        joined.set_cookie(
            self._cookie, token, max_age=COOKIE_S, httponly=True, samesite="Strict", path="/", secure=is_secure
        )
        return joined

    async def _leave(self, request: web.Request) -> web.Response:
        seat = self._seat(request)
        if seat is None:
            raise web.HTTPForbidden
        self.door.leave(seat)  # its dice are for nobody else, unless staff hand them over
        self._changed()
        await self._send_away(seat)
        left = web.json_response({})
        left.del_cookie(self._cookie, path="/", httponly=True, samesite="Strict")
        return left

    async def _tell_story(self, request: web.Request) -> web.Response:
        """Answer with the match so far, in the language that the phone names."""
        key = self._key(request)
        if self._seat(request) is None or not key:
            raise web.HTTPForbidden
        text = self._story.text(request.query.get("language", ""), STORY_BYTES)
        try:
            return web.Response(body=seal(bytes.fromhex(key), text, STORY_BYTES))
        except CryptoError as error:
            raise web.HTTPForbidden from error

    async def _live(self, request: web.Request) -> web.StreamResponse:
        seat, key = self._seat(request), self._key(request)
        if seat is None or not key:
            raise web.HTTPForbidden
        phone = PhoneSocket(
            partial(self._port_of, seat, bytes.fromhex(key)),
            partial(self._status, seat),
            lambda: self._seat(request) == seat,
            partial(_sealed_status, bytes.fromhex(key)),
        )
        while (before := self._phones.pop(seat, None)) is not None:
            await before.close(WSCloseCode.POLICY_VIOLATION, "elsewhere")
        self._phones[seat] = phone
        self.on_change()
        try:
            with self._pages.holding(phone, request):
                return await phone.run(request)
        finally:
            if self._phones.get(seat) is phone:
                del self._phones[seat]
                self.on_change()

    def _port_of(self, seat: Seat, key: bytes, phone: PhoneSocket) -> SeatPort:
        users = {os.geteuid()}
        with suppress(OSError):
            users.add(self._events.stat().st_uid)  # the daemon's
        path = phone_socket(self.folder, seat + 1)
        return SeatPort(path, frozenset(users), key, send=phone.send, changed=phone.changed, lost=phone.begin_again)

    def _status(self, seat: Seat) -> str:
        phone, state = self._phones.get(seat), self._state
        is_running = state is not None and state.match is not None and state.winner is None
        is_here = state is not None and phone is not None and phone.port.is_open
        said = {
            "here": is_here,
            "playing": self._plays(seat) is True,
            "running": is_running,
            "held": self.is_held(seat),
            "bidder": self._bidder_beside(seat),
            "told": self._story.told,
        }
        return json.dumps(said, separators=(",", ":"), ensure_ascii=False)

    def _bidder_beside(self, seat: Seat) -> str:
        """Return the name behind the standing bid, which the display has no room for; empty for this seat's own."""
        if self._state is None or self._state.standing is None or self._state.standing.seat == seat:
            return ""
        return self._state.seats[self._state.standing.seat].name

    async def _file(self, request: web.Request) -> web.Response:
        return file_named(self._files, request.match_info["name"])


def _sealed_status(key: bytes, status: str) -> str:
    return json.dumps({"type": "table", "sealed": seal(key, status, STATUS_BYTES).hex()})


def load_files(language: str | None) -> dict[str, bytes]:
    """Return the page's files by name. `language` applies to every phone; None leaves it to each browser."""
    return read_files(FILES, language, all_phone_texts())


def _invitation(address: str, code: str, key: str) -> Invitation:
    """Return an invitation. An address too long for a QR code with the key has HTTPS, and needs no other proof."""
    shown = Invitation(address, code, key=key)
    with_key = small_qr(address, shown.fragment, MAX_MODULES)
    return structs.replace(shown, qr=with_key or small_qr(address, code, MAX_MODULES))


async def _asked(request: web.Request) -> tuple[str, Seat, str]:
    """Return a request's code, seat and key, or an empty code and seat -1."""
    with suppress(ValueError, RecursionError, web.RequestPayloadError):
        sent = json.loads(await request.read())  # `text` decodes with any codec named by the sender
        asked = msgspec.convert(sent, _Asked)
        return asked.code, Seat(asked.seat), asked.key
    return "", Seat(-1), ""
