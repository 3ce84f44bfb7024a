"""The loop under the cup's program, above a `machine` of the test's own: what it does when something goes wrong."""

import ast
import binascii
import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from support.firmware.pico_usb import PicoUsb

from hardware.emulated.chips.controllers import CONTROLLERS
from hardware.emulated.flash import flash_with, program
from hardware.firmware import cable, clock, wiring
from hardware.firmware.loader import Slots
from hardware.link import messages as link
from hardware.link.framing import FrameParser, frame
from hardware.link.oled import DisplayMode

LOADER = Path(cable.__file__).with_name("loader.py")
DICE = b"\x66" * 1024
MS = 1000


class EnoughError(BaseException):
    """The test has seen what it wants."""


class Pico:
    """A board with an OLED of its own; `idle` lets a millisecond pass and calls what is due."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.usb = PicoUsb()
        self.panel = CONTROLLERS[wiring.PANEL or "ssd1309"](1)
        self.levels: dict[int, int] = {}
        self.interrupts: dict[int, Callable[[], None]] = {}
        self.plan: list[tuple[int, Callable[[], None]]] = []
        self.reset_panel_on: bool | None = None
        self._lay(monkeypatch)

    def at(self, when_ms: int, then: Callable[[], None]) -> None:
        self.plan.append((when_ms * MS, then))

    def send(self, *messages: link.LinkMessage) -> None:
        for message in messages:
            self.usb.waiting += frame(link.to_body(0, message))

    def switch(self, gp: int, level: int) -> None:
        self.levels[gp] = level
        self.interrupts[gp]()

    def idle(self) -> None:
        self.usb.now_us += MS
        for when in sorted(self.plan, key=lambda due: due[0]):
            if when[0] <= self.usb.now_us:
                self.plan.remove(when)
                when[1]()

    def ticks_us(self) -> int:
        self.usb.now_us += 10  # a look at the clock takes its time, else nobody could wait for it
        return self.usb.now_us

    def reset(self) -> None:
        self.reset_panel_on = self.panel.on
        raise EnoughError

    def _lay(self, monkeypatch: pytest.MonkeyPatch) -> None:
        pico = self

        class Pin:
            IN = OUT = PULL_UP = IRQ_FALLING = IRQ_RISING = 1

            def __init__(self, gp: int, *_: object, **__: object) -> None:
                self._gp = gp

            def value(self, level: int | None = None) -> int:
                return pico.levels.get(self._gp, 1)

            def irq(self, handler: Callable[[object], None], *_: object, **__: object) -> None:
                pico.interrupts[self._gp] = lambda: handler(self)

        class I2C:
            def __init__(self, *_: object, **__: object) -> None:
                pass

            def writeto(self, address: int, data: bytes) -> None:
                pico.panel.write(data)

        machine = ModuleType("machine")
        vars(machine).update(Pin=Pin, I2C=I2C, idle=self.idle, reset=self.reset, unique_id=lambda: bytes(range(8)))
        monkeypatch.setitem(sys.modules, "machine", machine)
        for name in ("board", "gpio_inputs", "main"):
            monkeypatch.delitem(sys.modules, f"hardware.firmware.{name}", raising=False)
        self.usb.connect(cable, monkeypatch)
        self.main = importlib.import_module("hardware.firmware.main")
        for module in (cable, clock, *(sys.modules[f"hardware.firmware.{name}"] for name in ("board", "gpio_inputs"))):
            monkeypatch.setattr(module, "ticks_us", self.ticks_us)


@pytest.fixture
def pico(monkeypatch: pytest.MonkeyPatch) -> Pico:
    return Pico(monkeypatch)


def show_dice(pico: Pico) -> None:
    """OK goes down, and the host sends dice."""
    pico.at(20, lambda: pico.switch(wiring.BUTTONS["ok"], 0))
    picture = link.Picture(1, 0, binascii.crc32(DICE), DisplayMode(), link.whole_picture(DICE), True)
    pico.at(50, lambda: pico.send(link.Ping(1, 500), picture))


def test_nothing_is_imported_before_the_interrupt_is_off() -> None:
    docstring, system, switch_off = ast.parse(LOADER.read_text()).body[:3]
    assert isinstance(docstring, ast.Expr)
    assert ast.unparse(system) == "import sys"
    assert isinstance(switch_off, ast.If)
    assert [ast.unparse(each) for each in switch_off.body] == ["import micropython", "micropython.kbd_intr(-1)"]


def test_a_crash_leaves_the_panel_dark_at_once(pico: Pico, capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> None:
        assert pico.panel.on
        raise RuntimeError("out of memory")

    show_dice(pico)
    pico.at(400, fail)
    with pytest.raises(EnoughError):
        pico.main.main(wiring)
    assert pico.reset_panel_on is False
    assert pico.panel.unknown == []
    assert "RuntimeError: out of memory" in capsys.readouterr().err


def test_the_gate_closes_within_milliseconds_while_the_host_does_not_read(pico: Pico) -> None:
    released_ms, dark_us = 1500, []

    def let_go() -> None:
        assert pico.panel.on
        pico.panel.written = lambda: None if pico.panel.on or dark_us else dark_us.append(pico.usb.now_us)
        pico.switch(wiring.BUTTONS["ok"], 1)
        released_us.append(pico.usb.now_us)

    def enough() -> None:
        raise EnoughError

    released_us: list[int] = []
    show_dice(pico)
    for when_ms in range(100, 3000, 50):
        pico.at(when_ms, lambda: pico.send(link.Ping(1, 500)))
    pico.at(released_ms, let_go)
    pico.at(3000, enough)
    with pytest.raises(EnoughError):
        pico.main.main(wiring)
    assert released_us[0] < (released_ms + 5) * MS
    assert dark_us[0] - released_us[0] < 5 * MS


def test_after_an_update_the_board_answers_goes_dark_and_restarts(pico: Pico) -> None:
    flash = flash_with(program(b"release1"))
    slots, new = Slots(flash), program(b"release2")
    slots.choose()
    chunks = [link.Install(len(new), new[:32]), link.Chunk(0, new), link.Activate(new[:32])]
    pico.at(50, lambda: pico.send(link.Ping(1, 500), *chunks))
    with pytest.raises(EnoughError):
        pico.main.main(wiring, slots)
    answers = [link.from_body(body)[1] for body in FrameParser().feed(bytes(pico.usb.sent))]
    assert answers[-1] == link.ChunkAck(len(new), link.SWITCHED)
    assert pico.reset_panel_on is False
    assert Slots(flash).choose() == "b"
