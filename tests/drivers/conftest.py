"""Fixtures of the drivers' tests: an inbox for posted messages, and a loop on virtual time."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from drivers.messages import Message
from hardware.emulated.chips.pins import EmulatedFactory
from hardware.emulated.virtual_loop import START_S, VirtualLoop

START_NS = round(START_S * 1e9)


class Inbox(list[Message]):
    """Collects messages; being called from any other thread than the loop's is an error."""

    def __init__(self) -> None:
        self._thread = threading.get_ident()

    def __call__(self, message: Message) -> None:
        assert threading.get_ident() == self._thread
        self.append(message)


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    """Close what a test opens."""
    with ExitStack() as opened:
        yield opened


@pytest.fixture
def factory(loop: VirtualLoop) -> EmulatedFactory:
    return EmulatedFactory(loop)


@pytest.fixture
def wait(loop: VirtualLoop) -> Callable[[float], None]:
    """Let virtual seconds pass."""
    return lambda duration_s: loop.run_until_complete(asyncio.sleep(duration_s))


@pytest.fixture
def unraised(loop: VirtualLoop) -> Iterator[None]:
    """Fail the test when a callback on the loop raised."""
    contexts: list[dict[str, object]] = []
    loop.set_exception_handler(lambda _, context: contexts.append(context))
    yield
    assert contexts == []
