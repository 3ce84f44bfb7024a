"""The TV of `dudo-table tv` at a taped session: when it is switched on and off, and what its service says."""

from collections.abc import Callable
from functools import partial

from firmware_host.clients.tv.power import TvPower

Record = Callable[[str, object], None]
OFF_AFTER_S = 1.0
"""Seconds without a sign of play: fewer than really, so that it is switched within a session."""


class TapedTv:
    """A TV at which everything works."""

    def __init__(self, record: Record) -> None:
        self._record = record

    def check(self) -> None:
        """Find an adapter."""

    async def switch_on(self) -> None:
        """Note the moment, which the tape does."""
        self._record("tv", "on")

    async def switch_off(self) -> str:
        """Note the moment."""
        self._record("tv", "off")
        return ""


def taped_tv(record: Record) -> TvPower:
    """Return the power of a TV; `record` is given a channel and what went there."""
    return TvPower(TapedTv(record), OFF_AFTER_S, partial(record, "service of the tv"))
