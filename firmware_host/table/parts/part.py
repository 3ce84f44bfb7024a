"""The life that every part of a table shares. `Table` goes through the list of its parts; none is called by name."""

from drivers.messages import Message
from firmware_host.table.effects import HostMessage
from firmware_host.table.scenes.scene import Scene


class Part:
    """A part of the table that follows messages and time. By default it does neither."""

    @property
    def deadline_ns(self) -> int | None:
        """The next moment at which `tick` has something to do, or something shown changes by itself."""
        return None

    def on_message(self, message: Message | HostMessage, scene: Scene) -> None:
        """Note a message, before the scene handles it."""

    def tick(self, now_ns: int) -> None:
        """Do what has become due."""

    def discard(self) -> None:
        """Forget what was collected or begun, after a call of the table that raised."""

    def on_displayed(self, now_ns: int) -> None:
        """Note that the last effects are carried out: the displays show what they changed."""
