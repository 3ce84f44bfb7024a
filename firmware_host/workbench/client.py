"""One page as the workbench knows it: what waits to be sent to it, what it may see, what its fingers hold."""

from collections.abc import Callable, Sequence

from firmware_host.workbench import protocol
from firmware_host.workbench.outbox import Outbox
from hardware.emulated.seat import EmulatedSeat


class Page:
    """A person at the table, from the chairs' side. `cut_off` ends the connection of a page that does not read."""

    def __init__(self, cut_off: Callable[[], None]) -> None:
        self.outbox = Outbox()
        self.uncovered: set[int] = set()
        self._cut_off = cut_off
        self._shown: dict[int, bytes] = {}
        self._pressed: set[tuple[int, str]] = set()
        self._lifted: set[int] = set()

    def hear(self, word: protocol.Word, key: object = None) -> None:
        """Say something to the page; with a key, in place of what was said under it and is not yet sent."""
        self.outbox.put(protocol.write(word), key)
        if self.outbox.is_full:
            self._cut_off()

    def show(self, seat: int, frame: bytes) -> None:
        """Send a picture, unless the page has it."""
        if self._shown.get(seat) != frame:
            self._shown[seat] = frame
            self.outbox.put(frame, ("picture", seat))

    def hide(self, seat: int) -> None:
        """Take back a picture that is not yet sent; the next one will be."""
        self._shown.pop(seat, None)
        self.outbox.drop(("picture", seat))

    def move(self, number: int, seat: EmulatedSeat, motion: protocol.Handiwork) -> None:
        """Do something at a seat with this page's hands."""
        match motion:
            case protocol.Press(_, button):
                self._pressed.add((number, button))
                seat.press(button)
            case protocol.Release(_, button):
                self._pressed.discard((number, button))
                seat.release(button)
            case protocol.Shake():
                self._lifted.discard(number)
                seat.shake()
            case protocol.Tilt():
                self._lifted.add(number)
                seat.tilt()
            case protocol.Level():
                self._lifted.discard(number)
                seat.level()
            case protocol.Unplug(_, device):
                seat.unplug(device)
            case protocol.Plug(_, device):
                seat.plug(device)

    def forget(self, seats: set[int]) -> None:
        """Hold nothing at these seats any more; whoever sat down there took the hands off."""
        self._pressed = {(number, button) for number, button in self._pressed if number not in seats}
        self._lifted -= seats

    def let_go(self, seats: Sequence[EmulatedSeat]) -> None:
        """Take this page's hands off everything they hold."""
        for number, button in self._pressed:
            if button in seats[number].pressed:
                seats[number].release(button)
        for number in self._lifted:
            if seats[number].cup == "up":
                seats[number].level()
        self._pressed.clear()
        self._lifted.clear()
