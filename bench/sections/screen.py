"""The public page and the caller: from a press at a seat to the page for the room, and what both cost in quiet."""

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
ABOUT = (
    "From the release of OK, the edge that makes a bid, to the next frame of the page that shows it. Three pages in a "
    "browser, the table with its emulated boards and the screen share this computer. In quiet a match waits for a "
    "player: the caller's stream is open, and so is a page."
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
    """Measure bids of two people, and the quiet after them."""
    names = ("the release of OK to the page", "screen and voice while nothing happens")
    missing = Section(
        "Screen", tuple(Figure(name, None, "", note="needs Playwright and Chromium") for name in names), ABOUT
    )
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
        screen = stack.enter_context(_beside(events, "screen", "--listen", "127.0.0.1:8658", folder=folder))
        voice = stack.enter_context(_beside(events, "voice", "--card", "null", folder=folder))
        room = _page(browser, "http://127.0.0.1:8658/?language=en")
        progress(f"{bids} bids of two people")
        taken_ms = _bids(players, room, bids)
        progress(f"{SETTLE_S + QUIET_S:.0f} s of quiet")
        time.sleep(SETTLE_S)
        before_s = _cpu_s(screen) + _cpu_s(voice)
        time.sleep(QUIET_S)
        percent = 100 * (_cpu_s(screen) + _cpu_s(voice) - before_s) / QUIET_S
        browser.close()
    note = f"{len(taken_ms)} bids, at most {max(taken_ms):.0f} ms"
    figures = (
        Figure(f"{names[0]}: median", median(taken_ms), "ms", at_most(PRESSED_LIMIT_MS), note),
        Figure(names[1], percent, "%", at_most(CPU_LIMIT_PERCENT), "of a core"),
    )
    return Section("Screen", figures, ABOUT)


def _page(browser: "Browser", address: str) -> "Page":
    page = browser.new_context(reduced_motion="reduce", locale="en-GB").new_page()
    page.goto(address)
    page.wait_for_selector("#middle")
    return page


def _beside(events: Path, command: str, *options: str, folder: str) -> "subprocess.Popen[bytes]":
    """Start a process beside the table; the end of the block kills it."""
    own = os.environ | {"XDG_CACHE_HOME": folder}
    process = _Killed([sys.executable, "-m", "firmware_host.cli", command, str(events), *options], env=own)
    time.sleep(3)
    return process


class _Killed(subprocess.Popen):  # type: ignore[type-arg]
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
