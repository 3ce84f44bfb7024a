"""The settings of staff for the room: the volume, the brightness of the displays and the TV. No dice come into them.

Clients of the public socket obey the public state (docs/staff.md).
"""

from enum import StrEnum

from msgspec import Struct

MAX_VOLUME = 100
"""Percent at which a client plays as loud as it may."""
VOLUME_STEP = 10
"""Percent of one step, in the menus."""


class TvSetting(StrEnum):
    """What staff want of the TV: on while somebody plays, always on, or off."""

    AUTO = "auto"
    ON = "on"
    OFF = "off"


class SoundAndLight(Struct, frozen=True):
    """The settings of staff that take effect at once. The host sends them as a message whenever they change.

    Guests choose the volume from `guests_min` to `guests_max`; they may not where that is None.
    """

    volume: int = MAX_VOLUME
    guests_min: int = 0
    guests_max: int | None = None
    tv: TvSetting = TvSetting.AUTO
    brightness: str = "bright"

    @property
    def lets_guests(self) -> bool:
        """Whether guests may change the volume. Volume 0 is silence by staff, which guests cannot end."""
        return self.volume > 0 and self.guests_max is not None and self.guests_min < self.guests_max


AS_AT_FIRST = SoundAndLight()
"""The settings of a table where staff have changed nothing."""
