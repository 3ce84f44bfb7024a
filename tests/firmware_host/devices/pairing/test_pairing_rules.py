"""Who takes in a cup or a board that is nobody's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.messages import Button, Device, Event, Found, Lost, Message, Pressed, Released, Settled, Shaken
from firmware_host.devices.pairing.rules import Offer, PairingRules
from firmware_host.table.seat.key_input import HOLD_NS

NEW = "usb-new"
CUPS = dict.fromkeys(range(4), Device.CUP)
BOARDS = dict.fromkeys(range(4), Device.BOARD)


def press(seat: int, button: Button = Button.OK) -> Pressed:
    return Pressed(seat, button, 0)


def release(seat: int, button: Button = Button.OK) -> Released:
    return Released(seat, button, 0)


def lost(seat: int, device: Device) -> Lost:
    return Lost(seat, device, "the cable is out")


def at_cups(*missing: int) -> PairingRules:
    rules = PairingRules(CUPS)
    for seat in missing:
        rules.on_seat_message(lost(seat, Device.CUP))
    rules.seen(NEW, Device.CUP)
    return rules


def at_boards(*missing: int) -> PairingRules:
    rules = PairingRules(BOARDS)
    for seat in missing:
        rules.on_seat_message(lost(seat, Device.BOARD))
    rules.seen(NEW, Device.BOARD)
    return rules


def shake(rules: PairingRules, *between: Message) -> int | None:
    assert rules.on_event(NEW, Shaken(0, 0)) is None
    for message in between:
        rules.on_seat_message(message)
    return rules.on_event(NEW, Settled(0, 1_000_000_000, b""))


def test_a_cup_goes_to_the_seat_that_holds_ok_while_it_is_shaken() -> None:
    rules = at_cups(2)
    rules.on_seat_message(press(2))
    assert shake(rules) == 2


def test_a_cup_that_is_shaken_while_nobody_holds_ok_stays_nobodys() -> None:
    assert shake(at_cups(2)) is None


def test_ok_must_be_held_from_the_first_shake_to_the_last() -> None:
    early, late = at_cups(2), at_cups(2)
    early.on_seat_message(press(2))
    assert shake(early, release(2)) is None
    assert shake(late, press(2)) is None


def test_a_cup_that_says_it_was_shaken_within_a_tap_stays_nobodys() -> None:
    rules = at_cups(2)
    rules.on_seat_message(Pressed(2, Button.OK, 5_000_000_000))
    rules.on_event(NEW, Shaken(0, 0))
    assert rules.on_event(NEW, Settled(0, 5_000_000_000 + HOLD_NS - 1, b"")) is None


def test_a_seat_whose_cup_is_there_takes_no_other() -> None:
    rules = at_cups(1)
    rules.on_seat_message(press(2))
    assert shake(rules) is None


def test_of_two_seats_that_hold_ok_neither_takes_it() -> None:
    rules = at_cups(1, 2)
    rules.on_seat_message(press(1))
    rules.on_seat_message(press(2))
    assert shake(rules) is None
    rules.on_seat_message(release(1))
    assert shake(rules) == 2


def test_a_cup_that_comes_back_during_the_shake_stays_the_seats() -> None:
    rules = at_cups(2)
    rules.on_seat_message(press(2))
    assert shake(rules, Found(2, Device.CUP)) is None


def test_ok_is_held_no_more_where_the_buttons_are_gone() -> None:
    rules = at_cups(2)
    rules.on_seat_message(press(2))
    assert shake(rules, lost(2, Device.BUTTONS)) is None


def test_other_buttons_do_not_count_as_ok() -> None:
    rules = at_cups(2)
    rules.on_seat_message(press(2, Button.DUDO))
    assert shake(rules) is None


def test_a_board_goes_to_the_only_seat_that_misses_one_if_its_own_ok_is_held() -> None:
    rules = at_boards(3)
    assert shake(rules) is None
    rules.on_event(NEW, press(0))
    assert shake(rules) == 3


@pytest.mark.parametrize(
    ("buttons", "seat"), [([], 0), (["right"], 2), (["right"] * 3, 0), (["left"], 3), (["right", "left"], 0)]
)
def test_a_boards_arrows_choose_among_the_seats_that_miss_one(buttons: list[str], seat: int) -> None:
    rules = at_boards(0, 2, 3)
    for button in buttons:
        rules.on_event(NEW, press(0, Button(button)))
        rules.on_event(NEW, release(0, Button(button)))
    assert rules.offer(NEW) == Offer((0, 2, 3), seat)
    rules.on_event(NEW, press(0))
    assert shake(rules) == seat


def test_a_board_whose_seat_got_its_own_back_is_offered_to_the_next() -> None:
    rules = at_boards(0, 2)
    rules.on_event(NEW, press(0, Button.RIGHT))
    rules.on_event(NEW, press(0))
    assert shake(rules, Found(2, Device.BOARD)) is None
    assert rules.offer(NEW) == Offer((0,), 0)


def test_a_choice_that_moves_during_the_shake_chooses_nothing() -> None:
    rules = at_boards(0, 2)
    rules.on_event(NEW, press(0))
    rules.on_event(NEW, Shaken(0, 0))
    rules.on_event(NEW, press(0, Button.RIGHT))
    assert rules.on_event(NEW, Settled(0, 0, b"")) is None


def test_a_board_is_no_cup_and_a_cup_no_board() -> None:
    boards, cups = at_boards(1), at_cups(1)
    boards.seen(NEW, Device.CUP)
    cups.seen(NEW, Device.BOARD)
    for rules in (boards, cups):
        rules.on_seat_message(press(1))
        rules.on_event(NEW, press(0))
        assert rules.offer(NEW) is None
        assert shake(rules) is None


def test_where_nobody_misses_a_board_a_new_one_offers_nothing() -> None:
    rules = at_boards(1)
    rules.on_seat_message(Found(1, Device.BOARD))
    assert rules.offer(NEW) is None
    assert not rules.is_wanted


def test_what_has_gone_is_forgotten() -> None:
    rules = at_boards(1)
    rules.removed(NEW)
    rules.on_event(NEW, press(0))
    assert rules.offer(NEW) is None
    assert shake(rules) is None


SEATS = st.integers(0, 3)
HEARD = st.one_of(
    st.builds(lost, SEATS, st.sampled_from(Device)),
    st.builds(Found, SEATS, st.sampled_from(Device)),
    st.builds(press, SEATS, st.sampled_from(Button)),
    st.builds(release, SEATS, st.sampled_from(Button)),
)
SAID = st.one_of(
    st.builds(press, st.just(0), st.sampled_from(Button)),
    st.builds(release, st.just(0), st.sampled_from(Button)),
    st.just(Shaken(0, 0)),
    st.just(Settled(0, 0, b"")),
)


@given(st.lists(st.one_of(st.tuples(st.just(True), HEARD), st.tuples(st.just(False), SAID))))
def test_whatever_happens_only_a_seat_that_misses_its_own_takes_one(said: list[tuple[bool, Event]]) -> None:
    for devices, kind in ((CUPS, Device.CUP), (BOARDS, Device.BOARD)):
        rules, missing = PairingRules(devices), set[int]()
        rules.seen(NEW, kind)
        for of_a_seat, message in said:
            if not of_a_seat:
                assert rules.on_event(NEW, message) in {None, *missing}
                continue
            rules.on_seat_message(message)
            match message:
                case Lost(seat, device) if device is kind:
                    missing.add(seat)
                case Found(seat, device) if device is kind:
                    missing.discard(seat)
        assert rules.is_wanted is bool(missing)
