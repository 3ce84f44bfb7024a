"""The volume of a table, and what else staff set for its room: the brightness of the displays and the TV.

`Table` holds a `Volume`; clients of the public socket obey the public state (docs/staff.md). No dice come into it.
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


class Volume:
    """The volume of one table: that of staff, or what guests have chosen since somebody sat down."""

    def __init__(self, settings: SoundAndLight) -> None:
        self.settings = settings
        self.of_guests: int | None = None
        """Percent that guests have chosen, None where they have not."""
        self.tried: int | None = None
        """Percent under the cursor of staff who choose one, so that they hear it."""

    @property
    def now(self) -> int:
        """The volume that is in force, in percent."""
        return self._settled if self.tried is None else self.tried

    def on_settings(self, settings: SoundAndLight) -> None:
        """Take the settings of staff. Another volume of theirs replaces that of guests."""
        if settings.volume != self.settings.volume:
            self.of_guests = None
        self.settings = settings

    def step(self, by: int) -> None:
        """Change the volume for guests by steps; beyond their bounds it only comes back within them."""
        least, most, now = self.settings.guests_min, self.settings.guests_max, self._settled
        if not self.settings.lets_guests or most is None or (now >= most if by > 0 else now <= least):
            return
        self.of_guests = max(least, min(now + by * VOLUME_STEP, most))

    @property
    def _settled(self) -> int:
        settings = self.settings
        if self.of_guests is None or not settings.lets_guests or settings.guests_max is None:
            return settings.volume
        return max(settings.guests_min, min(self.of_guests, settings.guests_max))
