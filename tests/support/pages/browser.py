"""A real browser at a real table: `dudo-table play` as its own process, and Chromium without a window."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest
from support import ROOT

from docs.screenshots import CHROMIUMS, chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LAPTOP = (1280, 800)
PATIENCE_MS = 20_000

LIT = """canvas => canvas.getContext("2d").getImageData(0, 0, 128, 64).data
    .some((part, at) => at % 4 === 0 && part > 100)"""
"""Whether a panel shows anything: a board feels no button before it has started and shows its first picture."""
STILL_LOOKS = 30
# All dots of a panel, as a string of 0 and 1.
DOTS = """canvas => [...canvas.getContext("2d").getImageData(0, 0, 128, 64).data]
    .filter((_, at) => at % 4 === 0).map(red => red > 100 ? 1 : 0).join("")"""
STILL = f"""canvas => new Promise(settled => {{
    let shown = "";
    let looks = 0;
    const look = () => {{
        const now = ({DOTS})(canvas);
        looks = now === shown ? looks + 1 : 1;
        shown = now;
        if (looks === {STILL_LOOKS}) settled(shown);
        else requestAnimationFrame(look);
    }};
    look();
}})"""


@contextmanager
def a_chromium() -> Iterator["Browser"]:
    """Give a browser from PATH, or skip the test. First comes Debian's build without windows, which costs less."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: make test installs it")
    found = shutil.which("chromium-headless-shell") or chromium()
    if found is None:
        pytest.skip(f"there is no Chromium on the PATH: none of {', '.join(CHROMIUMS)}")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


class PlayedTable:
    """A running `dudo-table play` with a state directory of its own; `address` is its page, `story` what it printed."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "firmware_host.cli", "play", "--no-browser", *arguments]
        self._state = tempfile.TemporaryDirectory()
        own = os.environ | {"XDG_STATE_HOME": self._state.name}
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=own, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.story: list[str] = []
        self.address = self._find_address()
        self._listening = threading.Thread(target=self._listen)
        self._listening.start()

    def close(self) -> None:
        """Stop the process of the table."""
        self._process.terminate()
        self._process.wait(timeout=20)
        self._listening.join()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._state.cleanup()

    def kill(self) -> None:
        """End the process with SIGKILL, as a computer that loses its power does."""
        self._process.kill()

    def _find_address(self) -> str:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.story.append(line.rstrip())
            if found := re.search(r"http://\S+/", line):
                return found[0]
        raise AssertionError(f"no page: {self.story}")

    def _listen(self) -> None:
        assert self._process.stdout is not None
        self.story.extend(line.rstrip() for line in self._process.stdout)


@contextmanager
def a_table(*arguments: str) -> Iterator[PlayedTable]:
    """Give a table for as long as the block lasts."""
    table = PlayedTable(*arguments)
    try:
        yield table
    finally:
        table.close()


def a_short_match(folder: Path, base: str = "perudo", dice: int = 2) -> str:
    """Write a rule set with so many dice for each player, and return its path: a match of a few rounds."""
    file = folder / "short.toml"
    file.write_text(f'based_on = "{base}"\nstarting_dice = {dice}\n', "utf-8")
    return str(file)


@contextmanager
def a_page(
    browser: "Browser",
    table: PlayedTable,
    size: tuple[int, int] = LAPTOP,
    *,
    phone: bool = False,
    locale: str = "en-GB",
    forced_colors: Literal["active", "none"] = "none",
) -> Iterator["Page"]:
    """Give a page that has sat down; an error on its console fails the test."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=3 if phone else 1,
        is_mobile=phone,
        has_touch=phone,
        reduced_motion="reduce",
        locale=locale,
        forced_colors=forced_colors,
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(table.address)
    page.wait_for_selector("#middle[data-scene]")
    page.wait_for_function(f"() => [...document.querySelectorAll('#own canvas')].every({LIT})")
    yield page
    context.close()
    # That the table does not answer while it is away is what the page is there to tell.
    assert [text for text in complaints if "WebSocket connection" not in text] == []


def deal(starter: "Page", other: "Page") -> None:
    """Have two people join and shake, in English, until their dice lie under their cups."""
    pages = (starter, other)
    for page in pages:
        page.keyboard.press("Enter")
        page.locator("#hint", has_text="You are in").wait_for()
    starter.locator("#hint", has_text="OK starts the match").wait_for()
    starter.keyboard.press("Enter")
    for page in pages:
        page.locator("#hint", has_text="Shake your cup").wait_for()
        page.keyboard.press("s")
    for page in pages:
        page.wait_for_selector("#middle[data-scene=bidding]")


def dots(page: "Page", seat: str) -> str:
    """Return the pixels on this seat's display."""
    return str(page.locator(f"article[aria-label='{seat}'] canvas").evaluate(DOTS))


def settled_dots(page: "Page", seat: str) -> str:
    """Return a display's pixels after half a second without a change: a board takes its time to draw."""
    canvas = page.locator(f"article[aria-label='{seat}'] canvas").element_handle()
    return str(page.wait_for_function(STILL, arg=canvas).json_value())


def wait_until(page: "Page", so: Callable[[], bool], *, patience_ms: int = PATIENCE_MS) -> None:
    """Wait until something outside the page's own script is so; a frame of the page passes between two looks."""
    for _ in range(patience_ms // 16):
        if so():
            return
        page.evaluate("new Promise(requestAnimationFrame)")
    raise AssertionError("it never came about")
