"""Cups and boards with their own program, and the state that outlives their drivers.

`Devices` adds a layout's. The daemon reaches the cups through them, see `daemon.Cups`.
"""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from drivers.link.port import SerialPort
from drivers.messages import Device, DeviceEvent, Lost, Message, Opened, Post
from firmware_host.devices.displays import DisplayProxy
from firmware_host.devices.host_io.ports import Ports
from firmware_host.devices.supervision.supervisor import Build, DriverSupervisor, SupervisedDriver
from firmware_host.table.staff.requests import UNKNOWN_RELEASE
from firmware_host.wire import Seat
from hardware.config.layout import SerialDevice
from hardware.link.messages import Running

if TYPE_CHECKING:
    from drivers.link.port import Port
    from drivers.link.seat_board import SeatBoard
    from drivers.link.session import LinkSession
    from drivers.link.transfer import ProgramImage

Link = TypeVar("Link", bound="LinkSession")


class LinkFacts(Struct, frozen=True):
    """The state of one seat's cup or board, for owners."""

    seat: Seat
    name: str
    """Its id, behind a dongle with the address."""
    device: Device
    is_up: bool = False
    is_installing: bool = False
    fitted: int | None = None
    """Its parts, a sum of `messages.FITTINGS`; None before its first Hello."""
    running: Running | None = None
    """Its program; None before it tells."""
    has_no_release: bool = False
    """Whether its answers prove a program without releases."""
    update_fault: str = ""
    last_loss: str = ""
    """The reason why it was lost last, empty if it never was."""

    @property
    def release_name(self) -> str:
        """Its release in hexadecimal digits."""
        return self.running.release.hex() if self.running else UNKNOWN_RELEASE


class LinkRegistry:
    """Seats' links. `displays` are the proxies for board displays, by seat.

    `durable_events` has each device's last event made durable by an earlier daemon, by names as in `event_id`.
    """

    def __init__(self, ports: Ports, supervisor: DriverSupervisor, durable_events: Mapping[str, int]) -> None:
        self.displays: dict[Seat, DisplayProxy] = {}
        self._ports = ports
        self._supervisor = supervisor
        self._durable_events = {**durable_events}
        self._links: dict[Seat, SupervisedDriver[Any]] = {}  # by seat, as are these
        self._ids: dict[Seat, str] = {}  # cup and board ids; behind a dongle with the address
        self._last_events: dict[Seat, int] = {}  # posted by each
        self._last_requests: dict[Seat, Callable[[LinkSession], None]] = {}
        self._dongles: dict[str, Dongle] = {}
        self._kinds: dict[Seat, Device] = {}
        self._losses: dict[Seat, str] = {}
        self.on_program_change: Callable[[], None] = lambda: None
        """Called when a device is up, when its program is known, and when an update has failed."""

    def facts(self) -> tuple[LinkFacts, ...]:
        """Return the state of every seat's cup or board, in seat order. A phone's program is a page, not firmware."""
        return tuple(self._facts_of(seat) for seat in sorted(self._links) if self._kinds[seat] is not Device.PHONE)

    def _facts_of(self, seat: Seat) -> LinkFacts:
        known = LinkFacts(seat, self._ids[seat], self._kinds[seat], last_loss=self._losses.get(seat, ""))
        return (
            self._links[seat].call_latest(
                lambda link: replace(
                    known,
                    is_up=link.is_up,
                    is_installing=link.program.is_installing,
                    fitted=link.fitted,
                    running=link.program.running,
                    has_no_release=link.program.has_no_release,
                    update_fault=link.program.fault,
                )
            )
            or known
        )

    def ask_for_program(self, seat: Seat) -> None:
        """Find out whether a seat's device tells its program; `on_program_change` follows."""
        self._links[seat].call(lambda link: link.program.ask())

    def install(self, seat: Seat, image: "ProgramImage") -> None:
        """Send a seat's device a program, and have it started."""
        self._links[seat].call(lambda link: link.program.install(image))

    def stop_installing(self) -> None:
        """Stop every update; each goes on later where it was."""
        for driver in self._links.values():
            driver.call(lambda link: link.program.stop_installing())

    def event_id(self, message: Message) -> DeviceEvent | None:
        """Return the device and number of a message's event, None if it will not be retransmitted.

        Devices are known by their ids, wherever they are: a replacement has its own events.
        """
        event, seat = getattr(message, "event", None), Seat(message.seat)
        if event is None or not self._links[seat].call_latest(lambda link: link.is_retransmittable(event)):
            return None
        return DeviceEvent(self._ids[seat].casefold(), event)

    def durable(self, message: Message) -> None:
        """Acknowledge a durable message to its device."""
        event = getattr(message, "event", None)
        if event is not None:
            self._links[Seat(message.seat)].call_latest(lambda link: link.acknowledge(event))

    def draw(self, seat: Seat, deal: bytes) -> None:
        """Request a cup's commitment for a deal, as soon as it is online; `Drawn` follows."""
        self._request(seat, lambda link: link.draw(deal))

    def open_deal(self, seat: Seat, deal: bytes, head: bytes) -> None:
        """Request a cup's committed entropy; `Opened` follows."""
        self._request(seat, lambda link: link.open_deal(deal, head))

    def assign(self, seat: Seat, identity: str, after: int) -> None:
        """Give a seat another cup or board; its events up to `after` were handled."""
        self._ids[seat] = identity
        self._durable_events[identity.casefold()] = after
        self._last_events[seat] = after
        self._links[seat].call(lambda link: link.rebind(identity, after))

    def _request(self, seat: Seat, act: "Callable[[LinkSession], None]") -> None:
        if seat in self._links:
            self._last_requests[seat] = act
            self._links[seat].call(act)

    # A layout's devices

    def add_board(self, seat: Seat, device: SerialDevice, *, has_key: bool = False) -> None:
        """Add a seat's board, its display, and the service key if wired there."""
        from drivers.link.seat_board import SeatBoard

        def make(loop: asyncio.AbstractEventLoop, post: Post) -> SeatBoard:
            identity, after = self._ids[seat], self._after(seat)
            port = self._opener(seat)
            return SeatBoard(seat, port, loop=loop, post=post, identity=identity, after=after, has_key=has_key)

        self._add_board(seat, device.id, Device.BOARD, make)

    def add_phone(self, seat: Seat, phone: str) -> None:
        """Add a guest's phone and its display. It has no service key, and no board takes its place."""
        from drivers.link.devices import PhoneBoard

        def make(loop: asyncio.AbstractEventLoop, post: Post) -> PhoneBoard:
            after = self._after(seat)
            return PhoneBoard(seat, self._opener(seat), loop=loop, post=post, identity=phone, after=after)

        self._add_board(seat, phone, Device.PHONE, make)

    def _add_board(self, seat: Seat, identity: str, device: Device, make: "Build[SeatBoard]") -> None:
        def build(loop: asyncio.AbstractEventLoop, post: Post) -> "SeatBoard":
            board = make(loop, self._record(post))
            board.program.on_change = self._program_changed
            return board

        def resume(board: "SeatBoard") -> None:
            self._resume(seat, board)
            self.displays[seat].replay(board)

        driver = self._add(seat, identity, device, build, resume)
        self.displays[seat] = DisplayProxy(driver, driver.driver, speaks=device is Device.PHONE)

    def add_cup(self, seat: Seat, device: SerialDevice) -> None:
        """Add a seat's cup, behind a dongle if it has an address."""
        from drivers.link.devices import SerialCup

        dongle = self._dongle(device.id) if device.address else None

        def build(loop: asyncio.AbstractEventLoop, post: Post) -> SerialCup:
            cup = SerialCup(
                seat,
                dongle.line() if dongle else self._opener(seat),
                loop=loop,
                post=self._record(post),
                identity=None if dongle else self._ids[seat],
                address=device.address,
                after=self._after(seat),
            )
            cup.program.on_change = self._program_changed
            return cup

        identity = f"{device.id}/{device.address}" if dongle else device.id
        driver = self._add(seat, identity, Device.CUP, build, partial(self._resume, seat))
        if dongle:
            dongle.cups.append(driver)

    def _add(
        self, seat: Seat, identity: str, device: Device, build: Build[Link], on_restarted: Callable[[Link], None]
    ) -> SupervisedDriver[Link]:
        self._ids[seat], self._kinds[seat] = identity, device
        driver = self._supervisor.supervise(build, devices=[(seat, device)], on_restarted=on_restarted)
        self._links[seat] = driver
        return driver

    def _opener(self, seat: Seat) -> "Callable[[], Port]":
        """Return a function opening the port of the seat's current device."""
        return lambda: self._ports.open_port(self._ids[seat])

    def _dongle(self, serial_id: str) -> "Dongle":
        key = serial_id.casefold()
        if key not in self._dongles:
            self._dongles[key] = Dongle(serial_id, self._ports, self._supervisor)
        return self._dongles[key]

    def _program_changed(self) -> None:
        self.on_program_change()

    # From one driver to the next

    def _after(self, seat: Seat) -> int:
        return self._durable_events.get(self._ids[seat].casefold(), 0)

    def _record(self, post: Post) -> Post:
        """Return a `post` recording the facts needed by the driver's successor."""

        def record(message: Message) -> None:
            if (event := getattr(message, "event", None)) is not None:
                self._last_events[Seat(message.seat)] = event
            elif isinstance(message, Opened):
                self._last_requests.pop(Seat(message.seat), None)
            elif isinstance(message, Lost):
                self._losses[Seat(message.seat)] = message.why
            post(message)

        return record

    def _resume(self, seat: Seat, link: "LinkSession") -> None:
        """Give a driver its predecessor's knowledge: the device's events, and the last request."""
        before = self._links[seat].predecessor
        if before is not None and before.identity == link.identity:
            link.resume_from(before, self._last_events.get(seat, 0))
        if seat in self._last_requests:
            self._last_requests[seat](link)


class Dongle:
    """A supervised serial line shared by several cups. A new line restarts the drivers of its `cups`."""

    def __init__(self, serial_id: str, ports: Ports, supervisor: DriverSupervisor) -> None:
        self.cups: list[SupervisedDriver[Any]] = []
        self._serial_id = serial_id
        self._ports = ports
        self._driver = supervisor.supervise(self._build, name=f"the driver of the dongle {serial_id}")

    def line(self) -> SerialPort:
        """Return the line, or raise ConnectionError without one."""
        line = self._driver.driver
        if line is None:
            raise ConnectionError("the dongle's driver is being restarted")
        return line

    def _build(self, loop: asyncio.AbstractEventLoop, post: Post) -> SerialPort:
        for cup in self.cups:
            cup.fail(ConnectionError("the dongle's driver has failed"))
        return SerialPort(partial(self._ports.open_port, self._serial_id), loop=loop)
