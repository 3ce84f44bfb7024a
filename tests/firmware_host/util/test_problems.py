"""Problems of a process beside the daemon: logged once, and all of them in the line of its status."""

import logging

import pytest

from firmware_host.util.process import Problems


def test_a_problem_is_logged_when_it_begins_and_when_it_is_solved(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    problems = Problems(lambda line: None, "works")
    for _ in range(3):
        problems.add("broker", "broker: refused; trying again")
    problems.solve("broker", "the broker is there")
    problems.solve("broker", "the broker is there")
    assert caplog.messages == ["broker: refused; trying again", "the broker is there"]


def test_the_status_has_all_problems_with_their_latest_text() -> None:
    shown: list[str] = []
    problems = Problems(shown.append, "works")
    problems.add("table", "no table")
    problems.add("broker", "refused")
    problems.add("table", "a table of another version")
    assert shown[-1] == "a table of another version; refused"
    problems.solve("table", "")
    problems.solve("broker", "")
    assert shown[-1] == "works"


def test_another_status_without_problems_waits_until_they_are_solved() -> None:
    shown: list[str] = []
    problems = Problems(shown.append, "works")
    problems.add("tv", "no TV")
    problems.idle = "the TV is on"
    assert shown[-1] == "no TV"
    problems.solve("tv", "")
    assert shown[-1] == "the TV is on"
