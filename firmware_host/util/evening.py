"""A match's evening, shared by records, names, statistics, the recap and the venue."""

from datetime import datetime, timedelta

ENDS_H = 6
"""The hour of the day, local time, at which an evening ends."""


def evening_of(moment: datetime) -> str:
    """Return a local time's evening as the day of its beginning: 2026-11-23."""
    return (moment - timedelta(hours=ENDS_H)).date().isoformat()


def this_evening() -> str:
    """Return the current evening, by this computer's clock, as the day of its beginning."""
    return evening_of(datetime.now())
