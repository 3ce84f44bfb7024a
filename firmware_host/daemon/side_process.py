"""Runs a project module as a process beside the daemon, for answers that would take the table's time."""

import asyncio
import sys


async def printed(module: str, *arguments: str, text: str = "", timeout_s: float, max_bytes: int) -> str:
    """Return a module's line of output for `text` on its standard input.

    Raises `OSError`, including on a timeout, or `ValueError` for more than `max_bytes` or a failure.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        module,
        *arguments,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=max_bytes,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        async with asyncio.timeout(timeout_s):
            process.stdin.write(text.encode())
            process.stdin.close()
            try:
                line = await process.stdout.readline()  # raises ValueError past the limit
            except ValueError:
                raise ValueError(f"its process prints more than {max_bytes} bytes") from None
            code = await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
        while await process.stdout.read(max_bytes):  # asyncio closes a process when its pipe is at its end
            pass
        await process.wait()
    if code != 0:
        raise ValueError(f"its process ended with {code}")
    return line.decode().strip()
