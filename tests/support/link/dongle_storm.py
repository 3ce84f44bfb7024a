"""Three cups behind one radio dongle in a storm: each frame says whose it is, and no cup's events come as another's."""

import asyncio
import random
from functools import partial

from support.link.deal_watch import DealWatch
from support.link.event_watch import EventWatch
from support.link.faulty_cable import FaultyCable

from drivers.link.devices import SerialCup
from drivers.link.port import SerialPort
from drivers.messages import Drawn, Event, Message, Opened
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.line import EmulatedLine
from hardware.emulated.pace import PICO
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.firmware.device_config import DeviceConfig
from hardware.link.framing import unframe

ADDRESSES = (1, 2, 255)
RATE = 0.045
UP_WITHIN_S = 0.2
ANSWER_WITHIN_S = 0.3


class CupInStorm:
    """One of them, with its driver and with hands that lift and shake it without a pause."""

    def __init__(self, address: int, radio: EmulatedLine, line: SerialPort, loop: VirtualLoop, seed: int) -> None:
        self.address = address
        self.rng = random.Random(f"{seed}/{address}")
        self.events = EventWatch(round(loop.time() * 1e9) + 1000 * PICO.boot_us)
        self.deals = DealWatch(self.rng)
        self.cup = EmulatedCup(DeviceConfig(f"CUP{address}", address=address), loop, seed=seed, line=radio)
        self.driver = SerialCup(address, line, loop=loop, post=self._posted, identity=f"CUP{address}", address=address)
        self._loop = loop
        self._timer: asyncio.TimerHandle | None = None

    def lift(self) -> None:
        """Begin to play."""
        self._timer = self._loop.call_later(self.rng.uniform(0.3, 1.2), self._lower)
        if self.rng.random() < 0.3:
            self.cup.hand.shake(self.rng.uniform(0.6, 1.0))
        else:
            self.cup.hand.tilt()

    def rest(self) -> None:
        """Put it down and leave it."""
        if self._timer is not None:
            self._timer.cancel()
        self.cup.hand.level()

    def close(self) -> None:
        """Take it off the loop."""
        self.rest()
        self.driver.close()
        self.cup.close()

    def _lower(self) -> None:
        self._timer = self._loop.call_later(self.rng.uniform(0.1, 1.0), self.lift)
        self.cup.hand.level()
        if self.rng.random() < 0.1:
            self.deals.draw(self.driver)

    def _posted(self, message: Message) -> None:
        if isinstance(message, Drawn | Opened):
            self.deals.posted(message)
        elif isinstance(message, Event):
            assert message.seat == self.address
            self.events.posted(message, self.driver.clock_error_ns or 0)
            self._loop.call_later(self.rng.uniform(0, 0.03), self.driver.acknowledge, message.event)


def run_storm_behind_a_dongle(seed: int, frames: int) -> int:
    """Let a storm of so many frames pass over three cups on one line; how many events came. AssertionError tells."""
    loop = VirtualLoop(patience_s=10.0)
    raised: list[object] = []
    loop.set_exception_handler(lambda _, context: raised.append(context))
    radio = EmulatedLine("DONGLE", loop)
    cable = FaultyCable(radio.open, loop, random.Random(f"{seed}/cable"))
    line = SerialPort(cable.open, loop=loop)  # type: ignore[arg-type]
    cups = [CupInStorm(address, radio, line, loop, seed) for address in ADDRESSES]
    cable.to_host.on_frame = partial(_on_frame, {cup.address: cup.events for cup in cups})
    try:
        while cable.frames < frames:
            loop.run_until_complete(_round(cups, cable))
            assert not raised
        return sum(cup.events.checked for cup in cups)
    except AssertionError as error:
        raise AssertionError(f"behind a dongle, seed {seed}, {loop.time():.3f} s: {error}; {raised}") from error
    finally:
        for cup in cups:
            cup.close()
        cable.close()
        loop.close()


def _on_frame(watches: dict[int, EventWatch], frame: bytes) -> None:
    watches[unframe(frame.rstrip(b"\0"))[0]].on_frame(frame)


async def _round(cups: list[CupInStorm], cable: FaultyCable) -> None:
    await asyncio.sleep(2 * PICO.boot_us / 1e6)  # before the first, a cup feels nothing while it starts
    cable.set_rate(RATE)
    for cup in cups:
        cup.lift()
    await asyncio.sleep(cups[0].rng.uniform(1, 20))
    for cup in cups:
        cup.rest()
    await asyncio.sleep(1.0)  # a shake settles
    cable.set_rate(0.0)
    await asyncio.sleep(UP_WITHIN_S)
    for cup in cups:
        assert cup.driver.is_up, repr(cup.driver)
        assert not cup.events.on_their_way
    for cup in cups:
        cup.deals.draw(cup.driver)
    await asyncio.sleep(ANSWER_WITHIN_S)
    assert all(cup.deals.is_drawn for cup in cups)
    for cup in cups:
        cup.cup.hand.shake(0.8)
    await asyncio.sleep(2.0)
    for cup in cups:
        cup.deals.open(cup.driver)
    await asyncio.sleep(ANSWER_WITHIN_S)
    assert all(cup.deals.is_opened for cup in cups)
    for cup in cups:
        cup.events.check()
