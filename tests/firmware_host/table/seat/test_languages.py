"""A language of one's own at a display with buttons, from joining to leaving."""

from PIL import Image
from support.table.harness import TableHarness

from firmware_host.daemon.seat_display import SeatDisplay
from firmware_host.i18n.catalogues import LANGUAGES, translation_for
from firmware_host.i18n.words import Words
from firmware_host.screens import draw
from firmware_host.table.effects import ChangeLanguage
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.seat.menu import MenuCommand


def changes(harness: TableHarness) -> list[ChangeLanguage]:
    return [effect for effect in harness.effects if isinstance(effect, ChangeLanguage)]


def test_ok_changes_the_language_of_this_display_alone() -> None:
    harness = TableHarness(seats=2)
    harness[0].tap()
    harness[0].pick(MenuCommand.LANGUAGE)
    harness[0].tap()
    assert changes(harness) == [ChangeLanguage(0)] * 2
    assert harness[0].menu.chosen is MenuCommand.LANGUAGE


def test_the_language_stays_through_a_match_and_goes_with_its_player() -> None:
    harness = TableHarness(seats=3)
    for hand in harness:
        hand.tap()
    harness[1].pick(MenuCommand.LANGUAGE)
    harness[0].pick(MenuCommand.START)
    harness.wait(5)
    harness.dealt()
    assert changes(harness) == [ChangeLanguage(1)]
    harness = TableHarness(seats=2)
    harness[0].tap()
    harness[0].pick(MenuCommand.LANGUAGE)
    harness[0].pick(MenuCommand.LEAVE)
    assert changes(harness) == [ChangeLanguage(0), ChangeLanguage(0, is_own=True)]


def test_a_robots_display_and_a_phones_offer_no_language() -> None:
    harness = TableHarness(seats=3, phones=(2,))
    harness[0].tap()
    harness[2].tap()
    harness[1].pick(RobotLevel.EASY)
    assert [MenuCommand.LANGUAGE in hand.menu.items for hand in harness] == [True, False, False]


class Panel:
    """A display that keeps its last picture."""

    def show(self, picture: Image.Image, **_: object) -> None:
        self.picture = picture

    def set_brightness(self, _: object) -> None:
        pass


def test_a_display_goes_through_the_languages_and_back_to_its_own() -> None:
    harness, panel = TableHarness(seats=2), Panel()
    harness[0].tap()
    view, menu = harness[0].view, harness[0].menu
    display = SeatDisplay(panel, words=Words(translation_for("es")))
    display.show(view, menu, None)
    order = [*LANGUAGES, *LANGUAGES]
    for language in order[order.index("es") + 1 :][: len(LANGUAGES)]:
        display.change_language(is_own=False)
        expected = draw(view, menu, Words(translation_for(language)))
        assert panel.picture.tobytes() == expected.tobytes()
    display.change_language(is_own=False)
    display.change_language(is_own=True)
    assert panel.picture.tobytes() == draw(view, menu, Words(translation_for("es"))).tobytes()
