"""Jobs that staff request from root: one at a time, not too often, and none that can't be."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from firmware_host.daemon.service.jobs import APART_S, SETUP_APART_S, TAKEN_UP_WITHIN_S, JobResult, Jobs, Places
from firmware_host.table.staff.machine import Job, JobOutcome, JobReport
from firmware_host.table.staff.setup import RestoreCopy, SetTimeZone
from hardware.emulated.virtual_loop import VirtualLoop


class Host:
    """A table's jobs, with what the table is told, and the folders."""

    def __init__(self, folder: Path, *, in_match: bool = False, is_service: bool = True) -> None:
        self.places = Places(folder, folder, folder / "stick")
        self.reports: list[JobReport] = []
        self.jobs = Jobs(
            is_match_played=lambda: in_match, report=self.reports.append, places=self.places if is_service else None
        )

    @property
    def outcomes(self) -> list[JobOutcome]:
        return [report.outcome for report in self.reports]

    def requested(self) -> list[str]:
        return sorted(file.name for file in self.places.requests.glob("*-wanted"))


def played(script: Callable[[], Awaitable[None]]) -> None:
    async def run() -> None:
        await script()

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(run())


def test_an_export_without_a_stick_says_so_at_once_and_requests_nothing(tmp_path: Path) -> None:
    host = Host(tmp_path)

    async def script() -> None:
        assert (await host.jobs.begin(Job.EXPORT)).outcome is JobOutcome.NO_STICK
        assert (host.outcomes, host.requested()) == ([JobOutcome.NO_STICK], [])

    played(script)


def test_an_export_is_followed_to_its_end(tmp_path: Path) -> None:
    host = Host(tmp_path)
    host.places.stick.touch()

    async def script() -> None:
        assert (await host.jobs.begin(Job.EXPORT)).outcome is JobOutcome.BEGUN
        assert host.requested() == ["backup-wanted"]
        host.places.withdraw(Job.EXPORT)
        await asyncio.sleep(60)
        host.places.write(Job.EXPORT, JobResult(JobOutcome.COPIED, 812, 3_100_000))
        await asyncio.sleep(1)
        assert host.reports == [
            JobReport(Job.EXPORT, JobOutcome.BEGUN),
            JobReport(Job.EXPORT, JobOutcome.COPIED, 812, 3_100_000),
        ]

    played(script)


def test_an_update_is_refused_while_a_match_is_played_and_a_power_off_is_not(tmp_path: Path) -> None:
    host = Host(tmp_path, in_match=True)

    async def script() -> None:
        assert (await host.jobs.begin(Job.UPDATE)).outcome is JobOutcome.MATCH_PLAYED
        assert (await host.jobs.begin(Job.POWER_OFF)).outcome is JobOutcome.BEGUN
        assert host.requested() == ["poweroff-wanted"]

    played(script)


def test_a_table_that_is_not_the_services_offers_nothing_and_answers_at_once(tmp_path: Path) -> None:
    host = Host(tmp_path, is_service=False)

    async def script() -> None:
        assert (await host.jobs.begin(Job.POWER_OFF)).outcome is JobOutcome.NOT_HERE
        assert (host.jobs.offered, host.requested()) == ((), [])

    played(script)


def test_one_job_is_at_work_at_a_time_and_asking_twice_joins_it(tmp_path: Path) -> None:
    host = Host(tmp_path)

    async def script() -> None:
        begun = await asyncio.gather(*(host.jobs.begin(job) for job in (Job.UPDATE, Job.UPDATE, Job.POWER_OFF)))
        assert [result.outcome for result in begun] == [JobOutcome.BEGUN, JobOutcome.BEGUN, JobOutcome.TOO_SOON]
        assert host.requested() == ["update-wanted"]

    played(script)


def test_nobody_asks_so_often_that_systemd_stops_watching(tmp_path: Path) -> None:
    host = Host(tmp_path)
    host.places.stick.touch()

    async def script() -> None:
        asked = 0
        for _ in range(60):
            if (await host.jobs.begin(Job.EXPORT)).outcome is JobOutcome.BEGUN:
                asked += host.places.withdraw(Job.EXPORT)
                host.places.write(Job.EXPORT, JobResult(JobOutcome.COPIED, asked))
            await asyncio.sleep(1)
        assert asked == 60 // APART_S

    played(script)


def test_a_request_that_nobody_answers_ends_and_does_not_stay_behind(tmp_path: Path) -> None:
    host = Host(tmp_path)

    async def script() -> None:
        await host.jobs.begin(Job.POWER_OFF)
        await asyncio.sleep(TAKEN_UP_WITHIN_S + 1)
        assert (host.outcomes[-1], host.requested()) == (JobOutcome.NO_ANSWER, [])

    played(script)


def test_a_set_up_goes_to_root_with_its_change_and_a_restore_waits_for_the_lobby(tmp_path: Path) -> None:
    host = Host(tmp_path, in_match=True)

    async def script() -> None:
        assert (await host.jobs.begin(Job.SETUP)).outcome is JobOutcome.NOT_HERE
        assert (await host.jobs.begin(Job.UPDATE, SetTimeZone("Europe/Madrid"))).outcome is JobOutcome.NOT_HERE
        assert (await host.jobs.begin(Job.SETUP, RestoreCopy())).outcome is JobOutcome.MATCH_PLAYED
        assert host.requested() == []
        change = SetTimeZone("Europe/Madrid")
        assert (await host.jobs.begin(Job.SETUP, change)).outcome is JobOutcome.BEGUN
        assert (await host.jobs.begin(Job.SETUP, SetTimeZone("UTC"))).outcome is JobOutcome.TOO_SOON
        assert host.places.take_change() == change
        host.places.write(Job.SETUP, JobResult(JobOutcome.SET))
        await asyncio.sleep(SETUP_APART_S)
        assert host.reports[-1] == JobReport(Job.SETUP, JobOutcome.SET)
        assert (await host.jobs.begin(Job.SETUP, SetTimeZone("UTC"))).outcome is JobOutcome.BEGUN

    played(script)


def test_a_result_of_a_set_up_that_restarted_the_table_is_read_afterwards(tmp_path: Path) -> None:
    host = Host(tmp_path)

    async def script() -> None:
        await host.jobs.look()
        assert host.jobs.results == {}
        host.places.write(Job.SETUP, JobResult(JobOutcome.RESTORED, 812))
        await host.jobs.look()
        assert host.jobs.results == {Job.SETUP: JobResult(JobOutcome.RESTORED, 812)}

    played(script)
