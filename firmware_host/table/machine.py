"""The jobs that root does when staff ask for them, and what can come of one: for the menu, the host and the screens.

The daemon has no right to mount a stick, to install a package or to power off: units of systemd do it (docs/staff.md).
"""

from enum import StrEnum

from msgspec import Struct


class Job(StrEnum):
    """A job that staff ask root for."""

    EXPORT = "export"  # a copy on each stick
    UPDATE = "update"
    POWER_OFF = "power-off"


class JobOutcome(StrEnum):
    """The result of a job, or the reason why it was not begun."""

    BEGUN = "begun"  # and not finished
    # Of an export
    COPIED = "copied"
    NO_STICK = "no-stick"
    STICK_FULL = "stick-full"
    READ_ONLY = "read-only"
    PULLED_OUT = "pulled-out"
    NO_COPY = "no-copy"  # for another reason
    # Of an update
    UPDATED = "updated"
    NOTHING_NEWER = "nothing-newer"
    MATCH_PLAYED = "match-played"  # and an update would restart the table
    NO_UPDATE = "no-update"  # apt says why
    # Of every job
    TOO_SOON = "too-soon"  # one is at work, or has just been
    NO_ANSWER = "no-answer"  # the unit that does it is not enabled
    DAMAGED = "damaged"  # the result
    NOT_HERE = "not-here"  # this table is not the service's


DONE = frozenset({JobOutcome.COPIED, JobOutcome.UPDATED, JobOutcome.NOTHING_NEWER})
"""The outcomes with which a job is done as it should be."""


UNITS = {Job.EXPORT: "dudo-table-backup", Job.UPDATE: "dudo-table-update", Job.POWER_OFF: "dudo-table-poweroff"}
"""The name of the path unit and the service for each job."""


class JobReport(Struct, frozen=True):
    """A message of the host: how a job stands. `matches` and `size_bytes` are of a copy, `version` is the new one."""

    job: Job
    outcome: JobOutcome
    matches: int = 0
    size_bytes: int = 0
    version: str = ""


class RequestJob(Struct, frozen=True):
    """The effect that has the host request a job from root."""

    job: Job
