"""A press at a guest's phone until its picture is at another phone and at a board: pages in Chromium, on loopback.

The table and the far end of its board are in this process; the board's program, `dudo-table phones` and the browser are
in others. All moments are of this machine's clock.
"""

import asyncio
import shutil
import time
from bisect import bisect_left, bisect_right
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bench.report import Figure, Progress, Section, Spread
from bench.tools.broker import free_port
from bench.tools.processes import folder, running
from bench.tools.table import BenchTable, CountedTable
from docs.screenshots import chromium
from engine import Bid
from firmware_host.devices.host_io.phone_cipher import fingerprint, load_key
from firmware_host.devices.host_io.phone_port import open_phone
from firmware_host.public import invitation
from firmware_host.public.address import phones_folder
from firmware_host.public.server import PublicSocket
from firmware_host.table.events import ActionTaken, PublicEvent
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.view import SceneName
from firmware_host.wire import PublicState
from hardware.config.layout import Layout, parse
from hardware.emulated.cup_process import CupProcess

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

TITLE = "Guests' phones"
LAYOUT = """name = "phones"
[[seat]]
name = "Lima"
color = "red"
board = "E661410000000001"
[[seat]]
name = "Cusco"
color = "yellow"
phone = true
[[seat]]
name = "Puno"
color = "green"
phone = true
"""
BOARD, PHONES = 0, (1, 2)
QUIET_S = 0.35
"""Seconds between two actions of a hand, in which every display has shown the first."""
SHAKE_S = 1.5
"""The same for a shake: a cup that is shaken again and again never comes to rest."""
POLL_S = 0.02
PATIENCE_S = 60.0
MS = 1000.0
MAX_MS = 2000.0

WATCH = """(() => {
    [globalThis.pressed, globalThis.painted] = [[], []];
    addEventListener("pointerup", (event) => pressed.push(performance.timeOrigin + event.timeStamp), true);
    const paint = CanvasRenderingContext2D.prototype.putImageData;
    let last = "";
    CanvasRenderingContext2D.prototype.putImageData = function (image, ...place) {
        paint.call(this, image, ...place);
        const dots = image.data.filter((_, at) => at % 4 === 0).join();
        if (dots !== last) requestAnimationFrame(() => painted.push(performance.timeOrigin + performance.now()));
        last = dots;
    };
})()"""
"""Notes in a page the moment of each press, and of each frame with a new picture."""


class _Table(BenchTable):
    """A table with a public socket, and the moments of its bids."""

    def __init__(self, layout: Layout, wires: CountedTable, public: PublicSocket) -> None:
        super().__init__(layout, wires)
        self.bids: list[tuple[float, int]] = []
        """Each bid's moment in milliseconds, and its seat."""
        self._public = public

    def tell(self, event: PublicEvent) -> None:
        """Note a bid."""
        if isinstance(event, ActionTaken) and isinstance(event.action, Bid):
            self.bids.append((_now_ms(), event.seat))
        self._public.announce(event)

    def publish(self, state: PublicState) -> None:
        """Pass the state on."""
        self._public.publish(state)


def measure(progress: Progress, bids: int = 200) -> Section:
    """Measure two phones and a board that bid in turn."""
    about = (
        "Two pages in Chromium and a board that bid in turn: from the moment of the touch, as the browser has it, to "
        "the frame with the new picture in a page, or to the whole picture in the board's memory. An action is held "
        "for 30 ms of it, and is on the disk before anybody sees it."
    )
    found = shutil.which("chromium-headless-shell") or chromium()
    if found is None:
        return Section(TITLE, (Figure(TITLE, None, "", note="apt install chromium"),), about)
    return Section(TITLE, tuple(asyncio.run(_figures(progress, found, bids))), about)


async def _figures(progress: Progress, browser: str, bids: int) -> list[Figure]:
    from playwright.async_api import async_playwright

    layout, loop, port = parse(LAYOUT, "phones.toml"), asyncio.get_running_loop(), free_port()
    wires = CountedTable(layout, loop, CupProcess)
    shown_ms: list[float] = []  # of the board's display
    with wires, folder() as place:
        events = Path(place) / "events.sock"
        phones = phones_folder(events)
        phones.mkdir()
        key = load_key(phones)
        invitation.write_key(fingerprint(key), events)
        for seat in PHONES:
            wires.replace_board(seat, partial(open_phone, phones, key, seat + 1))
        names = [seat.name for seat in layout.seats]
        command = ("-m", "firmware_host.cli", "phones", "--listen", f"127.0.0.1:{port}", str(events))
        async with PublicSocket(events, names) as public, _Table(layout, wires, public).running() as table:
            table.watches[BOARD].on_complete = lambda: shown_ms.append(_now_ms())
            with running(*command):
                async with async_playwright() as started:
                    opened = await started.chromium.launch(executable_path=browser, args=["--no-sandbox"])
                    pages = {seat: await _joined(opened, phones, seat) for seat in PHONES}
                    progress(f"{bids} bids")
                    await _play(table, pages, bids)
                    pressed = {seat: await page.evaluate("pressed") for seat, page in pages.items()}
                    painted = {seat: await page.evaluate("painted") for seat, page in pages.items()}
                    await opened.close()
    other = {seat: painted[next(each for each in PHONES if each != seat)] for seat in PHONES}
    taken = [(_last(pressed[seat], at_ms), seat) for at_ms, seat in table.bids if seat in PHONES]
    return [
        *_figures_of("press to another phone", [_next_ms(other[seat], at_ms) for at_ms, seat in taken]),
        *_figures_of("… to the board's display", [_next_ms(shown_ms, at_ms) for at_ms, seat in taken]),
        *_figures_of("… to the phone's own picture", [_next_ms(painted[seat], at_ms) for at_ms, seat in taken]),
    ]


def _now_ms() -> float:
    return MS * time.time()


def _last(moments: Sequence[float], at_ms: float) -> float:
    """Return the last moment up to another."""
    return moments[bisect_right(moments, at_ms) - 1]


def _next_ms(moments: Sequence[float], at_ms: float) -> float:
    """Return the milliseconds from a moment to the next of some."""
    after = bisect_left(moments, at_ms)
    return moments[after] - at_ms if after < len(moments) else MAX_MS


def _figures_of(name: str, taken_ms: Sequence[float]) -> list[Figure]:
    spread = Spread.of(taken_ms)
    return [
        Figure(f"{name}: median", spread.median, "ms", note=f"{spread.size} bids"),
        Figure("… p95", spread.p95, "ms"),
        Figure("… max", spread.worst, "ms"),
    ]


async def _joined(browser: "Browser", folder: Path, seat: int) -> "Page":
    """Open a phone's page with the present code and sit down."""
    async with asyncio.timeout(PATIENCE_S):
        while (invited := invitation.read(folder)) is None:
            await asyncio.sleep(POLL_S)
    context = await browser.new_context(
        viewport={"width": 390, "height": 844}, device_scale_factor=2, is_mobile=True, has_touch=True
    )
    page = await context.new_page()
    await page.add_init_script(WATCH)
    await page.goto(invited.link)
    await page.locator(f"#free input[value='{seat}']").check()
    await page.locator("#go").tap()
    await page.wait_for_selector("body:not([data-gone]) #seat:not([hidden])")
    return page


async def _play(table: _Table, pages: dict[int, "Page"], bids: int) -> None:
    """Let every seat raise as little as possible until the phones have made so many bids."""
    board = table.wires.seats[BOARD]

    async def tap_board(button: str) -> None:
        board.shake() if button == "shake" else board.tap(button, for_s=0.05)

    hands = {seat: partial(_tap, page) for seat, page in pages.items()} | {BOARD: tap_board}
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(_hand(table, seat, tap)) for seat, tap in hands.items()]
        while sum(seat in PHONES for _, seat in table.bids) < bids:
            await asyncio.sleep(QUIET_S)
        for task in tasks:
            task.cancel()
    await asyncio.sleep(QUIET_S)


async def _tap(page: "Page", button: str) -> None:
    await page.locator(f"#{button}").tap()


async def _hand(table: _Table, seat: int, tap: Callable[[str], Awaitable[None]]) -> None:
    """Do as the display of a seat says. Runs for ever."""
    while True:
        await asyncio.sleep(POLL_S)
        if seat in table.seen and (button := _wanted(table, seat)):
            await tap(button)
            await asyncio.sleep(SHAKE_S if button == "shake" else QUIET_S)


def _wanted(table: _Table, seat: int) -> str:
    """Return the button for a seat's next action, "shake", or nothing."""
    _, view, menu, _ = table.seen[seat]
    if view.scene is SceneName.LOBBY:
        starts = menu.chosen is MenuCommand.START and len(view.names) == len(table.layout.seats) and seat == BOARD
        return "ok" if menu.chosen is MenuCommand.JOIN or (starts and view.countdown_s is None) else ""
    if view.scene is SceneName.OVER:
        return "ok"
    if view.me is None or view.me not in view.waiting_for:
        return ""
    if view.scene is SceneName.SHAKING:
        return "shake"
    return "dudo" if view.scene is SceneName.BIDDING and not isinstance(menu.chosen, Bid) else "ok"
