"""The interface of all table parts. `Table` goes through its list of parts without naming one."""

from drivers.messages import Message
from firmware_host.table.effects import HostMessage
from firmware_host.table.scenes.scene import Scene


class Part:
    """A part of the table that follows messages and time. By default it ignores both."""

    @property
    def deadline_ns(self) -> int | None:
        """The next moment at which `tick` has work, or a shown value changes by itself."""
        return None

    def on_message(self, message: Message | HostMessage, scene: Scene) -> None:
        """Note a message, before the scene handles it."""

    def tick(self, now_ns: int) -> None:
        """Carry out overdue work."""

    def discard(self) -> None:
        """Forget collected and unfinished work, after a table call raised."""

    def on_displayed(self, now_ns: int) -> None:
        """Note that the last effects are carried out: displays show their changes."""
