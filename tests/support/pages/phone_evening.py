"""A real table with phones: the daemon and `dudo-table phones` as processes, boards on terminals, phones in Chromium.

    async with PhoneEvening(folder, "board", "phone", "phone") as evening:
        phone = await evening.join(browser, seat=1)
        await evening.play(until=lambda state: state.scene == "over")

The daemon and the phones' process may be killed and started again; boards and browsers live on.
"""

import asyncio
import json
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import pytest
from support import ROOT
from support.crash.boards import KilledSeat, seat_at
from support.pages.browser import PATIENCE_MS, chromium

from bench.tools.broker import free_port
from firmware_host.public import invitation
from firmware_host.public.address import phones_folder
from firmware_host.public.reader import ReadLine, TableReader
from firmware_host.table.invitation import Invitation
from firmware_host.wire import PublicState

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page, Route

NAMES = ("Lima", "Cusco", "Puno", "Tacna", "Ica", "Piura", "Jauja", "Nazca")
COLORS = ("red", "yellow", "green", "turquoise", "blue", "purple", "pink", "orange")
PATIENCE_S = 60.0
AGAIN_S = 1.5
"""Seconds until a hand tries the same thing once more."""
STEP_S = 0.05
COUNTDOWN_NS = 500_000_000


@asynccontextmanager
async def an_async_chromium() -> AsyncIterator["Browser"]:
    """Give a browser from PATH for asyncio, or skip the test."""
    import shutil

    playwright = pytest.importorskip(
        "playwright.async_api", reason="Playwright is not installed: make test installs it"
    )
    found = shutil.which("chromium-headless-shell") or chromium()
    if found is None:
        pytest.skip("there is no Chromium on the PATH")
    async with playwright.async_playwright() as started:
        browser = await started.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        await browser.close()


@asynccontextmanager
async def sleeping(browser: "Browser") -> AsyncIterator[None]:
    """Stop the processes of all pages, as a phone in a pocket does; the browser's own goes on and has the network."""
    tools = await browser.new_browser_cdp_session()
    processes = (await tools.send("SystemInfo.getProcessInfo"))["processInfo"]
    pages = [process["id"] for process in processes if process["type"] == "renderer"]
    for page in pages:
        os.kill(page, signal.SIGSTOP)
    try:
        yield
    finally:
        for page in pages:
            os.kill(page, signal.SIGCONT)


class BoardHand:
    """The hand at a seat with a board."""

    def __init__(self, seat: KilledSeat) -> None:
        self.seat = seat

    async def tap(self, button: str) -> None:
        """Press a button for a moment."""
        self.seat.tap(button, 0.05)

    async def shake(self) -> None:
        """Shake the cup."""
        if self.seat.is_at_rest:
            self.seat.shake()


class PhoneHand:
    """The finger at a phone's page."""

    def __init__(self, page: "Page") -> None:
        self.page = page

    async def tap(self, button: str) -> None:
        """Touch a button."""
        with suppress(Exception):  # without a connection the controls are off
            await self.page.locator(f"#{button}").tap(timeout=500)

    async def place(self, button: str) -> tuple[float, float]:
        """Return the middle of a button on the screen."""
        box = await self.page.locator(f"#{button}").bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    async def shake(self) -> None:
        """Touch the shake button."""
        await self.tap("shake")

    async def is_here(self) -> bool:
        """Return whether the page is connected to the table."""
        return bool(
            await self.page.evaluate(
                "() => !document.body.hasAttribute('data-gone') && !document.querySelector('#seat').hidden"
            )
        )

    @asynccontextmanager
    async def looking(self) -> AsyncIterator[None]:
        """Hold the finger on the button that shows dice."""
        await self.page.locator("#look").hover()
        await self.page.mouse.down()
        try:
            yield
        finally:
            await self.page.mouse.up()

    async def has_dice(self) -> bool:
        """Return whether dice are on the canvas."""
        return await self.page.get_attribute("#seat", "data-dice") is not None

    async def dots(self) -> str:
        """Return the canvas's lit dots."""
        return str(
            await self.page.evaluate(
                """() => [...document.querySelector("#display").getContext("2d").getImageData(0, 0, 128, 64).data]
                .filter((_, at) => at % 4 === 0).map((red) => (red > 100 ? 1 : 0)).join("")"""
            )
        )


class HeardHand(PhoneHand):
    """A person who hears the page in English: reads its accessibility tree, clicks as a screen reader does."""

    async def step(self) -> None:
        """Do what the page says, and doubt every bid."""
        (heard, status), buttons = await self._listen()
        if "Shake!" in heard:
            name = "Shake"
        elif "Your turn" in heard:
            name = "DUDO" if re.search(r": \d", heard) else "OK"
        else:
            name = "OK" if "OK: join in" in heard or "Your turn" in status else ""
        if name in buttons:
            await self._click(buttons[name])

    async def _listen(self) -> tuple[tuple[str, str], dict[str, int]]:
        """Return the display in words and the line below it, and the buttons' nodes by name."""
        self._tree = await self.page.context.new_cdp_session(self.page)
        nodes = (await self._tree.send("Accessibility.getFullAXTree"))["nodes"]
        by_id = {node["nodeId"]: node for node in nodes}

        def is_(node: dict[str, Any], role: str) -> bool:
            return bool(node.get("role", {}).get("value") == role)

        def text(node: dict[str, Any]) -> str:
            if is_(node, "StaticText"):
                return str(node["name"]["value"])
            return " ".join(text(by_id[each]) for each in node.get("childIds", ()) if each in by_id)

        said = [text(node) for node in nodes if is_(node, "status")]
        heard, status = said if len(said) == 2 else ("", "")
        return (heard, status), {
            node["name"]["value"]: node["backendDOMNodeId"] for node in nodes if is_(node, "button")
        }

    async def _click(self, node: int) -> None:
        found = await self._tree.send("DOM.resolveNode", {"backendNodeId": node})
        called = {"objectId": found["object"]["objectId"], "functionDeclaration": "function () { this.click(); }"}
        await self._tree.send("Runtime.callFunctionOn", called)


class PhoneEvening:
    """A table with a seat for each kind, "board" or "phone". `states` are all that the room was told.

    Browsers open links `through` something, and have some of the page's files `replaced`.
    """

    def __init__(
        self, folder: Path, *kinds: str, dice: int = 2, language: str = "en", in_the_clear: bool = False
    ) -> None:
        self.folder = folder
        self.kinds = kinds
        self.states: list[PublicState] = []
        self.events = folder / "events.sock"
        self.state_folder = folder / "state"
        self.hands: dict[int, BoardHand | PhoneHand] = {}
        self.complaints: list[str] = []
        """Errors of the pages' scripts."""
        self.daemon: asyncio.subprocess.Process | None = None
        self.phones: asyncio.subprocess.Process | None = None
        self.through: Callable[[str], str] = str
        self.replaced: dict[str, str] = {}
        self._in_the_clear = in_the_clear
        self._did: dict[int, tuple[object, float]] = {}
        self._stack = AsyncExitStack()
        folder.mkdir(exist_ok=True)
        (folder / "short.toml").write_text(f'name = "short"\nbased_on = "perudo"\nstarting_dice = {dice}\n')
        devices = [f'board = "KILLED{at}"' if kind == "board" else "phone = true" for at, kind in enumerate(kinds)]
        seats = "".join(
            f'[[seat]]\nname = "{NAMES[at]}"\ncolor = "{COLORS[at]}"\n{device}\n' for at, device in enumerate(devices)
        )
        layout = f'name = "phones"\nrules = "short.toml"\nlanguage = "{language}"\n{seats}'
        (folder / "layout.toml").write_text(layout)
        self.port = free_port()

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        for at, kind in enumerate(self.kinds):
            if kind == "board":
                seat = seat_at(at, NAMES[at], loop, self.folder / "by-id")
                self._stack.callback(seat.close)
                self.hands[at] = BoardHand(seat)
        await self.start_daemon()
        await self.start_phones()
        following = asyncio.create_task(self._follow())
        self._stack.push_async_callback(_cancelled, following)
        await self.until(lambda: bool(self.states) and (not self.free or self.invitation is not None))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self._stack.aclose()
        for process in (self.phones, self.daemon):
            if process is not None and process.returncode is None:
                process.terminate()
                await process.wait()
        if error is None:
            assert self.complaints == []

    @property
    def state(self) -> PublicState:
        """The last public state."""
        return self.states[-1]

    @property
    def free(self) -> bool:
        """Whether a seat is for phones."""
        return "phone" in self.kinds

    @property
    def invitation(self) -> Invitation | None:
        """The present code."""
        return invitation.read(phones_folder(self.events))

    @property
    def log(self) -> str:
        """The output of both processes."""
        return (self.folder / "log").read_text() if (self.folder / "log").exists() else ""

    async def start_daemon(self) -> None:
        """Start the table, on the terminals of its boards."""
        serial, tape = str(self.folder / "by-id"), str(self.folder / "tape")
        how = {"in_the_clear": self._in_the_clear, "counts_down_ns": COUNTDOWN_NS}
        task = json.dumps({"serial": serial, "tape": tape, **how})
        run = ("run", "--layout", self.folder / "layout.toml", "--state", self.state_folder, "--events", self.events)
        self.daemon = await self._started(str(ROOT / "tests/support/crash/daemon.py"), task, *map(str, run))

    async def start_phones(self, *more: str) -> None:
        """Start the phones' process."""
        command = ("-m", "firmware_host.cli", "phones", "--listen", f"127.0.0.1:{self.port}", *more, str(self.events))
        for _ in range(100):
            if self.events.exists():
                break
            await asyncio.sleep(0.1)
        self.phones = await self._started(*command)

    async def kill(self, process: asyncio.subprocess.Process | None) -> None:
        """End a process as by kill -9."""
        assert process is not None
        process.send_signal(signal.SIGKILL)
        await process.wait()

    async def _started(self, *command: str) -> asyncio.subprocess.Process:
        own = os.environ | {"PYTHONPATH": f"{ROOT / 'tests'}{os.pathsep}{ROOT}"}
        with (self.folder / "log").open("ab") as log:
            return await asyncio.create_subprocess_exec(
                sys.executable, *command, cwd=ROOT, env=own, stdout=log, stderr=log, stdin=asyncio.subprocess.DEVNULL
            )

    async def _follow(self) -> None:
        async with aclosing(TableReader(self.events).lines()) as lines:
            async for line in lines:
                if isinstance(line, ReadLine) and isinstance(told := line.message(), PublicState):
                    self.states.append(told)

    async def until(self, so: Callable[[], bool], within_s: float = PATIENCE_S) -> None:
        """Wait until something is so."""
        for _ in range(round(within_s / STEP_S)):
            if so():
                return
            await asyncio.sleep(STEP_S)
        raise AssertionError(f"it never came about: {self.states[-1:]}\n{self.log[-2000:]}")

    async def a_phone(self, browser: "Browser", language: str = "en", size: tuple[int, int] = (390, 844)) -> "Page":
        """Give a phone's browser, with nothing open."""
        context = await browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            device_scale_factor=2,
            is_mobile=True,
            has_touch=True,
            reduced_motion="reduce",
            locale=language,
        )
        page = await context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        for name, script in self.replaced.items():
            await page.route(f"**/{name}", partial(_fulfilled, script=script))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    async def join(self, browser: "Browser", seat: int, language: str = "en", name: str = "") -> PhoneHand:
        """Scan the code, choose a seat and sit down."""
        page = await self.a_phone(browser, language)
        await self.until(lambda: self.invitation is not None)
        assert self.invitation is not None
        await page.goto(self.through(self.invitation.link))
        if name:
            await page.fill("#called", name)
        await page.locator(f"#free input[value='{seat}']").check()
        await page.locator("#go").tap()
        hand = PhoneHand(page)
        await page.wait_for_selector("#seat:not([hidden])")
        await page.wait_for_function("() => !document.body.hasAttribute('data-gone')")
        self.hands[seat] = hand
        return hand

    async def play(self, until: Callable[[PublicState], bool], within_s: float = 240.0) -> None:
        """Let every hand play, as short as the rules allow, until the room is told something."""
        async with asyncio.timeout(within_s):
            while not until(self.state):
                for seat, hand in self.hands.items():
                    if not until(self.state):
                        await self._step(seat, hand)
                await asyncio.sleep(STEP_S)

    async def _step(self, seat: int, hand: BoardHand | PhoneHand) -> None:
        if isinstance(hand, HeardHand):
            now_s = asyncio.get_running_loop().time()
            if now_s - self._did.get(seat, (None, -AGAIN_S))[1] >= AGAIN_S:
                self._did[seat] = None, now_s
                await hand.step()
            return
        what = wanted(self.state, seat, everybody=len(self.hands))
        now_s, question = asyncio.get_running_loop().time(), (what, len(self.states))
        before, done_s = self._did.get(seat, (None, -AGAIN_S))
        if what is None or (before == question and now_s - done_s < AGAIN_S) or now_s - done_s < 0.3:
            return
        self._did[seat] = question, now_s
        await (hand.shake() if what == "shake" else hand.tap(what))


def wanted(state: PublicState, seat: int, everybody: int) -> str | None:
    """Return what a seat's hand does now: a button, "shake" or nothing. It doubts every bid."""
    if state.scene == "lobby":
        if seat not in state.players:
            return "ok"
        starts = len(state.players) == everybody and seat == min(state.players) and state.countdown_s is None
        return "ok" if starts else None
    if state.scene == "over" or seat not in state.waiting_for:
        return None
    if state.scene == "shaking":
        return "shake"
    if state.scene == "bidding":
        return "dudo" if state.standing is not None else "ok"
    return "ok" if state.scene in ("choosing", "reveal") else None


async def _fulfilled(route: "Route", script: str) -> None:
    await route.fulfill(body=script, content_type="text/javascript")


async def _cancelled(task: "asyncio.Task[None]") -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def verified(folder: Path) -> list[str]:
    """Return what `dudo-table verify` says about each match that was written down."""
    said = []
    for file in sorted((folder / "matches").rglob("*.dudo")):
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "firmware_host.cli", "verify", str(file), cwd=ROOT,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
        out, _ = await process.communicate()
        said.append(f"{process.returncode}: {out.decode()}")
    return said
