"""Where things lie on the page in every scene, language and window: nothing overlaps, and nothing is cut."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

import pytest
from support.pages.browser import PlayedTable, a_table
from support.pages.staged_page import SCENES, StagedPage, a_staged_page

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser

LANGUAGES = ("en", "es", "fr")
WINDOWS = {
    "laptop": (1280, 800),
    "laptop at 200 %": (640, 400),
    "large": (1920, 1080),
    "phone": (390, 844),
    "small phone": (360, 640),
    "narrow": (320, 568),
}
THREE_FRAMES = """async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
}"""
FAULTS = """() => {
    const faults = [];
    const label = (e) => `${e.id || e.className || e.tagName} "${e.textContent.trim().slice(0, 24)}"`;
    const seen = (e) => e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length;
    const all = (selector) => [...document.querySelectorAll(selector)].filter(seen);
    const box = (e) => e.getBoundingClientRect();
    // Text that is wider than its place.
    for (const e of all(".key, .invite, .hint, summary, #middle > p, .places li, .seal code, #language, .cover span")) {
        if (e.scrollWidth > e.clientWidth + 1 && e.clientWidth) faults.push(`cut: ${label(e)}`);
        for (const part of e.matches(".key") ? e.querySelectorAll("span") : []) {
            const [inner, outer] = [box(part), box(e)];
            if (inner.left < outer.left - .5 || inner.right > outer.right + .5) faults.push(`sticks out: ${label(e)}`);
        }
    }
    for (const e of all(".note:not(:empty)")) {
        const [inner, outer] = [box(e), box(e.closest(".seat"))];
        if (inner.left < outer.left || inner.right > outer.right) faults.push(`sticks out: ${label(e)}`);
    }
    // The middle, whose overflow is hidden, and the window's width.
    const middle = box(document.querySelector("#middle"));
    for (const e of all("#middle > *:not(.rays), .hand")) {
        const { top, bottom, left, right } = box(e);
        if (top < middle.top - 1 || bottom > middle.bottom + 1 || left < middle.left - 1 || right > middle.right + 1) {
            faults.push(`out of the middle: ${label(e)}`);
        }
    }
    const { scrollWidth, scrollHeight } = document.documentElement;
    if (scrollWidth > innerWidth) faults.push(`wider than the window: ${scrollWidth}`);
    // Pairs that cover each other. A sheet that sticks to the bottom of a phone may lie over what scrolls under it.
    const pieces = ".others .seat, .invite, #middle > :is(p, ul, ol), .corner summary, #language, .hint, #own .seat";
    const solid = all(pieces).filter((e) => scrollHeight <= innerHeight || !e.closest(".mine"));
    solid.forEach((one, at) => solid.slice(at + 1).forEach((other) => {
        const [a, b] = [box(one), box(other)];
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (across > 1 && down > 1) faults.push(`overlap: ${label(one)} / ${label(other)}`);
    }));
    return faults;
}"""


def _in_turn() -> Iterator[tuple[str, str, bool]]:
    """Give each window, language and cover; of three in a row each has another language."""
    for place, (window, is_open) in enumerate(product(WINDOWS, (False, True))):
        for step in range(len(LANGUAGES)):
            yield window, LANGUAGES[(place + step) % len(LANGUAGES)], is_open


@pytest.fixture(scope="module")
def files(chromium: "Browser") -> Iterator[PlayedTable]:
    with a_table("--seats", "8", "--humans", "8") as table:
        yield table


@pytest.fixture(scope="module")
def staged_in(chromium: "Browser", files: PlayedTable) -> Iterator[Callable[..., StagedPage]]:
    """Give a function that returns the page in a language and with options, one for all tests of the file."""
    with ExitStack() as pages:
        yield cache(
            lambda language, **options: pages.enter_context(a_staged_page(chromium, files, language, **options))
        )


def faults(staged: StagedPage, *, is_open: bool) -> list[str]:
    staged.set_open(is_open=is_open)
    staged.page.evaluate(THREE_FRAMES)  # the style sheet learns how tall the seats are
    found: list[str] = staged.page.evaluate(FAULTS)
    return found


@pytest.mark.parametrize(
    ("window", "language", "is_open"),
    [
        # Each window in each language takes minutes: a third of them meets every window, language and cover.
        pytest.param(window, language, is_open, marks=() if number % 3 == 0 else pytest.mark.soak)
        for number, (window, language, is_open) in enumerate(_in_turn())
    ],
)
def test_nothing_overlaps_or_is_cut(
    staged_in: Callable[..., StagedPage], window: str, language: str, is_open: bool
) -> None:
    width, height = WINDOWS[window]
    staged = staged_in(language)
    staged.page.set_viewport_size({"width": width, "height": height})
    found = {}
    for scene in SCENES:
        staged.show(scene)
        found[scene] = faults(staged, is_open=is_open)
    assert {scene: each for scene, each in found.items() if each} == {}


@pytest.fixture(scope="module")
def with_guests(chromium: "Browser", files: PlayedTable) -> Iterator[StagedPage]:
    with a_staged_page(chromium, files, "fr") as staged:
        staged.invite()
        yield staged


@pytest.mark.parametrize("window", ["laptop", "laptop at 200 %", "phone", "narrow"])
def test_the_button_that_invites_guests_covers_nothing(with_guests: StagedPage, window: str) -> None:
    width, height = WINDOWS[window]
    with_guests.page.set_viewport_size({"width": width, "height": height})
    for scene in ("shaking", "reveal"):
        with_guests.show(scene)
        assert (scene, faults(with_guests, is_open=False)) == (scene, [])


@pytest.mark.parametrize("scene", SCENES)
def test_nothing_overlaps_or_is_cut_in_forced_colours(staged_in: Callable[..., StagedPage], scene: str) -> None:
    staged = staged_in("fr", forced_colors="active")
    staged.show(scene)
    assert faults(staged, is_open=True) == []
