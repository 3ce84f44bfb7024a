"""Rules for giving an unassigned cup or board a seat: messages in, a seat out.

A cup goes to the seat holding OK while the cup is shaken. A board goes to the seat chosen with the board's own ◀ ▶, if
the board's OK is held while it is shaken. Only a seat with its own device missing gets one. Pure; `UnassignedScanner`
opens the ports.

OK must be held for `HOLD_NS`: a tap assigns nothing, however fast a device claims to have been shaken.
"""

from collections.abc import Mapping

from msgspec import Struct

from drivers.messages import Button, Device, Event, Found, Lost, Message, Pressed, Released, Settled, Shaken
from firmware_host.table.seat.key_input import HOLD_NS
from firmware_host.wire import Seat

_NO_SEATS: frozenset[Seat] = frozenset()
_STEPS = {Button.LEFT: -1, Button.RIGHT: +1}


class Offer(Struct, frozen=True):
    """An unassigned board's picture: the seats with a missing board, and the chosen one."""

    seats: tuple[Seat, ...]
    chosen: Seat


class _Unassigned(Struct):
    device: Device
    chosen: Seat | None = None  # with a missing board
    ok_is_held: bool = False
    shaken_for: frozenset[Seat] = _NO_SEATS


class PairingRules:
    """Missing and unassigned devices. `devices` has each seat's kind of replaceable device."""

    def __init__(self, devices: Mapping[Seat, Device]) -> None:
        self._devices = devices
        self._missing: set[Seat] = set()
        self._held_since_ns: dict[Seat, int] = {}  # seats whose own OK is down
        self._unassigned: dict[str, _Unassigned] = {}

    @property
    def is_wanted(self) -> bool:
        """Whether any seat's cup or board is missing."""
        return bool(self._missing)

    def on_seat_message(self, message: Message) -> None:
        """Handle a message from a seat's own driver."""
        seat = Seat(message.seat)
        match message:
            case Lost(_, device):
                if self._devices.get(seat) is device:
                    self._missing.add(seat)
                if device is Device.BUTTONS:
                    self._held_since_ns.pop(seat, None)
            case Found(_, device) if self._devices.get(seat) is device:
                self._missing.discard(seat)
            case Pressed(_, Button.OK, at_ns):
                self._held_since_ns[seat] = at_ns
            case Released(_, Button.OK):
                self._held_since_ns.pop(seat, None)

    def seen(self, port: str, device: Device) -> None:
        """Add an unassigned device after it has identified itself at a port."""
        self._unassigned[port] = _Unassigned(device)

    def is_board(self, port: str) -> bool:
        """Return whether a port's device has identified itself as a board."""
        return port in self._unassigned and self._unassigned[port].device is Device.BOARD

    def removed(self, port: str) -> None:
        """Forget an unplugged or assigned device."""
        self._unassigned.pop(port, None)

    def on_event(self, port: str, event: Event) -> Seat | None:
        """Handle an unassigned device's event; return the seat that gets the device with it, if any."""
        here = self._unassigned.get(port)
        if here is None:
            return None
        match event:
            case Pressed(_, Button.OK):
                here.ok_is_held = True
            case Released(_, Button.OK):
                here.ok_is_held = False
            case Pressed(_, button) if button in _STEPS and (offer := self.offer(port)):
                index = offer.seats.index(offer.chosen) + _STEPS[button]
                here.chosen = offer.seats[index % len(offer.seats)]
            case Shaken():
                here.shaken_for = self._takers(port, here)
            case Settled(_, at_ns):
                takers = here.shaken_for & self._takers(port, here)
                here.shaken_for = _NO_SEATS
                return self._only(takers, here, at_ns)
        return None

    def offer(self, port: str) -> Offer | None:
        """Return an unassigned board's offer; None for a cup, or while no board is missing."""
        here = self._unassigned.get(port)
        seats = () if here is None or here.device is not Device.BOARD else self._missing_a(Device.BOARD)
        if here is None or not seats:
            return None
        return Offer(seats, here.chosen if here.chosen in seats else seats[0])

    def _takers(self, port: str, here: _Unassigned) -> frozenset[Seat]:
        """Return the seats that would get the device if put down now."""
        if here.device is Device.CUP:
            return frozenset(self._missing_a(Device.CUP)) & self._held_since_ns.keys()
        offer = self.offer(port)
        return frozenset({offer.chosen}) if offer and here.ok_is_held else _NO_SEATS

    def _only(self, takers: frozenset[Seat], here: _Unassigned, at_ns: int) -> Seat | None:
        """Return the only seat to get a device put down now; None with several or without one."""
        if len(takers) != 1:
            return None
        (seat,) = takers
        is_tap = here.device is Device.CUP and at_ns - self._held_since_ns[seat] < HOLD_NS
        return None if is_tap else seat

    def _missing_a(self, device: Device) -> tuple[Seat, ...]:
        return tuple(sorted(seat for seat in self._missing if self._devices[seat] is device))
