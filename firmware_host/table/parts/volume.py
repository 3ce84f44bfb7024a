"""One table's volume: the staff setting, and the guests' choice within staff bounds."""

from drivers.messages import Message
from firmware_host.table.effects import HostMessage
from firmware_host.table.parts.part import Part
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.staff.sound import VOLUME_STEP, SoundAndLight


class Volume(Part):
    """The volume: the staff setting, or the guests' choice since somebody sat down."""

    def __init__(self, settings: SoundAndLight) -> None:
        self.settings = settings
        self.of_guests: int | None = None
        """Percent chosen by guests, None before a choice."""
        self.tried: int | None = None
        """Percent under the staff cursor while choosing, so that staff hear it."""

    @property
    def now(self) -> int:
        """The volume in effect, in percent."""
        return self._settled if self.tried is None else self.tried

    def on_message(self, message: Message | HostMessage, scene: Scene) -> None:
        """Follow the staff settings."""
        if isinstance(message, SoundAndLight):
            self.on_settings(message)

    def on_settings(self, settings: SoundAndLight) -> None:
        """Take the staff settings. A new staff volume replaces the guests' choice."""
        if settings.volume != self.settings.volume:
            self.of_guests = None
        self.settings = settings

    def step(self, by: int) -> None:
        """Change the volume for guests by steps; from beyond their bounds it only moves back within them."""
        least, most, now = self.settings.guests_volume_min, self.settings.guests_volume_max, self._settled
        if not self.settings.lets_guests or most is None or (now >= most if by > 0 else now <= least):
            return
        self.of_guests = max(least, min(now + by * VOLUME_STEP, most))

    @property
    def _settled(self) -> int:
        settings = self.settings
        if self.of_guests is None or not settings.lets_guests or settings.guests_volume_max is None:
            return settings.volume
        return max(settings.guests_volume_min, min(self.of_guests, settings.guests_volume_max))
