"""The workbench's side of a page: its waiting frames, its rights, and its held buttons and cups."""

import asyncio
from collections.abc import Callable, Hashable, Sequence

from firmware_host.play.workbench import protocol
from firmware_host.wire import Seat
from hardware.emulated.seat import EmulatedSeat

MAX_WAITING = 256
"""Frames that may wait for a page; a page that does not read is disconnected beyond that."""

Frame = str | bytes


class Outbox:
    """One page's waiting frames, in order. A newer frame with the same key replaces the older one."""

    def __init__(self) -> None:
        self._waiting: dict[Hashable, Frame] = {}
        self._arrived = asyncio.Event()
        self._count = 0

    @property
    def is_full(self) -> bool:
        """Whether more than `MAX_WAITING` frames wait."""
        return len(self._waiting) > MAX_WAITING

    def put(self, frame: Frame, key: Hashable = None) -> None:
        """Queue a frame at the end; with a key, in place of the waiting frame under it."""
        self._count += 1
        key = self._count if key is None else (key,)
        self._waiting.pop(key, None)
        self._waiting[key] = frame
        self._arrived.set()

    def drop(self, key: Hashable) -> None:
        """Remove the waiting frame under a key."""
        self._waiting.pop((key,), None)

    async def take(self) -> Frame:
        """Wait for the next frame."""
        while not self._waiting:
            self._arrived.clear()
            await self._arrived.wait()
        return self._waiting.pop(next(iter(self._waiting)))


class Client:
    """One page and the person at it. `disconnect` ends the connection."""

    def __init__(self, disconnect: Callable[[], None]) -> None:
        self.outbox = Outbox()
        self.uncovered: set[Seat] = set()
        self._disconnect = disconnect
        self.language = "en"
        self.has_chosen_language = False
        self.name = ""
        self._shown: dict[Seat, bytes] = {}
        self._spoken: dict[Seat, protocol.Spoken] = {}
        self._pressed: set[tuple[Seat, str]] = set()
        self._lifted: set[Seat] = set()

    def begin_again(self) -> None:
        """End the connection; the page makes another one, and is sent everything."""
        self._disconnect()

    def send(self, message: protocol.ServerMessage, key: object = None) -> None:
        """Queue a message to the page; with a key, in place of the waiting one under it."""
        self.outbox.put(protocol.encode(message), key)
        if self.outbox.is_full:
            self._disconnect()

    def send_picture(self, seat: Seat, frame: bytes) -> None:
        """Queue a picture, unless the page has it."""
        if self._shown.get(seat) != frame:
            self._shown[seat] = frame
            self.outbox.put(frame, ("picture", seat))

    def send_spoken(self, spoken: protocol.Spoken) -> None:
        """Queue a display in words, unless the page has it."""
        if self._spoken.get(spoken.seat) != spoken:
            self._spoken[spoken.seat] = spoken
            self.send(spoken, ("spoken", spoken.seat))

    def withdraw_display(self, seat: Seat) -> None:
        """Remove unsent pictures and words, and send the next ones unconditionally."""
        self._shown.pop(seat, None)
        self._spoken.pop(seat, None)
        self.outbox.drop(("picture", seat))
        self.outbox.drop(("spoken", seat))

    def act(self, seat: Seat, emulated: EmulatedSeat, action: protocol.SeatAction) -> None:
        """Carry out this page's action at a seat."""
        match action:
            case protocol.Press(_, button):
                self._pressed.add((seat, button))
                emulated.press(button)
            case protocol.Release(_, button):
                self._pressed.discard((seat, button))
                emulated.release(button)
            case protocol.Shake():
                self._lifted.discard(seat)
                if emulated.is_at_rest:
                    emulated.shake()
            case protocol.Tilt():
                self._lifted.add(seat)
                emulated.tilt()
            case protocol.Level():
                self._lifted.discard(seat)
                emulated.level()
            case protocol.Unplug(_, device):
                emulated.unplug(device)
            case protocol.Plug(_, device):
                emulated.plug(device)
            case protocol.Turn(_, on):
                emulated.turn_key(on=on)

    def forget(self, seats: set[Seat]) -> None:
        """Forget the page's held buttons and cups at these seats: the new occupant has already released them."""
        self._pressed = {(seat, button) for seat, button in self._pressed if seat not in seats}
        self._lifted -= seats

    def let_go(self, seats: Sequence[EmulatedSeat]) -> None:
        """Release the page's buttons and put down its cups."""
        for seat, button in self._pressed:
            if button in seats[seat].pressed:
                seats[seat].release(button)
        for seat in self._lifted:
            if seats[seat].cup == "up":
                seats[seat].level()
        self._pressed.clear()
        self._lifted.clear()
