"""Seats for guests' phones: free without one, away if it goes in a match."""

from support.table.harness import TableHarness, events_in

from drivers.messages import Device
from firmware_host.table.effects import Publish
from firmware_host.table.menu import MenuCommand
from firmware_host.wire import DeviceFound, DeviceLost, PublicState


def state_of(harness: TableHarness) -> PublicState:
    return [effect.state for effect in harness.effects if isinstance(effect, Publish)][-1]


def news(harness: TableHarness) -> list[object]:
    return [event for event in events_in(harness.effects) if isinstance(event, DeviceLost | DeviceFound)]


def test_a_seat_without_a_phone_is_free_rather_than_broken() -> None:
    harness = TableHarness(seats=3, phones=(1, 2))
    harness[1].lose(Device.PHONE)
    harness[1].find(Device.PHONE)
    harness[1].lose(Device.PHONE)
    harness[0].pick(MenuCommand.JOIN)
    assert news(harness) == []
    assert state_of(harness).phones == (1, 2)
    assert [seat.missing for seat in state_of(harness).seats] == [(), (), ()]


def test_a_players_phone_that_goes_is_news_and_so_is_its_return() -> None:
    harness = TableHarness(seats=2, phones=(1,)).joined().dealt()
    harness[1].lose(Device.PHONE)
    assert news(harness) == [DeviceLost(1, Device.PHONE, harness_reason(harness))]
    assert state_of(harness).seats[1].missing == (Device.PHONE,)
    harness[1].find(Device.PHONE)
    assert state_of(harness).seats[1].missing == ()
    assert news(harness)[1:] == [DeviceFound(1, Device.PHONE)]


def harness_reason(harness: TableHarness) -> str:
    (lost,) = (event for event in news(harness) if isinstance(event, DeviceLost))
    return str(lost.why)


def test_a_phone_commits_and_opens_as_a_board_does() -> None:
    harness = TableHarness(seats=2, phones=(0, 1), programs=(0, 1)).joined().dealt()
    assert harness.table.scene.name == "bidding"
