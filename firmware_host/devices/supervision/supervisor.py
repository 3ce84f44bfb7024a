"""Driver supervision: a failed driver is closed and built again, without affecting others.

`devices.Devices` makes all drivers of a layout through a `DriverSupervisor`, which has a `SupervisedDriver` for each. A
driver runs on a `ScopedLoop`, which catches every exception inside it; others reach it through `call`. Its devices are
posted as Lost once, and as Found when the next driver has them.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from drivers.messages import Device, Found, Lost, Message, Post
from drivers.timing import Backoff
from firmware_host.devices.supervision.scoped_loop import FAILURES, ScopedLoop
from firmware_host.util.log import ErrorCounter, describe_error

RETRY_S, MAX_RETRY_S = 0.5, 60.0
"""Seconds before a driver is built again: the first time, doubled each time, and at most."""
STEADY_S = 60.0
"""Seconds without a failure until a driver has recovered."""
FLAPPING_FAILURES = 3
"""Failures without a recovery that make a driver flapping."""
CLOSE_TIMEOUT_S = 10.0
"""Seconds for a failed driver to close and switch off its displays."""
CLOSE_POLL_INTERVAL_S = 0.5
MAX_LEFT_BEHIND = 3
"""Maximum number of failed drivers still closing; then the next is built only when one has closed."""


class Driver(Protocol):
    """The methods of every driver. Some have `is_closed` and `abandon` too, see `DisplayBus`."""

    def close(self) -> None:
        """Release ports, pins and buses."""


D = TypeVar("D", bound=Driver)
Result = TypeVar("Result")
Build = Callable[[asyncio.AbstractEventLoop, Post], D]


class SupervisedDriver(Generic[D]):
    """A driver, made by `build` for a loop and a post. `name` is for the log; `devices` are lost when it fails.

    `on_restarted` is called with each driver after the first, to pass on its predecessor's state. With `posts_found`
    the supervisor posts Found in the driver's place. `on_flapping` is called when flapping begins and ends.
    """

    def __init__(
        self,
        name: str,
        build: Build[D],
        *,
        devices: Iterable[tuple[int, Device]],
        loop: asyncio.AbstractEventLoop,
        post: Post,
        errors: ErrorCounter,
        on_restarted: Callable[[D], None] = lambda driver: None,
        posts_found: bool = False,
        on_flapping: Callable[[str, bool], None] = lambda name, is_flapping: None,
    ) -> None:
        self.name = name
        self._build = build
        self._devices = tuple(devices)
        self._loop = loop
        self._post = post
        self._errors = errors
        self._on_restarted = on_restarted
        self._posts_found = posts_found
        self._on_flapping = on_flapping
        self._driver: D | None = None
        self._predecessor: D | None = None
        self._scope = ScopedLoop(loop, self._failed)
        self._lost: set[tuple[int, Device]] = set()
        self._inherited: set[tuple[int, Device]] = set()  # lost with its predecessor, and unknown to it
        self._has_posted_lost = False
        self._closing: list[D] = []
        self._backoff = Backoff(RETRY_S, MAX_RETRY_S)
        self._failures = 0
        self._failed_s = 0.0
        self._is_closed = False
        self._timer: asyncio.TimerHandle | None = None
        self._steady: asyncio.TimerHandle | None = None
        self._start()

    def __repr__(self) -> str:
        return f"<SupervisedDriver {self.name}: {self._driver or 'none'}>"

    @property
    def driver(self) -> D | None:
        """The driver; None while it is being restarted."""
        return self._driver

    @property
    def predecessor(self) -> D | None:
        """Its failed predecessor."""
        return self._predecessor

    def call(self, act: Callable[[D], Result]) -> Result | None:
        """Call the driver; return None without one, or if the call makes it fail."""
        return None if self._driver is None else self._scope.call(act, self._driver)

    def call_latest(self, act: Callable[[D], Result]) -> Result | None:
        """Call the driver, or in its absence its predecessor, which has the same state."""
        if self._driver is None and self._predecessor is not None:
            return act(self._predecessor)
        return self.call(act)

    def fail(self, error: BaseException) -> None:
        """Restart the driver, because of an error in it or in a dependency."""
        if self._driver is not None:
            self._scope.fail(error)

    def close(self) -> None:
        """Close the driver and do not restart it."""
        self._is_closed = True
        for timer in (self._timer, self._steady):
            if timer is not None:
                timer.cancel()
        driver, self._driver = self._driver, None
        self._scope.detach()
        if driver is not None:
            self._close(driver)

    # From one driver to the next

    def _start(self) -> None:
        self._scope = scope = ScopedLoop(self._loop, self._failed)
        self._inherited, self._has_posted_lost = self._lost.difference(self._devices), False
        try:
            driver = self._build(scope.for_driver(), partial(self._on_message, scope))
        except FAILURES as error:
            scope.fail(error)
            return
        if self._scope is not scope or scope.is_detached:
            self._close(driver)  # it failed while it was built
            return
        self._driver = driver
        if self._failures:
            self._restarted(driver)

    def _restarted(self, driver: D) -> None:
        self._steady = self._loop.call_later(STEADY_S, self._recover)
        self._scope.call(self._on_restarted, driver)
        self._predecessor = None
        if self._posts_found and self._driver is driver and not self._has_posted_lost:
            for seat, device in sorted(self._lost):
                self._announce(Found(seat, device))

    def _failed(self, error: BaseException) -> None:
        """Close the driver, post its devices as Lost, and schedule the restart."""
        self._errors.log(self.name, error)
        if self._steady is not None:
            self._steady.cancel()
        self._failures += 1
        self._failed_s = self._loop.time()
        driver, self._driver = self._driver, None
        if driver is not None:
            self._predecessor = driver
            self._close(driver)
            self._closing.append(driver)
        why = f"its driver failed: {describe_error(error)}; it is started again"
        for seat, device in self._devices:
            if (seat, device) not in self._lost:
                self._announce(Lost(seat, device, why))
        if self._failures == FLAPPING_FAILURES:
            self._on_flapping(self.name, True)
        self._restart_in(self._backoff.next_s())

    def _restart_in(self, after_s: float) -> None:
        if not self._is_closed:
            self._timer = self._loop.call_later(after_s, self._restart)

    def _restart(self) -> None:
        """Build another driver, once the failed one has closed or its time is up."""
        self._timer = None
        self._closing = [driver for driver in self._closing if not getattr(driver, "is_closed", True)]
        if self._closing and self._loop.time() - self._failed_s < CLOSE_TIMEOUT_S:
            self._restart_in(CLOSE_POLL_INTERVAL_S)
            return
        for driver in self._closing:
            driver.abandon()  # type: ignore[attr-defined]  # a driver with `is_closed` has it
        if len(self._closing) >= MAX_LEFT_BEHIND:
            self._restart_in(MAX_RETRY_S)
            return
        self._start()

    def _recover(self) -> None:
        self._steady = None
        if self._failures >= FLAPPING_FAILURES:
            self._on_flapping(self.name, False)
        self._failures = 0
        self._backoff.reset()

    def _close(self, driver: D) -> None:
        try:
            driver.close()
        except FAILURES as error:
            self._errors.log(f"closing {self.name}", error)

    # Its messages

    def _on_message(self, scope: ScopedLoop, message: Message) -> None:
        """Post a message from the driver on `scope`, unless it has failed."""
        if scope is not self._scope or scope.is_detached:
            return
        self._post(message)
        if isinstance(message, Lost | Found):
            self._note(message)

    def _announce(self, message: Lost | Found) -> None:
        self._post(message)
        self._note(message)

    def _note(self, message: Lost | Found) -> None:
        match message:
            case Lost(seat, device):
                self._lost.add((seat, device))
                self._has_posted_lost = True
            case Found(seat, device):
                self._lost.discard((seat, device))
                inherited, self._inherited = self._inherited, set()
                for seat, device in sorted(inherited & self._lost):
                    self._announce(Found(seat, device))


class DriverSupervisor:
    """A table's supervised drivers; `seats` are its seat names."""

    def __init__(
        self, seats: Sequence[str], *, loop: asyncio.AbstractEventLoop, post: Post, errors: ErrorCounter
    ) -> None:
        self._seats = seats
        self._loop = loop
        self._post = post
        self._errors = errors
        self._drivers: list[SupervisedDriver[Any]] = []
        self._flapping: dict[str, None] = {}  # names, in their order
        self.on_flapping: Callable[[Sequence[str]], None] = lambda names: None
        """Called with the names of flapping drivers when they change; the daemon sets it."""

    def __repr__(self) -> str:
        return f"<DriverSupervisor: {len(self._drivers)}, flapping: {', '.join(self._flapping) or 'none'}>"

    def supervise(
        self,
        build: Build[D],
        *,
        devices: Sequence[tuple[int, Device]] = (),
        name: str = "",
        on_restarted: Callable[[D], None] = lambda driver: None,
        posts_found: bool = False,
    ) -> SupervisedDriver[D]:
        """Build a driver and supervise it, see `SupervisedDriver`. Without a name it is its device's driver."""
        driver = SupervisedDriver(
            name or "the driver of " + " and ".join(f"{self._seats[seat]}'s {device}" for seat, device in devices),
            build,
            devices=devices,
            loop=self._loop,
            post=self._post,
            errors=self._errors,
            on_restarted=on_restarted,
            posts_found=posts_found,
            on_flapping=self._set_flapping,
        )
        self._drivers.append(driver)
        return driver

    def close(self) -> None:
        """Close every driver, even if one raises."""
        with ExitStack() as closing:
            for driver in reversed(self._drivers):
                closing.callback(driver.close)

    def _set_flapping(self, name: str, is_flapping: bool) -> None:
        if is_flapping:
            self._flapping[name] = None
        else:
            self._flapping.pop(name, None)
        self.on_flapping([*self._flapping])
