"""Staff settings for volume, display brightness and the TV, all independent of dice.

Public socket clients obey the public state (docs/staff.md).
"""

from enum import StrEnum

from msgspec import Struct

MAX_VOLUME = 100
"""Percent for a client's loudest permitted sound."""
VOLUME_STEP = 10
"""Percent per step in the menus."""


class TvSetting(StrEnum):
    """Staff setting for the TV: on while somebody plays, always on, or off."""

    AUTO = "auto"
    ON = "on"
    OFF = "off"


class SoundAndLight(Struct, frozen=True):
    """Staff settings with immediate effect, under their names. The host sends them as a message after each change.

    Guests choose the volume from `guests_volume_min` to `guests_volume_max`; None gives them no choice.
    """

    volume: int = MAX_VOLUME
    guests_volume_min: int = 0
    guests_volume_max: int | None = None
    tv: TvSetting = TvSetting.AUTO
    brightness: str = "bright"

    @property
    def lets_guests(self) -> bool:
        """Whether guests may change the volume. Staff volume 0 is silence and binds guests."""
        most = self.guests_volume_max
        return self.volume > 0 and most is not None and self.guests_volume_min < most


AS_AT_FIRST = SoundAndLight()
"""Defaults, before any staff change."""
