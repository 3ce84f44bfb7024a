"""A guest's phone in WebKitGTK, the engine of phones from Apple, by its WebDriver on a display of its own.

async with a_webkit(folder) as webkit:
    await webkit.open(link)
    await webkit.press("go")
"""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from support.pages.phone_evening import PhoneHand

from bench.tools.broker import free_port

SCREEN = "1200x900x24"
TAP_MS = 80
PATIENCE_S = 30.0
STEP_S = 0.1
MISSING = "apt install webkit2gtk-driver xvfb"


def _mini_browser() -> Path | None:
    """Return WebKitGTK's own small browser."""
    return next(iter(sorted(Path("/usr/lib").glob("*/webkit2gtk-4*/MiniBrowser"), reverse=True)), None)


class WebKit(PhoneHand):
    """A page and the finger at it."""

    def __init__(self, session: aiohttp.ClientSession, address: str) -> None:
        self._session = session
        self._address = address

    async def open(self, link: str) -> None:
        """Open a page."""
        await self._ask("url", {"url": link})

    async def run(self, script: str) -> Any:
        """Return a script's result."""
        return await self._ask("execute/sync", {"script": f"return {script}", "args": []})

    async def until(self, script: str) -> None:
        """Wait until a script returns true."""
        for _ in range(round(PATIENCE_S / STEP_S)):
            if await self.run(script):
                return
            await asyncio.sleep(STEP_S)
        raise AssertionError(f"never: {script}; the page says {await self.run('document.body.innerText')}")

    async def press(self, button: str, for_ms: int = TAP_MS) -> None:
        """Press a button for a moment."""
        await self._hold(button, {"type": "pause", "duration": for_ms}, {"type": "pointerUp", "button": 0})

    async def tap(self, button: str) -> None:
        """Press a button, if the page lets it."""
        if await self.is_here():
            await self.press(button)

    async def is_here(self) -> bool:
        """Return whether the page is connected to the table."""
        return bool(await self.run("!document.body.hasAttribute('data-gone')"))

    @asynccontextmanager
    async def looking(self) -> AsyncIterator[None]:
        """Hold the button that shows dice."""
        await self._hold("look")
        try:
            yield
        finally:
            await self._act({"type": "pointerUp", "button": 0})

    async def has_dice(self) -> bool:
        """Return whether dice are on the canvas."""
        return bool(await self.run("document.querySelector('#seat').hasAttribute('data-dice')"))

    async def _hold(self, button: str, *then: dict[str, Any]) -> None:
        await self.run(f"document.querySelector('#{button}').scrollIntoView()")
        box = f"document.querySelector('#{button}').getBoundingClientRect()"
        x, y = await self.run(f"[Math.round({box}.x + {box}.width / 2), Math.round({box}.y + {box}.height / 2)]")
        await self._act({"type": "pointerMove", "x": x, "y": y}, {"type": "pointerDown", "button": 0}, *then)

    async def _act(self, *actions: dict[str, Any]) -> None:
        finger = {"type": "pointer", "id": "finger", "parameters": {"pointerType": "mouse"}, "actions": [*actions]}
        await self._ask("actions", {"actions": [finger]})

    async def _ask(self, command: str, said: dict[str, Any]) -> Any:
        async with self._session.post(f"{self._address}/{command}", json=said) as answer:
            value = (await answer.json())["value"]
            assert answer.status == 200, value
            return value


@asynccontextmanager
async def a_webkit(folder: Path) -> AsyncIterator[WebKit]:
    """Give a browser with an empty page, or skip the test. `folder` is for its log."""
    browser, driver, server = _mini_browser(), shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
    if browser is None or driver is None or server is None:
        pytest.skip(f"WebKitGTK is not installed: {MISSING}")
    async with AsyncExitStack() as stack:
        log = stack.enter_context((folder / "webkit.log").open("wb"))
        reading, writing = os.pipe()
        screen = (server, "-displayfd", str(writing), "-screen", "0", SCREEN, "-nolisten", "tcp")
        shown = await asyncio.create_subprocess_exec(*screen, pass_fds=[writing], stdout=log, stderr=log)
        stack.push_async_callback(_end, shown)
        os.close(writing)
        with os.fdopen(reading) as number:
            display = f":{(await asyncio.to_thread(number.readline)).strip()}"
        port = free_port()
        own = os.environ | {"DISPLAY": display, "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1", "LIBGL_ALWAYS_SOFTWARE": "1"}
        driving = await asyncio.create_subprocess_exec(driver, f"--port={port}", env=own, stdout=log, stderr=log)
        stack.push_async_callback(_end, driving)
        session = await stack.enter_async_context(aiohttp.ClientSession())
        address = f"http://127.0.0.1:{port}/session"
        options = {"binary": str(browser), "args": ["--automation"]}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        async with asyncio.timeout(PATIENCE_S):
            while True:
                try:
                    async with session.post(address, json=wanted) as answer:
                        begun = (await answer.json())["value"]
                        assert answer.status == 200, begun
                        break
                except aiohttp.ClientConnectionError:
                    await asyncio.sleep(STEP_S)
        address = f"{address}/{begun['sessionId']}"
        yield WebKit(session, address)
        async with session.delete(address) as answer:
            await answer.read()


async def _end(process: asyncio.subprocess.Process) -> None:
    process.terminate()
    await process.wait()
