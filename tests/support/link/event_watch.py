"""Whether the driver posts what the cup said: each event once, in order, as it was and when it was."""

from drivers.messages import Button, Event, Levelled, Pressed, Released, Settled, Shaken, Tilted
from hardware.link import messages as link
from hardware.link.framing import unframe

KINDS = {
    link.SHAKEN: Shaken,
    link.SETTLED: Settled,
    link.TILTED: Tilted,
    link.LEVELLED: Levelled,
    link.PRESSED: Pressed,
    link.RELEASED: Released,
}


class EventWatch:
    """Hears the cup at its own end of the cable and the driver at the other.

    `began_ns` is the loop's time at which the cup was started: its clock's zero. `pushed` is counted by whoever
    presses and releases buttons.
    """

    def __init__(self, began_ns: int) -> None:
        self.pushed = 0
        self.checked = 0
        """How many events were found to be right so far, which is the number of the last."""
        self._began_ns = began_ns
        self._said: dict[int, link.Event] = {}
        self._got: list[tuple[Event, int]] = []

    @property
    def on_their_way(self) -> int:
        """How many were said and not yet posted."""
        return len(self._said) - len(self._got)

    @property
    def unposted_pushes(self) -> int:
        """How many presses and releases of fingers were not yet posted, be it that the cup has not said them yet."""
        return self.pushed - sum(isinstance(event, Pressed | Released) for event, _ in self._got)

    @property
    def got(self) -> list[Event]:
        """What was posted since the last check."""
        return [event for event, _ in self._got]

    def on_frame(self, frame: bytes) -> None:
        """A frame left the cup."""
        _, message = link.from_body(unframe(frame.rstrip(b"\0")))
        if isinstance(message, link.Event) and message.number > self.checked:
            before = self._said.setdefault(message.number, message)
            assert before == message, f"{before!r} was repeated as {message!r}"

    def posted(self, event: Event, error_ns: int) -> None:
        """The driver posted it and stated this error of its stamp."""
        self._got.append((event, error_ns))

    def check(self) -> None:
        """Compare what there is: everything that was said must have been posted."""
        said = list(self._said.values())
        assert list(self._said) == list(range(self.checked + 1, self.checked + len(said) + 1)), "a number was left out"
        pushes = sum(message.what in (link.PRESSED, link.RELEASED) for message in said)
        assert pushes == self.pushed, f"{self.pushed} presses and releases, {pushes} told"
        assert len(self._got) == len(said), f"{len(said)} events, {len(self._got)} posted"
        for message, (event, error_ns) in zip(said, self._got, strict=True):
            assert _is(event, message), f"{message!r} was posted as {event!r}"
            wrong_ns = abs(event.at_ns - self._began_ns - message.at_ns)
            assert wrong_ns <= error_ns + 1, f"{event!r} is {wrong_ns} ns wrong, stated were {error_ns}"
        self.checked += len(said)
        self._said.clear()
        self._got.clear()
        self.pushed = 0


def _is(event: Event, message: link.Event) -> bool:
    if type(event) is not KINDS[message.what] or event.event is None:
        return False
    if isinstance(event, Pressed | Released) and event.button is not Button(link.BUTTON_NAMES[message.detail[0]]):
        return False
    return event.event == message.boot << 32 | message.number
