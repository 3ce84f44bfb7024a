"""An update by apt: what it says of each way in which it can end. Functions stand for apt-get and dpkg-query."""

import subprocess
from collections.abc import Sequence

from firmware_host.service.apt import update
from firmware_host.table.machine import JobOutcome

INST = "Inst dudo-table [1.0] (1.1 Bar:stable [all])\nConf dudo-table (1.1 Bar:stable [all])\n"


class Computer:
    """What is installed, what apt finds, and which of its steps fail with an error."""

    def __init__(self, *packages: str, newer: bool = True, **errors: str) -> None:
        self.packages = packages
        self.version = "1.0"
        self.newer = newer
        self.errors = errors
        self.steps: list[str] = []
        self.commands: list[Sequence[str]] = []

    def run(self, command: Sequence[str], within_s: float) -> "subprocess.CompletedProcess[str]":
        self.commands.append(command)
        if command[0] == "dpkg-query":
            listed = "".join(f"installed {package} {self.version}\n" for package in self.packages)
            return subprocess.CompletedProcess(command, 0, listed, "")
        words = {"--simulate": "simulate", "--download-only": "fetch", "update": "lists"}
        step = next((words[word] for word in command if word in words), "install")
        self.steps.append(step)
        if step in self.errors:
            return subprocess.CompletedProcess(command, 100, "", f"W: noise\nE: {self.errors[step]}\nE: more\n")
        if step == "install":
            self.version = "1.1"
        return subprocess.CompletedProcess(command, 0, INST if step == "simulate" and self.newer else "", "")


def test_a_newer_version_is_fetched_and_then_installed() -> None:
    computer = Computer("dudo-table", "dudo-table-kiosk")
    result = update(lambda: True, computer.run)
    assert (result.outcome, result.version) == (JobOutcome.UPDATED, "1.1")
    assert result.lines == ("updated from 1.0 to 1.1",)
    assert computer.steps == ["lists", "simulate", "fetch", "install"]


def test_both_packages_are_updated_together_none_is_removed_and_none_is_new() -> None:
    computer = Computer("dudo-table", "dudo-table-kiosk")
    update(lambda: True, computer.run)
    install = next(command for command in reversed(computer.commands) if command[0] == "apt-get")
    assert install[-2:] == ("dudo-table", "dudo-table-kiosk")
    assert {"--only-upgrade", "--no-remove", "--yes"} <= {*install}
    assert "--option=Dpkg::Options::=--force-confold" in install
    assert "--option=APT::Get::AllowUnauthenticated=false" in install


def test_nothing_newer_is_not_a_failure() -> None:
    result = update(lambda: True, Computer("dudo-table", newer=False).run)
    assert (result.outcome, result.lines) == (JobOutcome.NOTHING_NEWER, ("nothing newer than 1.0",))


def test_a_repository_that_does_not_answer_is_named_where_nothing_newer_is_found() -> None:
    result = update(lambda: True, Computer("dudo-table", newer=False, lists="Failed to fetch https://x/").run)
    assert result.outcome is JobOutcome.NO_UPDATE
    assert result.lines == ("not updated: Failed to fetch https://x/",)


def test_a_repository_that_does_not_answer_keeps_no_other_from_the_update() -> None:
    assert update(lambda: True, Computer("dudo-table", lists="Failed to fetch").run).outcome is JobOutcome.UPDATED


def test_a_match_that_has_begun_meanwhile_is_left_alone() -> None:
    computer = Computer("dudo-table")
    assert update(lambda: False, computer.run).outcome is JobOutcome.MATCH_PLAYED
    assert computer.version == "1.0"


def test_each_step_that_fails_says_why() -> None:
    for step in ("simulate", "fetch", "install"):
        result = update(lambda: True, Computer("dudo-table", **{step: "dpkg was interrupted"}).run)
        assert (result.outcome, result.lines) == (JobOutcome.NO_UPDATE, ("not updated: dpkg was interrupted",))


def test_a_clone_has_no_package_to_update() -> None:
    computer = Computer()
    assert update(lambda: True, computer.run).outcome is JobOutcome.NO_UPDATE
    assert computer.steps == []
