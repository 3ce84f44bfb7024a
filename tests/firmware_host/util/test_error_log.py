"""Whatever nobody catches is told once a kind, with how often, and without what it says."""

import asyncio
import gc
import logging
import threading
from collections.abc import Callable, Iterator

import pytest

from firmware_host.util.log import MAX_KINDS, ErrorCounter, ExceptionHooks
from hardware.emulated.virtual_loop import VirtualLoop


@pytest.fixture
def gone(loop: VirtualLoop) -> Iterator[list[str]]:
    """Put it in place, and give what it says is gone for good."""
    gone: list[str] = []
    with ExceptionHooks(ErrorCounter(), loop=loop, on_fatal=gone.append):
        yield gone


SECRET = "six sixes under North's cup"


def fails() -> None:
    raise ValueError(SECRET)


def turn(loop: VirtualLoop) -> None:
    loop.run_until_complete(asyncio.sleep(0.1))


def in_a_thread(_: VirtualLoop) -> None:
    thread = threading.Thread(target=fails, name="somebody")
    thread.start()
    thread.join()


def in_a_callback(loop: VirtualLoop) -> None:
    loop.call_soon(fails)
    turn(loop)


def in_a_task_nobody_waits_for(loop: VirtualLoop) -> None:
    async def task() -> None:
        fails()

    loop.create_task(task())
    turn(loop)
    gc.collect()


def on_a_thread_of_the_loop(loop: VirtualLoop) -> None:
    loop.run_in_executor(None, fails)
    turn(loop)
    loop.run_until_complete(loop.shutdown_default_executor())  # until then the thread may hold what it did last
    gc.collect()


def in_a_finaliser(_: VirtualLoop) -> None:
    class Ends:
        def __del__(self) -> None:
            fails()

    Ends()


WAYS = [in_a_thread, in_a_callback, in_a_task_nobody_waits_for, on_a_thread_of_the_loop, in_a_finaliser]


@pytest.mark.usefixtures("gone")
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_it_is_told_and_quotes_nothing(
    way: Callable[[VirtualLoop], None], loop: VirtualLoop, caplog: pytest.LogCaptureFixture
) -> None:
    way(loop)
    (record,) = caplog.records
    assert "ValueError" in record.message
    assert "in fails" in record.message, "where it was raised"
    assert SECRET not in record.message


@pytest.mark.usefixtures("gone")
def test_what_happens_again_and_again_is_told_in_round_numbers(
    loop: VirtualLoop, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(1000):
        loop.call_soon(fails)
    turn(loop)
    assert [record.message.split(":")[0] for record in caplog.records] == [
        "fails failed",
        "fails failed for the 10th time",
        "fails failed for the 100th time",
        "fails failed for the 1000th time",
    ]


def test_so_many_kinds_are_told_apart_and_no_more(caplog: pytest.LogCaptureFixture) -> None:
    errors = ErrorCounter()
    for number in range(10 * MAX_KINDS):
        errors.log(f"part {number}", ValueError())
    assert len(errors._counts) <= MAX_KINDS + 1
    assert len(caplog.records) < MAX_KINDS + 10


def test_a_thread_that_nothing_stands_in_for_is_said_to_be_gone(gone: list[str], loop: VirtualLoop) -> None:
    in_a_thread(loop)
    assert gone == []
    kind = type("_callback_thread", (threading.Thread,), {"__module__": "lgpio"})
    thread = kind(target=fails, name="edges")
    thread.start()
    thread.join()
    assert gone == ["the thread edges has died, and with it every button"]


def test_the_hooks_are_as_before_afterwards(loop: VirtualLoop) -> None:
    before = threading.excepthook
    with ExceptionHooks(ErrorCounter(), loop=loop, on_fatal=lambda why: None):
        assert threading.excepthook is not before
    assert threading.excepthook is before
    assert loop.get_exception_handler() is None


def test_a_log_line_says_what_the_system_said(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        ErrorCounter().log("the driver of North's cup", OSError(5, SECRET))
    assert "the driver of North's cup failed: OSError (Input/output error)" in caplog.text
