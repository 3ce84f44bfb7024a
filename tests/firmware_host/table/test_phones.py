"""Seats for guests' phones: free without one, away if it goes in a match."""

import pytest
from support.table.harness import TableHarness, events_in

from drivers.messages import Device, Introduced
from firmware_host.table.effects import Publish, Show
from firmware_host.table.events import LeaveReason
from firmware_host.table.invitation import Invitation, Invited
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.names import KeepNames, NameOptions
from firmware_host.table.staff.actions import StaffAction, StaffAnswer, StaffCommand, StaffRefusal
from firmware_host.wire import DeviceFound, DeviceLost, Left, PublicState, Seat


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


def names_of(harness: TableHarness) -> list[str]:
    return [seat.name for seat in state_of(harness).seats]


def introduce(harness: TableHarness, seat: int, name: str) -> None:
    harness.send(Introduced(seat, "en", name))


def test_the_name_that_a_phone_tells_is_public_and_kept_nowhere() -> None:
    harness = TableHarness(seats=2, phones=(1,))
    introduce(harness, 1, "  Ana  María de todos los Santos")
    harness[1].pick(MenuCommand.JOIN)
    assert names_of(harness) == ["North", "Ana María"]
    assert harness[1].view.name == "Ana María"
    assert state_of(harness).seats[1].place == "East"
    assert kept(harness) == []


@pytest.mark.parametrize("name", ["", "   ", "…", "a\nb", "<b>", "\u202eanA", "\0"])
def test_a_name_that_displays_cannot_show_is_none(name: str) -> None:
    harness = TableHarness(seats=2, phones=(1,))
    introduce(harness, 1, "Ana")
    introduce(harness, 1, name)
    assert names_of(harness)[1] in ("East", "a b")


def test_two_of_one_name_and_the_name_of_a_seat_are_told_apart() -> None:
    harness = TableHarness(seats=3, phones=(1, 2))
    introduce(harness, 1, "ana")
    introduce(harness, 2, "Ana")
    assert names_of(harness) == ["North", "ana", "Ana2"]
    introduce(harness, 2, "North")
    assert names_of(harness) == ["North", "ana", "North2"]


def test_a_name_goes_with_its_phone_but_not_during_a_match() -> None:
    harness = TableHarness(seats=2, phones=(1,))
    introduce(harness, 1, "Ana")
    harness[1].lose(Device.PHONE)
    assert names_of(harness)[1] == "East"
    harness[1].find(Device.PHONE)
    introduce(harness, 1, "Ana")
    harness.joined().dealt()
    harness[1].lose(Device.PHONE)
    assert names_of(harness)[1] == "Ana"


def test_where_names_are_kept_those_of_phones_are_too_and_public_only_by_the_owners_wish() -> None:
    harness = TableHarness(seats=2, phones=(1,), names=NameOptions(True))
    introduce(harness, 1, "Ana")
    assert names_of(harness)[1] == "East"
    assert harness[1].view.name == "Ana"
    assert kept(harness)[-1].names == ("", "Ana")


def test_a_phone_is_not_asked_for_letters() -> None:
    harness = TableHarness(seats=2, phones=(1,), names=NameOptions(True))
    harness[1].pick(MenuCommand.JOIN)
    assert harness[1].view.naming is None
    assert MenuCommand.NAME not in harness[1].menu.items
    harness[0].pick(MenuCommand.JOIN)
    assert harness[0].view.naming is not None


def test_a_name_told_at_a_page_stays_through_leaving_and_joining() -> None:
    harness = TableHarness(seats=2)
    introduce(harness, 0, "Ana")
    for item in (MenuCommand.JOIN, MenuCommand.LEAVE, MenuCommand.JOIN):
        harness[0].pick(item)
    assert names_of(harness) == ["Ana", "East"]
    introduce(harness, 0, "")
    assert names_of(harness) == ["North", "East"]


def test_the_code_for_a_phone_is_on_displays_in_the_lobby_alone_and_never_public() -> None:
    harness = TableHarness(seats=3, phones=(2,))
    invitation = Invitation("http://192.0.2.7:8680/", "K7PQM2ZT")
    harness.send(Invited(invitation))
    assert [hand.view.invitation for hand in harness] == [invitation, invitation, None]
    harness.joined(0, 1)
    assert [hand.view.invitation for hand in harness] == [None] * 3
    told = [effect for effect in harness.effects if not isinstance(effect, Show)]
    assert invitation.code not in repr(told)


def kept(harness: TableHarness) -> list[KeepNames]:
    return [effect for effect in harness.effects if isinstance(effect, KeepNames)]


def test_staff_can_take_a_seat_from_a_phone_that_has_not_joined() -> None:
    harness = TableHarness(seats=3, phones=(1, 2))
    harness[2].lose(Device.PHONE)
    for number, seat in enumerate((1, 2)):
        harness.send(StaffAction(StaffCommand.REMOVE, Seat(seat), number))
    answers = [effect.refusal for effect in harness.effects if isinstance(effect, StaffAnswer)]
    assert answers == [None, StaffRefusal.NOT_PLAYING]
    assert Left(1, LeaveReason.STAFF) in events_in(harness.effects)
