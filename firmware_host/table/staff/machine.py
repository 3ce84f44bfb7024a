"""Root jobs requested by staff, and their outcomes, for menu, host and screens.

The daemon has no right to mount a USB drive, install a package or power off: systemd units do it (docs/staff.md).
"""

from enum import StrEnum

from msgspec import Struct


class Job(StrEnum):
    """A job for root, requested by staff: its name in messages, its path unit and service, and their time limit."""

    unit: str
    done_within_s: float  # once taken up, as the service's time limit; a power-off has no result

    def __new__(cls, name: str, unit: str = "", done_within_s: float = 0.0) -> "Job":
        """Return a name's job, with its unit and time. `Job(name)` needs neither."""
        job = str.__new__(cls, name)
        job._value_ = name
        job.unit, job.done_within_s = unit, done_within_s
        return job

    EXPORT = "export", "dudo-table-backup", 30 * 60.0  # a copy on each USB drive
    UPDATE = "update", "dudo-table-update", 50 * 60.0
    POWER_OFF = "power-off", "dudo-table-poweroff"
    DOCTOR = "doctor", "dudo-table-doctor", 3 * 60.0
    SETUP = "setup", "dudo-table-setup", 2 * 60.0  # a `SetupChange` of the owner's page


class JobOutcome(StrEnum):
    """A job's result, or the reason why it did not begin."""

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
    MATCH_PLAYED = "match-played"  # an update would restart the table
    NO_UPDATE = "no-update"  # apt says why
    # Of the doctor
    WELL = "well"
    FAULTS = "faults"  # or checks that were not possible
    # Of a set-up; a copy that is handed out is `COPIED`
    SET = "set"
    RESTORED = "restored"
    NETWORKS = "networks"  # were looked for
    NO_WIFI = "no-wifi"
    NOT_JOINED = "not-joined"
    NOT_SET = "not-set"  # the lines say why
    # Of every job
    TOO_SOON = "too-soon"  # one is at work, or has just been
    NO_ANSWER = "no-answer"  # the job's unit is not enabled
    DAMAGED = "damaged"  # the result
    NOT_HERE = "not-here"  # this table does not run as the service


DONE = frozenset(
    {
        *(JobOutcome.COPIED, JobOutcome.UPDATED, JobOutcome.NOTHING_NEWER, JobOutcome.WELL),
        *(JobOutcome.SET, JobOutcome.RESTORED, JobOutcome.NETWORKS),
    }
)
"""Successful outcomes."""


class JobReport(Struct, frozen=True):
    """The host's report on a job. Copies have `matches` and `size_bytes`, restored ones `matches`, updates the new
    `version`.
    """

    job: Job
    outcome: JobOutcome
    matches: int = 0
    size_bytes: int = 0
    version: str = ""


class RequestJob(Struct, frozen=True):
    """Effect: the host requests a job from root."""

    job: Job
