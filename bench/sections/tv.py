"""The public page's motion with Chromium's main thread slowed six times, as slow as a Pi 4's, beside an empty page.

The page's server is a process of its own, at a public socket of this one, which plays a table of eight. Frames come
from slowed runs. Tasks come from traced runs at full speed, in processor time times the factor: a slowed thread waits
on the clock, and would count the time of other processes too.
"""

import asyncio
import json
import random
import shutil
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, NamedTuple

from bench.report import Figure, Progress, Section, Spread, at_most
from bench.tools.broker import free_port
from bench.tools.main_thread import OTHER, TRACED, Task, frames_of, tasks_of
from bench.tools.processes import folder, running
from docs.screenshots import chromium
from engine import Bid, Call, Hand, Player, RoundKind, Showdown
from engine.hands import count
from firmware_host.public.server import PublicSocket
from firmware_host.table.cues import CueKind, reveal_cues
from firmware_host.table.events import PublicEvent, Revealed
from firmware_host.table.public_state import Seating
from firmware_host.wire import MatchWon, PublicRound, PublicSeat, PublicState, StandingBid, StandingCall, all_seats

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

TITLE = "The page on a TV"
SLOWER = 6
"""The factor on the main thread's time."""
SIZE = (1920, 1080)
NAMES = ("Lima", "Cusco", "Puno", "Tacna", "Ica", "Piura", "Jauja", "Nazca")
COLORS = ("red", "yellow", "green", "turquoise", "blue", "purple", "pink", "orange")
SEATS = all_seats(len(NAMES))
FACE, DICE = 3, 5
BIDDER, CALLER = 0, 1
SETTLED_S = 2.0
"""Seconds after which a page has loaded everything."""
EMPTY_S = 6.0
LEAST_S = 0.3
"""Shortest time of a scene: at least some frames."""
PATIENCE_S = 20.0
POLL_S = 0.05
MS = 1000.0
LATE_MS, FRAME_MS, MAX_TASK_MS = 20.0, 16.7, 50.0
EMPTY = "an empty page"
EMPTY_PAGE = "data:text/html,<!doctype html><title>empty</title>"

WATCH = """(() => {
    globalThis.frames = [];
    const note = (at_ms) => {
        frames.push(at_ms);
        requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
})()"""
"""Notes in a page the moment of each frame."""


class Scene(NamedTuple):
    """A stretch of motion: the lines that begin it, and its seconds."""

    name: str
    lines: tuple[PublicState | PublicEvent, ...]
    lasts_s: float


class Stretch(NamedTuple):
    """The time of a played scene on the monotonic clock."""

    name: str
    began_s: float
    ended_s: float


class Seen(NamedTuple):
    """A scene's frame intervals in milliseconds, and the tasks of its traced run."""

    intervals_ms: list[float]
    tasks: list[Task]


def measure(progress: Progress, rounds: int = 2, share: float = 1.0) -> Section:
    """Play the scenes in so many rounds, each for a share of its time."""
    about = (
        f"{len(SEATS)} players at 1920 × 1080. Frames with Chromium's main thread slowed {SLOWER} times; rasterising "
        "is not slowed, and is done in software where there is no GPU. Tasks and work are processor time of the main "
        f"thread, times {SLOWER}, work that of all tasks of a frame."
    )
    found = shutil.which("chromium-headless-shell") or chromium()
    if found is None:
        return Section(TITLE, (Figure(TITLE, None, "", note="apt install chromium"),), about)
    seen = asyncio.run(_seen(progress, found, rounds, share))
    return Section(TITLE, tuple(figure for name, each in seen.items() for figure in _figures(name, each)), about)


def scenes() -> tuple[Scene, ...]:
    """Return a table's way from the empty room through a round to the winner."""
    dice = random.Random(1)
    hands = tuple(Hand(dice.randint(1, 6) for _ in range(DICE)) for _ in SEATS)
    matching = count(hands, FACE, wilds=True)
    bid, lost = Bid(matching + 1, FACE), tuple(-(seat == BIDDER) for seat in SEATS)
    players = tuple(Player(seat) for seat in SEATS)
    people = Player(CALLER), Player(BIDDER), bid
    shown = Showdown(3, Call.DUDO, *people, RoundKind.NORMAL, matching, True, hands, lost, ())
    at_s = {cue.kind: cue.at_ms / MS for cue in reveal_cues(shown, bid, players)}
    after = tuple(DICE + change for change in lost)
    standing = StandingBid(bid.quantity, bid.face, SEATS[BIDDER])
    revealed = _state("reveal", after, showdown=Seating(SEATS, len(SEATS)).showdown(shown), waiting_for=SEATS)
    order = (SEATS[2], *SEATS[:2], *SEATS[3:])
    return (
        Scene("lesson", (_state("lobby", (), players=()),), 29.6),
        Scene("lobby", (_state("lobby", ()),), 1.5),
        *(Scene("lobby", (_state("lobby", (), countdown_s=left),), 1.0) for left in (3, 2, 1)),
        Scene("shaking", (_state("shaking", waiting_for=SEATS, deal=1, head="CVNZ3S5VKPXQ"),), 3.0),
        *(Scene("bids", (_state("bidding", standing=each, turn=SEATS[each.seat + 1]),), 1.2) for each in _bids(bid)),
        Scene("dudo", (_state("called", standing=standing, called=StandingCall("dudo", SEATS[CALLER])),), 2.0),
        Scene("count", (Revealed(shown, SEATS, after), revealed), at_s[CueKind.VERDICT]),
        Scene("verdict", (), at_s[CueKind.FALL] - at_s[CueKind.VERDICT]),
        Scene("lost die", (), 1.6),
        Scene("win", (MatchWon(order[0], order), _state("over", (0, 0, 3), winner=order[0], standings=order)), 6.0),
    )


def _bids(last: Bid) -> tuple[StandingBid, ...]:
    return tuple(StandingBid(last.quantity - 3 + at, FACE, SEATS[at]) for at in range(4))


def _state(scene: str, dice: Sequence[int] = (DICE,) * len(SEATS), **fields: object) -> PublicState:
    held = (*dice, *(0 for _ in SEATS[len(dice) :]))
    seats = tuple(map(PublicSeat, NAMES, COLORS, (True for _ in SEATS), held))
    is_lobby = scene == "lobby"
    known = {
        "players": SEATS,
        "order": () if is_lobby else SEATS,
        "round": None if is_lobby else PublicRound(3, "normal", None, SEATS[BIDDER]),
    }
    return PublicState(scene=scene, rules="perudo", seats=seats, **{**known, **fields})  # type: ignore[arg-type]


async def _seen(progress: Progress, browser: str, rounds: int, share: float) -> dict[str, Seen]:
    from playwright.async_api import async_playwright

    port = free_port()
    all_scenes = [scene._replace(lasts_s=max(LEAST_S, share * scene.lasts_s)) for scene in scenes()]
    seen = {name: Seen([], []) for name in (EMPTY, *(scene.name for scene in all_scenes))}
    with folder() as place:
        events = Path(place) / "events.sock"
        command = ("-m", "firmware_host.cli", "screen", "--listen", f"127.0.0.1:{port}", str(events))
        async with PublicSocket(events, NAMES) as public, async_playwright() as started:
            public.publish(_state("lobby", ()))
            with running(*command):
                opened = await started.chromium.launch(executable_path=browser, args=["--no-sandbox"])
                for at in range(2 * rounds):
                    is_traced = at % 2 == 1
                    progress(f"round {at // 2 + 1} of {rounds}, {'tasks' if is_traced else 'frames'}")
                    empty = [Scene(EMPTY, (), share * EMPTY_S)]
                    for address, played in ((EMPTY_PAGE, empty), (f"http://127.0.0.1:{port}/", all_scenes)):
                        await _run(opened, address, public, played, seen, is_traced=is_traced)
                await opened.close()
    return seen


async def _run(
    browser: "Browser",
    address: str,
    public: PublicSocket,
    played: Sequence[Scene],
    seen: dict[str, Seen],
    *,
    is_traced: bool,
) -> None:
    """Play scenes to a new page, and add what it notes of them."""
    page = await browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]}, locale="en-GB")
    await page.add_init_script(WATCH)
    await _opened(page, address)
    devtools = await page.context.new_cdp_session(page)
    if not is_traced:
        await devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    await asyncio.sleep(SETTLED_S)
    if is_traced:
        await browser.start_tracing(page=page, categories=[*TRACED])
    stretches = [await _play(public, scene) for scene in played]
    if is_traced:
        traced = tasks_of(json.loads(await browser.stop_tracing())["traceEvents"])
        for stretch in stretches:
            seen[stretch.name].tasks.extend(each for each in traced if _is_in(stretch, each.at_us / MS / MS))
    else:
        asked_s = time.monotonic()
        now_ms, frames_ms = await page.evaluate("[performance.now(), frames]")
        began_s = (asked_s + time.monotonic()) / 2 - now_ms / MS
        frames_s = [began_s + at_ms / MS for at_ms in frames_ms]
        for stretch in stretches:
            pairs = pairwise(frames_s)
            seen[stretch.name].intervals_ms.extend(MS * (to - at) for at, to in pairs if _is_in(stretch, at))
    await page.close()


async def _opened(page: "Page", address: str) -> None:
    """Go to a page, once its server has started."""
    from playwright.async_api import Error

    async with asyncio.timeout(PATIENCE_S):
        while True:
            with suppress(Error):
                await page.goto(address)
                return
            await asyncio.sleep(POLL_S)


async def _play(public: PublicSocket, scene: Scene) -> Stretch:
    began_s = time.monotonic()
    for line in scene.lines:
        if isinstance(line, PublicState):
            public.publish(line)
        else:
            public.announce(line)
    await asyncio.sleep(scene.lasts_s)
    return Stretch(scene.name, began_s, time.monotonic())


def _is_in(stretch: Stretch, at_s: float) -> bool:
    return stretch.began_s <= at_s < stretch.ended_s


def _figures(name: str, seen: Seen) -> list[Figure]:
    """Return a scene's figures; the empty page, the floor of this machine, has no targets."""
    if not seen.intervals_ms or not any(task.is_frame for task in seen.tasks):
        return [Figure(f"{name}: frame, p95", None, "ms", note="no frame: this machine is too busy")]
    scale = SLOWER / MS
    late = sum(each > LATE_MS for each in seen.intervals_ms)
    frames, longest = frames_of(seen.tasks), max(seen.tasks, key=lambda task: task.spent_us)
    work = Spread.of(scale * sum(frame.values()) for frame in frames)
    parts = ", ".join(f"{kind} {scale * mean(frame[kind] for frame in frames):.1f}" for kind in _kinds(seen.tasks))
    size = len(seen.intervals_ms)
    rate = MS * size / sum(seen.intervals_ms)
    targets = [None if name == EMPTY else at_most(most) for most in (LATE_MS, MAX_TASK_MS, FRAME_MS)]
    return [
        Figure(f"{name}: frame, p95", Spread.of(seen.intervals_ms).p95, "ms", targets[0], f"{rate:.1f} a second"),
        Figure("… frames over 20 ms", 100 * late / size, "%", note=f"{late} of {size}"),
        Figure("… longest task", scale * longest.spent_us, "ms", targets[1], _told(longest)),
        Figure("… work a frame, p95", work.p95, "ms", targets[2], f"mean: {parts}"),
    ]


def _told(task: Task) -> str:
    return ", ".join(f"{kind} {SLOWER * task.kinds[kind] / MS:.1f}" for kind in _kinds([task]))


def _kinds(tasks: Sequence[Task]) -> list[str]:
    return sorted({kind for task in tasks for kind in task.kinds}, key=lambda kind: (kind == OTHER, kind))
