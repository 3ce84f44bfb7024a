"""The cues of a match that is played live: when displays, lights, the page and the caller take each of them."""

import asyncio
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from statistics import median

from bench.report import Figure, Progress, Section, at_most
from bench.tools.browser import chromium
from bench.tools.counted_links import CountedLinks
from bench.tools.live_table import LiveTable, live_table
from engine import RULESETS
from firmware_host.public.server import PublicSocket
from firmware_host.table.cues import Cue, CueKind, reveal_cues
from firmware_host.table.seat_view import SceneName, SeatView
from hardware.config.layout import load_builtin

SEATS, DICE = 3, 2
PORT = 8657
WITHIN_S = 600.0
LIMIT_MS, HEARD_LIMIT_MS = 100, 150
"""Of the agreement of all outlets, and of the first sound after an event that nobody knew before."""
BUFFER_S = 0.1
"""Seconds of sound that a card has before it plays what is mixed now (`AHEAD_S` of `voice.app`)."""
CALLED, OVER = str(SceneName.CALLED), str(SceneName.OVER)
Step = tuple[int, str, int]
"""A cue of a match: the number of its call, its kind, and the how manieth of that kind it is after the call."""
ABOUT = (
    f"Three robots with {DICE} dice each play a match at boards that are processes of their own, in real time; the "
    "public page is in a browser, the caller has a card that takes everything. A display has taken a cue when its "
    "memory holds the picture, a light when the board has switched it on, the page in the frame after the change, the "
    f"caller when the sound leaves a card whose buffer holds {BUFFER_S:g} s. Words wait for the words before them and "
    "are not compared."
)
WATCH = """() => {
  window.taken = [];
  const note = (...step) => requestAnimationFrame(() => window.taken.push([Date.now() / 1000, ...step]));
  const name = (element) => element.closest(".seat")?.querySelector(".who")?.textContent ?? "";
  new MutationObserver((changes) => changes.forEach(({ target, attributeName: what, oldValue }) => {
    if (!target.hasAttribute(what) || target.getAttribute(what) === oldValue) return;
    const { scene, step } = target.dataset;
    if (what === "data-scene" && ["called", "over"].includes(scene)) note(scene, "");
    if (what === "data-step" && ["verdict", "pays"].includes(step)) note(step, "");
    if (what === "data-up") note("lift", name(target));
    if (what === "data-lit") note("count", name(target));
    if (what === "data-gone") note("fall", "");
  })).observe(document.getElementById("stage"), { attributes: true, attributeOldValue: true, subtree: true });
}"""
"""Notes the cues that the page takes, with the seconds of the clock of this computer."""
HEARD = {"dudo": CALLED, "reveal": "lift", "turn": "count", "slam": "fall", "win": OVER}
"""The cue of each sound. Between a shake and a call the same sounds are of other events."""


class Outlet:
    """The cues that one outlet took: the time of each, and whose it was."""

    def __init__(self) -> None:
        self.at_s: dict[Step, float] = {}
        self.whose: dict[Step, str] = {}
        self._calls = 0

    def take(self, kind: str, whose: str = "", at_s: float | None = None) -> None:
        """Note a cue, now if `at_s` is None, unless it was taken before. A call begins the next reveal."""
        self._calls += kind == CALLED
        alike = [step for step in self.at_s if step[:2] == (self._calls, kind)]
        if all(self.whose[step] != whose for step in alike):
            step = self._calls, kind, len(alike)
            self.at_s[step], self.whose[step] = time.time() if at_s is None else at_s, whose

    def numbered_as(self, other: "Outlet") -> "Outlet":
        """Return the same cues with the numbers that another outlet gave those of the same player."""
        numbers = {(*step[:2], whose): step for step, whose in other.whose.items()}
        same = Outlet()
        for step, whose in self.whose.items():
            named = numbers.get((*step[:2], whose), step)
            same.at_s[named], same.whose[named] = self.at_s[step], whose
        return same

    def of(self, wanted: Callable[[str], bool]) -> "Outlet":
        """Return the cues of the kinds that are wanted."""
        some = Outlet()
        some.at_s = {step: at_s for step, at_s in self.at_s.items() if wanted(step[1])}
        return some


class Seat:
    """The display and the light of one seat."""

    def __init__(self, live: LiveTable, number: int) -> None:
        self.display, self.light = Outlet(), Outlet()
        self._live, self._number = live, number
        self._scene = ""
        self._was_on = False
        live.watches[number].on_written = self._written
        live.robots[number].has_people = self._is_reveal  # and so it looks to the end

    def _is_reveal(self) -> bool:
        return self._live.sights[self._number][0].scene is SceneName.REVEAL

    def _written(self) -> None:
        view = self._live.sights[self._number][0]
        is_shown = self._live.watches[self._number].is_shown
        is_on = self._live.links.boards[self._number].lamp
        was_on, self._was_on = self._was_on, is_on
        if is_shown and view.scene != self._scene:
            self._scene = view.scene
            if view.scene in (CALLED, OVER):
                self.display.take(view.scene)
                self.light.take(view.scene)
        for cue in _cues(view):
            whose = "" if cue.seat is None or cue.kind not in (CueKind.LIFT, CueKind.COUNT) else view.names[cue.seat]
            if is_shown:
                self.display.take(cue.kind, whose)
            if is_on and not was_on and cue.seat == view.me:
                self.light.take(cue.kind, whose)


def _cues(view: SeatView) -> list[Cue]:
    """Return the cues at which a view is."""
    if view.cue_ms is None or view.position is None or (shown := view.position.showdown) is None:
        return []
    return [cue for cue in reveal_cues(shown, shown.bid.face, view.position.order) if cue.at_ms == view.cue_ms]


def measure(progress: Progress) -> Section:
    """Play a match and compare."""
    try:
        return Section("Cues", tuple(asyncio.run(_figures(progress))), ABOUT)
    except ImportError:
        return Section("Cues", (Figure("cues of a match", None, "", note="needs Playwright and Chromium"),), ABOUT)


async def _figures(progress: Progress) -> list[Figure]:
    """Play a match. Raises `ImportError` without a browser."""
    from playwright.async_api import async_playwright

    if (path := chromium()) is None:
        raise ImportError("no Chromium")
    layout = load_builtin("boards-8").first(SEATS)
    links = CountedLinks(layout, asyncio.get_running_loop())
    async with AsyncExitStack() as stack:
        events = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "events.sock"
        stack.enter_context(links.table)
        public = await stack.enter_async_context(PublicSocket(events, [seat.name for seat in layout.seats]))
        rules = replace(RULESETS[layout.rules], starting_dice=DICE)
        live = await stack.enter_async_context(live_table(layout, links, public, rules))
        screen = await _beside(stack, "firmware_host.cli", "screen", events, "--listen", f"127.0.0.1:{PORT}")
        caller = await _beside(stack, "bench.tools.heard", events)
        await screen.readline()
        playwright = await stack.enter_async_context(async_playwright())
        browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = await (await browser.new_context(reduced_motion="reduce")).new_page()
        await page.goto(f"http://127.0.0.1:{PORT}/?language=en")
        await page.evaluate(WATCH)
        seats = [Seat(live, number) for number in range(SEATS)]
        sounds: list[tuple[float, str]] = []
        listening = asyncio.create_task(_listen(caller, sounds))
        progress(f"a match of {SEATS} robots with {DICE} dice each")
        async with live.playing(), asyncio.timeout(WITHIN_S):
            await page.wait_for_selector(f"#stage[data-scene={OVER}]", timeout=1000 * WITHIN_S)
            await asyncio.sleep(0.5)
        painted = Outlet()
        for at_s, kind, whose in await page.evaluate("window.taken"):
            painted.take(kind, whose, at_s)
        await browser.close()
        listening.cancel()
    return _compared(seats, painted, _heard(sounds))


async def _beside(stack: AsyncExitStack, module: str, *arguments: object) -> asyncio.StreamReader:
    """Start a process that is killed at the end; return its output."""
    command = (sys.executable, "-m", module, *map(str, arguments))
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    stack.push_async_callback(process.wait)
    stack.callback(process.kill)
    assert process.stdout is not None
    return process.stdout


async def _listen(caller: asyncio.StreamReader, sounds: list[tuple[float, str]]) -> None:
    async for line in caller:
        at_s, _, what = line.decode().strip().partition(" ")
        sounds.append((float(at_s), what))


def _heard(sounds: list[tuple[float, str]]) -> Outlet:
    """Return the cues of the caller: those of a reveal begin with its sound, and end with a shake."""
    outlet, is_reveal = Outlet(), False
    for at_s, what in sounds:
        is_reveal = what == "reveal" or (is_reveal and what != "shake")
        if what in HEARD and (is_reveal or what in ("dudo", "win")):
            whose = f"{at_s}" if what == "turn" else ""
            outlet.take(HEARD[what], whose, at_s + BUFFER_S)
    return outlet


def _compared(seats: list[Seat], page: Outlet, caller: Outlet) -> list[Figure]:
    """Compare the outlets cue by cue with the display that took it first."""
    first: dict[Step, float] = {}
    for seat in seats:
        for step, at_s in seat.display.at_s.items():
            first[step] = min(at_s, first.get(step, at_s))
    order = sorted(first, key=lambda step: first[step])
    outlets = {
        "displays": [seat.display for seat in seats],
        "lights": [seat.light.numbered_as(seat.display) for seat in seats],
        "page": [page],
        "sounds of a reveal": [caller.of(lambda kind: kind not in (CALLED, OVER))],
        "sounds of a call and of the winner": [caller.of(lambda kind: kind in (CALLED, OVER))],
    }
    figures = [Figure("cues that the displays took", len(first), "", note=f"{order[-1][0]} calls and the winner")]
    for name, each in outlets.items():
        off_ms = [1000 * (at_s - first[step]) for outlet in each for step, at_s in outlet.at_s.items() if step in first]
        wrong = sum(_wrong(outlet, order) for outlet in each)
        note = f"{len(off_ms)} cues, at most {max(off_ms, key=abs):.0f} ms; {wrong} of no display or in another order"
        limit_ms = HEARD_LIMIT_MS if "winner" in name else LIMIT_MS
        figures.append(Figure(f"{name}, after the first display", median(off_ms), "ms", at_most(limit_ms), note))
    return figures


def _wrong(outlet: Outlet, order: list[Step]) -> int:
    """Return how many cues of an outlet no display took, or come before one that precedes them."""
    taken = sorted(outlet.at_s, key=lambda step: outlet.at_s[step])
    known = [order.index(step) for step in taken if step in order]
    return len(taken) - len(known) + sum(later < sooner for sooner, later in pairwise(known))
