"""Which device events may be acknowledged: `Daemon` has the journal keep that with every record.

A cup or board repeats an event until it is acknowledged, to the next daemon too. So an event counts as processed in the
very record that holds its effect: after a crash the device repeats an event that had no effect yet, and no other. Pure;
`Table.has_pending_action` says which seats have events without an effect yet.
"""

from collections.abc import Callable, Mapping, Sequence

from drivers.messages import DeviceEvent, Message

MAX_HELD = 1000
"""Messages of one seat that may wait until an OK that is down has a meaning, which takes less than half a second."""


class AckTracker:
    """The messages between the table's answer and the disk, each seat's in their order.

    `positions` is the journal's part of it: the last event of each device that the next record includes.
    """

    def __init__(self, positions: Mapping[str, int]) -> None:
        self._positions = dict(positions)
        self._pending: dict[int, list[tuple[Message, DeviceEvent | None]]] = {}  # by seat
        self._completed: list[Message] = []

    @property
    def positions(self) -> Mapping[str, int]:
        """The last event of each device that has had its effect."""
        return self._positions

    def add(self, message: Message, event: DeviceEvent | None) -> None:
        """Track a message that the table has taken; `event` is None if no device repeats it."""
        pending = self._pending.setdefault(message.seat, [])
        pending.append((message, event))
        if len(pending) > MAX_HELD:
            self.complete_seat(message.seat)

    def complete(self, holds: Callable[[int], bool]) -> None:
        """Complete the messages of every seat for which the table holds nothing back."""
        for seat in [seat for seat in self._pending if not holds(seat)]:
            self.complete_seat(seat)

    def complete_seat(self, seat: int) -> None:
        """Complete all messages of a seat."""
        for message, event in self._pending.pop(seat, ()):
            self._completed.append(message)
            if event is not None:
                self._positions[event.device] = event.event

    def take_completed(self) -> Sequence[Message]:
        """Return each completed message once; they are durable as soon as the table's effects are carried out."""
        completed, self._completed = self._completed, []
        return completed
