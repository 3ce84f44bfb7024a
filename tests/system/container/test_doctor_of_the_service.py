"""The doctor beside the service, as the package installs both: it asks, and leaves everything as it was."""

import json
from typing import Any

from support.system.container import Container

SERVICE = "dudo-table.service"


def report_of(debian: Container, *before: str) -> Any:
    done = debian.tried(*before, "dudo-table", "doctor", "--json")
    print(done.stdout)
    assert done.returncode == 1  # there are no boards
    return json.loads(done.stdout)


def of(report: Any, check: str) -> list[tuple[str, str]]:
    return [(found["state"], found["what"]) for found in report["findings"] if found["check"] == check]


def test_beside_the_service_it_asks_the_service(debian: Container) -> None:
    debian.run("systemctl", "start", SERVICE)
    report = report_of(debian)
    assert report["running"]
    assert not [found for found in report["findings"] if found["state"] == "unknown"]
    assert of(report, "table")[0][1].startswith("dudo-table.service is active: ")
    assert of(report, "versions")[0][0] == "right"
    assert [state for state, _ in of(report, "versions")] == ["right"] * len(of(report, "versions"))
    assert [state for state, _ in of(report, "journal")] == ["right"]
    assert [state for state, _ in of(report, "ports")] == ["wrong"]


def test_the_service_does_not_notice(debian: Container) -> None:
    debian.run("systemctl", "start", SERVICE)
    before = debian.shown(SERVICE, "MainPID"), debian.run("ls", "-ln", "--time-style=+", "/var/lib/dudo-table")
    said = debian.log(SERVICE)
    report_of(debian)
    after = debian.shown(SERVICE, "MainPID"), debian.run("ls", "-ln", "--time-style=+", "/var/lib/dudo-table")
    assert after == before
    assert debian.log(SERVICE) == said


def test_a_user_who_may_not_look_is_told_to_ask_as_root(debian: Container) -> None:
    debian.run("systemctl", "start", SERVICE)
    report = report_of(debian, "runuser", "-u", "nobody", "--")
    remedies = {found["remedy"] for found in report["findings"] if found["state"] in ("unknown", "note")}
    assert remedies == {"sudo dudo-table doctor"}


def test_without_the_service_it_looks_itself_and_leaves_nothing_of_roots(debian: Container) -> None:
    debian.run("systemctl", "stop", SERVICE)
    report = report_of(debian)
    assert not report["running"]
    assert ("note", "dudo-table.service is stopped") in of(report, "table")
    owners = debian.run("find", "/var/lib/dudo-table", "-not", "-user", "dudo-table")
    assert owners == ""
    debian.run("systemctl", "start", SERVICE)
