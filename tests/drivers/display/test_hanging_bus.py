"""A panel wire on which nothing comes back, or all else goes wrong: who loses what, and for how long."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from PIL import Image

from drivers.display.bus import Display, DisplayBus
from drivers.display.bus_worker import HANG_S, MAX_LEFT_BEHIND, SHUTDOWN_TIMEOUT_S, BusThread
from drivers.messages import Device, Found, Lost, Message
from hardware.emulated.chips.controllers import CONTROLLERS
from hardware.emulated.chips.i2c import EmulatedBus
from hardware.emulated.virtual_loop import VirtualLoop

A, B = 0x3C, 0x3D
FOR_EVER_S = 100_000.0
Wait = Callable[[float], None]


def picture(seed: str) -> Image.Image:
    return Image.frombytes("1", (128, 64), Random(seed).randbytes(1024))


class Wire:
    """Two panels on one wire, driven; `bus` is its far end."""

    def __init__(self, loop: VirtualLoop, post: Callable[[Message], None]) -> None:
        self.bus = EmulatedBus(1, elapse=loop.elapse)
        for address in (A, B):
            self.bus.plug(address, CONTROLLERS["ssd1306"](seed=address))
        self.opened = 0
        self.driver = DisplayBus({1: self._open}, loop=loop, post=post)
        self.panels = [self.driver.add(seat, 1, address, "ssd1306") for seat, address in enumerate((A, B))]

    def _open(self) -> Any:
        self.opened += 1
        return self.bus.open()

    def seen(self, address: int) -> bytes:
        controller = self.bus.panel(address)
        assert controller is not None
        return controller.picture().tobytes()


@pytest.fixture
def wire(loop: VirtualLoop, inbox: list[Message], unraised: None, wait: Wait) -> Iterator[Wire]:
    wire = Wire(loop, inbox)  # type: ignore[arg-type]
    wait(0.1)
    yield wire
    wire.driver.close()
    loop.run_until_complete(wire.driver.wait_closed())


def lost(inbox: list[Message]) -> list[int]:
    return [message.seat for message in inbox if isinstance(message, Lost)]


def test_a_transfer_that_never_ends_loses_the_wires_panels_once_and_says_what_to_do(
    wire: Wire, inbox: list[Message], wait: Wait
) -> None:
    wire.bus.delay(A, hold_s=FOR_EVER_S)
    wire.panels[0].show(picture("bid"))
    wait(HANG_S + 0.1)
    why = "I2C bus 1: nothing gets through; something holds the wire, pull its cables in turn"
    assert inbox == [Lost(0, Device.PANEL, why), Lost(1, Device.PANEL, why)]


def test_another_thread_takes_the_wire_over_and_draws_everything(wire: Wire, inbox: list[Message], wait: Wait) -> None:
    wire.bus.delay(A, hold_s=FOR_EVER_S)
    wire.panels[0].show(picture("bid"))
    wait(HANG_S + 0.1)
    wire.panels[1].show(picture("other"))
    wait(1.0)
    assert {type(message) for message in inbox[2:]} == {Found}
    assert (wire.seen(A), wire.seen(B)) == (picture("bid").tobytes(), picture("other").tobytes())
    assert wire.opened == 2


def test_what_the_thread_that_was_left_behind_still_draws_is_drawn_over(wire: Wire, wait: Wait) -> None:
    wire.bus.delay(A, hold_s=60.0)
    wire.panels[0].show(picture("dice"))
    wait(HANG_S + 0.1)
    wire.panels[0].show(picture("covered"), first=True)
    wait(2.0)
    assert wire.seen(A) == picture("covered").tobytes()
    sent: list[int] = []
    wire.bus.listen = lambda _, payload: sent.append(len(payload))
    wait(50.0)
    assert sum(sent) < 1024, "nothing new is to be seen"
    wait(10.0)
    assert sum(sent) > 2 * 1024, "both panels are drawn whole when it has come back"
    assert wire.seen(A) == picture("covered").tobytes()


def test_a_thread_that_was_left_behind_sends_nothing_after_what_it_hung_in(wire: Wire, wait: Wait) -> None:
    wire.bus.delay(A, hold_s=60.0)
    wire.panels[0].show(picture("dice"))
    wire.panels[1].show(picture("more dice"))
    wait(HANG_S + 2.0)
    for panel in wire.panels:
        panel.show(picture("covered"))
    wait(2.0)
    seen: set[bytes] = set()
    wire.bus.listen = lambda address, _: seen.add(wire.seen(B))
    wait(60.0)
    assert picture("more dice").tobytes() not in seen


def test_so_many_threads_hang_and_no_more(wire: Wire, inbox: list[Message], wait: Wait) -> None:
    threads = threading.active_count()
    wire.bus.delay(A, hold_s=FOR_EVER_S, times=1000)
    wire.bus.delay(B, hold_s=FOR_EVER_S, times=1000)
    wire.panels[0].show(picture("bid"))
    wait(1000.0)
    assert threading.active_count() - threads <= MAX_LEFT_BEHIND
    assert len(lost(inbox)) == 2


def test_a_wire_that_comes_back_when_no_thread_is_left_is_served_again(
    wire: Wire, inbox: list[Message], wait: Wait
) -> None:
    wire.bus.delay(A, hold_s=40.0, times=MAX_LEFT_BEHIND)
    wire.panels[0].show(picture("bid"))
    wait(30.0)
    assert wire.opened == MAX_LEFT_BEHIND, "the last one has not been tried yet"
    wait(25.0)
    assert wire.seen(A) == picture("bid").tobytes()
    assert [type(message) for message in inbox].count(Found) == 2


def test_many_slow_transfers_are_no_hang(wire: Wire, inbox: list[Message], wait: Wait) -> None:
    wire.bus.delay(A, hold_s=0.9, times=30)
    wire.panels[0].show(picture("bid"))
    wait(40.0)
    assert inbox == []


def test_a_table_goes_home_from_a_wire_that_hangs(wire: Wire, loop: VirtualLoop, wait: Wait) -> None:
    wire.bus.delay(A, hold_s=FOR_EVER_S)
    wire.panels[0].show(picture("bid"))
    wait(1.0)
    began_s = loop.time()
    wire.driver.close()
    loop.run_until_complete(wire.driver.wait_closed())
    assert loop.time() - began_s == pytest.approx(SHUTDOWN_TIMEOUT_S)


def test_a_process_does_not_wait_for_a_thread_that_hangs() -> None:
    """The interpreter joins the threads of the standard library's pools before it ends."""
    thread = BusThread("wire")
    hangs, hung = threading.Event(), threading.Event()
    thread.submit(lambda: (hung.set(), hangs.wait()))
    assert hung.wait(5.0)
    assert all(other.daemon for other in threading.enumerate() if other.name == "wire")
    hangs.set()
    thread.shutdown()


@pytest.mark.parametrize("error", [SystemExit(), KeyboardInterrupt(), MemoryError(), ValueError("x")], ids=repr)
def test_a_thread_outlives_what_is_raised_on_it(error: BaseException) -> None:
    def fails() -> None:
        raise error

    thread = BusThread("wire")
    assert thread.submit(fails).exception(5.0) is error
    assert thread.submit(lambda: 7).result(5.0) == 7
    thread.shutdown()
    with pytest.raises(RuntimeError):
        thread.submit(fails)


# What is not an error of a wire


class Spoiled:
    """A bus as it was opened, of which one method raises what nobody expects."""

    def __init__(self, bus: Any, method: str, error: BaseException) -> None:
        self._bus, self._method, self._error = bus, method, error

    def __getattr__(self, name: str) -> Any:
        if name != self._method:
            return getattr(self._bus, name)

        def raises(*_: object) -> None:
            raise self._error

        return raises


@pytest.mark.parametrize("method", ["i2c_rdwr", "close"])
def test_memory_that_runs_out_on_the_thread_is_a_panel_that_does_not_answer(
    method: str, wire: Wire, inbox: list[Message], wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        opened = wire.bus.open
        patched.setattr(wire.bus, "open", lambda: Spoiled(opened(), method, MemoryError()))
        wire.bus.fail(A)  # has the bus opened again
        wire.panels[0].show(picture("bid"))
        wait(10.0)
    assert lost(inbox) == ([0, 1] if method == "i2c_rdwr" else [0])
    wait(10.0)
    assert [type(message) for message in inbox].count(Found) == len(lost(inbox))
    assert wire.seen(A) == picture("bid").tobytes()


def test_what_cant_be_made_for_one_panel_is_that_panels_loss_alone(
    wire: Wire, inbox: list[Message], wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr(wire.panels[0], "controller", _Failing(wire.panels[0]))
        for panel in wire.panels:
            panel._set_desired(panel.desired)
        wire.panels[0].shown = None
        wire.driver._enqueue(wire.panels[0], False)
        wire.panels[1].show(picture("bid"))
        wait(1.0)
        assert lost(inbox) == [0]
        assert wire.seen(B) == picture("bid").tobytes()
    wait(10.0)
    assert [type(message) for message in inbox] == [Lost, Found]


class _Failing:
    """A controller for which no update can be made."""

    def __init__(self, panel: Display) -> None:
        self._chip = panel.controller

    def __getattr__(self, name: str) -> Any:
        if name == "apply":
            raise MemoryError
        return getattr(self._chip, name)


def test_a_wire_that_was_abandoned_sends_no_farewell_over_what_others_show(
    loop: VirtualLoop, wire: Wire, wait: Wait
) -> None:
    wire.panels[0].show(picture("bid"))
    wait(0.5)
    sent: list[bytes] = []
    wire.bus.listen = lambda _, payload: sent.append(payload)
    wire.driver.abandon()
    wire.driver.close()
    loop.run_until_complete(asyncio.sleep(1.0))
    assert sent == []
    assert wire.driver.is_closed
