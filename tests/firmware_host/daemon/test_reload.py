"""A service that reads its configuration again: what is right takes effect between matches, what is wrong nowhere."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from support.table.harness import lay_out

from engine import PERUDO, PYRUDO, RULESETS, Bid
from firmware_host import cli, wire
from firmware_host.configuration.configuration import Configuration
from firmware_host.configuration.settings import Settings
from firmware_host.daemon import session_runner
from firmware_host.daemon.session_runner import SessionRunner
from firmware_host.store.journal.journal import Journal
from firmware_host.table.health import Alert, AlertRaised
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat.view import SceneName
from firmware_host.table.staff.actions import StaffCommand
from firmware_host.table.staff.items import StaffItem
from firmware_host.table.staff.requests import Act, Configure, ReadStatus
from firmware_host.util.systemd import Notify
from hardware.boards.pico_bundle import release
from hardware.config.layout import Layout, parse
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.flash import flash_with, program
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
    """What stays where it is when a daemon gives its wires back."""

    def close(self) -> None:
        pass


class Service:
    """A table at emulated wires whose layout is in a file."""

    def __init__(self, folder: Path, loop: VirtualLoop, journal: Journal) -> None:
        self.file = folder / "table.toml"
        self.configuration = Configuration(str(self.file), folder)
        self.journal = journal
        self.loop = loop
        self.sat_down: list[Layout] = []

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
        """Once the owner has saved this; `None` deletes the file."""
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
    def scene(self) -> Scene:
        assert self.runner._daemon is not None
        return self.runner._daemon._table.scene

    @property
    def alerts(self) -> tuple[Alert, ...]:
        return self.runner._alerts.all


Script = Callable[[Service, EmulatedTable], Awaitable[None]]
Serve = Callable[..., None]


@pytest.fixture
def serve(tmp_path: Path, loop: VirtualLoop, monkeypatch: pytest.MonkeyPatch) -> Serve:
    """Run a script beside a service that comes up in a scene, with this in its file."""

    @asynccontextmanager
    async def at_work(service: Service) -> AsyncIterator[None]:
        conducting = asyncio.get_running_loop().create_task(service.at_work().run(tmp_path / "events.sock"))
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
            Journal(tmp_path / "journal.sqlite") as journal,
        ):
            if scene is not None:
                await journal.write(scene, {})
            monkeypatch.setattr(session_runner, "SystemPorts", lambda **_: emulated)
            service = Service(tmp_path, loop, journal)
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
    return lay_out(PYRUDO, [(6, 6), (5, 5), (4, 3)], Bid(2, 5), by=1).table.scene


def test_in_the_lobby_a_new_layout_takes_effect_at_once(serve: Serve) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        before = emulated.seats[0].picture()
        await service.reload(SPANISH)
        assert service.layout.language == "es"
        assert emulated.seats[0].picture() != before

    serve(script)


def test_who_has_joined_stays_in(serve: Serve) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        await service.reload(SPANISH)
        assert service.scene == Lobby(joined=(0, 2))
        await service.reload(SMALLER)
        assert service.scene == Lobby(joined=(0,))

    serve(script, scene=Lobby(joined=(0, 2)))


def test_nobody_is_told_that_the_power_was_off(serve: Serve) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        assert service.runner._daemon is not None
        assert service.runner._daemon._table._outputs.resumed
        await service.reload(SPANISH)
        assert not service.runner._daemon._table._outputs.resumed

    serve(script, scene=Lobby(joined=(0, 2)))


def test_a_driver_that_failed_at_the_layout_before_is_no_alert_any_more(serve: Serve) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        assert service.runner._daemon is not None
        service.runner._daemon.post(AlertRaised(Alert.DRIVER, "it fails"))
        await asyncio.sleep(1)
        assert service.alerts == (Alert.DRIVER,)
        await service.reload(SPANISH)
        assert service.alerts == ()

    serve(script)


def test_a_board_without_updates_is_told_to_the_owner_until_it_has_this_program(serve: Serve) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        board = emulated.ports["E661000000000002"]
        assert isinstance(board, EmulatedCup)

        def told() -> tuple[tuple[Alert, ...], str]:
            return service.alerts, service.runner._read_facts()[StaffItem.BOARDS]

        assert told() == ((), "–")
        for flash, expected in (None, ((Alert.BOARDS,), "East")), (flash_with(program(release())), ((), "–")):
            board.unplug()
            board.flash = flash
            board.plug()
            await asyncio.sleep(6)
            assert told() == expected

    serve(script)


def test_new_rules_are_those_of_the_next_match(serve: Serve) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        assert service.runner._rules is PERUDO
        await service.reload(TABLE.replace("perudo", "pyrudo"))
        assert service.runner._rules is PYRUDO

    serve(script)


@pytest.mark.parametrize("text", [SPANISH, SMALLER, TABLE.replace("perudo", "pyrudo")])
def test_in_a_match_nothing_changes(serve: Serve, text: str) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        before = service.layout, service.runner._rules, service.scene, emulated.seats[2].picture()
        await service.reload(text)
        await asyncio.sleep(30)
        assert (service.layout, service.runner._rules, service.scene, emulated.seats[2].picture()) == before

    serve(script, scene=a_match())


def test_after_the_match_what_was_edited_in_it_takes_effect(serve: Serve) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        await service.reload(SPANISH)
        emulated.seats[0].tap("dudo")
        while service.scene.name is not SceneName.LOBBY:
            assert service.layout.language == "en"
            for seat in emulated.seats[:2]:
                seat.tap("ok")
            await asyncio.sleep(2)
        await asyncio.sleep(2)
        assert service.layout.language == "es"
        assert service.scene.name is SceneName.LOBBY

    serve(script, scene=lay_out(PYRUDO, [(6,), (5,), ()], Bid(2, 5), by=1, fallen=(2,)).table.scene)


def test_what_is_edited_back_before_the_match_is_over_never_was(serve: Serve) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        daemon = service.runner._daemon
        await service.reload(SPANISH)
        await service.reload(TABLE)
        assert daemon is not None
        assert not daemon._ends_when_idle

    serve(script, scene=a_match())


@pytest.mark.parametrize("text", [WRONG, "", TABLE[:200], None])
def test_a_wrong_layout_leaves_everything_as_it_is_and_is_said(serve: Serve, text: str | None) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        daemon = service.runner._daemon
        await service.reload(text)
        assert service.alerts == (Alert.LAYOUT,)
        assert service.runner._daemon is daemon
        await service.reload(TABLE)
        assert service.alerts == ()

    serve(script)


def test_a_wrong_rule_set_is_said_too(serve: Serve) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        await service.reload(TABLE.replace("perudo", "house.toml"))
        assert service.alerts == (Alert.RULES,)
        assert service.runner._rules is PERUDO

    serve(script)


def test_ten_reloads_in_a_row_end_with_the_last_one(serve: Serve) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        for text in (SPANISH, WRONG, TABLE, None, SMALLER) * 2:
            service.file.unlink(missing_ok=True)
            if text is not None:
                service.file.write_text(text)
            service.runner.reload()
            await asyncio.sleep(0)
        await asyncio.sleep(5)
        assert [seat.name for seat in service.layout.seats] == ["North", "East"]
        assert service.alerts == ()
        assert service.scene == Lobby(joined=(0,))

    serve(script, scene=Lobby(joined=(0, 2)))


def test_ten_reloads_one_after_the_other_leave_a_table_that_plays(serve: Serve) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        for text in (SPANISH, TABLE) * 5:
            await service.reload(text)
        for seat in emulated.seats:
            seat.tap("ok")
        await asyncio.sleep(1)
        assert service.scene == Lobby(joined=(0, 1, 2))

    serve(script)


def test_another_alert_of_the_host_outlives_a_change(serve: Serve) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        assert service.runner._daemon is not None
        service.runner._daemon.post(AlertRaised(Alert.DISK_FULL, "no room"))
        await service.reload(SPANISH)
        assert service.alerts == (Alert.DISK_FULL,)

    serve(script)


def test_a_start_with_a_wrong_layout_goes_by_the_last_good_one(serve: Serve) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        assert service.layout.language == "es"
        assert service.alerts == (Alert.LAYOUT,)

    serve(script, text=WRONG, last_good=SPANISH)


def test_a_match_goes_on_at_its_layout_although_the_new_one_lacks_a_seat_of_it(serve: Serve) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        assert len(service.layout.seats) == 3
        assert service.scene == a_match()
        assert service.runner._daemon is not None
        assert service.runner._daemon._ends_when_idle

    serve(script, scene=a_match(), text=SMALLER, last_good=TABLE)


def test_a_match_whose_layout_nobody_knows_any_more_is_over_and_that_is_said(serve: Serve) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        assert service.scene == Lobby()
        assert service.alerts == (Alert.JOURNAL_RESET,)

    serve(script, scene=a_match(), text=SMALLER)


def test_readers_of_the_socket_stay_and_read_the_new_seats(serve: Serve, tmp_path: Path) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        reader, writer = await asyncio.open_unix_connection(tmp_path / "events.sock")
        await service.reload(SMALLER)
        lines = [wire.read(line) for line in (await reader.read(1 << 16)).splitlines()]
        writer.close()
        assert [*dict.fromkeys(len(line.seats) for line in lines if isinstance(line, wire.PublicState))] == [3, 2]

    serve(script)


def test_a_service_reloads_at_a_hangup_and_says_so(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(TABLE)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(20)
        root = str(Path(cli.__file__).parent.parent)
        environment = {**os.environ, "PYTHONPATH": root, "NOTIFY_SOCKET": str(tmp_path / "notify")}
        command = [sys.executable, "-m", "firmware_host.cli", "run", "--layout", str(file), "--state", str(tmp_path)]

        def notified_until(last: str) -> str:
            while not (said := manager.recv(4096).decode()).startswith(last):
                pass
            return said

        with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as table:
            try:
                notified_until("READY=1")
                file.write_text(WRONG)
                table.send_signal(signal.SIGHUP)
                assert "\nMONOTONIC_USEC=" in notified_until("RELOADING=1")
                notified_until("READY=1")
            finally:
                table.terminate()
            assert table.wait(20) == 0


def test_a_service_that_was_never_configured_ends_with_a_code_of_its_own(tmp_path: Path) -> None:
    root = str(Path(cli.__file__).parent.parent)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        done = subprocess.run(
            [sys.executable, "-m", "firmware_host.cli", "run", "--layout", "no.toml", "--state", str(tmp_path)],
            env={**os.environ, "PYTHONPATH": root, "NOTIFY_SOCKET": str(tmp_path / "notify")},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 78
        assert done.stderr.startswith("dudo-table: no.toml: there is no such file; ")
        assert manager.recv(4096).decode().startswith("STATUS=no.toml: there is no such file; ")


# Staff

KEYED = TABLE.replace('service = "South"', 'service = "South"\nservice_key = 17')


async def _turned(emulated: EmulatedTable, *, on: bool) -> None:
    emulated.factory.pin(17).ground(on)
    await asyncio.sleep(0.5)


async def _taps(emulated: EmulatedTable, seat: int, *buttons: str) -> None:
    for button in buttons:
        emulated.seats[seat].tap(button)
        await asyncio.sleep(0.5)


def test_a_rule_set_that_is_picked_in_the_staff_menu_takes_effect_when_the_key_is_turned_back(serve: Serve) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        await _turned(emulated, on=True)
        await _taps(emulated, 2, "right", "ok", "ok", "right", "ok")
        await asyncio.sleep(1)
        kept = service.configuration.read_settings().rules
        assert kept not in (None, "perudo")
        assert service.runner._rules == PERUDO
        await _turned(emulated, on=False)
        await asyncio.sleep(2)
        assert service.runner._rules == RULESETS[kept or ""]

    serve(script, text=KEYED)


def test_the_key_covers_the_service_seat_alone(serve: Serve) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        before = [seat.picture() for seat in emulated.seats]
        await _turned(emulated, on=True)
        assert [seat.picture() == was for seat, was in zip(emulated.seats, before, strict=True)] == [True, True, False]
        await asyncio.sleep(61)
        assert emulated.seats[2].picture() == before[2]

    serve(script, scene=a_match(), text=KEYED)


def test_staff_settings_wait_for_the_end_of_a_match_and_brightness_does_not(serve: Serve) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        staff = service.runner._staff
        assert (await staff.answer(Configure("rules", "perudo"))).lines == ('rules: "perudo", from the next match on',)
        assert service.runner._rules == PYRUDO
        await staff.answer(Configure("brightness", "dim"))
        assert all(display._is_dimmed for display in service.runner._displays)
        assert (await staff.answer(Act(StaffCommand.END_MATCH))).done
        await asyncio.sleep(2)
        assert service.runner._rules == PERUDO
        assert all(display._is_dimmed for display in service.runner._displays)
        assert isinstance(service.scene, Lobby)

    serve(script, scene=a_match(), text=TABLE.replace("perudo", "pyrudo"))


def test_a_pause_survives_a_restart(serve: Serve) -> None:
    async def pauses(service: Service, emulated: EmulatedTable) -> None:
        assert (await service.runner._staff.answer(Act(StaffCommand.PAUSE))).done
        assert service.journal.scene is not None
        assert service.journal.scene.paused

    async def resumes(service: Service, emulated: EmulatedTable) -> None:
        assert service.scene.paused
        (status, *_) = (await service.runner._staff.answer(ReadStatus())).lines
        assert "paused by staff" in status
        assert (await service.runner._staff.answer(Act(StaffCommand.RESUME))).done
        assert not service.scene.paused

    serve(pauses, scene=a_match())
    serve(resumes)


# Sound and light


def test_sound_and_tv_are_set_at_once_in_a_match_and_survive_a_restart(serve: Serve) -> None:
    async def sets(service: Service, emulated: EmulatedTable) -> None:
        staff = service.runner._staff
        for name, value in (("volume", 60), ("tv", "off"), ("guests_volume_max", 80)):
            assert (await staff.answer(Configure(name, value))).lines[0].endswith("from now on")
        await asyncio.sleep(0.1)
        state = service.runner.public_state
        assert state is not None
        assert (state.match, state.volume, state.tv) == ("laid", 60, "off")

    async def restarts(service: Service, emulated: EmulatedTable) -> None:
        state = service.runner.public_state
        assert state is not None
        assert (state.match, state.volume, state.tv) == ("laid", 60, "off")
        (_, *settings) = (await service.runner._staff.answer(ReadStatus())).lines
        assert "changed by staff: volume = 60" in settings
        assert "changed by staff: tv = off" in settings

    serve(sets, scene=a_match(), text=TABLE.replace("perudo", "pyrudo"))
    serve(restarts, text=TABLE.replace("perudo", "pyrudo"))


def test_a_floor_above_the_ceiling_is_one_line_and_changes_nothing(serve: Serve) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        staff = service.runner._staff
        assert (await staff.answer(Configure("guests_volume_max", 40))).done
        reply = await staff.answer(Configure("guests_volume_min", 50))
        assert (reply.done, len(reply.lines)) == (False, 1)
        assert service.configuration.read_settings() == Settings(guests_volume_max=40)

    serve(script)


def test_what_guests_choose_outlives_other_rules_and_is_in_no_file(serve: Serve) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        staff = service.runner._staff
        for name, value in (("volume", 50), ("guests_volume_max", 80)):
            await staff.answer(Configure(name, value))
        await _taps(emulated, 0, "ok", "right", "right", "right", "ok")
        before = service.runner._daemon
        assert (await staff.answer(ReadStatus())).lines[-1] == "the volume is 60, as somebody at the table has chosen"
        assert (await staff.answer(Configure("rules", "pyrudo"))).done
        await asyncio.sleep(2)
        assert service.runner._daemon is not before
        state = service.runner.public_state
        assert state is not None
        assert (state.players, state.rules, state.volume) == ((0,), "pyrudo", 60)
        assert service.configuration.read_settings().volume == 50

    serve(script)


def test_a_volume_that_is_picked_in_the_menu_is_kept_and_one_that_cannot_be_is_taken_back(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    async def script(service: Service, emulated: EmulatedTable) -> None:
        await _turned(emulated, on=True)
        await _taps(emulated, 2, "right", "right", "ok", "ok", "left", "ok")
        await asyncio.sleep(1)
        state = service.runner.public_state
        assert state is not None
        assert (state.volume, service.configuration.read_settings().volume) == (90, 90)
        monkeypatch.setattr(service.configuration, "write_settings", full)
        await _taps(emulated, 2, "ok", "left", "ok")
        await asyncio.sleep(1)
        state = service.runner.public_state
        assert state is not None
        assert state.volume == 90

    serve(script, text=KEYED)
