"""The codes of seats and the tokens of guests, by themselves."""

import math
from pathlib import Path
from typing import cast

import pytest

from engine import PERUDO
from firmware_host.clients.web.access import bind
from firmware_host.clients.web.addresses import own_addresses
from firmware_host.clients.web.codes import (
    CODE_LENGTH,
    CODE_LETTERS,
    GUESSES_AT_ONCE,
    MAX_ADDRESSES,
    TOKEN_BYTES,
    GuessLimiter,
    plain,
)
from firmware_host.errors import UserError
from firmware_host.play.kept_match import GUESTS, KeptMatch, kept_match
from firmware_host.play.workbench.guests import CodeError, Guests
from firmware_host.play.workbench.party import check_without_guests, open_party
from firmware_host.store.journal.journal import Journal
from firmware_host.table.scenes.lobby import Lobby
from hardware.config.layout import load_builtin

NAMES = ("Lima", "Cusco", "Puno")


def refusal(guests: Guests, code: str) -> str:
    with pytest.raises(CodeError) as refused:
        guests.seat_of_code(code)
    return refused.value.why


def test_codes_and_tokens_are_longer_than_anybody_can_guess() -> None:
    assert CODE_LENGTH * math.log2(len(set(CODE_LETTERS))) >= 64
    assert TOKEN_BYTES * 8 >= 128


def test_no_two_codes_are_the_same() -> None:
    tables = [Guests(NAMES) for _ in range(20)]
    assert len({guests.code(seat) for guests in tables for seat in range(3)}) == 60


def test_a_code_opens_its_seat_once() -> None:
    guests = Guests(NAMES)
    code = guests.code(1)
    assert guests.seat_of_code(code) == 1
    token = guests.admit(1)
    assert (guests.seat_of(token), guests.seats) == (1, {1})
    assert refusal(guests, code) == "used"
    assert guests.used_at(code) == 1


def test_a_code_may_be_typed_in_small_letters_and_groups() -> None:
    guests = Guests(NAMES)
    code = guests.code(2)
    assert guests.seat_of_code(f" {code[:4].lower()}-{code[4:8]} {code[8:]}") == 2
    assert plain("7k3m-Q2zp") == "7K3MQ2ZP"


def test_letters_that_no_code_has_are_the_digits_that_they_look_like() -> None:
    assert not {*"OIL"} & {*CODE_LETTERS}
    assert plain("oO-iI-lL") == "001111"


@pytest.mark.parametrize("code", ["", "0" * CODE_LENGTH, "é" * 16, "\0", "\ud800", "x" * 1000])
def test_another_code_opens_nothing(code: str) -> None:
    assert refusal(Guests(NAMES), code) == "unknown"


@pytest.mark.parametrize("token", ["", "x", "\ud800"])
def test_another_token_is_nobodys(token: str) -> None:
    guests = Guests(NAMES)
    guests.admit(0)
    assert guests.seat_of(token) is None


def test_a_seat_that_was_taken_back_has_a_new_code_and_its_token_is_worthless() -> None:
    guests = Guests(NAMES)
    before, token = guests.code(0), guests.admit(0)
    guests.take_back(0)
    assert guests.seat_of(token) is None
    assert guests.code(0) != before
    assert refusal(guests, before) == "used"
    assert guests.used_at(before) is None
    assert guests.seat_of_code(guests.code(0)) == 0


def test_what_is_stored_lets_the_phone_in_again_and_nobody_who_reads_it() -> None:
    kept: dict[str, str] = {}
    guests = Guests(NAMES, save=kept.update)
    token = guests.admit(1)
    later = Guests(NAMES, stored=kept)
    assert later.seat_of(token) == 1
    assert token not in str(kept)
    assert [later.seat_of(digest) for digest in kept.values()] == [None]


def test_a_stored_seat_of_another_table_is_left_out() -> None:
    assert Guests(NAMES, stored={"Quito": "0" * 64}).seats == frozenset()


def test_no_repr_and_no_error_has_a_code_or_a_token() -> None:
    guests = Guests(NAMES)
    code, token = guests.code(0), guests.admit(0)
    with pytest.raises(CodeError) as refused:
        guests.seat_of_code(code)
    for text in (repr(guests), str(refused.value), repr(refused.value)):
        assert code not in text
        assert token not in text


def test_tries_are_limited_and_allowed_again_later() -> None:
    limiter = GuessLimiter()
    assert [limiter.allow("10.0.0.2", 0.0) for _ in range(GUESSES_AT_ONCE + 2)].count(True) == GUESSES_AT_ONCE
    assert limiter.allow("10.0.0.2", 10.0)


def test_who_guesses_locks_nobody_else_out() -> None:
    limiter = GuessLimiter()
    for _ in range(1000):
        limiter.allow("10.0.0.2", 0.0)
    assert limiter.allow("10.0.0.3", 0.0)


def test_the_limiter_remembers_a_bounded_number_of_addresses() -> None:
    limiter = GuessLimiter()
    for number in range(10 * MAX_ADDRESSES):
        limiter.allow(str(number), 0.0)
    assert len(limiter._addresses) == MAX_ADDRESSES


def kept(folder: Path, *, goes_on: bool = True) -> KeptMatch:
    """A match in a folder, which goes on or begins."""
    return KeptMatch(cast(Journal, None), folder, Lobby() if goes_on else None)


def test_the_guests_of_a_match_that_goes_on_keep_their_seats(tmp_path: Path) -> None:
    with bind(0) as page:
        with open_party("127.0.0.1", page, NAMES, kept(tmp_path, goes_on=False)) as party:
            token = party.guests.admit(1)
        assert (tmp_path / GUESTS).stat().st_mode & 0o777 == 0o600
        with open_party("127.0.0.1", page, NAMES, kept(tmp_path)) as party:
            assert party.guests.seat_of(token) == 1
        with open_party("127.0.0.1", page, NAMES, kept(tmp_path, goes_on=False)) as party:
            assert party.guests.seat_of(token) is None


def test_a_guest_of_an_earlier_match_has_no_seat_in_one_that_began_without_guests(tmp_path: Path) -> None:
    table = load_builtin("emulated").first(2)
    with kept_match(table, PERUDO, tmp_path, print, fresh=False) as before:
        with bind(0) as page, open_party("127.0.0.1", page, ("Lima", "Cusco"), before) as party:
            token = party.guests.admit(1)
        assert (before.folder / GUESTS).exists()
    with kept_match(table, PERUDO, tmp_path, print, fresh=True) as begun:  # played without --host
        later = KeptMatch(begun.journal, begun.folder, Lobby())
        with bind(0) as page, open_party("127.0.0.1", page, ("Lima", "Cusco"), later) as party:
            assert party.guests.seat_of(token) is None


def test_a_guest_whose_seat_was_taken_back_has_none_after_a_restart_if_that_could_not_be_written(
    tmp_path: Path,
) -> None:
    with bind(0) as page:
        with open_party("127.0.0.1", page, NAMES, kept(tmp_path)) as party:
            token = party.guests.admit(1)
            (tmp_path / f"{GUESTS}.new").mkdir()  # where an atomic write begins
            party.guests.take_back(1)
        with open_party("127.0.0.1", page, NAMES, kept(tmp_path)) as party:
            assert party.guests.seat_of(token) is None


def test_a_match_with_guests_does_not_go_on_without_a_party(tmp_path: Path) -> None:
    """Else the host could restart it without one and look under the covers of the guests."""
    with bind(0) as page, open_party("127.0.0.1", page, NAMES, kept(tmp_path)) as party:
        party.guests.admit(1)
        with pytest.raises(UserError, match=r"has guests \(Cusco\): add --host, or --fresh"):
            check_without_guests(kept(tmp_path))
        party.guests.take_back(1)
    check_without_guests(kept(tmp_path))
    check_without_guests(kept(tmp_path, goes_on=False))
    check_without_guests(None)


@pytest.mark.parametrize("content", ["", "{", "[]", "7", '{"Lima": 7}', '{"Lima": ""}', "[" * 20_000])
def test_a_file_of_guests_that_is_damaged_lets_nobody_in(content: str, tmp_path: Path) -> None:
    (tmp_path / GUESTS).write_text(content)
    with bind(0) as page, open_party("127.0.0.1", page, NAMES, kept(tmp_path)) as party:
        assert party.guests.seats == frozenset()


def test_a_party_is_reached_at_an_address_that_others_can_use() -> None:
    with bind(0) as page, open_party("0.0.0.0", page, NAMES, None) as party:
        assert party.address == f"http://{own_addresses()[0]}:{party.listening.getsockname()[1]}/"
        assert party.link(2) == f"{party.address}#{party.guests.code(2)}"
        assert party.guests.code(2) not in repr(party)
