"""Which events of the cups the evening rests on: for `daemon`, which has the journal keep them with every record.

A cup tells an event again until it is acknowledged, to the next daemon too. So an event counts as heard in the very
record that holds what it did: one that came to nothing yet is told again after a crash, one that has done its work is
not. Pure; `Table.holds` says what came to nothing yet.
"""

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from drivers.messages import Message

MOST_HELD = 1000
"""So much of a seat may wait for what an OK that is down will mean; that takes less than half a second."""


class Told(Struct, frozen=True):
    """An event that a device may tell again: the device's name, the same in every run, and the driver's number."""

    device: str
    event: int


class Heard:
    """Follows the messages from the table's answer until they are durable, each seat's in their order.

    `upto` is what the journal has to say of it: the last event of each device that the next record rests on.
    """

    def __init__(self, upto: Mapping[str, int]) -> None:
        self._upto = dict(upto)
        self._taken: dict[int, list[tuple[Message, Told | None]]] = {}  # by seat
        self._settled: list[Message] = []

    @property
    def upto(self) -> Mapping[str, int]:
        """The last event of each device that has done its work."""
        return self._upto

    def take(self, message: Message, told: Told | None) -> None:
        """The table has taken a message; `told` if its device may tell it again."""
        taken = self._taken.setdefault(message.seat, [])
        taken.append((message, told))
        if len(taken) > MOST_HELD:
            self.settle_seat(message.seat)

    def settle(self, holds: Callable[[int], bool]) -> None:
        """What came from seats where nothing is held back has done its work."""
        for seat in [seat for seat in self._taken if not holds(seat)]:
            self.settle_seat(seat)

    def settle_seat(self, seat: int) -> None:
        """All that came from a seat has done its work."""
        for message, told in self._taken.pop(seat, ()):
            self._settled.append(message)
            if told is not None:
                self._upto[told.device] = told.event

    def settled(self) -> Sequence[Message]:
        """The messages that have done their work, each once: durable as soon as the table's answer is carried out."""
        settled, self._settled = self._settled, []
        return settled
