"""Eight seats play a match while their panels drop out and come back: unplugged, broken off in mid-frame, hung, late.

The match goes on, nobody's display shows what is not theirs or what is over, and each comes back by itself with the
picture of now. The daemon, its drivers and the wire are the real ones; the wire takes its time.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from PIL import Image

from drivers.messages import Brightness, Device
from engine import RULESETS, Rules, View
from firmware_host.daemon.seat_display import FrameListener
from firmware_host.play import emulated_session
from firmware_host.play.emulated_session import EmulatedSession
from firmware_host.screens import draw, draw_peek
from firmware_host.table.events import PublicEvent
from firmware_host.table.seat.menu import Menu
from firmware_host.table.seat.view import SeatView
from firmware_host.wire import DeviceFound, DeviceLost, MatchWon
from hardware.config.layout import I2cDisplay, Layout, load_builtin
from hardware.emulated.chips.i2c import EmulatedBus
from hardware.emulated.seat import EmulatedSeat
from hardware.emulated.table import EmulatedTable
from hardware.emulated.virtual_loop import VirtualLoop

pytestmark = pytest.mark.slow


BACK_S = 6.0
"""The longest wait between two tries, and the frames of seven others."""
DARK = bytes(1024)


class Trouble:
    """What happens to the panels of a table, and what is then on their displays."""

    def __init__(self, layout: Layout, seed: int) -> None:
        self.happened: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.compared = 0
        self._layout = layout
        self._rng = random.Random(seed)
        self._clear_from_s: dict[int, float] = {}  # after this a seat's display has had time to come back
        self._buses: dict[int, EmulatedBus] = {}

    def lay(self, layout: Layout, loop: asyncio.AbstractEventLoop, **options: object) -> EmulatedTable:
        table = EmulatedTable(layout, loop, **options)  # type: ignore[arg-type]
        self._buses = dict(table.buses)
        return table

    def onlooker(self, number: int, seat: EmulatedSeat) -> FrameListener:
        loop = asyncio.get_running_loop()
        wanted: Callable[[], Image.Image] | None = None
        loop.call_later(self._rng.uniform(3, 30), self._break, number, seat)

        def see(view: SeatView, menu: Menu, look: View | None) -> None:
            nonlocal wanted
            wanted = (lambda: draw(view, menu)) if look is None else (lambda: draw_peek(view, menu, look))
            if view.brightness is not Brightness.DARK:
                loop.call_later(0.5, compare, wanted)

        def compare(then: Callable[[], Image.Image]) -> None:
            if then is not wanted or loop.time() < self._clear_from_s.get(number, 0.0):
                return
            self.compared += 1
            if not seat.shows(then()):
                self.wrong.append(f"{loop.time():.3f} s, {seat.name}")

        return see

    def _break(self, number: int, seat: EmulatedSeat) -> None:
        loop = asyncio.get_running_loop()
        what, lasts_s = self._rng.choice([self._unplugged, self._broken_off, self._hung, self._late])(number, seat)
        self.happened[what] += 1
        for neighbour in range(len(self._layout.seats)):  # one wire: whoever hangs on it makes the others wait
            own_s = lasts_s + BACK_S if neighbour == number else 4.0
            self._clear_from_s[neighbour] = max(self._clear_from_s.get(neighbour, 0.0), loop.time() + own_s)
        loop.call_later(lasts_s + self._rng.uniform(10, 60), self._break, number, seat)

    def _unplugged(self, number: int, seat: EmulatedSeat) -> tuple[str, float]:
        lasts_s = self._rng.uniform(0.05, 8)
        seat.unplug("panel")
        asyncio.get_running_loop().call_later(lasts_s, seat.plug, "panel")
        return "unplugged", lasts_s

    def _broken_off(self, number: int, seat: EmulatedSeat) -> tuple[str, float]:
        bus, address = self._place(number)
        bus.fail(address, after_bytes=self._rng.randrange(0, 60), times=self._rng.randint(1, 3))
        return "broken off", 4.0

    def _hung(self, number: int, seat: EmulatedSeat) -> tuple[str, float]:
        bus, address = self._place(number)
        bus.hang(address)
        return "hung", 4.0

    def _late(self, number: int, seat: EmulatedSeat) -> tuple[str, float]:
        bus, address = self._place(number)
        bus.fail(address, hold_s=0.2, after_bytes=3)
        return "late", 4.0

    def _place(self, number: int) -> tuple[EmulatedBus, int]:
        panel = self._layout.seats[number].display
        assert isinstance(panel, I2cDisplay)
        return self._buses[panel.bus], panel.address


def end_despite_dropping_panels(rules: Rules, seed: int, patch: pytest.MonkeyPatch) -> None:
    layout = load_builtin("wired-8")
    trouble, events = Trouble(layout, seed), list[PublicEvent]()
    patch.setattr(emulated_session, "EmulatedTable", trouble.lay)
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=30)) as runner:
        runner.run(EmulatedSession(layout, rules, seed).play(events.append, [trouble.onlooker]))
    assert sum(isinstance(event, MatchWon) for event in events) == 1
    assert set(trouble.happened) == {"unplugged", "broken off", "hung", "late"}
    assert trouble.wrong == []
    assert trouble.compared > 200
    for seat in range(len(layout.seats)):
        kinds = [type(e) for e in events if isinstance(e, DeviceLost | DeviceFound) and e.seat == seat]
        assert kinds == [DeviceLost, DeviceFound] * (len(kinds) // 2) + [DeviceLost] * (len(kinds) % 2), (
            "told once each"
        )
    assert {e.device for e in events if isinstance(e, DeviceLost)} == {Device.PANEL}


def test_eight_seats_play_to_the_end_though_panels_drop_out(monkeypatch: pytest.MonkeyPatch) -> None:
    end_despite_dropping_panels(replace(RULESETS["kill-spot"], starting_dice=2), 11, monkeypatch)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
def test_every_match_ends_though_panels_drop_out(rules: Rules, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    end_despite_dropping_panels(rules, seed, monkeypatch)
