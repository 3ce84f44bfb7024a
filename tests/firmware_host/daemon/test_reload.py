"""A service that reads its configuration again: what is right takes effect between matches, what is wrong nowhere."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from support.table.harness import lay_out
from support.wires.edited_service import SMALLER, SPANISH, TABLE, WRONG, Serve, Service, a_match

from engine import PERUDO, PYRUDO, Bid
from firmware_host import cli, wire
from firmware_host.table.health import Alert, AlertRaised
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.seat.view import SceneName
from firmware_host.table.staff.items import StaffItem
from hardware.boards.pico_bundle import release
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.flash import flash_with, program
from hardware.emulated.table import EmulatedTable


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
        assert service.daemon._table._outputs.resumed
        await service.reload(SPANISH)
        assert not service.daemon._table._outputs.resumed

    serve(script, scene=Lobby(joined=(0, 2)))


def test_a_driver_that_failed_at_the_layout_before_is_no_alert_any_more(serve: Serve) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        service.daemon.post(AlertRaised(Alert.DRIVER, "it fails"))
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
        assert service.rules is PERUDO
        await service.reload(TABLE.replace("perudo", "pyrudo"))
        assert service.rules is PYRUDO

    serve(script)


@pytest.mark.parametrize("text", [SPANISH, SMALLER, TABLE.replace("perudo", "pyrudo")])
def test_in_a_match_nothing_changes(serve: Serve, text: str) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        before = service.layout, service.rules, service.scene, emulated.seats[2].picture()
        await service.reload(text)
        await asyncio.sleep(30)
        assert (service.layout, service.rules, service.scene, emulated.seats[2].picture()) == before

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
        daemon = service.daemon
        await service.reload(SPANISH)
        await service.reload(TABLE)
        assert not daemon._ends_when_idle

    serve(script, scene=a_match())


@pytest.mark.parametrize("text", [WRONG, "", TABLE[:200], None])
def test_a_wrong_layout_leaves_everything_as_it_is_and_is_said(serve: Serve, text: str | None) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        daemon = service.daemon
        await service.reload(text)
        assert service.alerts == (Alert.LAYOUT,)
        assert service.daemon is daemon
        await service.reload(TABLE)
        assert service.alerts == ()

    serve(script)


def test_a_wrong_rule_set_is_said_too(serve: Serve) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        await service.reload(TABLE.replace("perudo", "house.toml"))
        assert service.alerts == (Alert.RULES,)
        assert service.rules is PERUDO

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
        service.daemon.post(AlertRaised(Alert.DISK_FULL, "no room"))
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
        assert service.daemon._ends_when_idle

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
