"""Which of a cup's numbered events are new, and up to which one the cup may forget them.

What a cup's numbered event is as a message of the table; `SerialLink` asks.
"""

from drivers.messages import Button, Event, Levelled, Pressed, Released, Settled, Shaken, Tilted
from hardware.link import messages as link

NUMBER_BITS = 32


class EventOrder:
    """Follows one cup's numbering: in order, without gaps, each once, acknowledged when durable.

    Outside, an event is known by `event = boot << 32 | number`, so that an acknowledgement that comes late
    never meets an event of the cup's next start. `after` is the last event that an earlier run of the host made
    durable, 0 for none.
    """

    def __init__(self, after: int = 0) -> None:
        self.boot = after >> NUMBER_BITS
        self._durable = after & (1 << NUMBER_BITS) - 1
        self._taken = self._durable
        self._early: set[int] = set()

    @property
    def durable(self) -> int:
        """The number up to which every event is durable: what an acknowledgement says."""
        return self._durable

    @property
    def taken(self) -> int:
        """The number of the last event that was taken."""
        return self._taken

    def may_come_again(self, event: int) -> bool:
        """Whether the cup tells an event again: one of this start that it may not forget yet."""
        return event >> NUMBER_BITS == self.boot and event & (1 << NUMBER_BITS) - 1 > self._durable

    def begin(self, boot: int, oldest: int) -> bool:
        """Take a hello: the cup's start and its first event that waits. Return whether the cup was started anew."""
        is_new = boot != self.boot
        if is_new:
            self.boot = boot
            self._durable = self._taken = oldest - 1
            self._early.clear()
        elif oldest > self._taken + 1:  # the cup was told more than we know of: an earlier run of the host did
            self._durable = self._taken = oldest - 1
        return is_new

    def forget_after(self, event: int) -> None:
        """Take what came after an event once more: who took it has died before it was told. `event` is 0 for none."""
        boot, number = event >> NUMBER_BITS, event & (1 << NUMBER_BITS) - 1
        self._taken = max(self._durable, number if boot == self.boot else 0)
        self._early = {early for early in self._early if early <= self._taken}

    def take(self, number: int) -> int | None:
        """Return the event for a number that is the next one, None for one that was taken before or comes too soon."""
        if number != self._taken + 1:
            return None
        self._taken = number
        return self.boot << NUMBER_BITS | number

    def settle(self, event: int) -> bool:
        """Note that an event is durable; return whether the cup may forget more than before."""
        boot, number = event >> NUMBER_BITS, event & (1 << NUMBER_BITS) - 1
        if boot != self.boot or not self._durable < number <= self._taken:
            return False
        self._early.add(number)
        before = self._durable
        while self._durable + 1 in self._early:
            self._durable += 1
            self._early.remove(self._durable)
        return self._durable > before


def message_of(said: link.Event, seat: int, at_ns: int, event: int) -> Event | None:
    """Return the message for a cup's event, None for one that this host has no message for."""
    match said.what:
        case link.SHAKEN:
            return Shaken(seat, at_ns, event)
        case link.SETTLED:
            return Settled(seat, at_ns, b"", event)
        case link.TILTED:
            return Tilted(seat, at_ns, event)
        case link.LEVELLED:
            return Levelled(seat, at_ns, event)
        case link.PRESSED if button := _button(said.detail):
            return Pressed(seat, button, at_ns, event)
        case link.RELEASED if button := _button(said.detail):
            return Released(seat, button, at_ns, event)
    return None


def _button(detail: bytes) -> Button | None:
    if len(detail) != 1 or detail[0] >= len(link.BUTTON_NAMES):
        return None
    return Button(link.BUTTON_NAMES[detail[0]])
