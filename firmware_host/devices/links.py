"""The cups and boards that have a program of their own, and what must be known of each whichever driver serves it.

`Devices` adds those of a layout; for the daemon they are the way back to the cups, see `daemon.Cups`.
"""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from drivers.messages import Device, Message, Opened, Post
from firmware_host.daemon.event_acks import DeviceEvent
from firmware_host.devices.dongle import Dongle
from firmware_host.host_io.ports import Ports
from firmware_host.supervision.kept_panels import KeptPanel
from firmware_host.supervision.supervision import Build, Ward
from firmware_host.supervision.wards import Wards
from hardware.config.layout import SerialDevice

if TYPE_CHECKING:
    from drivers.link.port import Port
    from drivers.link.session import LinkSession

Link = TypeVar("Link", bound="LinkSession")


class Links:
    """What is at the far end of each seat's link, where it has one. `panels` are those of boards, by seat.

    `heard` is the last event of each device that an earlier daemon made durable, as `told` names them.
    """

    def __init__(self, wires: Ports, wards: Wards, heard: Mapping[str, int]) -> None:
        self.panels: dict[int, KeptPanel] = {}
        self._wires = wires
        self._wards = wards
        self._heard = {**heard}
        self._links: dict[int, Ward[Any]] = {}  # by seat, as are these
        self._ids: dict[int, str] = {}  # of their cups and boards; behind a dongle with the address
        self._told: dict[int, int] = {}  # the last event that each has told
        self._asked: dict[int, Callable[[LinkSession], None]] = {}  # of each, last
        self._dongles: dict[str, Dongle] = {}

    def told(self, message: Message) -> DeviceEvent | None:
        """Which event of which device a message is, None if no device tells it again.

        Devices are known by their ids, wherever they are: what stands in for another has a past of its own.
        """
        event = getattr(message, "event", None)
        if event is None or not self._links[message.seat].ask_latest(lambda link: link.is_retransmittable(event)):
            return None
        return DeviceEvent(self._ids[message.seat].casefold(), event)

    def durable(self, message: Message) -> None:
        """A message is on disk: let the cup that sent it forget it."""
        event = getattr(message, "event", None)
        if event is not None:
            self._links[message.seat].ask_latest(lambda link: link.acknowledge(event))

    def draw(self, seat: int, deal: bytes) -> None:
        """Have a cup bind itself for a deal, whenever it is there; `Drawn` follows. A cup without a program can't."""
        self._ask(seat, lambda link: link.draw(deal))

    def open_deal(self, seat: int, deal: bytes, head: bytes) -> None:
        """Have a cup open what it was bound to; `Opened` follows."""
        self._ask(seat, lambda link: link.open_deal(deal, head))

    def assign(self, seat: int, identity: str, after: int) -> None:
        """Have another cup or board at a seat; what it said up to event `after` has been heard."""
        self._ids[seat] = identity
        self._heard[identity.casefold()] = after
        self._told[seat] = after
        self._links[seat].ask(lambda link: link.rebind(identity, after))

    def _ask(self, seat: int, act: "Callable[[LinkSession], None]") -> None:
        if seat in self._links:
            self._asked[seat] = act
            self._links[seat].ask(act)

    # What a layout has

    def add_board(self, seat: int, device: SerialDevice) -> None:
        """A seat's board, and its panel."""
        from drivers.link.seat_board import SeatBoard

        def build(loop: asyncio.AbstractEventLoop, post: Post) -> SeatBoard:
            opener, identity, after = self._opener(seat), self._ids[seat], self._after(seat)
            return SeatBoard(seat, opener, loop=loop, post=self._noting(post), identity=identity, after=after)

        def has_come(board: SeatBoard) -> None:
            self._carry_on(seat, board)
            self.panels[seat].show_again(board)

        ward = self._add(seat, device.id, Device.BOARD, build, has_come)
        self.panels[seat] = KeptPanel(ward.ask)

    def add_cup(self, seat: int, device: SerialDevice) -> None:
        """A seat's cup, behind a dongle if it has an address."""
        from drivers.link.devices import SerialCup

        dongle = self._dongle(device.id) if device.address else None

        def build(loop: asyncio.AbstractEventLoop, post: Post) -> SerialCup:
            return SerialCup(
                seat,
                dongle.line() if dongle else self._opener(seat),
                loop=loop,
                post=self._noting(post),
                identity=None if dongle else self._ids[seat],
                address=device.address,
                after=self._after(seat),
            )

        identity = f"{device.id}/{device.address}" if dongle else device.id
        ward = self._add(seat, identity, Device.CUP, build, partial(self._carry_on, seat))
        if dongle:
            dongle.cups.append(ward)

    def _add(
        self, seat: int, identity: str, device: Device, build: Build[Link], has_come: Callable[[Link], None]
    ) -> Ward[Link]:
        self._ids[seat] = identity
        ward = self._links[seat] = self._wards.watch_at(seat, device, build, has_come=has_come)
        return ward

    def _opener(self, seat: int) -> "Callable[[], Port]":
        """Opens the port of the device that is the seat's by then."""
        return lambda: self._wires.open_port(self._ids[seat])

    def _dongle(self, serial_id: str) -> Dongle:
        key = serial_id.casefold()
        if key not in self._dongles:
            self._dongles[key] = Dongle(serial_id, self._wires, self._wards)
        return self._dongles[key]

    # From one driver to the next

    def _after(self, seat: int) -> int:
        return self._heard.get(self._ids[seat].casefold(), 0)

    def _noting(self, post: Post) -> Post:
        """`post`, and a note of what a driver that takes this one's place must know."""

        def note(message: Message) -> None:
            if (event := getattr(message, "event", None)) is not None:
                self._told[message.seat] = event
            elif isinstance(message, Opened):
                self._asked.pop(message.seat, None)
            post(message)

        return note

    def _carry_on(self, seat: int, link: "LinkSession") -> None:
        """Teach a driver what its predecessor knew: of the cup's events, and what the cup was asked."""
        before = self._links[seat].predecessor
        if before is not None and before.identity == link.identity:
            link.resume_from(before, self._told.get(seat, 0))
        if seat in self._asked:
            self._asked[seat](link)
