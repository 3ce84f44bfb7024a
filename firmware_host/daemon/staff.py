"""What staff may do at a running table, for the control socket and the staff menu: actions, settings, the status."""

import asyncio
import logging
from typing import Protocol

from firmware_host.configuration.settings import FIELDS, Settings, SettingsError
from firmware_host.daemon.control import Act, Change, Reply, Request
from firmware_host.service.status_line import status_line
from firmware_host.table.public_state import PublicState
from firmware_host.table.staff import StaffCommand, StaffRefusal
from hardware.config.problems import preview, suggest

log = logging.getLogger("dudo-table")

_REFUSALS = {
    StaffRefusal.NO_MATCH: "no match is being played",
    StaffRefusal.CALL: "a call is being read; ask again when the next round is shaken",
    StaffRefusal.ALREADY_PAUSED: "the match is paused already; dudo-table staff resume goes on",
    StaffRefusal.NOT_PAUSED: "the match is not paused",
    StaffRefusal.NOT_PLAYING: "that seat does not play",
    StaffRefusal.PAUSE_FIRST: "a match is being played; pause it first",
}
_DONE = {
    StaffCommand.PAUSE: "the match is paused",
    StaffCommand.RESUME: "the match goes on",
    StaffCommand.END_MATCH: "the match is over, and nobody wins",
    StaffCommand.REMOVE: "the seat is out",
}


class StaffTable(Protocol):
    """The running table, as far as staff reach it: `SessionRunner` is one."""

    @property
    def public_state(self) -> PublicState | None:
        """The last public state; None before the first."""

    @property
    def settings(self) -> Settings:
        """The settings that are to be in force."""

    async def act_for_staff(self, what: StaffCommand, seat: int | None) -> StaffRefusal | None:
        """Have the table do something; return why it refuses."""

    async def change_settings(self, changed: Settings) -> bool:
        """Keep settings and put them in force; return whether that waits for the end of a match. Raises `OSError`."""


class StaffDesk:
    """The requests of staff at one table. One change of the settings is made at a time."""

    def __init__(self, table: StaffTable) -> None:
        self._table = table
        self._changing = asyncio.Lock()

    async def answer(self, request: Request) -> Reply:
        """Do what is asked, and say what came of it."""
        state = self._table.public_state
        if state is None:
            return Reply(False, ("the table is not set up yet; ask again",))
        match request:
            case Act(what, seat):
                return await self._act(what, seat, state)
            case Change(setting, value):
                return await self._change(setting, value)
        return Reply(True, (status_line(state), *self._settings_lines()))

    async def _act(self, what: StaffCommand, name: str | None, state: PublicState) -> Reply:
        seat = None
        if what is StaffCommand.REMOVE:
            names = [info.name for info in state.seats]
            found = [number for number, each in enumerate(names) if each.casefold() == (name or "").casefold()]
            if not found:
                return Reply(False, (f"{preview(name or '')}: is not a seat's name; {suggest(name or '', names)}",))
            seat = found[0]
        refusal = await self._table.act_for_staff(what, seat)
        return Reply(True, (_DONE[what],)) if refusal is None else Reply(False, (_REFUSALS[refusal],))

    async def _change(self, setting: str, value: str | int | None) -> Reply:
        if setting not in FIELDS:
            return Reply(False, (f"{preview(setting)}: is not a setting; {suggest(setting, FIELDS)}",))
        async with self._changing:
            try:
                changed = self._table.settings.with_setting(setting, value)
                waits = await self._table.change_settings(changed)
            except SettingsError as error:
                return Reply(False, tuple(map(str, error.problems)))
            except OSError as error:
                why = (error.strerror or str(error)).lower()
                return Reply(False, (f"the setting can't be kept: {why}; make room on the disk and ask again",))
        when = "from the next match on" if waits else "from now on"
        shown = "as the layout has it" if value is None else preview(value)
        log.info("staff have set %s: %s", setting, shown)
        return Reply(True, (f"{setting}: {shown}, {when}",))

    def _settings_lines(self) -> tuple[str, ...]:
        changed = self._table.settings.changed()
        return tuple(f"changed by staff: {name} = {value}" for name, value in changed.items())
