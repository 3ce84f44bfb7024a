"""The public page and the caller: from a press at a seat to the page for the room, and what both cost the table."""

import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from bench.report import Figure, Progress, Section, at_most
from bench.tools.browser import chromium, table_with_page
from bench.tools.counted_links import CountedLinks
from bench.tools.live_table import LiveTable, live_table
from bench.tools.pages import OPEN
from firmware_host.public.server import PublicSocket
from hardware.config.layout import load_builtin

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

BIDS = 20
"""Bids that are measured at most; fewer if the round ends."""
PRESSED_MS = 80
PRESSED_LIMIT_MS = 100
QUIET_S = 30.0
CPU_LIMIT_PERCENT = 0.5
SETTLE_S = 15.0
"""Seconds after which the last sound of a table is over, and the caller writes nothing more."""
PAGES = 50
ROUNDS = 8
PRESSES = 10
"""Presses of each round with the pages and without, of each of two kinds."""
SLOWER = 1.1
"""The most that a press may take with the pages open, in times of a press without them."""
NICER = 5
"""By how much the service of the page is nicer than that of the table; phones have processors of their own."""
PORT, PAGES_PORT = 8658, 8659
ABOUT = (
    "From the release of OK, the edge that makes a bid, to the next frame of the page that shows it. Three pages in a "
    "browser, the table with its emulated boards and the screen share this computer. In quiet a match waits for a "
    "player: the caller's stream is open, and so is a page. The fifty pages are clients of one process, open in "
    "every other round; a player joins and leaves without end, and each press of OK changes their display and the "
    "public state, which every page gets."
)
# Has `painted` tell when the middle of the public page changed last, in milliseconds of the clock of this computer.
WATCH = """() => new MutationObserver(() => requestAnimationFrame(() => { window.painted = Date.now(); }))
    .observe(document.getElementById("middle"), { childList: true, subtree: true, characterData: true })"""
TOLD = """type => {
    document.body.dispatchEvent(new KeyboardEvent(type, { key: "Enter", code: "Enter", bubbles: true }));
    return Date.now();
}"""
"""Presses or releases OK and returns when."""


def measure(progress: Progress, bids: int = BIDS) -> Section:
    """Measure bids of two people, the quiet after them, and a table that fifty pages look at."""
    beside = tuple(asyncio.run(pages_figures(progress)))
    return Section("Screen", (*_in_a_browser(progress, bids), *beside), ABOUT)


async def pages_figures(progress: Progress, rounds: int = ROUNDS, presses: int = PRESSES) -> list[Figure]:
    """Measure how long a press takes while `PAGES` pages are open, and while none is, in turn."""
    with_ms: list[float] = []
    without_ms: list[float] = []
    messages = 0
    layout = load_builtin("boards-8").first(2)
    links = CountedLinks(layout, asyncio.get_running_loop())
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        events = Path(folder) / "events.sock"
        stack.enter_context(links.table)
        async with (
            PublicSocket(events, [seat.name for seat in layout.seats]) as public,
            live_table(layout, links, public) as live,
        ):
            listen = ("--listen", f"127.0.0.1:{PAGES_PORT}")
            stack.enter_context(_beside(events, "screen", *listen, folder=folder))
            await joined_and_left_ms(live, 1)
            for number in range(rounds):
                progress(f"{PAGES} pages and none, round {number + 1} of {rounds}")
                without_ms += await joined_and_left_ms(live, presses)
                command = ["nice", "-n19", sys.executable, "-m", "bench.tools.pages", str(PAGES_PORT), str(PAGES)]
                pages = await asyncio.create_subprocess_exec(*command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
                try:
                    assert pages.stdout is not None
                    assert await pages.stdout.readline() == OPEN, "the pages did not open"
                    with_ms += await joined_and_left_ms(live, presses)
                finally:
                    said, _ = await pages.communicate(b"")
                messages += int(said or 0)
    without, beside = median(without_ms), median(with_ms)
    note = f"{len(with_ms)} presses, {messages:,} messages to the pages"
    return [
        Figure("OK to the changed display, no page open: median", without, "ms", note=f"{len(without_ms)} presses"),
        Figure(f"… with {PAGES} pages open", beside, "ms", note=note),
        Figure("… in times of none", beside / without, "", at_most(SLOWER)),
    ]


async def joined_and_left_ms(live: LiveTable, times: int) -> list[float]:
    """Have a player join and leave; return how long each took to be on the display, in milliseconds."""
    taken_ms = []
    for button in ("ok", "right", "ok") * times:
        taken_s = await live.pressed_s(0, button)
        await asyncio.sleep(0.1)
        if button == "ok" and taken_s is not None:
            taken_ms.append(1000 * taken_s)
    return taken_ms


def _in_a_browser(progress: Progress, bids: int) -> tuple[Figure, ...]:
    names = ("the release of OK to the page", "screen and voice while nothing happens")
    missing = tuple(Figure(name, None, "", note="needs Playwright and Chromium") for name in names)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return missing
    if (path := chromium()) is None:
        return missing
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        events = Path(folder) / "events.sock"
        table = ("--seats", "2", "--humans", "2", "--fresh", "--state", folder, "--events", str(events))
        address = stack.enter_context(table_with_page(*table))
        browser = stack.enter_context(sync_playwright()).chromium.launch(executable_path=path, args=["--no-sandbox"])
        players = [_page(browser, address) for _ in range(2)]
        screen = stack.enter_context(_beside(events, "screen", "--listen", f"127.0.0.1:{PORT}", folder=folder))
        voice = stack.enter_context(_beside(events, "voice", "--card", "null", folder=folder))
        room = _page(browser, f"http://127.0.0.1:{PORT}/?language=en")
        progress(f"{bids} bids of two people")
        taken_ms = _bids(players, room, bids)
        progress(f"{SETTLE_S + QUIET_S:.0f} s of quiet")
        time.sleep(SETTLE_S)
        before_s = _cpu_s(screen) + _cpu_s(voice)
        time.sleep(QUIET_S)
        percent = 100 * (_cpu_s(screen) + _cpu_s(voice) - before_s) / QUIET_S
        browser.close()
    note = f"{len(taken_ms)} bids, at most {max(taken_ms):.0f} ms"
    return (
        Figure(f"{names[0]}: median", median(taken_ms), "ms", at_most(PRESSED_LIMIT_MS), note),
        Figure(names[1], percent, "%", at_most(CPU_LIMIT_PERCENT), "of a core"),
    )


def _page(browser: "Browser", address: str) -> "Page":
    page = browser.new_context(reduced_motion="reduce", locale="en-GB").new_page()
    page.goto(address)
    page.wait_for_selector("#middle")
    return page


def _beside(events: Path, command: str, *options: str, folder: str) -> "subprocess.Popen[bytes]":
    """Start a process beside the table; the end of the block kills it."""
    own = os.environ | {"XDG_CACHE_HOME": folder}
    line = ["nice", f"-n{NICER}", sys.executable, "-m", "firmware_host.cli", command, str(events), *options]
    process = Killed(line, env=own)
    time.sleep(3)
    return process


class Killed(subprocess.Popen):  # type: ignore[type-arg]
    """A process that the end of its block kills."""

    def __exit__(self, *about: object) -> None:
        self.kill()
        self.wait()


def _bids(players: "list[Page]", room: "Page", most: int) -> list[float]:
    """Play until some bids are made; return the milliseconds from each to the page."""
    room.evaluate(WATCH)
    taken_ms: list[float] = []
    deadline_s = time.monotonic() + 120
    while len(taken_ms) < most and time.monotonic() < deadline_s:
        for player in players:
            if player.get_attribute("#hint", "data-mine") is None:
                continue
            scene = player.get_attribute("#middle", "data-scene")
            if scene == "shaking":
                player.keyboard.press("s")
                player.wait_for_timeout(4000)
            elif scene != "bidding":
                player.keyboard.press("Enter")
            elif re.search("Lift|Look|Hold", player.inner_text("#hint")):
                player.keyboard.press("ArrowUp", delay=900)
            else:
                taken_ms += _bid(player, room)
        players[0].wait_for_timeout(200)
    return taken_ms


def _bid(player: "Page", room: "Page") -> list[float]:
    room.evaluate("window.painted = 0")
    player.evaluate(TOLD, "keydown")
    player.wait_for_timeout(PRESSED_MS)
    released_ms = player.evaluate(TOLD, "keyup")
    for _ in range(50):
        room.wait_for_timeout(20)
        if painted_ms := room.evaluate("window.painted"):
            return [painted_ms - released_ms]
    return []  # it opened a screen of the player's own


def _cpu_s(process: "subprocess.Popen[bytes]") -> float:
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
