"""The evening to which a match belongs. Records, names, figures, the recap and the venue all ask here."""

from datetime import datetime, timedelta

ENDS_H = 6
"""The hour of the day, local time, at which an evening ends."""


def evening_of(moment: datetime) -> str:
    """Return the day on which the evening of a local time began, as 2026-11-23."""
    return (moment - timedelta(hours=ENDS_H)).date().isoformat()


def this_evening() -> str:
    """Return the day on which the evening began that is now, by this computer's clock."""
    return evening_of(datetime.now())
