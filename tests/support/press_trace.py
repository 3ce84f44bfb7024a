"""Counts the files and functions that one press at a wired seat enters, and the hops on its way there and back.

    PYTHONPATH=tests python -m support.press_trace

A round is laid out at `wired-4`, its daemon and drivers are the real ones, and the buttons hang on an emulated GPIO
chip of the kernel. The seat in turn taps OK, which bids. Everything is counted from the edge until the controllers of
all displays are idle again; the emulated far ends are not. A hop is a call or a callback from one function of the
project, or of gpiozero, to another.
"""

import asyncio
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import Context, ContextVar, copy_context
from pathlib import Path
from types import CodeType, FrameType
from typing import Any
from unittest.mock import patch

import support.wires.table_at_wires as at_wires_module
from drivers.gpio.pins import GpiodFactory
from engine import PYRUDO
from firmware_host.daemon.daemon import Daemon
from hardware.config.layout import load_builtin
from hardware.emulated.chips.i2c import EmulatedSMBus
from hardware.emulated.table import EmulatedTable
from hardware.emulated.virtual_loop import VirtualLoop
from support.host.gpiochip import EmulatedChip
from support.table.harness import lay_out
from support.wires.table_at_wires import at_wires

LAYOUT = "wired-4"
HANDS = [(1, 2, 3), (4, 5, 6), (2, 2, 6)]
TAP_S = 0.05
SETTLE_S = 0.5
"""Seconds until every display has its new picture."""

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tuple(f"{ROOT / package}/" for package in ("drivers", "engine", "firmware_host", "hardware"))
FAR_END = f"{ROOT / 'hardware/emulated'}/"
SHOWS = ("firmware_host/daemon/seat_display.py", "show")
"""The file and the name of the function that a seat's new picture begins with."""

_CHAIN: ContextVar[tuple[CodeType, ...]] = ContextVar("chain", default=())


class KernelPins(EmulatedTable):
    """An emulated table whose buttons hang on a GPIO chip of the kernel instead of gpiozero's mock pins."""

    chip: EmulatedChip

    @property
    def factory(self) -> Any:
        """The pins that `dudo-table run` would have."""
        if "_kernel_pins" not in self.__dict__:
            loop = asyncio.get_running_loop()
            self.chip = EmulatedChip(lambda: round(loop.time() * 1e9))
            pins = [pin for seat in load_builtin(LAYOUT).seats for pin in (seat.buttons or {}).values()]
            self._kernel_pins = GpiodFactory(pins, loop=loop, open_chip=self.chip.open)  # type: ignore[arg-type]
        return self._kernel_pins


class PressTrace:
    """What one press enters: every function of the project, and the first chain each way."""

    def __init__(self) -> None:
        self.calls: Counter[CodeType] = Counter()
        self.to_queue: Sequence[CodeType] = ()
        self.to_bus: Sequence[CodeType] = ()
        self._is_recording = False

    def files(self) -> Counter[str]:
        """Return how many files of each package were entered."""
        names = {code.co_filename for code in self.calls}
        return Counter(_package(name) for name in names)

    def functions(self) -> Counter[str]:
        """Return how many functions of each package were entered."""
        return Counter(_package(code.co_filename) for code in self.calls)

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Watch this thread and all that are started meanwhile, and follow callbacks to where they were scheduled."""
        threading.setprofile(self._profile)
        sys.setprofile(self._profile)
        followed: Any = {name: _following(getattr(VirtualLoop, name)) for name in _SCHEDULING}
        with patch.multiple(VirtualLoop, **followed):
            try:
                yield
            finally:
                sys.setprofile(None)
                threading.setprofile(None)

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Count what happens meanwhile."""
        _CHAIN.set(())
        self._is_recording = True
        yield
        self._is_recording = False

    def _profile(self, frame: FrameType, event: str, _: object) -> None:
        if event != "call" or not self._is_recording:
            return
        code = frame.f_code
        if code is Daemon.post.__code__:
            self.to_queue = self.to_queue or _chain(frame)
        elif code is EmulatedSMBus.i2c_rdwr.__code__ and not self.to_bus:
            chain = _chain(frame)
            shows = [at for at, code in enumerate(chain) if code.co_filename.endswith(SHOWS[0])]
            self.to_bus = chain[_first_show(chain, shows) :] if shows else ()
        if _counts(code):
            self.calls[code] += 1


def _first_show(chain: Sequence[CodeType], shows: Sequence[int]) -> int:
    return next((at for at in shows if chain[at].co_name == SHOWS[1]), shows[0])


_SCHEDULING = ("call_soon", "call_soon_threadsafe", "call_at", "run_in_executor")


def _following(schedule: Callable[..., Any]) -> Callable[..., Any]:
    """Have a callback begin with the chain of the function that scheduled it."""

    def on_loop(loop: VirtualLoop, *args: Any, context: Any = None) -> Any:
        return schedule(loop, *args, context=_led_here(context))

    def on_thread(loop: VirtualLoop, executor: Any, act: Any, *args: Any) -> Any:
        return schedule(loop, executor, _led_here(None).run, act, *args)

    return on_thread if schedule.__name__ == "run_in_executor" else on_loop


def _led_here(context: Context | None) -> Context:
    chain, context = _chain(sys._getframe(2)), context or copy_context()
    try:
        context.run(_CHAIN.set, chain)
    except RuntimeError:  # a task that schedules itself: the context is the one that runs
        _CHAIN.set(chain)
    return context


def _chain(frame: FrameType | None) -> tuple[CodeType, ...]:
    """Return the functions that led here, each once, from the callback's cause to this frame."""
    stack: list[CodeType] = []
    while frame is not None and frame.f_code.co_name != "_run_once":
        if _counts(frame.f_code) or "/gpiozero/" in frame.f_code.co_filename:
            stack.append(frame.f_code)
        frame = frame.f_back
    return tuple(dict.fromkeys((*_CHAIN.get(), *reversed(stack))))


def _counts(code: CodeType) -> bool:
    return code.co_filename.startswith(PROJECT) and not code.co_filename.startswith(FAR_END)


def _package(filename: str) -> str:
    parts = Path(filename).relative_to(ROOT).parts[:-1]
    return "/".join(parts[:2])


async def _press(trace: PressTrace, folder: Path) -> None:
    with patch.object(at_wires_module, "EmulatedTable", KernelPins):
        async with at_wires(LAYOUT, lay_out(PYRUDO, HANDS).table.scene, folder) as table:
            turn = table.seen[0][-1][0].waiting_for[0]
            pin = (load_builtin(LAYOUT).seats[turn].buttons or {})["ok"]
            assert isinstance(table.wires, KernelPins)
            before = len(table.events)
            with trace.recording():
                table.wires.chip.ground(pin, True)
                await asyncio.sleep(TAP_S)
                table.wires.chip.ground(pin, False)
                await asyncio.sleep(SETTLE_S)
            assert len(table.events) > before, "the press did not bid"


def trace_press() -> PressTrace:
    """Trace one OK that bids."""
    trace = PressTrace()
    with (
        tempfile.TemporaryDirectory(prefix="press-trace-") as folder,
        patch.object(GpiodFactory, "_get_revision", lambda _: 0xC03111),
        trace.installed(),
        asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=30)) as runner,
    ):
        runner.run(_press(trace, Path(folder)))
    return trace


def main() -> None:
    """Print the figures and both chains."""
    trace = trace_press()
    files, functions = trace.files(), trace.functions()
    calls = trace.calls.total()
    print(f"one OK that bids at {LAYOUT}: {files.total()} files, {functions.total()} functions, {calls} calls")
    for package in sorted(files):
        print(f"  {package:<32} {files[package]:3} files {functions[package]:4} functions")
    if "--files" in sys.argv:
        for name in sorted({code.co_filename for code in trace.calls}):
            print(f"    {Path(name).relative_to(ROOT)}")
    for what, chain in (("the edge to the queue", trace.to_queue), ("the picture to its bytes", trace.to_bus)):
        print(f"from {what}, {len(chain) - 1} hops:")
        for code in chain:
            where = code.co_filename.removeprefix(f"{ROOT}/").rpartition("site-packages/")[2]
            print(f"  {where}: {getattr(code, 'co_qualname', code.co_name)}")


if __name__ == "__main__":
    main()
