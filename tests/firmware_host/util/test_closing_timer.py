"""Closing time in systemd's file: written and read back; an owner's own file is told apart."""

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.util.closing_timer import ClosingTimes, text_of, times_of

CLOCK = st.times().map(lambda time: f"{time:%H:%M}")


@given(CLOCK, CLOCK)
def test_what_is_written_is_read_back(time: str, late: str) -> None:
    assert times_of(text_of(ClosingTimes(time, late))) == ClosingTimes(time, late)


def test_a_time_after_midnight_is_on_the_next_day_by_the_clock() -> None:
    assert text_of(ClosingTimes("02:00", "04:00")).endswith(
        "\nOnCalendar=\nOnCalendar=Mon..Fri *-*-* 02:00\nOnCalendar=Sat,Sun *-*-* 04:00\n"
    )
    assert text_of(ClosingTimes("23:30", "01:00")).endswith(
        "\nOnCalendar=Sun..Thu *-*-* 23:30\nOnCalendar=Sat,Sun *-*-* 01:00\n"
    )
    assert text_of(ClosingTimes("23:00", "23:30")).endswith("OnCalendar=Fri,Sat *-*-* 23:30\n")
    assert text_of(ClosingTimes("03:00", "03:00")).endswith("\nOnCalendar=\nOnCalendar=*-*-* 03:00\n")


@given(st.text())
def test_any_other_file_is_the_owners_own(text: str) -> None:
    assert times_of(text) is None


def test_an_owners_days_are_not_taken_for_the_pages() -> None:
    text = text_of(ClosingTimes("02:00", "04:00"))
    assert times_of(text.replace("Sat,Sun", "Fri,Sat")) is None
    assert times_of(f"{text}AccuracySec=1h\n") is None
