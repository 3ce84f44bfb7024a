"""The files between the daemon and what root does for it: what is taken up, what came of it, and what is damaged."""

import asyncio
import os
import re
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import ROOT

from firmware_host.daemon.closing import LABEL
from firmware_host.daemon.service.jobs import MAX_LINES, MAX_RESULT_BYTES, STICK, JobResult, Places, lines_of, result_of
from firmware_host.i18n.words import ENGLISH
from firmware_host.table.staff.machine import Job, JobOutcome, JobReport
from hardware.emulated.virtual_loop import VirtualLoop


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "requests").mkdir()
    (tmp_path / "results").mkdir()
    return Places(tmp_path / "requests", tmp_path / "results", tmp_path / "stick")


def waited(places: Places, job: Job, *, at_work: bool = False) -> JobResult:
    """Return what comes of a request that nobody takes up, or of one that somebody does."""

    async def wait() -> JobResult:
        before = places.mark(job)
        places.request(job)
        waiting = asyncio.create_task(result_of(places, job, before))
        await asyncio.sleep(5)
        if at_work:
            assert places.withdraw(job)
        return await waiting

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(wait())


@pytest.mark.parametrize("job", Job)
def test_a_job_has_its_units_their_time_and_words_for_each_report(job: Job, places: Places) -> None:
    path, service = ((ROOT / f"systemd/{job.unit}.{kind}").read_text(encoding="utf-8") for kind in ("path", "service"))
    places.request(job)
    (request,) = places.requests.iterdir()
    assert f"=/run/dudo-table/{request.name}\n" in path
    minutes = re.search(r"^TimeoutStartSec=(\d+)min$", service, re.MULTILINE)
    assert job.done_within_s == (60 * int(minutes[1]) if minutes else 0)
    assert all(ENGLISH.job(JobReport(job, outcome)) for outcome in JobOutcome)


def test_the_stick_is_looked_for_by_its_label() -> None:
    assert STICK.name == LABEL


def test_a_result_is_for_everybody_to_read_whatever_the_umask(places: Places) -> None:
    umask = os.umask(0o077)
    try:
        places.write(Job.EXPORT, JobResult(JobOutcome.COPIED, 812, 3_100_000))
    finally:
        os.umask(umask)
    (file,) = places.results.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o644
    assert places.read(Job.EXPORT) == JobResult(JobOutcome.COPIED, 812, 3_100_000)


def test_a_result_that_was_there_before_is_not_the_answer(places: Places) -> None:
    places.write(Job.EXPORT, JobResult(JobOutcome.COPIED, 1))
    assert waited(places, Job.EXPORT).outcome is JobOutcome.NO_ANSWER


def test_a_request_that_nobody_takes_up_is_withdrawn_and_names_the_unit_to_enable(places: Places) -> None:
    result = waited(places, Job.POWER_OFF)
    assert lines_of(Job.POWER_OFF, result) == (
        "nobody has answered; sudo systemctl enable --now dudo-table-poweroff.path, and ask again",
    )
    assert not list(places.requests.iterdir())


def test_a_power_off_that_is_taken_up_needs_no_result(places: Places) -> None:
    result = waited(places, Job.POWER_OFF, at_work=True)
    assert lines_of(Job.POWER_OFF, result) == ("the table powers off",)


def test_a_job_that_is_taken_up_and_never_says_more_ends_with_a_clear_word(places: Places) -> None:
    result = waited(places, Job.UPDATE, at_work=True)
    assert lines_of(Job.UPDATE, result) == ("what came of it can't be read; journalctl -u dudo-table-update says more",)


@given(data=st.binary(max_size=200))
def test_no_bytes_of_a_result_make_the_reader_raise(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("results")
    (folder / "backup.json").write_bytes(data)
    result = Places(folder, folder).read(Job.EXPORT)
    assert result.outcome is JobOutcome.DAMAGED or result.outcome in JobOutcome


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        '{"outcome": "burnt"}',
        '{"outcome": "copied", "matches": -1}',
        '{"outcome": "copied", "extra": 1}',
        '{"outcome": "updated", "version": "1\\u001b[2J"}',
        '{"outcome": "updated", "lines": ["' + "x" * 401 + '"]}',
        '{"outcome": "copied"}' + " " * MAX_RESULT_BYTES,
        "[" * 5000,
    ],
)
def test_a_damaged_result_is_ignored(text: str, places: Places) -> None:
    (places.results / "backup.json").write_text(text)
    assert places.read(Job.EXPORT) == JobResult(JobOutcome.DAMAGED)


def test_neither_a_pipe_nor_a_link_is_read_as_a_result(places: Places) -> None:
    os.mkfifo(places.results / "backup.json")
    (places.results / "update.json").symlink_to("/proc/self/status")
    assert {places.read(job).outcome for job in (Job.EXPORT, Job.UPDATE)} == {JobOutcome.DAMAGED}


def test_what_a_result_says_is_escaped_when_it_is_printed() -> None:
    assert lines_of(Job.EXPORT, JobResult(JobOutcome.NO_COPY, lines=("a\x1b[2Jb",))) == ("a\\x1b[2Jb",)


def test_a_long_result_is_cut_and_can_be_read(places: Places) -> None:
    places.write(Job.EXPORT, JobResult(JobOutcome.NO_COPY, lines=tuple("é" * 1000 for _ in range(50))))
    assert len(places.read(Job.EXPORT).lines) == MAX_LINES
