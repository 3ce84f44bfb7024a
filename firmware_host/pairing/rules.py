"""Who takes in a cup or a board that belongs to no seat: messages in, a seat out.

A cup goes to the seat that holds OK while it is shaken, a board to the seat that its own ◀ ▶ have chosen, if its own OK
is held while it is shaken. Only a seat that misses its own device takes one. Pure; `strangers` opens the ports.

A tap of OK is no holding, however fast a program pretends to have been shaken meanwhile.
"""

from collections.abc import Mapping

from msgspec import Struct

from drivers.messages import Button, Device, Event, Found, Lost, Message, Pressed, Released, Settled, Shaken
from firmware_host.table.key_input import HOLD_NS

_NOBODY: frozenset[int] = frozenset()
_STEPS = {Button.LEFT: -1, Button.RIGHT: +1}


class Offer(Struct, frozen=True):
    """What a board that is nobody's shows: the seats that miss theirs, and the one it would be for now."""

    seats: tuple[int, ...]
    chosen: int


class _Stranger(Struct):
    device: Device
    chosen: int = -1  # a seat that misses its board
    ok_is_held: bool = False
    shaken_for: frozenset[int] = _NOBODY


class Adoption:
    """What seats miss, and what there is that could be theirs. `devices` are the seats' cups and boards by seat."""

    def __init__(self, devices: Mapping[int, Device]) -> None:
        self._devices = devices
        self._missing: set[int] = set()
        self._held_since_ns: dict[int, int] = {}  # seats whose own OK is down
        self._strangers: dict[str, _Stranger] = {}

    @property
    def is_wanted(self) -> bool:
        """Whether any seat misses its cup or board."""
        return bool(self._missing)

    def heard(self, message: Message) -> None:
        """Take what a seat's own drivers say."""
        match message:
            case Lost(seat, device):
                if self._devices.get(seat) is device:
                    self._missing.add(seat)
                if device is Device.BUTTONS:
                    self._held_since_ns.pop(seat, None)
            case Found(seat, device) if self._devices.get(seat) is device:
                self._missing.discard(seat)
            case Pressed(seat, Button.OK, at_ns):
                self._held_since_ns[seat] = at_ns
            case Released(seat, Button.OK):
                self._held_since_ns.pop(seat, None)

    def met(self, stranger: str, device: Device) -> None:
        """A stranger has said what it is."""
        self._strangers[stranger] = _Stranger(device)

    def gone(self, stranger: str) -> None:
        """It is there no more, or is one no more."""
        self._strangers.pop(stranger, None)

    def said(self, stranger: str, event: Event) -> int | None:
        """Take what a stranger says; the seat whose it is from now on."""
        here = self._strangers.get(stranger)
        if here is None:
            return None
        match event:
            case Pressed(_, Button.OK):
                here.ok_is_held = True
            case Released(_, Button.OK):
                here.ok_is_held = False
            case Pressed(_, button) if button in _STEPS and (offer := self.offer(stranger)):
                place = offer.seats.index(offer.chosen) + _STEPS[button]
                here.chosen = offer.seats[place % len(offer.seats)]
            case Shaken():
                here.shaken_for = self._takers(stranger, here)
            case Settled(_, at_ns):
                takers = here.shaken_for & self._takers(stranger, here)
                here.shaken_for = _NOBODY
                return self._only(takers, here, at_ns)
        return None

    def offer(self, stranger: str) -> Offer | None:
        """What a stranger shows if it is a board; None where nobody misses one."""
        here = self._strangers.get(stranger)
        seats = () if here is None or here.device is not Device.BOARD else self._without(Device.BOARD)
        if here is None or not seats:
            return None
        return Offer(seats, here.chosen if here.chosen in seats else seats[0])

    def _takers(self, stranger: str, here: _Stranger) -> frozenset[int]:
        """The seats that would take it in if it were put down now."""
        if here.device is Device.CUP:
            return frozenset(self._without(Device.CUP)) & self._held_since_ns.keys()
        offer = self.offer(stranger)
        return frozenset({offer.chosen}) if offer and here.ok_is_held else _NOBODY

    def _only(self, takers: frozenset[int], here: _Stranger, at_ns: int) -> int | None:
        """The one seat that takes in what is put down now."""
        if len(takers) != 1:
            return None
        (seat,) = takers
        is_tap = here.device is Device.CUP and at_ns - self._held_since_ns[seat] < HOLD_NS
        return None if is_tap else seat

    def _without(self, device: Device) -> tuple[int, ...]:
        return tuple(sorted(seat for seat in self._missing if self._devices[seat] is device))
