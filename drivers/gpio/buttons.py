"""A seat's push buttons on GPIOs: `Pressed` and `Released` with the stamp of the first edge.

The daemon builds one for each wired seat. The factory is `gpiod_pins` at a real table and an emulated one otherwise.
"""

import asyncio
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from drivers.gpio.switches import Switches
from drivers.messages import Button, Device, Post, Pressed, Released
from hardware.link.debounce import Debounce


class Buttons:
    """Buttons between pins (BCM numbers) and ground, open from the start.

    `factory` is a gpiozero factory whose ticks are the loop's time in seconds (CLOCK_MONOTONIC at a real table).
    `post` is called on the loop's thread. A pin that isn't there is told as Lost and tried again.
    """

    def __init__(
        self,
        seat: int,
        pins: Mapping[Button, int],
        *,
        factory: Any,
        loop: asyncio.AbstractEventLoop,
        post: Post,
    ) -> None:
        self.seat = seat
        self._loop = loop
        self._post = post
        self._contacts: dict[str, Debounce] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._switches = Switches(
            seat,
            Device.BUTTONS,
            {button.value: pin for button, pin in pins.items()},
            factory=factory,
            loop=loop,
            post=post,
            opened=self._opened,
            heard=self._heard,
            gone=self._gone,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Buttons: {self._switches!r}>"

    def close(self) -> None:
        """Give the pins back."""
        self._switches.close()
        for timer in self._timers.values():
            timer.cancel()

    def _opened(self, name: str, closed: bool) -> None:
        # A button that is held down while its pin is opened was not pressed at this table.
        self._contacts[name] = Debounce(closed)

    def _heard(self, name: str, closed: bool, at_ns: int) -> None:
        self._report(name, self._contacts[name].edge(closed, at_ns))

    def _gone(self, name: str) -> None:
        """Whoever is told that the buttons are lost lets go of what was held: a release now would be an act."""
        del self._contacts[name]
        if timer := self._timers.pop(name, None):
            timer.cancel()

    def _settle(self, name: str) -> None:
        contact = self._contacts[name]
        now_ns = max(round(self._loop.time() * 1e9), contact.due_ns or 0)  # a timer may fire a hair early
        self._report(name, contact.settle(self._switches.conducts(name), now_ns))

    def _report(self, name: str, changes: list[tuple[bool, int]]) -> None:
        for closed, at_ns in changes:
            kind = Pressed if closed else Released
            self._post(kind(self.seat, Button(name), at_ns))
        if timer := self._timers.pop(name, None):
            timer.cancel()
        if (due_ns := self._contacts[name].due_ns) is not None:
            self._timers[name] = self._loop.call_at(due_ns / 1e9, self._settle, name)
