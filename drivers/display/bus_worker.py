"""The thread that owns a panel wire: one thing after the other, and nobody waits for it for ever.

What the kernel does on a wire may not come back. The standard library's pools are waited for when a process ends; this
thread is left behind then, and while the table plays on with another.

Has things done on a panel wire and waits for nobody for ever: a thread that hangs there is left behind for another.

`PanelWire` has one. Its thread is the only one that touches the wire; what a thread that was left behind still wants to
send is refused.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, ParamSpec, TypeVar, TypeVarTuple

from drivers.display.bus_io import BusName, Openers, WireOwner, named

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class WireThread(Executor):
    """An executor of one thread. Raises RuntimeError where the system gives no more threads."""

    def __init__(self, name: str) -> None:
        self._given: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._is_shut = False
        self._thread = Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def __repr__(self) -> str:
        return f"<WireThread {self._thread.name}{'' if self._thread.is_alive() else ', ended'}>"

    def submit(
        self, fn: Callable[Arguments, Result], /, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Future[Result]:
        """Have it do something after what it was given before. RuntimeError once it was shut down."""
        if self._is_shut:
            raise RuntimeError("cannot schedule new futures after shutdown")
        outcome: Future[Result] = Future()
        self._given.put(partial(_settle, outcome, partial(fn, *args, **kwargs)))
        return outcome

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take nothing more; it ends after what it was given. It is waited for only with `wait`."""
        self._is_shut = True
        self._given.put(None)
        if wait:
            self._thread.join()

    def _work(self) -> None:
        while (given := self._given.get()) is not None:
            given()
            del given  # what it drew should not outlive it


def _settle(outcome: "Future[Any]", act: Callable[[], Any]) -> None:
    if not outcome.set_running_or_notify_cancel():
        return
    try:
        result = act()
    except BaseException as error:  # a thread that ends takes the wire with it
        outcome.set_exception(error)
    else:
        outcome.set_result(result)


log = logging.getLogger(__name__)

Inputs = TypeVarTuple("Inputs")
Farewell = Sequence[tuple[BusName, int, Sequence[bytes]]]
"""Bus and address of panels, and what makes each dark."""

HANGS_S = 5.0
"""A wire on which nothing gets done for so long does not come back by itself: an adapter gives up after 1 s."""

MOST_LEFT_BEHIND = 3
"""So many threads may hang on one wire; then it is not touched until one of them comes back."""

PARTS_WITHIN_S = 5.0
"""For so long a table that goes home waits until its panels are dark."""


class WireHangsError(Exception):
    """Nothing gets done on a wire, and its thread was left behind."""


class WireCrew:
    """The threads of one wire: one that works, and those that hang.

    `came_back` is called when one that was left behind has ended: what it did last may have come after what others did.
    """

    def __init__(self, buses: Openers, *, loop: asyncio.AbstractEventLoop, came_back: Callable[[], None]) -> None:
        self._buses = buses
        self._loop = loop
        self._came_back = came_back
        self._owner, self._thread = WireOwner(buses), WireThread("panel-wire")
        self._left_behind: set[asyncio.Future[Any]] = set()
        self._one_is_back = asyncio.Event()
        self._parted: asyncio.Future[None] | None = None

    def __repr__(self) -> str:
        return f"<WireCrew of {self}, {len(self._left_behind)} left behind>"

    def __str__(self) -> str:
        return ", ".join(map(named, self._buses))

    async def do(self, act: Callable[[WireOwner, *Inputs], Result], *arguments: *Inputs) -> Result:
        """Have the wire's thread do something. WireHangsError when it does not get on with it."""
        owner = self._owner
        work = self._loop.run_in_executor(self._thread, act, owner, *arguments)
        while not work.done():
            transfers = owner.transfers
            try:
                await asyncio.wait([work], timeout=HANGS_S)
            except asyncio.CancelledError:
                work.cancel()
                raise
            if not work.done() and transfers == owner.transfers:
                self._leave_behind(work)
                raise WireHangsError(f"{self}: nothing gets through; something holds the wire, pull its cables in turn")
        return work.result()

    async def is_to_be_had(self) -> None:
        """Wait until so few threads hang that another may try."""
        while len(self._left_behind) >= MOST_LEFT_BEHIND:
            self._one_is_back.clear()
            await self._one_is_back.wait()

    def part(self, farewell: Farewell) -> None:
        """Make panels dark and end the thread; returns at once."""
        if self._loop.is_closed():
            self._thread.submit(self._owner.part, farewell)
            self._thread.shutdown(wait=False)
            return
        self._parted = self._loop.run_in_executor(self._thread, self._owner.part, farewell)
        self._parted.add_done_callback(lambda _: self._thread.shutdown(wait=False))

    async def wait_parted(self) -> None:
        """Wait until `part` has made the panels dark, as long as that may take."""
        if self._parted:
            await asyncio.wait([self._parted], timeout=PARTS_WITHIN_S)

    @property
    def has_parted(self) -> bool:
        """Whether nobody touches the wire any more."""
        return self._parted is not None and self._parted.done() and not self._left_behind

    def abandon(self) -> None:
        """Let nothing more be sent, not even what `part` wanted: somebody else has the wire."""
        self._owner.is_abandoned = True

    def _leave_behind(self, work: asyncio.Future[Any]) -> None:
        """The thread does not come back: have another, which opens the buses anew."""
        self.abandon()
        self._thread.shutdown(wait=False)
        self._left_behind.add(work)
        work.add_done_callback(self._is_back)
        log.error("%s: the wire hangs; %d of its threads are left behind", self, len(self._left_behind))
        self._owner, self._thread = WireOwner(self._buses), WireThread("panel-wire")

    def _is_back(self, work: asyncio.Future[Any]) -> None:
        self._left_behind.discard(work)
        if not work.cancelled():
            work.exception()  # nobody else asks
        self._one_is_back.set()
        self._came_back()
