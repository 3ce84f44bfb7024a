"""The hint of `play`'s page is true for what is selected on the display, also in the staff menu and in a lesson."""

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, Any, cast

import pytest
from support.pages.browser import a_chromium, a_page, a_table
from support.pages.public_pages import state

from firmware_host.i18n.workbench_texts import WORKBENCH_TEXTS
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.seat.menu import MenuCommand

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

HINT = """async ([state, choice, lifted]) => {
    const { hint } = await import("./hint.js");
    return hint(state, 0, { soon: null, peeked: false, lifted, shaken: false, choice, dudo: true }).text;
}"""
OK = cast("dict[str, str]", WORKBENCH_TEXTS["ok"])


@pytest.fixture(scope="module")
def page() -> Iterator["Page"]:
    with a_table("--seats", "2") as table, a_chromium() as browser, a_page(browser, table) as page:
        yield page


def hinted(page: "Page", scene: str, choice: str, *, playing: bool = True, lifted: bool = False) -> str:
    line: dict[str, Any] = state(scene, may_see=[[0], [1], [2], [3]], waiting_for=[1])
    line["seats"][0]["playing"] = playing
    return str(page.evaluate(HINT, [line, choice, lifted]))


def test_a_display_with_the_staff_menu_or_a_lesson_is_explained_whatever_the_match_does(page: "Page") -> None:
    scenes = ("lobby", "shaking", "bidding", "called")
    for scene, choice, playing, lifted in product(scenes, ("staff", "lesson"), (True, False), (True, False)):
        assert hinted(page, scene, choice, playing=playing, lifted=lifted) == OK[choice], (scene, playing, lifted)


def test_joining_is_hinted_at_the_item_that_joins_and_a_robot_at_the_one_that_seats_it(page: "Page") -> None:
    assert hinted(page, "lobby", "join", playing=False) == "Press OK to join"
    for item in map(str, (*RobotLevel, MenuCommand.LEARN)):
        assert hinted(page, "lobby", item, playing=False) == OK[item]


def test_starting_is_hinted_at_the_item_that_starts_and_leaving_at_the_one_that_leaves(page: "Page") -> None:
    assert hinted(page, "lobby", "start") == "You are in. OK starts the match"
    for item in (MenuCommand.LEAVE, MenuCommand.LANGUAGE, MenuCommand.NAME):
        assert hinted(page, "lobby", str(item)) == OK[item]
