"""What a person does on the page, and what the page shows for it: in Chromium, at a table with its real daemon."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from support.pages.browser import PlayedTable, a_page, a_table, deal, dots, settled_dots, wait_until
from support.pages.staged_page import a_staged_page

from bench.tools.broker import free_port
from engine import BOXED, OBLIGING, RoundKind, Rules

pytestmark = pytest.mark.slow


if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

MINE = "#own .seat"


@pytest.fixture(scope="module")
def files(chromium: "Browser") -> Iterator[PlayedTable]:
    """Give a table that only serves the files of its page."""
    with a_table("--seats", "2", "--humans", "2") as table:
        yield table


@contextmanager
def a_table_of_two() -> Iterator[PlayedTable]:
    """Give a table of two people, whom a test plays."""
    with a_table("--seats", "2", "--humans", "2", "--speed", "4") as table:
        yield table


@pytest.fixture(scope="module")
def table(chromium: "Browser") -> Iterator[PlayedTable]:
    """Give a table for tests that leave its lobby as it was; it ends soon after its last page is closed."""
    with a_table_of_two() as table:
        yield table


@pytest.fixture
def lima(chromium: "Browser", table: PlayedTable) -> Iterator["Page"]:
    with a_page(chromium, table) as page:
        page.wait_for_selector(f"{MINE}[aria-label=Lima]")
        yield page


@pytest.fixture
def cusco(chromium: "Browser", table: PlayedTable, lima: "Page") -> Iterator["Page"]:
    with a_page(chromium, table) as page:
        page.wait_for_selector(f"{MINE}[aria-label=Cusco]")
        yield page


@pytest.fixture
def first(chromium: "Browser") -> Iterator["Page"]:
    """Give Lima's page at a table of its own."""
    with a_table_of_two() as table, a_page(chromium, table) as page:
        page.wait_for_selector(f"{MINE}[aria-label=Lima]")
        yield page


@pytest.fixture(scope="module")
def dealt(chromium: "Browser") -> Iterator[tuple["Page", "Page"]]:
    """Give Lima's page and Cusco's, with dice under both cups."""
    with a_table_of_two() as table, a_page(chromium, table) as lima, a_page(chromium, table) as cusco:
        deal(lima, cusco)
        yield lima, cusco


def wait_for_text(page: "Page", text: str) -> None:
    """Wait until the hint says so."""
    page.locator("#hint", has_text=text).wait_for()


def choose(page: "Page", seat: str, choice: str) -> None:
    """Pick something from what more there is to do at a seat."""
    page.get_by_label(f"More about {seat}’s seat").click()
    page.locator(f"article[aria-label={seat}] menu button", has_text=choice).click()


def test_a_key_is_a_button_and_the_panel_answers(first: "Page") -> None:
    first.keyboard.press("Enter")
    wait_for_text(first, "You are in")
    before = dots(first, "Lima")
    first.keyboard.press("ArrowRight")
    wait_until(first, lambda: dots(first, "Lima") != before)


def test_a_button_of_the_page_is_a_button_of_the_seat(first: "Page") -> None:
    first.locator(f"{MINE} .ok").click()
    wait_for_text(first, "You are in")


def test_a_key_that_is_held_is_a_button_that_is_held(first: "Page") -> None:
    first.keyboard.down("ArrowRight")
    first.wait_for_selector(f"{MINE} .right[data-down]")
    first.keyboard.up("ArrowRight")
    first.wait_for_selector(f"{MINE} .right:not([data-down])")


def test_a_finger_that_slips_off_a_button_still_lets_it_go(first: "Page") -> None:
    first.locator(f"{MINE} .left").hover()
    first.mouse.down()
    first.wait_for_selector(f"{MINE} .left[data-down]")
    first.mouse.move(5, 5)
    first.mouse.up()
    first.wait_for_selector(f"{MINE} .left:not([data-down])")


def test_another_window_in_front_lets_everything_go(first: "Page") -> None:
    first.keyboard.down("ArrowRight")
    first.keyboard.down("p")
    first.wait_for_selector(f"{MINE}[data-cup=up] .right[data-down]")
    first.evaluate("dispatchEvent(new Event('blur'))")
    first.wait_for_selector(f"{MINE}[data-cup=down] .right:not([data-down])")


def test_a_bid_lies_in_the_middle_for_everybody(dealt: tuple["Page", "Page"]) -> None:
    lima, cusco = dealt  # before either has looked at the dice
    first, second = (lima, cusco) if "Your turn" in lima.inner_text("#middle") else (cusco, lima)
    first.keyboard.press("Enter")
    second.wait_for_selector("#middle .bid.big")
    assert second.inner_text("#middle .whose").startswith("bid by")
    wait_for_text(second, "Hold the cup up")


def test_dice_are_on_the_display_only_while_the_cup_is_up(dealt: tuple["Page", "Page"]) -> None:
    lima, _ = dealt
    hint = settled_dots(lima, "Lima")  # how to look, until the first time
    lima.keyboard.down("ArrowUp")
    wait_for_text(lima, "There are your dice")
    dark = "0" * 128 * 64  # the gate closes at once, and the covered cups follow
    wait_until(lima, lambda: dots(lima, "Lima") not in (hint, dark))
    dice = settled_dots(lima, "Lima")
    lima.keyboard.up("ArrowUp")
    wait_until(lima, lambda: dots(lima, "Lima") not in (hint, dice, dark))
    covered = settled_dots(lima, "Lima")
    lima.keyboard.down("ArrowUp")
    wait_until(lima, lambda: dots(lima, "Lima") == dice)
    lima.keyboard.up("ArrowUp")
    wait_until(lima, lambda: dots(lima, "Lima") == covered)


def test_a_click_on_lift_is_long_enough_for_a_look(dealt: tuple["Page", "Page"]) -> None:
    lima, _ = dealt
    covered = dots(lima, "Lima")
    lima.locator(f"{MINE} .lift").click()
    wait_until(lima, lambda: dots(lima, "Lima") != covered)
    wait_for_text(lima, "There are your dice")
    lima.wait_for_selector(f"{MINE}[data-cup=down]")


def test_the_hint_itself_can_be_clicked_where_nothing_is_to_be_chosen(first: "Page") -> None:
    wait_for_text(first, "Press OK to join")
    first.locator("#hint").click()
    wait_for_text(first, "You are in")


def test_enter_is_ok_after_a_click_on_the_menu(first: "Page") -> None:
    choose(first, "Lima", "Unplug the seat board")
    choose(first, "Lima", "Plug the seat board in")
    wait_for_text(first, "Press OK to join")
    first.keyboard.press("Enter")
    wait_for_text(first, "You are in")


def test_a_closed_lid_puts_the_cup_down(dealt: tuple["Page", "Page"]) -> None:
    lima, cusco = dealt  # for the last time
    lima.keyboard.down("ArrowUp")
    cusco.wait_for_selector("article[aria-label=Lima][data-cup=up]")
    lima.goto("about:blank")
    cusco.wait_for_selector("article[aria-label=Lima][data-cup=down]")


def test_a_newcomer_is_told_what_to_press_first(lima: "Page") -> None:
    wait_for_text(lima, "Press OK to join")
    assert lima.locator(f"{MINE} .ok[data-next]").is_visible()


def test_a_covered_panel_has_not_one_dot(lima: "Page", cusco: "Page") -> None:
    assert "1" in dots(cusco, "Cusco")
    assert "1" not in dots(lima, "Cusco")


@pytest.mark.usefixtures("cusco")
def test_nobody_looks_under_another_persons_cover(lima: "Page") -> None:
    lima.get_by_label("Look under the cover of Cusco’s display").click()
    lima.locator("#toast", has_text="Cusco").wait_for()
    assert "1" not in dots(lima, "Cusco")


def test_who_loses_the_chair_is_told_and_takes_it_back(
    chromium: "Browser", table: PlayedTable, lima: "Page", cusco: "Page"
) -> None:
    with a_page(chromium, table) as other:
        wait_for_text(other, "You are looking on")
        choose(other, "Lima", "Sit here")
        lima.locator("#notice", has_text="has taken Lima’s chair").wait_for()
        lima.get_by_role("button", name="Take it back").click()
        lima.wait_for_selector(f"{MINE}[aria-label=Lima]")
        assert lima.locator("#notice").is_hidden()
        other.locator("#notice", has_text="has taken Lima’s chair").wait_for()


def test_an_unplugged_seat_says_so_until_it_is_plugged_in(lima: "Page") -> None:
    choose(lima, "Lima", "Unplug the seat board")
    wait_for_text(lima, "Your seat is unplugged")
    choose(lima, "Lima", "Plug the seat board in")
    wait_for_text(lima, "Press OK to join")


def test_the_language_is_chosen_on_the_page_and_kept(lima: "Page") -> None:
    lima.locator("#language").select_option("fr")
    wait_for_text(lima, "Appuie sur OK pour jouer")
    lima.reload()
    wait_for_text(lima, "Appuie sur OK pour jouer")
    assert lima.locator("html").get_attribute("lang") == "fr"
    assert lima.locator(f"{MINE} .shake span").inner_text() == "Secouer"


@pytest.mark.parametrize(("locale", "text"), [("es-PE", "Pulsa OK para jugar"), ("de-DE", "Press OK to join")])
def test_the_browsers_language_is_spoken_and_english_where_it_is_not_there(
    chromium: "Browser", table: PlayedTable, locale: str, text: str
) -> None:
    with a_page(chromium, table, locale=locale) as page:
        wait_for_text(page, text)


def test_question_mark_shows_and_hides_how_to_play(lima: "Page") -> None:
    shown = lima.locator("#help ol").is_visible()
    lima.keyboard.press("?")
    assert lima.locator("#help ol").is_visible() is not shown


def test_a_reload_sits_down_on_the_same_chair(chromium: "Browser") -> None:
    with a_table_of_two() as table, a_page(chromium, table) as lima, a_page(chromium, table) as cusco:
        cusco.wait_for_selector(f"{MINE}[aria-label=Cusco]")
        lima.goto("about:blank")
        cusco.reload()
        cusco.wait_for_selector(f"{MINE}[aria-label=Cusco]")


def test_who_stands_up_looks_on_and_a_robot_sits_down(first: "Page") -> None:
    choose(first, "Lima", "Stand up")
    wait_for_text(first, "You are looking on")
    first.wait_for_selector("article[aria-label=Lima][data-chair=robot]")
    assert first.locator("#notice").is_hidden()


def test_a_robots_panel_can_be_uncovered_and_covered_again(chromium: "Browser") -> None:
    with a_table("--seats", "2", "--speed", "4") as table, a_page(chromium, table) as page:
        page.get_by_label("Look under the cover of Cusco’s display").click()
        page.locator("article[aria-label=Cusco] .key.ok").wait_for()
        wait_until(page, lambda: "1" in dots(page, "Cusco"))
        choose(page, "Cusco", "Cover it again")
        page.wait_for_selector("article[aria-label=Cusco][data-covered]")
        assert "1" not in dots(page, "Cusco")
        assert page.locator("article[aria-label=Cusco] .key.ok").is_hidden()


def test_a_table_that_is_gone_is_told_and_found_again(chromium: "Browser") -> None:
    port = str(free_port())
    with a_table("--seats", "2", "--port", port) as table, a_page(chromium, table) as page:
        table.close()
        page.locator("#notice", has_text="The table is gone").wait_for()
        with a_table("--seats", "2", "--port", port):
            page.locator("#notice").wait_for(state="hidden")
            page.wait_for_selector(f"{MINE}[aria-label=Lima]")


def test_the_story_survives_a_reload_and_never_holds_another_evening(chromium: "Browser") -> None:
    sentences = "() => [...document.querySelectorAll('#sentences li')].map(line => line.textContent)"
    port = str(free_port())
    with a_table("--seats", "2", "--port", port) as table, a_page(chromium, table) as page:
        wait_for_text(page, "Press OK to join")
        page.keyboard.press("Enter")
        page.locator("#sentences li", has_text="Lima sits down").wait_for(state="attached")
        before = page.evaluate(sentences)
        page.reload()
        page.locator("#sentences li", has_text="Lima sits down").wait_for(state="attached")
        assert page.evaluate(sentences)[: len(before)] == before
        table.close()
        page.locator("#notice", has_text="The table is gone").wait_for()
        with a_table("--seats", "2", "--port", port):
            page.locator("#notice").wait_for(state="hidden")
            wait_for_text(page, "Press OK to join")
            assert not any("Lima sits down" in line for line in page.evaluate(sentences))


def test_the_help_knows_the_rules_and_the_words_for_faces(chromium: "Browser") -> None:
    with a_table("--seats", "2", "--rules", "kill-spot", "--language", "es") as table, a_page(chromium, table) as page:
        page.locator("#how-to li").first.wait_for(state="attached")
        help_text = page.locator("#how-to").text_content() or ""
        for part in (
            "kill-spot",
            "MATO",
            "CLAVO",
            "una pinta como las demás",
            "patos",
            "trenes",
            "ronda especial: ciega",
        ):
            assert part in help_text
        assert "CALZA" not in help_text


@pytest.mark.parametrize(
    ("rules", "language", "heading", "help_text"),
    [
        (BOXED, "en", "Palifico: the face stays · aces are not wild", "palifico (the face stays, aces"),
        (BOXED, "es", "Palifico: la pinta no cambia · el as no es", "especial: palifico (la pinta"),
        (BOXED, "fr", "Palifico : la valeur reste", "spéciale : palifico (la valeur"),
        (OBLIGING, "fr", "Obligée : la valeur reste", "spéciale : obligée (la valeur"),
    ],
    ids=str,
)
def test_a_special_round_is_called_as_the_players_of_its_rules_do(
    chromium: "Browser",
    files: PlayedTable,
    rules: Rules,
    language: str,
    heading: str,
    help_text: str,
) -> None:
    begun = {"number": 3, "kind": RoundKind.FIXED_FACE_NO_WILDS, "owner": 3, "first": 3}
    with a_staged_page(chromium, files, language, rules) as staged:
        staged.show("bidding", round=begun)
        staged.page.locator("#middle .heading", has_text=heading).wait_for()
        assert help_text in (staged.page.locator("#how-to").text_content() or "")


@pytest.mark.parametrize(("rules", "what"), [(BOXED, "who opens?"), (OBLIGING, "for the order of play")], ids=str)
def test_the_middle_says_what_the_first_dice_are_for(
    chromium: "Browser", files: PlayedTable, rules: Rules, what: str
) -> None:
    with a_staged_page(chromium, files, "en", rules) as staged:
        staged.show("order")
        staged.page.locator("#middle .sentence", has_text=what).wait_for()
