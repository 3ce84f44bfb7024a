"""The volume of one table: what staff set, and what guests choose within the bounds of staff."""

from drivers.messages import Message
from firmware_host.table.effects import HostMessage
from firmware_host.table.parts.part import Part
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.sound import VOLUME_STEP, SoundAndLight


class Volume(Part):
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

    def on_message(self, message: Message | HostMessage, scene: Scene) -> None:
        """Follow the settings of staff."""
        if isinstance(message, SoundAndLight):
            self.on_settings(message)

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
