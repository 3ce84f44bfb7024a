"""An update by apt: what it says of each way in which it can end. Functions stand for apt-get and drives."""

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware_host.daemon.closing.copies import BackupError
from firmware_host.daemon.service.apt import OPTIONS, Drives, unsigned_sources, update
from firmware_host.daemon.service.jobs import JobResult
from firmware_host.daemon.service.update_drive import MAX_DRIVES
from firmware_host.table.staff.machine import JobOutcome

INST = "Inst dudo-table [1.0] (1.1 Bar:stable [all])\nConf dudo-table (1.1 Bar:stable [all])\n"


class Computer(Drives):
    """An apt with both versions, and steps that fail with an error; `plugged` drives have a repository.

    A drive's own steps are those of its apt options: `Computer("dudo-table", sda1_lists="not signed")`.
    """

    def __init__(self, *packages: str, newer: bool = True, plugged: Sequence[str] = (), **errors: str) -> None:
        self.packages = packages
        self.version = "1.0"
        self.newer = newer
        self.plugged = plugged
        self.errors = errors
        self.steps: list[str] = []
        self.commands: list[Sequence[str]] = []

    def find(self) -> list[str]:
        if "find" in self.errors:
            raise BackupError(self.errors["find"])
        return [*self.plugged]

    @contextmanager
    def opened(self, device: str) -> Iterator[tuple[str, ...]]:
        if f"{device}_mount" in self.errors:
            raise BackupError(self.errors[f"{device}_mount"])
        yield (f"Drive={device}",)

    def updated(self, *, is_free: bool = True, sources: Path = Path("/no/such/folder")) -> JobResult:
        return update(lambda: is_free, self.run, sources, self)

    def run(self, command: Sequence[str], within_s: float) -> "subprocess.CompletedProcess[str]":
        self.commands.append(command)
        if command[0] == "dpkg-query":
            listed = "".join(f"installed {package} {self.version}\n" for package in self.packages)
            return subprocess.CompletedProcess(command, 0, listed, "")
        words = {"--simulate": "simulate", "--download-only": "fetch", "update": "lists"}
        step = next((words[word] for word in command if word in words), "install")
        drive = next((word.removeprefix("--option=Drive=") for word in command if "=Drive=" in word), "")
        step = f"{drive}_{step}" if drive else step
        self.steps.append(step)
        if step in self.errors:
            return subprocess.CompletedProcess(command, 100, "", f"W: noise\nE: {self.errors[step]}\nE: more\n")
        if step.endswith("install"):
            self.version = "1.1"
        is_found = step.endswith("simulate") and self.newer and f"{drive}_old" not in self.errors
        return subprocess.CompletedProcess(command, 0, INST if is_found else "", "")


def test_a_newer_version_is_fetched_and_then_installed() -> None:
    computer = Computer("dudo-table", "dudo-table-kiosk")
    result = computer.updated()
    assert (result.outcome, result.version) == (JobOutcome.UPDATED, "1.1")
    assert result.lines == ("updated from 1.0 to 1.1",)
    assert computer.steps == ["lists", "simulate", "fetch", "install"]


def test_both_packages_are_updated_together_none_is_removed_and_none_is_new() -> None:
    computer = Computer("dudo-table", "dudo-table-kiosk")
    computer.updated()
    install = next(command for command in reversed(computer.commands) if command[0] == "apt-get")
    assert install[-2:] == ("dudo-table", "dudo-table-kiosk")
    assert {"--only-upgrade", "--no-remove", "--yes"} <= {*install}
    assert "--option=Dpkg::Options::=--force-confold" in install
    assert "--option=APT::Get::AllowUnauthenticated=false" in install


def test_nothing_newer_is_not_a_failure() -> None:
    result = Computer("dudo-table", newer=False).updated()
    assert (result.outcome, result.lines) == (JobOutcome.NOTHING_NEWER, ("nothing newer than 1.0",))


def test_a_repository_that_does_not_answer_is_named_where_nothing_newer_is_found() -> None:
    result = Computer("dudo-table", newer=False, lists="Failed to fetch https://x/").updated()
    assert result.outcome is JobOutcome.NO_UPDATE
    assert result.lines == ("not updated: Failed to fetch https://x/",)


def test_a_repository_that_does_not_answer_keeps_no_other_from_the_update() -> None:
    assert Computer("dudo-table", lists="Failed to fetch").updated().outcome is JobOutcome.UPDATED


@pytest.mark.parametrize(
    "error",
    [
        "Failed to fetch file:/srv/debian/./InRelease  Missing key",
        "Release file for file:/srv/debian/./InRelease is expired (invalid since 1s).",
        "The repository 'file:/srv/debian ./ InRelease' is not signed.",
    ],
)
def test_lists_of_a_folder_that_are_refused_end_the_update_because_apt_uses_them_in_place(error: str) -> None:
    computer = Computer("dudo-table", lists=error)
    assert computer.updated().outcome is JobOutcome.NO_UPDATE
    assert computer.steps == ["lists"]


def test_a_refused_signature_is_told_without_the_words_around_it() -> None:
    around = "Sub-process /usr/bin/sqv returned an error code (1), error message is:"
    result = Computer(
        "dudo-table", newer=False, lists=f"Failed to fetch https://x/  {around} Missing key 9088"
    ).updated()
    assert result.lines == ("not updated: Failed to fetch https://x/ Missing key 9088",)


def test_a_repository_that_is_not_signed_for_this_table_is_told_with_the_reason() -> None:
    warning = "W: Sub-process /usr/bin/sqv returned an error code (1), error message is: Missing key 9088"
    computer = Computer("dudo-table", newer=False, lists=f"The repository is not signed.\n{warning}")
    assert computer.updated().lines == ("not updated: The repository is not signed. Missing key 9088",)


def test_a_file_on_a_drive_that_differs_from_its_list_is_told_clearly() -> None:
    errors = {"sda1_fetch": "Failed to fetch copy:/x/dudo-table_2_all.deb  Undetermined Error"}
    result = Computer("dudo-table", newer=True, plugged=["sda1"], lists="no network", simulate="no", **errors).updated()
    assert result.lines[0].endswith("_2_all.deb Hash Sum mismatch: copy the files again, all together")


def test_refused_lists_explain_why_a_file_of_an_older_one_is_gone() -> None:
    result = Computer("dudo-table", lists="Release file for https://x/ is expired", fetch="Hash Sum mismatch").updated()
    assert result.lines == ("not updated: Release file for https://x/ is expired",)


def test_a_match_that_has_begun_meanwhile_is_left_alone() -> None:
    computer = Computer("dudo-table")
    assert computer.updated(is_free=False).outcome is JobOutcome.MATCH_PLAYED
    assert computer.version == "1.0"


def test_each_step_that_fails_says_why() -> None:
    for step in ("simulate", "fetch", "install"):
        result = Computer("dudo-table", **{step: "dpkg was interrupted"}).updated()
        assert (result.outcome, result.lines) == (JobOutcome.NO_UPDATE, ("not updated: dpkg was interrupted",))


def test_a_clone_has_no_package_to_update() -> None:
    computer = Computer()
    assert computer.updated().outcome is JobOutcome.NO_UPDATE
    assert computer.steps == []


def test_a_drive_comes_first_and_needs_no_network() -> None:
    computer = Computer("dudo-table", plugged=["sda1"], lists="Could not resolve 'bar.example'")
    result = computer.updated()
    assert (result.outcome, result.version) == (JobOutcome.UPDATED, "1.1")
    assert result.lines == ("sda1: updated from 1.0 to 1.1",)
    assert computer.steps == ["sda1_lists", "sda1_simulate", "sda1_fetch", "sda1_install"]


def test_an_old_drive_without_a_network_has_nothing_newer() -> None:
    result = Computer("dudo-table", newer=False, plugged=["sda1"], lists="Could not resolve 'bar.example'").updated()
    assert result.outcome is JobOutcome.NOTHING_NEWER
    assert result.lines == ("sda1: nothing newer than 1.0", "not updated: Could not resolve 'bar.example'")


def test_an_old_drive_that_is_left_plugged_in_keeps_no_repository_from_the_update() -> None:
    result = Computer("dudo-table", plugged=["sda1"], sda1_old="").updated()
    assert (result.outcome, result.version) == (JobOutcome.UPDATED, "1.1")
    assert result.lines == ("sda1: nothing newer than 1.0", "updated from 1.0 to 1.1")


@pytest.mark.parametrize("step", ["mount", "lists", "simulate", "fetch", "install"])
def test_a_drive_that_is_refused_is_named(step: str) -> None:
    errors = {f"sda1_{step}": "is not signed", "simulate": "no network"}
    result = Computer("dudo-table", plugged=["sda1"], **errors).updated()
    assert result.outcome is JobOutcome.NO_UPDATE
    assert result.lines == ("not updated: sda1: is not signed", "not updated: no network")


def test_a_refused_drive_is_a_failure_also_where_the_repositories_have_nothing_newer() -> None:
    result = Computer("dudo-table", newer=False, plugged=["sda1", "sdb1"], sdb1_lists="is not signed").updated()
    assert result.outcome is JobOutcome.NO_UPDATE
    assert result.lines[0] == "sda1: nothing newer than 1.0"
    assert result.lines[1] == "not updated: sdb1: is not signed"


def test_a_match_that_has_begun_meanwhile_keeps_a_drive_waiting_too() -> None:
    computer = Computer("dudo-table", plugged=["sda1"])
    assert computer.updated(is_free=False) == JobResult(JobOutcome.MATCH_PLAYED)
    assert computer.version == "1.0"


def test_more_drives_than_any_table_needs_are_left_alone() -> None:
    computer = Computer("dudo-table", newer=False, plugged=[f"sd{letter}1" for letter in "abcdefgh"])
    computer.updated()
    assert len([step for step in computer.steps if step.endswith("_lists")]) == MAX_DRIVES


def test_a_drive_that_can_not_be_looked_for_keeps_no_repository_from_the_update() -> None:
    result = Computer("dudo-table", find="blkid has not answered for 60 s; use another stick").updated()
    assert result.outcome is JobOutcome.UPDATED
    assert result.lines[0] == "not updated: blkid has not answered for 60 s; use another stick"


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
    result = computer.updated(sources=tmp_path)
    assert (result.outcome, computer.steps) == (JobOutcome.NO_UPDATE, [])
    why = "trusted=yes lets in packages without a signature; sign them, or remove the source"
    assert result.lines == (f"not updated: {tmp_path}/sources.list:2: {why}",)
