"""A phone that loses the table: dice go from its page at once, it says so, and no press is carried out late."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from support.host.faulty_network import FaultyNetwork, a_faulty_network
from support.pages.browser import DOTS, PlayedTable, a_page, a_table, deal, dots, settled_dots, wait_until

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

DARK = "0" * 128 * 64
NO_CONNECTION = {"en-GB": "No connection", "es-ES": "Sin conexión", "fr-FR": "Pas de connexion"}
LEAVES = {
    "another window": "window.dispatchEvent(new Event('blur'))",
    "another page": "window.dispatchEvent(new Event('pagehide'))",
    "no network": "window.dispatchEvent(new Event('offline'))",
    "screen off": """Object.defineProperty(document, 'hidden', { value: true });
        document.dispatchEvent(new Event('visibilitychange'))""",
    "key up": "document.dispatchEvent(new KeyboardEvent('keyup', { code: 'KeyP', key: 'p' }))",
}
"""What takes the hand off the cup, as the page is told of it."""
RECORDER = f"""() => {{
    const canvas = document.querySelector("#own canvas");
    window.drawn = [];
    const dots = {DOTS};
    const put = CanvasRenderingContext2D.prototype.putImageData;
    CanvasRenderingContext2D.prototype.putImageData = function (...picture) {{
        put.apply(this, picture);
        if (this.canvas === canvas) window.drawn.push(dots(canvas));
    }};
}}"""
"""Keeps every picture that is drawn at the own seat from now on, even one that is gone before the next frame."""
HEARD = "[document.querySelector('#spoken').textContent, document.querySelector('#own canvas').ariaLabel].join()"

Tables = tuple["Page", FaultyNetwork, PlayedTable]


@pytest.fixture(scope="module")
def both_in(chromium: "Browser") -> Iterator[Tables]:
    """Give Cusco's page, a network for Lima's, which is closed, and the table, after both have shaken."""
    with (
        a_table("--seats", "2", "--humans", "2", "--speed", "4") as table,
        a_page(chromium, table) as lima,
        a_page(chromium, table) as cusco,
    ):
        deal(lima, cusco)
        lima.goto("about:blank")
        with a_faulty_network(table.address) as network:
            table.address = network.address
            yield cusco, network, table


@pytest.fixture
def dealt(chromium: "Browser", both_in: Tables) -> Iterator[Tables]:
    """Give a page at Lima's seat, with dice under its cup, the page's network, and the table."""
    cusco, network, table = both_in
    cusco.wait_for_selector("article[aria-label=Lima][data-chair=free]")
    cusco.keyboard.press("p")  # or Cusco counts as away in the end
    with a_page(chromium, table) as lima:
        yield lima, network, table
        network.deliver()


def lift(page: "Page") -> str:
    """Lift the cup and keep it up; return the picture with the dice."""
    covered = settled_dots(page, "Lima")
    page.keyboard.down("p")
    page.locator("#spoken", has_text="Your dice").wait_for(state="attached")
    wait_until(page, lambda: dots(page, "Lima") not in (covered, DARK))
    return settled_dots(page, "Lima")


@pytest.mark.parametrize("leave", LEAVES)
def test_dice_are_gone_at_once_while_the_table_is_out_of_reach(dealt: Tables, leave: str) -> None:
    lima, network, _ = dealt
    dice = lift(lima)
    network.hold()
    left = f"{LEAVES[leave]}; return [({DOTS})(document.querySelector('#own canvas')), {HEARD}]"
    shown, heard = lima.evaluate(f"() => {{ {left} }}")
    assert shown == DARK != dice
    assert "Your dice" not in heard


def test_pictures_with_dice_that_arrive_after_letting_go_are_not_shown(dealt: Tables) -> None:
    lima, network, _ = dealt
    dice = lift(lima)
    lima.keyboard.up("p")
    wait_until(lima, lambda: dots(lima, "Lima") not in (dice, DARK))
    covered = settled_dots(lima, "Lima")
    lima.evaluate(RECORDER)
    network.hold("down")
    lima.keyboard.down("p")
    lima.wait_for_timeout(900)  # the table shows the dice, and the network has them
    lima.keyboard.up("p")
    lima.wait_for_timeout(300)
    network.deliver()
    lima.keyboard.down("ArrowRight")  # a later picture than those
    wait_until(lima, lambda: dots(lima, "Lima") not in (covered, DARK))
    lima.keyboard.up("ArrowRight")
    lima.keyboard.press("ArrowLeft")  # as it was, for the next test
    assert dice not in lima.evaluate("window.drawn")
    assert "Your dice" not in lima.evaluate(HEARD)


def test_dice_go_after_two_seconds_without_a_heartbeat_and_another_look_shows_them(dealt: Tables) -> None:
    lima, network, _ = dealt
    dice = lift(lima)
    network.hold()
    wait_until(lima, lambda: dots(lima, "Lima") == DARK)
    assert not lima.evaluate("document.body.hasAttribute('data-gone')")
    network.deliver()
    wait_until(lima, lambda: dots(lima, "Lima") != DARK)
    lima.keyboard.up("p")
    assert settled_dots(lima, "Lima") != dice
    assert lift(lima) == dice


def test_a_tap_is_a_look_and_a_hold_ends_when_the_finger_goes(dealt: Tables) -> None:
    lima, network, _ = dealt
    dice = lift(lima)
    lima.keyboard.up("p")
    assert dots(lima, "Lima") != dice
    network.deliver()
    lima.locator("#own .lift").click()
    wait_until(lima, lambda: dots(lima, "Lima") == dice)
    wait_until(lima, lambda: dots(lima, "Lima") != dice)


@pytest.mark.parametrize("locale", NO_CONNECTION)
def test_a_page_that_hears_nothing_says_so_its_controls_are_off_and_no_press_comes_late(
    chromium: "Browser", locale: str
) -> None:
    with a_table("--seats", "2", "--humans", "2") as table, a_faulty_network(table.address) as network:
        table.address = network.address
        with a_page(chromium, table, locale=locale) as page:
            hint = page.inner_text("#hint")
            network.hold()
            page.keyboard.press("Enter")  # it would join
            page.locator("#hint", has_text=NO_CONNECTION[locale]).wait_for()
            assert page.evaluate("document.querySelector('#own').inert")
            assert not page.title().startswith("●")
            page.keyboard.press("Enter")
            network.deliver()
            page.wait_for_selector("body:not([data-gone])")
            page.wait_for_selector("#own .seat[data-chair=you]")
            page.locator("#hint", has_text=hint).wait_for()
            assert not page.evaluate("document.querySelector('#own').inert")
            page.wait_for_timeout(1000)
            assert page.locator("#own .seat[data-away]").count() == 1
            page.keyboard.press("Enter")
            page.wait_for_selector("#own .seat:not([data-away])")


@pytest.mark.parametrize("direction", ["up", "down"])
def test_a_network_that_is_silent_in_one_direction_is_no_connection_either(chromium: "Browser", direction: str) -> None:
    with a_table("--seats", "2", "--humans", "2") as table, a_faulty_network(table.address) as network:
        table.address = network.address
        with a_page(chromium, table) as page:
            network.hold(direction)
            page.locator("#hint", has_text="No connection").wait_for()
            network.deliver()
            page.locator("#hint", has_text="Press OK to join").wait_for()


def test_a_phone_whose_browser_is_offline_clears_its_dice(dealt: Tables) -> None:
    lima, network, _ = dealt
    lift(lima)
    network.hold()  # an open connection goes on while Chromium is offline, and the table would cover the dice
    lima.context.set_offline(True)
    wait_until(lima, lambda: dots(lima, "Lima") == DARK)
    lima.context.set_offline(False)


def test_dice_go_when_the_table_is_killed(dealt: Tables) -> None:
    # The last test at this table.
    lima, _, table = dealt
    lift(lima)
    table.kill()
    wait_until(lima, lambda: dots(lima, "Lima") == DARK)
