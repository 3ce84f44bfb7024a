"""Root jobs for staff, as seen by the daemon: requested one at a time, and followed to their end."""

import asyncio
import logging
from collections.abc import Callable

from firmware_host.daemon.service.jobs import JobResult, Mark, Places, lines_of, report_of, result_of
from firmware_host.table.machine import Job, JobOutcome, JobReport

APART_S = 15.0
"""Seconds between two requests for a job: systemd stops watching a path after five changes in a minute."""

log = logging.getLogger("dudo-table")


class Jobs:
    """One table's jobs. `report` receives each report; `is_match_played` holds back an update.

    `places` is None at a table outside the service: its requests would stay unanswered.
    """

    def __init__(
        self, places: Places | None, *, is_match_played: Callable[[], bool], report: Callable[[JobReport], None]
    ) -> None:
        self._places = places
        self._is_match_played = is_match_played
        self._report = report
        self._following: tuple[Job, asyncio.Task[None]] | None = None
        self._beginning = asyncio.Lock()
        self._asked_s: dict[Job, float] = {}

    @property
    def offered(self) -> tuple[Job, ...]:
        """Jobs in the staff menu."""
        return () if self._places is None else tuple(Job)

    async def begin(self, job: Job) -> JobResult:
        """Request a job; return `JobOutcome.BEGUN`, or the refusal. The table hears both, and the end."""
        async with self._beginning:
            result = await self._begin(job)
        self._report(report_of(job, result))
        if result.outcome is not JobOutcome.BEGUN:
            log.warning("%s: %s", job, "; ".join(lines_of(job, result)))
        return result

    async def _begin(self, job: Job) -> JobResult:
        places, now_s = self._places, asyncio.get_running_loop().time()
        if places is None:
            return JobResult(JobOutcome.NOT_HERE)
        if self._following is not None and not self._following[1].done():
            return JobResult(JobOutcome.BEGUN if self._following[0] is job else JobOutcome.TOO_SOON)
        if now_s < self._asked_s.get(job, -APART_S) + APART_S:
            return JobResult(JobOutcome.TOO_SOON)
        if job is Job.UPDATE and self._is_match_played():
            return JobResult(JobOutcome.MATCH_PLAYED)
        if job is Job.EXPORT and not await asyncio.to_thread(places.stick.exists):
            return JobResult(JobOutcome.NO_STICK)
        before = await asyncio.to_thread(places.mark, job)
        try:
            await asyncio.to_thread(places.request, job)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            return JobResult(JobOutcome.NO_ANSWER, lines=(f"{places.requests}: {why}; restart the table",))
        self._asked_s[job] = now_s
        log.info("staff have asked for %s", job)
        self._following = job, asyncio.create_task(self._follow(places, job, before))
        return JobResult(JobOutcome.BEGUN)

    async def _follow(self, places: Places, job: Job, before: Mark | None) -> None:
        result = await result_of(places, job, before)
        is_unanswered = result.outcome is JobOutcome.NO_ANSWER
        if job is Job.EXPORT and is_unanswered and not await asyncio.to_thread(places.stick.exists):
            result = JobResult(JobOutcome.NO_STICK)  # pulled out before systemd looked
        log.info("%s: %s", job, "; ".join(lines_of(job, result)))
        self._report(report_of(job, result))
