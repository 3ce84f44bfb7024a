"""A device's numbered events: new ones, acknowledged ones, and their messages for the table."""

from drivers.messages import Button, Event, Levelled, Pressed, Released, Settled, Shaken, Tilted
from hardware.link import messages as link

NUMBER_BITS = 32


class EventSequence:
    """Accepts one device's events in order, without gaps and once each, and tracks durable ones.
    Its users know an event by `event = boot << 32 | number`, so a late acknowledgement never matches an event from the
    device's next boot. `after` is the last event made durable by an earlier run of the host, 0 without one.
    """

    def __init__(self, after: int = 0) -> None:
        self.boot = after >> NUMBER_BITS
        self._durable = after & (1 << NUMBER_BITS) - 1
        self._accepted = self._durable
        self._early: set[int] = set()

    @property
    def durable(self) -> int:
        """The last durable and acknowledged event's number."""
        return self._durable

    @property
    def accepted(self) -> int:
        """The last accepted event's number."""
        return self._accepted

    def is_retransmittable(self, event: int) -> bool:
        """Return whether the device will send an event again: one from this boot without acknowledgement."""
        return event >> NUMBER_BITS == self.boot and event & (1 << NUMBER_BITS) - 1 > self._durable

    def begin(self, boot: int, oldest: int) -> bool:
        """Take a hello's boot and its oldest waiting event. Return whether the boot is new."""
        is_new = boot != self.boot
        if is_new:
            self.boot = boot
            self._durable = self._accepted = oldest - 1
            self._early.clear()
        elif oldest > self._accepted + 1:  # an earlier run of the host acknowledged events unknown to this one
            self._durable = self._accepted = oldest - 1
        return is_new

    def rewind_to(self, event: int) -> None:
        """Accept the events after `event` (0: all) again: the driver that accepted them ended before posting them."""
        boot, number = event >> NUMBER_BITS, event & (1 << NUMBER_BITS) - 1
        self._accepted = max(self._durable, number if boot == self.boot else 0)
        self._early = {early for early in self._early if early <= self._accepted}

    def accept(self, number: int) -> int | None:
        """Return the event for the next number, None for a repeated or premature one."""
        if number != self._accepted + 1:
            return None
        self._accepted = number
        return self.boot << NUMBER_BITS | number

    def acknowledge(self, event: int) -> bool:
        """Mark an event as durable; return whether the device may forget more than before."""
        boot, number = event >> NUMBER_BITS, event & (1 << NUMBER_BITS) - 1
        if boot != self.boot or not self._durable < number <= self._accepted:
            return False
        self._early.add(number)
        before = self._durable
        while self._durable + 1 in self._early:
            self._durable += 1
            self._early.remove(self._durable)
        return self._durable > before


def decode_event(received: link.Event, seat: int, at_ns: int, event: int) -> Event | None:
    """Return the message for a device's event, None for a kind unknown to this host."""
    match received.what:
        case link.SHAKEN:
            return Shaken(seat, at_ns, event)
        case link.SETTLED:
            return Settled(seat, at_ns, b"", event)
        case link.TILTED:
            return Tilted(seat, at_ns, event)
        case link.LEVELLED:
            return Levelled(seat, at_ns, event)
        case link.PRESSED if button := _button(received.detail):
            return Pressed(seat, button, at_ns, event)
        case link.RELEASED if button := _button(received.detail):
            return Released(seat, button, at_ns, event)
    return None


def _button(detail: bytes) -> Button | None:
    if len(detail) != 1 or detail[0] >= len(link.BUTTON_NAMES):
        return None
    return Button(link.BUTTON_NAMES[detail[0]])
