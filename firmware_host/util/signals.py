"""The end of a process beside the daemon: it works until a signal."""

import asyncio
import signal
from collections.abc import Coroutine
from contextlib import suppress

ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


async def run_until_signal(work: Coroutine[object, object, None]) -> None:
    """Run `work` until it ends or raises, or one of `ENDING` cancels it."""
    loop = asyncio.get_running_loop()
    task = asyncio.create_task(work)
    for number in ENDING:
        loop.add_signal_handler(number, task.cancel)
    with suppress(asyncio.CancelledError):
        await task
