"""Settings of staff at a service: what takes effect at once, what after the match, and what outlives a restart."""

import asyncio

import pytest
from support.wires.edited_service import TABLE, Serve, Service, a_match

from engine import PERUDO, PYRUDO, RULESETS
from firmware_host.configuration.settings import Settings
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.staff.actions import StaffCommand
from firmware_host.table.staff.requests import Act, Configure, ReadStatus
from hardware.emulated.table import EmulatedTable

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
        assert service.rules == PERUDO
        await _turned(emulated, on=False)
        await asyncio.sleep(2)
        assert service.rules == RULESETS[kept or ""]

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
        assert (await service.staff.answer(Configure("rules", "perudo"))).lines == (
            'rules: "perudo", from the next match on',
        )
        assert service.rules == PYRUDO
        await service.staff.answer(Configure("brightness", "dim"))
        assert all(display._is_dimmed for display in service.runner._displays)
        assert (await service.staff.answer(Act(StaffCommand.END_MATCH))).done
        await asyncio.sleep(2)
        assert service.rules == PERUDO
        assert all(display._is_dimmed for display in service.runner._displays)
        assert isinstance(service.scene, Lobby)

    serve(script, scene=a_match(), text=TABLE.replace("perudo", "pyrudo"))


def test_a_pause_survives_a_restart(serve: Serve) -> None:
    async def pauses(service: Service, emulated: EmulatedTable) -> None:
        assert (await service.staff.answer(Act(StaffCommand.PAUSE))).done
        assert service.journal.scene is not None
        assert service.journal.scene.paused

    async def resumes(service: Service, emulated: EmulatedTable) -> None:
        assert service.scene.paused
        (status, *_) = (await service.staff.answer(ReadStatus())).lines
        assert "paused by staff" in status
        assert (await service.staff.answer(Act(StaffCommand.RESUME))).done
        assert not service.scene.paused

    serve(pauses, scene=a_match())
    serve(resumes)


# Sound and light


def test_sound_and_tv_are_set_at_once_in_a_match_and_survive_a_restart(serve: Serve) -> None:
    async def sets(service: Service, emulated: EmulatedTable) -> None:
        for name, value in (("volume", 60), ("tv", "off"), ("guests_volume_max", 80)):
            assert (await service.staff.answer(Configure(name, value))).lines[0].endswith("from now on")
        await asyncio.sleep(0.1)
        state = service.state
        assert (state.match, state.volume, state.tv) == ("laid", 60, "off")

    async def restarts(service: Service, emulated: EmulatedTable) -> None:
        state = service.state
        assert (state.match, state.volume, state.tv) == ("laid", 60, "off")
        (_, *settings) = (await service.staff.answer(ReadStatus())).lines
        assert "changed by staff: volume = 60" in settings
        assert "changed by staff: tv = off" in settings

    serve(sets, scene=a_match(), text=TABLE.replace("perudo", "pyrudo"))
    serve(restarts, text=TABLE.replace("perudo", "pyrudo"))


def test_a_floor_above_the_ceiling_is_one_line_and_changes_nothing(serve: Serve) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        assert (await service.staff.answer(Configure("guests_volume_max", 40))).done
        reply = await service.staff.answer(Configure("guests_volume_min", 50))
        assert (reply.done, len(reply.lines)) == (False, 1)
        assert service.configuration.read_settings() == Settings(guests_volume_max=40)

    serve(script)


def test_what_guests_choose_outlives_other_rules_and_is_in_no_file(serve: Serve) -> None:
    async def script(service: Service, emulated: EmulatedTable) -> None:
        for name, value in (("volume", 50), ("guests_volume_max", 80)):
            await service.staff.answer(Configure(name, value))
        await _taps(emulated, 0, "ok", "right", "right", "right", "ok")
        before = service.daemon
        assert (await service.staff.answer(ReadStatus())).lines[
            -1
        ] == "the volume is 60, as somebody at the table has chosen"
        assert (await service.staff.answer(Configure("rules", "pyrudo"))).done
        await asyncio.sleep(2)
        assert service.daemon is not before
        state = service.state
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
        state = service.state
        assert (state.volume, service.configuration.read_settings().volume) == (90, 90)
        monkeypatch.setattr(service.configuration, "write_settings", full)
        await _taps(emulated, 2, "ok", "left", "ok")
        await asyncio.sleep(1)
        state = service.state
        assert state.volume == 90

    serve(script, text=KEYED)
