"""What staff may ask of the table, and the reasons why it refuses. `daemon.control` and the staff menu ask."""

from enum import StrEnum

from msgspec import Struct


class StaffCommand(StrEnum):
    """An action of staff on the match that is played."""

    PAUSE = "pause"
    RESUME = "resume"
    END_MATCH = "end-match"
    REMOVE = "remove"  # a seat, for good


class StaffRefusal(StrEnum):
    """The reason why the table ignored an action of staff."""

    NO_MATCH = "no-match"
    CALL = "call"  # a call is being read: what it costs is decided, but not yet shown
    ALREADY_PAUSED = "already-paused"
    NOT_PAUSED = "not-paused"
    NOT_PLAYING = "not-playing"  # the seat


class StaffAction(Struct, frozen=True):
    """An action of staff. The table answers it with a `StaffAnswer` of the same number."""

    what: StaffCommand
    seat: int | None = None  # to remove
    number: int = 0


class StaffAnswer(Struct, frozen=True):
    """The effect that answers an action of staff once it is durable; `refusal` is None if it was done."""

    number: int
    refusal: StaffRefusal | None = None
