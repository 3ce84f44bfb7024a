"""The far end of a guest's wires, as the emulated table has it: hands at seats, eyes on panels, cups with programs.

    table = GuestTable(layout, guest, seed=1)
    async with Guest(...) as guest:
        await guest.switch_on()
        await table.wired()             # power is on: displays are dark, cups are plugged in
        table.seats[0].tap("ok")
        table.seats[0].picture()

A hand's edges, bounces included, go to the kernel's gpio-sim. What the kernel sends over I2C comes to the models of the
panels' controllers. Cups and boards are on the guest's USB, and are plugged in and pulled there.
"""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from functools import partial

import serial
from support.guest.machine import Guest, Port

from hardware.boards.pico_bundle import release
from hardware.config.layout import I2cDisplay, Layout, TiltSwitch
from hardware.emulated.chips.i2c import EmulatedBus
from hardware.emulated.flash import program
from hardware.emulated.table import AnyPort, EmulatedTable

HEAD_BYTES = 4
"""Of a record of dudo_i2c: address, zero, length of what follows in little-endian."""
CHUNK = 4096


class GuestTable(EmulatedTable):
    """The table of a layout, at a guest's wires; `plugged` lists the ids of what is plugged into its USB."""

    def __init__(self, layout: Layout, guest: Guest, *, seed: int) -> None:
        self.loop = asyncio.get_running_loop()
        super().__init__(layout, self.loop, seed=seed, image=program(release()))
        self.layout = layout
        self.guest = guest
        self.cables: dict[str, UsbCable] = {}
        self.lit_s: dict[int, float] = {}
        """When each address first had a picture since power came on, on the loop's clock."""
        self._answers = _panels(layout)
        self._tasks: list[asyncio.Task[None]] = []
        self._changing = asyncio.Lock()
        for seat in self.seats:
            seat.moved = self._have_moved
        for pin in sorted(_pins(layout)):
            contact = self.factory.pin(pin)
            contact.pull = "up"
            contact.moved = partial(self._pull, pin)

    async def wired(self) -> None:
        """Power has come on: every panel is dark and every program starts."""
        if not self._tasks and "panels" in self.guest.parts:
            self.watch_panels()
        for seat in self.seats:
            for device in seat.devices:
                if device != "buttons":
                    seat.plug(device)
        await self.settled()

    def watch_panels(self) -> None:
        """Carry what the kernel sends to the panels, from now on."""
        self.lit_s.clear()
        self._tasks = [asyncio.create_task(self._carry(self.guest.port("panels")))]

    def unwired(self) -> None:
        """Pull the plug of everything."""
        self.guest.cut_power()
        for task in self._tasks:
            task.cancel()
        self._tasks.clear()
        for cable in self.cables.values():
            cable.close()
        self.cables.clear()
        self._answers = _panels(self.layout)
        for seat in self.seats:
            seat.let_go()
            for device in seat.devices:
                if device != "buttons":
                    seat.unplug(device)

    async def settled(self) -> None:
        """Wait until what was plugged and pulled is so in the guest."""
        async with self._changing:
            await self._change_panels()
            for identity, port in self.ports.items():
                await self._change_cable(identity, port)

    def check(self) -> None:
        """Raise the error of the guest, or of a task that carries something between it and the table."""
        self.guest.check()
        for task in self._tasks:
            if task.done() and not task.cancelled():
                task.result()

    def _pull(self, pin: int, level: bool) -> None:
        if self.guest.is_on:
            self.guest.port("pins").write(f"{pin} pull-{'up' if level else 'down'}\n".encode())

    def _have_moved(self) -> None:
        if self.guest.is_on:
            self._tasks.append(self.loop.create_task(self.settled()))

    async def _change_panels(self) -> None:
        there = tuple(address for address in _panels(self.layout) if self._bus.panel(address) is not None)
        if there == self._answers:
            return
        self._answers = there
        said = ",".join(map(hex, there)) or "0"
        await self.guest.do(f"echo {said} >/sys/module/dudo_i2c/parameters/answers")

    async def _change_cable(self, identity: str, port: AnyPort) -> None:
        cable = self.cables.get(identity)
        if port.is_plugged and cable is None:
            self.cables[identity] = cable = UsbCable(identity, port, self.guest.port(identity))
            await self.guest.qmp("device_add", driver="usb-serial", chardev=identity, serial=identity, id=identity)
        elif not port.is_plugged and cable is not None:
            del self.cables[identity]
            cable.close()
            # QEMU says yes before it has let go of the cable, and until then it can't be plugged in again
            await self.guest.qmp("device_del", until="DEVICE_DELETED", id=identity)

    @property
    def _bus(self) -> EmulatedBus:
        (bus,) = self.buses.values()
        return bus

    async def _carry(self, port: Port) -> None:
        """Take what the kernel sends over I2C to the panels."""
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = await port.reader.readexactly(HEAD_BYTES)
                payload = await port.reader.readexactly(int.from_bytes(head[2:], "little"))
                panel = self._bus.panel(head[0])
                if panel is None:
                    continue
                panel.write(payload)
                if panel.on and head[0] not in self.lit_s and panel.picture().getbbox() is not None:
                    self.lit_s[head[0]] = self.loop.time()


class UsbCable:
    """What carries bytes between a cup's program and the guest's USB, until the cup is pulled."""

    def __init__(self, identity: str, port: AnyPort, guest: Port) -> None:
        self._cup = port.open()
        self._guest = guest
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._cup.fileno(), self._cup_says)
        self._listening = asyncio.create_task(self._listen())

    def close(self) -> None:
        """Let go of both ends."""
        self._listening.cancel()
        with suppress(serial.SerialException, OSError):
            self._loop.remove_reader(self._cup.fileno())
        self._cup.close()

    def _cup_says(self) -> None:
        try:
            self._guest.write(self._cup.read(CHUNK))
        except (serial.SerialException, OSError):
            self.close()

    async def _listen(self) -> None:
        while data := await self._guest.reader.read(CHUNK):
            with suppress(serial.SerialException, OSError):
                self._cup.write(data)


def _pins(layout: Layout) -> Iterator[int]:
    for seat in layout.seats:
        yield from (seat.buttons or {}).values()
        if isinstance(seat.cup, TiltSwitch):
            yield seat.cup.pin


def _panels(layout: Layout) -> tuple[int, ...]:
    return tuple(sorted(seat.display.address for seat in layout.seats if isinstance(seat.display, I2cDisplay)))
