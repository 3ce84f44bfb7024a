"""A service at emulated wires whose layout is in a file, which its owner edits."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from support.table.harness import lay_out

from engine import PYRUDO, Bid, Rules
from firmware_host.configuration.configuration import Configuration
from firmware_host.daemon import session_runner
from firmware_host.daemon.daemon import Daemon
from firmware_host.daemon.session_runner import SessionRunner
from firmware_host.daemon.staff import StaffRequests
from firmware_host.store.journal.journal import Journal
from firmware_host.table.health import Alert
from firmware_host.table.scenes.scene import Scene
from firmware_host.util.systemd import Notify
from firmware_host.wire import PublicState
from hardware.boards.pico_bundle import release
from hardware.config.layout import Layout, parse
from hardware.emulated.flash import program
from hardware.emulated.table import EmulatedTable
from hardware.emulated.virtual_loop import VirtualLoop

TABLE = """\
name = "bar"
rules = "perudo"
language = "en"
service = "South"

[[seat]]
name = "North"
color = "red"
board = "E661000000000001"

[[seat]]
name = "East"
color = "blue"
board = "E661000000000002"

[[seat]]
name = "South"
color = "green"
board = "E661000000000003"
"""
SPANISH = TABLE.replace('"en"', '"es"')
SMALLER = TABLE[: TABLE.rindex("[[seat]]")].replace('service = "South"\n', "")
WRONG = TABLE.replace("green", "gren")


class EditedTable(EmulatedTable):
    """Wires that outlive the sessions at them."""

    def close(self) -> None:
        pass


class Service:
    """A table at emulated wires whose layout is in a file."""

    def __init__(self, folder: Path, loop: VirtualLoop, journal: Journal) -> None:
        self.file = folder / "table.toml"
        self.configuration = Configuration(str(self.file), folder)
        self.journal = journal
        self.loop = loop

    def at_work(self) -> SessionRunner:
        self.runner = SessionRunner(
            self.configuration,
            self.configuration.read(),
            folder=self.file.parent,
            journal=self.journal,
            record=None,
            notify=Notify({}),
        )
        return self.runner

    async def reload(self, text: str | None = None) -> None:
        """Save this text and reload; None deletes the file."""
        if text is None:
            self.file.unlink(missing_ok=True)
        else:
            self.file.write_text(text)
        self.runner.reload()
        await asyncio.sleep(2)

    @property
    def layout(self) -> Layout:
        assert self.runner._layout is not None
        return self.runner._layout

    @property
    def rules(self) -> Rules | None:
        return self.runner._rules

    @property
    def daemon(self) -> Daemon:
        """The present session's."""
        assert self.runner._daemon is not None
        return self.runner._daemon

    @property
    def staff(self) -> StaffRequests:
        return self.runner._staff

    @property
    def scene(self) -> Scene:
        return self.daemon._table.scene

    @property
    def state(self) -> PublicState:
        assert self.runner.public_state is not None
        return self.runner.public_state

    @property
    def alerts(self) -> tuple[Alert, ...]:
        return self.runner._alerts.all


Script = Callable[[Service, EmulatedTable], Awaitable[None]]
Serve = Callable[..., None]


def serving(folder: Path, loop: VirtualLoop, patch: pytest.MonkeyPatch) -> Serve:
    """Return a function that runs a script beside a service, which comes up in a scene with this text in its file."""

    @asynccontextmanager
    async def at_work(service: Service) -> AsyncIterator[None]:
        conducting = asyncio.get_running_loop().create_task(service.at_work().run(folder / "events.sock"))
        await asyncio.sleep(3)
        try:
            yield
        finally:
            conducting.cancel()
            with suppress(asyncio.CancelledError):
                await conducting

    async def whole(script: Script, scene: Scene | None, text: str, last_good: str | None) -> None:
        with (
            EditedTable(parse(TABLE, ""), loop, seed=1, image=program(release())) as emulated,
            Journal(folder / "journal.sqlite") as journal,
        ):
            if scene is not None:
                await journal.write(scene, {})
            patch.setattr(session_runner, "SystemPorts", lambda **_: emulated)
            service = Service(folder, loop, journal)
            if last_good is not None:
                service.file.write_text(last_good)
                service.configuration.keep(service.configuration.read())
            service.file.write_text(text)
            async with at_work(service):
                await script(service, emulated)
                await asyncio.sleep(60)  # what the journal tidies up
            EmulatedTable.close(emulated)

    def served(script: Script, *, scene: Scene | None = None, text: str = TABLE, last_good: str | None = None) -> None:
        loop.run_until_complete(whole(script, scene, text, last_good))

    return served


def a_match() -> Scene:
    """Return a scene of a match in mid-round."""
    return lay_out(PYRUDO, [(6, 6), (5, 5), (4, 3)], Bid(2, 5), by=1).table.scene
