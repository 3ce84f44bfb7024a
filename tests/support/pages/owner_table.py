"""The owner's page at a table without wires: staff requests are answered as the daemon answers them."""

from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, cast

from aiohttp import ClientSession
from msgspec.structs import replace
from support.pages.page_thread import in_a_thread

from drivers.messages import Device
from engine import PERUDO, Rules
from firmware_host.clients.owner.server import OwnerPageServer
from firmware_host.clients.web.access import listening_at
from firmware_host.configuration.configuration import Reading
from firmware_host.configuration.settings import Settings
from firmware_host.daemon.control import ControlSocket
from firmware_host.daemon.service.jobs import JobResult
from firmware_host.daemon.staff import FactContext, StaffRequests, StaffTable
from firmware_host.devices.links import LinkFacts
from firmware_host.public import owner_page
from firmware_host.public.address import path_beside
from firmware_host.table.staff.actions import FiguresRead, StaffCommand, StaffFigure, StaffRefusal
from firmware_host.table.staff.items import FIGURES, StaffItem
from firmware_host.table.staff.machine import Job, JobOutcome
from firmware_host.table.staff.requests import LaidSeat, ReadForm, Reply, Request, SeatsForm
from firmware_host.table.staff.setup import SetupChange
from firmware_host.wire import PublicSeat, PublicState, Seat
from hardware.config.layout import load_builtin
from hardware.firmware.loader import LOADER
from hardware.link.messages import Running

OWN_RELEASE = bytes.fromhex("8d1f02c4a76be530")
NAMES = ("North", "East", "South", "West")
COLORS = ("red", "yellow", "green", "blue")
SEATS = tuple(zip(NAMES, COLORS, strict=True))


def link_facts(seat: int, **more: Any) -> LinkFacts:
    """Return the board of a seat with every part and this release, or as told."""
    usual = {"is_up": True, "fitted": 0x2F, "running": Running(OWN_RELEASE, LOADER)}
    return LinkFacts(Seat(seat), f"E6614103E745{seat:04d}", Device.BOARD, **(usual | more))


def state(scene: str = "lobby", **more: Any) -> PublicState:
    """Return a table of four; three play if there is a match."""
    is_played = scene not in ("lobby", "over")
    seats = [
        PublicSeat(name, color, is_played and name != "West", 5 if is_played and name != "West" else 0, place=name)
        for name, color in SEATS
    ]
    more = {"seats": tuple(seats), "match": "0" * 16 if is_played else None, **more}
    return PublicState(scene=scene, rules="perudo", **more)


class OwnersTable:
    """A table that notes what its owner has it do. Time is the loop's; nothing is played."""

    def __init__(self, folder: Path) -> None:
        self.events = folder / "events.sock"
        self.public_state: PublicState | None = state()
        self.reading = Reading(load_builtin("boards-8"), PERUDO, {}, None)
        self.refusal: StaffRefusal | None = None
        self.waits = False
        self.result = JobResult(JobOutcome.BEGUN)
        counts = dict(zip(FIGURES, (412, 7312, 1204 * 3600, 48), strict=True))
        self.figures = FiguresRead({item: StaffFigure(count, "2026-03-01") for item, count in counts.items()})
        self.figures.figures[StaffItem.STARTS] = StaffFigure(48, "2026-09-14", crashes=3)
        self.offered = tuple(Job)
        self.results: dict[Job, JobResult] = {}
        self.counters = self.names = self.jobs = self
        self.board_updates = self
        self.boards: tuple[LinkFacts, ...] = ()
        self.acts: list[tuple[StaffCommand, Seat | None]] = []
        self.asked: list[Request] = []
        self.changes: list[SetupChange | None] = []
        seats = tuple(LaidSeat(name, color, f"E66141000000000{at}", at == 3) for at, (name, color) in enumerate(SEATS))
        self.laid: SeatsForm | None = SeatsForm(seats, ("E6614103E7452D21",), layout_hash="c0ffee")
        self._requests = StaffRequests(cast(StaffTable, self))

    @property
    def settings(self) -> Settings:
        return self.reading.settings

    @property
    def fact_context(self) -> FactContext:
        return FactContext(self.reading.layout, PERUDO, self.events.parent, (), owner_page.path_of(self.events))

    async def answer(self, request: Request) -> Reply:
        """Answer as the daemon does."""
        self.asked.append(request)
        return await self._requests.answer(request)

    @property
    def readings(self) -> int:
        """How often the form was read."""
        return sum(isinstance(each, ReadForm) for each in self.asked)

    async def facts(self) -> tuple[bytes, tuple[LinkFacts, ...]]:
        return OWN_RELEASE, self.boards

    async def change_settings(self, changed: Settings) -> bool:
        self.reading = replace(self.reading, settings=changed)
        return self.waits

    async def write_house_rules(self, rules: Rules) -> None:
        self.reading = replace(self.reading, house=rules)

    async def act_for_staff(self, what: StaffCommand, seat: Seat | None, level: object) -> StaffRefusal | None:
        self.acts.append((what, seat))
        if what in (StaffCommand.PAUSE, StaffCommand.RESUME) and self.refusal is None:
            assert self.public_state is not None
            self.public_state = replace(self.public_state, paused=what is StaffCommand.PAUSE)
        return self.refusal

    async def begin(self, job: Job, change: SetupChange | None = None) -> JobResult:
        self.changes.append(change)
        self.results[job] = self.result
        return self.result

    async def look(self) -> None:
        pass

    def look_for_boards(self) -> SeatsForm | None:
        return self.laid

    async def reset(self, figure: StaffItem) -> None:
        self.figures.figures[figure] = StaffFigure(0, "2026-11-27")

    @property
    def code(self) -> str:
        """The code that the display shows."""
        found = owner_page.read(owner_page.path_of(self.events))
        assert found is not None
        return found.code


@asynccontextmanager
async def owners_page(table: OwnersTable, language: str | None = None) -> AsyncIterator[str]:
    """Serve the page of a table that answers; yield its address."""
    async with ControlSocket(path_beside(table.events), table.answer):
        with listening_at("127.0.0.1", 0) as listening:
            page = OwnerPageServer(listening, language, table.events, table.events.parent)
            async with page.serve():
                yield f"http://{page.address}/"


def served(table: OwnersTable) -> AbstractContextManager[str]:
    """Serve the page in a thread; return its address's context."""
    return in_a_thread(owners_page(table))


class Owner:
    """A browser with the page's cookies, and the token of its session."""

    def __init__(self, session: ClientSession, address: str) -> None:
        self.session, self.address, self.csrf = session, address, ""

    async def log_in(self, code: str) -> int:
        """Try a code; return the status."""
        status, _ = await self.post("owner/login", {"password": code})
        async with self.session.get(f"{self.address}owner") as answer:
            self.csrf = (await answer.json())["csrf"] or ""
        return status

    async def post(self, path: str, body: object, **headers: str) -> tuple[int, Any]:
        """Return the status of a request of the page, and its JSON after success."""
        sent = {"X-CSRF-Token": self.csrf, **headers}
        async with self.session.post(f"{self.address}{path}", json=body, headers=sent) as answer:
            return answer.status, await answer.json() if answer.status == 200 else None

    async def ask(self, language: str = "en", **request: object) -> tuple[bool, str]:
        """Have the table do something; return its answer."""
        status, answer = await self.post(f"staff?language={language}", {"request": request})
        assert status == 200
        return answer["done"], answer["text"]

    async def form(self, language: str = "en") -> dict[str, Any]:
        """Return the page's content, or its status."""
        async with self.session.get(
            f"{self.address}form?language={language}", headers={"X-CSRF-Token": self.csrf}
        ) as answer:
            return await answer.json() if answer.status == 200 else {"status": answer.status}
