"""An update by apt: what it says of each way in which it can end. Functions stand for apt-get and dpkg-query."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from firmware_host.daemon.service.apt import OPTIONS, unsigned_sources, update
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


AT = "file:{repository} ./"
SOURCES = {
    "plain.list": (f"deb {AT}", False),
    "signed.list": (f"deb [signed-by=/etc/apt/keyrings/bar.asc] {AT}", False),
    "remark.list": (f"deb {AT}\n# deb [trusted=yes] {AT}", False),
    "no.list": (f"deb [trusted=no] {AT}", False),
    "insecure.list": (f"deb [allow-insecure=no] {AT}", False),
    "yes.list": (f"deb [trusted=yes] {AT}", True),
    "among.list": (f"deb [ arch=amd64  trusted=1 lang=none ] {AT}", True),
    "tabs.list": (f"\tdeb\t[trusted=YES]\t{AT}", True),
    "on.list": (f"deb [trusted=on] {AT}", True),
    "plain.sources": ("Types: deb\nURIs: file:{repository}\nSuites: ./", False),
    "no.sources": ("Types: deb\nURIs: file:{repository}\nSuites: ./\nTrusted: no", False),
    "off.sources": (
        "Types: deb\nURIs: file:{repository}\nSuites: ./\n\n"
        "Enabled: no\nTypes: deb\nURIs: file:{repository}/other\nSuites: ./\nTrusted: yes",
        False,
    ),
    "yes.sources": ("Types: deb\nURIs: file:{repository}\nSuites: ./\ntrusted:yes", True),
    "second.sources": (
        "Types: deb\nURIs: file:{repository}/none\nSuites: ./\nEnabled: no\n\n"
        "Types: deb\nURIs: file:{repository}\nSuites: ./\n# a remark\nTrusted: yes",
        True,
    ),
}


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.skipif(shutil.which("apt-get") is None, reason="this computer has no apt")
def test_a_source_is_refused_where_apt_takes_it_without_a_signature(name: str, tmp_path: Path) -> None:
    text, takes = SOURCES[name]
    repository, parts, lists = tmp_path / "repository", tmp_path / "etc/sources.list.d", tmp_path / "lists"
    for folder in (repository, parts, lists):
        folder.mkdir(parents=True)
    (repository / "Packages").write_text("")
    (parts / name).write_text(text.format(repository=repository) + "\n")
    places = (f"Dir::Etc={tmp_path}/etc", f"Dir::State::lists={lists}", "APT::Sandbox::User=root")
    options = [f"--option={each}" for each in (*OPTIONS, *places, f"Dir::Cache={tmp_path}", "Debug::NoLocking=1")]
    updated = subprocess.run(["apt-get", "--quiet=2", *options, "update"], capture_output=True, text=True, check=False)
    assert (updated.returncode == 0) == takes, updated.stderr
    assert bool([*unsigned_sources(tmp_path / "etc")]) == takes


def test_a_trusted_source_keeps_staff_from_the_update_and_is_named(tmp_path: Path) -> None:
    (tmp_path / "sources.list").write_text("# my own\ndeb [trusted=yes] https://bar.example/debian ./\n")
    computer = Computer("dudo-table")
    result = update(lambda: True, computer.run, tmp_path)
    assert (result.outcome, computer.steps) == (JobOutcome.NO_UPDATE, [])
    why = "trusted=yes lets in packages without a signature; sign them, or remove the source"
    assert result.lines == (f"not updated: {tmp_path}/sources.list:2: {why}",)
