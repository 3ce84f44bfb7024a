"""Coroutines that run together and end together, for the processes beside the daemon."""

import asyncio
from collections.abc import Coroutine
from typing import Any


async def together(*works: Coroutine[Any, Any, None]) -> None:
    """Run coroutines until one raises, or all are cancelled."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        await asyncio.gather(*tasks)
    finally:
        await ended(*tasks)


async def ended(*tasks: "asyncio.Task[None]") -> None:
    """Cancel tasks until they have ended: `asyncio.wait_for`, which aiomqtt uses, may lose a cancellation."""
    pending = set(tasks)
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=0.5)
