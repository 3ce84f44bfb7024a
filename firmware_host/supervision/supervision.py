"""One driver of a table, watched over: when it fails it is closed and built anew, and no other notices.

`Wards` makes a `Ward` for each driver. A driver runs on a `WatchedLoop`, so whatever it raises anywhere is known to be
its own; what others ask of it goes through `ask`. Its seat is told as Lost once, and as Found when the next one
answers.
"""

import asyncio
from collections.abc import Callable, Iterable
from typing import Generic, Protocol, TypeVar

from drivers.messages import Device, Found, Lost, Message, Post
from drivers.timing import Backoff
from firmware_host.supervision.error_log import Mishaps, named
from firmware_host.supervision.watched_loop import FAILURES, WatchedLoop

FIRST_S, LONGEST_S = 0.5, 60.0
"""Before a driver is built anew; twice as long each time."""
STEADY_S = 60.0
"""One that lives for so long has recovered."""
OVER_AND_OVER = 3
"""One that failed so often without having recovered is a trouble."""
ENDS_WITHIN_S = 10.0
"""For so long it is waited for what a dead one still has to do: to make its panels dark."""
LOOK_EVERY_S = 0.5
MOST_LEFT_BEHIND = 3
"""So many that don't end; then it is waited until one does."""


class Driver(Protocol):
    """What all drivers have in common. Some have `is_closed` and `abandon` too, see `PanelWire`."""

    def close(self) -> None:
        """Give the wires back."""


D = TypeVar("D", bound=Driver)
Result = TypeVar("Result")
Build = Callable[[asyncio.AbstractEventLoop, Post], D]


class Ward(Generic[D]):
    """A driver that `build` makes for a loop and a post. `what` is its name, `devices` are what its seats lose with it.

    `has_come` is told each driver after the first, to teach it what its predecessor knew. One that is `silent` says
    nothing when it finds its wires: the ward says Found for it.
    """

    def __init__(
        self,
        what: str,
        build: Build[D],
        *,
        devices: Iterable[tuple[int, Device]],
        loop: asyncio.AbstractEventLoop,
        post: Post,
        mishaps: Mishaps,
        has_come: Callable[[D], None] = lambda driver: None,
        silent: bool = False,
        ailing: Callable[[str, bool], None] = lambda what, ails: None,
    ) -> None:
        self.what = what
        self._build = build
        self._devices = tuple(devices)
        self._loop = loop
        self._post = post
        self._mishaps = mishaps
        self._has_come = has_come
        self._is_silent = silent
        self._ailing = ailing
        self._driver: D | None = None
        self._before: D | None = None
        self._watched = WatchedLoop(loop, self._failed)
        self._lost: set[tuple[int, Device]] = set()
        self._inherited: set[tuple[int, Device]] = set()  # lost with its predecessor, and it knows nothing of it
        self._says_lost = False
        self._ending: list[D] = []
        self._backoff = Backoff(FIRST_S, LONGEST_S)
        self._failures = 0
        self._failed_s = 0.0
        self._is_closed = False
        self._timer: asyncio.TimerHandle | None = None
        self._steady: asyncio.TimerHandle | None = None
        self._make()

    def __repr__(self) -> str:
        return f"<Ward of {self.what}: {self._driver or 'none'}>"

    @property
    def driver(self) -> D | None:
        """The driver at work."""
        return self._driver

    @property
    def predecessor(self) -> D | None:
        """The one that failed before it."""
        return self._before

    def ask(self, act: Callable[[D], Result]) -> Result | None:
        """Have the driver do something; None where there is none, or it fails at that."""
        driver = self._driver
        return None if driver is None else self._watched.guard(act, driver)

    def ask_latest(self, act: Callable[[D], Result]) -> Result | None:
        """The same, and where there is none just now, of the one before, which knows what the next one will."""
        if self._driver is None and self._before is not None:
            return act(self._before)
        return self.ask(act)

    def fail(self, error: Exception) -> None:
        """What the driver rests on has failed."""
        if self._driver is not None:
            self._watched.fail(error)

    def close(self) -> None:
        """Close the driver for good."""
        self._is_closed = True
        for timer in (self._timer, self._steady):
            if timer is not None:
                timer.cancel()
        driver, self._driver = self._driver, None
        self._watched.cut()
        if driver is not None:
            self._end(driver)

    # From one driver to the next

    def _make(self) -> None:
        self._watched = watched = WatchedLoop(self._loop, self._failed)
        self._inherited, self._says_lost = self._lost.difference(self._devices), False
        try:
            driver = self._build(watched.for_driver(), lambda message: self._posted(watched, message))
        except FAILURES as error:
            watched.fail(error)
            return
        if self._watched is not watched or watched.is_cut:
            self._end(driver)  # it failed while it was made
            return
        self._driver = driver
        if self._failures:
            self._is_back(driver)

    def _is_back(self, driver: D) -> None:
        self._steady = self._loop.call_later(STEADY_S, self._recover)
        self._watched.guard(self._has_come, driver)
        self._before = None
        if self._is_silent and self._driver is driver and not self._says_lost:
            for seat, device in sorted(self._lost):
                self._tell(Found(seat, device))

    def _failed(self, error: BaseException) -> None:
        """The driver has raised something, anywhere."""
        self._mishaps.tell(self.what, error)
        if self._steady is not None:
            self._steady.cancel()
        self._failures += 1
        self._failed_s = self._loop.time()
        driver, self._driver = self._driver, None
        if driver is not None:
            self._before = driver
            self._end(driver)
            self._ending.append(driver)
        why = f"its driver failed: {named(error)}; it is started again"
        for seat, device in self._devices:
            if (seat, device) not in self._lost:
                self._tell(Lost(seat, device, why))
        if self._failures == OVER_AND_OVER:
            self._ailing(self.what, True)
        self._again_in(self._backoff.next_s())

    def _again_in(self, after_s: float) -> None:
        if not self._is_closed:
            self._timer = self._loop.call_later(after_s, self._try)

    def _try(self) -> None:
        """Make another, once the dead one has ended or was given up."""
        self._timer = None
        self._ending = [driver for driver in self._ending if not getattr(driver, "is_closed", True)]
        if self._ending and self._loop.time() - self._failed_s < ENDS_WITHIN_S:
            self._again_in(LOOK_EVERY_S)
            return
        for driver in self._ending:
            driver.abandon()  # type: ignore[attr-defined]  # what can be open for long can be abandoned
        if len(self._ending) >= MOST_LEFT_BEHIND:
            self._again_in(LONGEST_S)
            return
        self._make()

    def _recover(self) -> None:
        self._steady = None
        if self._failures >= OVER_AND_OVER:
            self._ailing(self.what, False)
        self._failures = 0
        self._backoff.reset()

    def _end(self, driver: D) -> None:
        try:
            driver.close()
        except FAILURES as error:
            self._mishaps.tell(f"closing {self.what}", error)

    # What it says

    def _posted(self, generation: WatchedLoop, message: Message) -> None:
        if generation is not self._watched or generation.is_cut:
            return
        self._tell(message)

    def _tell(self, message: Message) -> None:
        self._post(message)
        match message:
            case Lost(seat, device):
                self._lost.add((seat, device))
                self._says_lost = True
            case Found(seat, device):
                self._lost.discard((seat, device))
                inherited, self._inherited = self._inherited, set()
                for details in sorted(inherited & self._lost):
                    self._tell(Found(*details))
