"""The end of a process beside the daemon: on a signal, or with the process that started it."""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Coroutine
from contextlib import suppress

ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def end_with_standard_input() -> None:
    """End this process, at the latest, when its standard input reaches its end.

    A parent holding the other end of that pipe takes its child along even when it is killed, on every system.
    """

    def wait() -> None:
        while os.read(sys.stdin.fileno(), 4096):
            pass
        os._exit(0)

    threading.Thread(target=wait, daemon=True, name="parent").start()


async def run_until_signal(work: Coroutine[object, object, None]) -> None:
    """Run `work` until it ends or raises, or one of `ENDING` cancels it."""
    loop = asyncio.get_running_loop()
    task = asyncio.create_task(work)
    for number in ENDING:
        loop.add_signal_handler(number, task.cancel)
    with suppress(asyncio.CancelledError):
        await task
