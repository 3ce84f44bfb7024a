"""Who watches over the drivers of a table: a `Ward` for each, and which of them fail over and over.

`devices.Devices` has one, through which all drivers of its layout are made.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from typing import Any

from drivers.messages import Device, Post
from firmware_host.supervision.error_log import Mishaps
from firmware_host.supervision.supervision import Build, D, Ward


class Wards:
    """The wards of a table whose seats are called so."""

    def __init__(self, seats: Sequence[str], *, loop: asyncio.AbstractEventLoop, post: Post, mishaps: Mishaps) -> None:
        self._seats = seats
        self._loop = loop
        self._post = post
        self._mishaps = mishaps
        self._wards: list[Ward[Any]] = []
        self._ails: dict[str, None] = {}
        self.ailing: Callable[[Sequence[str]], None] = lambda names: None
        """Told the names of the drivers that fail over and over whenever these are others: to be set by who cares."""

    def __repr__(self) -> str:
        return f"<Wards: {len(self._wards)}, ailing: {', '.join(self._ails) or 'none'}>"

    def watch(
        self,
        what: str,
        build: Build[D],
        *,
        devices: Iterable[tuple[int, Device]] = (),
        has_come: Callable[[D], None] = lambda driver: None,
        silent: bool = False,
    ) -> Ward[D]:
        """Make a driver and watch over it, see `Ward`."""
        ward = Ward(
            what,
            build,
            devices=devices,
            loop=self._loop,
            post=self._post,
            mishaps=self._mishaps,
            has_come=has_come,
            silent=silent,
            ailing=self._ailed,
        )
        self._wards.append(ward)
        return ward

    def watch_at(
        self,
        seat: int,
        device: Device,
        build: Build[D],
        *,
        has_come: Callable[[D], None] = lambda driver: None,
        silent: bool = False,
    ) -> Ward[D]:
        """The same for the driver of one device at one seat."""
        what = f"the driver of {self._seats[seat]}'s {device}"
        return self.watch(what, build, devices=[(seat, device)], has_come=has_come, silent=silent)

    def close(self) -> None:
        """Close every driver for good, whatever befalls another."""
        with ExitStack() as closing:
            for ward in reversed(self._wards):
                closing.callback(ward.close)

    def _ailed(self, what: str, ails: bool) -> None:
        if ails:
            self._ails[what] = None
        else:
            self._ails.pop(what, None)
        self.ailing([*self._ails])
