"""The code of a table and its guests, by themselves."""

import math

import pytest

from firmware_host.clients.phones.door import CODE_LENGTH, MAX_USED, Door, JoinError, key_of, shown
from firmware_host.clients.web.codes import CODE_LETTERS, GUESSES_A_SECOND
from firmware_host.wire import Seat

PHONES = (Seat(1), Seat(3))
KEY = "0f" * 32


def refusal(door: Door, code: str, seat: int = 1) -> str:
    with pytest.raises(JoinError) as refused:
        door.join(code, Seat(seat), PHONES, KEY)
    return refused.value.why


def test_a_code_seats_one_phone() -> None:
    door = Door()
    code = door.code
    token = door.join(code, Seat(3), PHONES, KEY)
    assert door.seat_of(token) == 3
    assert key_of(token) == KEY
    assert door.seat_of(token.replace("0f", "f0")) is None
    assert door.taken == {3}
    assert door.code != code
    assert refusal(door, code) == "used"
    assert door.seat_of(code) is None


def test_a_code_is_read_as_a_person_types_it() -> None:
    door = Door()
    assert door.seat_of(door.join(shown(door.code).lower(), Seat(1), PHONES, KEY)) == 1


def test_each_refusal_leaves_the_code_as_it_is() -> None:
    door = Door()
    code = door.code
    assert refusal(door, "") == refusal(door, "AAAAAAAA" if code != "AAAAAAAA" else "B" * 8) == "unknown"
    assert refusal(door, code, seat=0) == "taken"  # no seat for phones
    assert refusal(door, code, seat=99) == "taken"
    door.join(code, Seat(1), PHONES, KEY)
    assert refusal(door, door.code, seat=1) == "taken"
    door.join(door.code, Seat(3), PHONES, KEY)
    assert refusal(door, door.code, seat=3) == "full"


def test_a_guess_in_a_whole_evening_of_a_whole_network_is_hopeless() -> None:
    guesses = 250 * GUESSES_A_SECOND * 5 * 3600
    assert guesses / len(CODE_LETTERS) ** CODE_LENGTH < 1e-5
    assert math.log2(len(set(CODE_LETTERS))) == 5


def test_a_freed_seat_lets_its_phone_in_no_more() -> None:
    saved: dict[Seat, str] = {}
    door = Door(save=lambda tokens: (saved.clear(), saved.update(tokens)))
    token = door.join(door.code, Seat(1), PHONES, KEY)
    assert [*saved] == [1]
    assert token not in str(saved)
    assert Door(saved).seat_of(token) == 1
    door.free(Seat(1))
    assert door.seat_of(token) is None
    assert saved == {}
    assert Door(saved).seat_of(token) is None


def test_the_door_remembers_a_bounded_number_of_used_codes() -> None:
    door = Door()
    first = door.code
    for _ in range(MAX_USED + 1):
        door.join(door.code, Seat(1), PHONES, KEY)
        door.free(Seat(1))
    assert refusal(door, first) == "unknown"


def test_no_repr_and_no_error_has_a_code_or_a_token() -> None:
    door = Door()
    code = door.code
    token = door.join(code, Seat(1), PHONES, KEY)
    with pytest.raises(JoinError) as refused:
        door.join(code, Seat(1), PHONES, KEY)
    for text in (repr(door), str(refused.value), repr(refused.value)):
        assert not {code, door.code, token} & {*text.split("'")}
