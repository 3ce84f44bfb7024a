"""Changes of the table's computer and layout on the owner's page, which root makes: the declaration for page, daemon
and the unit `dudo-table-setup`. They are the whole interface of that unit.

Each is a JSON object; its type is in the field `do`.
"""

from typing import Annotated

import msgspec
from msgspec import Meta

MAX_SETUP_BYTES = 8192

SeatName = Annotated[str, Meta(min_length=1, max_length=64)]
ClockTime = Annotated[str, Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]\Z")]
Zone = Annotated[str, Meta(pattern=r"^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}\Z", max_length=64)]
"""A time zone's name, without a dot: it becomes part of a path."""
NetworkName = Annotated[str, Meta(min_length=1, max_length=32)]
Password = Annotated[str, Meta(pattern=r"^(|[ -~]{8,63})\Z")]
"""A passphrase for WPA, IEEE 802.11, annex J.4; empty for an open network."""


class SeatEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat for the layout: `was` is its present name there, empty for a new one; `board` is its board's id, empty for
    a seat without one. A new seat with `is_phone` is for a guest's phone.
    """

    name: SeatName
    color: SeatName
    board: Annotated[str, Meta(max_length=64)] = ""
    was: Annotated[str, Meta(max_length=64)] = ""
    is_phone: bool = False


class _Change(msgspec.Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """A change; `done_by` of the daemon's service makes it."""


class SetSeats(_Change, frozen=True, tag="seats"):
    """Writes the seats into the layout, clockwise; seats left out go. `layout_hash` is of the file as it was listed."""

    seats: Annotated[tuple[SeatEntry, ...], Meta(min_length=1, max_length=8)]
    layout_hash: Annotated[str, Meta(max_length=64)]


class MakeCopy(_Change, frozen=True, tag="copy"):
    """Makes a copy of the table for the page to hand out."""


class RestoreCopy(_Change, frozen=True, tag="restore"):
    """Puts the copy that the page received back, with `layouts` also layouts and rules."""

    layouts: bool = False


class SetClosing(_Change, frozen=True, tag="closing"):
    """Sets closing time, and another one after Friday and Saturday; without a time the timer is off."""

    time: ClockTime | None = None
    late: ClockTime | None = None


class SetTimeZone(_Change, frozen=True, tag="time-zone"):
    """Sets the computer's time zone."""

    zone: Zone


class SetVoice(_Change, frozen=True, tag="voice"):
    """Sets the announcer: whether it runs, its language and sound card, empty for the table's own, and its clips."""

    on: bool
    language: Annotated[str, Meta(pattern=r"^([a-z]{2})?\Z")] = ""
    quiet: bool = False
    card: Annotated[str, Meta(pattern=r"^([A-Za-z0-9][A-Za-z0-9_:=,.+-]{0,63})?\Z")] = ""
    clips: bool = False


class FindNetworks(_Change, frozen=True, tag="networks"):
    """Lists the Wi-Fi networks around."""


class JoinNetwork(_Change, frozen=True, tag="network"):
    """Joins a Wi-Fi network, also after each start."""

    name: NetworkName
    password: Password = ""

    def __repr__(self) -> str:
        return f"JoinNetwork(name={self.name!r}, password=…)"


SetupChange = SetSeats | MakeCopy | RestoreCopy | SetClosing | SetTimeZone | SetVoice | FindNetworks | JoinNetwork
