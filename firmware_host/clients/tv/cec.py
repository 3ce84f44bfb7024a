"""TV power over HDMI-CEC, through the program cec-ctl from v4l-utils.

The kernel has an adapter, `/dev/cecN`, for each capable HDMI socket. cec-ctl exits with 0 even if the TV did not
answer, so its output decides.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path

from firmware_host.util.system_error import reason_of

NAME = "Dudo"
"""This computer's name in the TV's menu, at most 14 letters."""
COMMAND_TIMEOUT_S = 10.0
"""Seconds for one cec-ctl; claiming an address and waiting for an answer take two."""
KILLED_TIMEOUT_S = 1.0
MAX_OUTPUT_BYTES = 1 << 16
NOWHERE = "f.f.f.f"
"""The physical address of an adapter without a TV."""

_OWN_ADDRESS = re.compile(r"Physical Address\s*: ([0-9a-f.]+)")
_OTHER_SOURCE = re.compile(r"Received from .*?phys-addr: ([0-9a-f.]+)", re.DOTALL)


class CecError(Exception):
    """No TV could be switched; the text gives reason and remedy."""


def every_adapter() -> Sequence[Path]:
    """Return this computer's adapters."""
    return sorted(Path("/dev").glob("cec[0-9]*"))


class CecTv:
    """The TVs at the adapters found by `adapters`: mostly one, at one of a Pi's two sockets."""

    def __init__(
        self, adapters: Callable[[], Sequence[Path]] = every_adapter, timeout_s: float = COMMAND_TIMEOUT_S
    ) -> None:
        self._adapters = adapters
        self._timeout_s = timeout_s

    def check(self) -> None:
        """Raise `CecError` if this computer has no adapter."""
        if not self._adapters():
            raise CecError("this computer has no HDMI-CEC: there is no /dev/cec0")

    async def switch_on(self) -> None:
        """Switch the TV on and to this computer's picture. Raises `CecError`."""
        await self._each(self._switch_on)

    async def switch_off(self) -> str:
        """Switch the TV off. If it shows another source, leave it on and return that address. Raises `CecError`."""
        return next(filter(None, await self._each(self._switch_off)), "")

    async def _switch_on(self, adapter: Path) -> str:
        own = _own_address(adapter, await self._run(adapter, "--playback", "--osd-name", NAME))
        shows = ("--to", "0", "--image-view-on", "--active-source", f"phys-addr={own}")
        _check_answer(adapter, await self._run(adapter, "--skip-info", *shows))
        return ""

    async def _switch_off(self, adapter: Path) -> str:
        # If this computer is the source, the request goes unanswered and cec-ctl times out after a second.
        said = await self._run(adapter, "--playback", "--osd-name", NAME, "--request-active-source")
        own, other = _own_address(adapter, said), _OTHER_SOURCE.search(said)
        if other is not None and other[1] != own:
            return other[1]
        _check_answer(adapter, await self._run(adapter, "--skip-info", "--to", "0", "--standby"))
        return ""

    async def _each(self, switch: Callable[[Path], Awaitable[str]]) -> list[str]:
        """Run a request at every adapter and return the results. Raises `CecError` if all fail."""
        self.check()
        results, problems = [], []
        for adapter in self._adapters():
            try:
                results.append(await switch(adapter))
            except CecError as error:
                problems.append(str(error))
        if not results:
            raise CecError("; ".join(dict.fromkeys(problems)))
        return results

    async def _run(self, adapter: Path, *options: str) -> str:
        """Return the output of one cec-ctl run. Raises `CecError` if it fails or times out."""
        try:
            process = await asyncio.create_subprocess_exec(
                "cec-ctl",
                f"--device={adapter}",
                *options,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
            )
        except FileNotFoundError:
            raise CecError("cec-ctl is not installed: sudo apt install v4l-utils") from None
        except OSError as error:
            raise CecError(f"cec-ctl can't be started: {reason_of(error)}") from error
        assert process.stdout is not None
        output = bytearray()
        try:
            async with asyncio.timeout(self._timeout_s):
                while len(output) < MAX_OUTPUT_BYTES and (more := await process.stdout.read(MAX_OUTPUT_BYTES)):
                    output += more
                code = await process.wait()
        except TimeoutError:
            raise CecError(f"{adapter}: cec-ctl took longer than {self._timeout_s:g} s and was ended") from None
        finally:
            await _end(process)
        said = output.decode("utf-8", "replace")
        if code:
            last = next((line.strip() for line in reversed(said.splitlines()) if line.strip()), f"exit code {code}")
            raise CecError(f"{adapter}: cec-ctl failed: {last}")
        return said


def _own_address(adapter: Path, said: str) -> str:
    found = _OWN_ADDRESS.search(said)
    if found is None or found[1] == NOWHERE:
        raise CecError(f"{adapter}: no TV is plugged in there")
    return found[1]


def _check_answer(adapter: Path, said: str) -> None:
    if "Not Acknowledged" in said or "unconfigured" in said:
        raise CecError(f"{adapter}: the TV does not answer; switch HDMI-CEC on in its menu")


async def _end(process: asyncio.subprocess.Process) -> None:
    """Kill a running process. After a moment, abandon one hanging in the kernel."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.kill()
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), KILLED_TIMEOUT_S)
