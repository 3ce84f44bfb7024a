"""A made-up staff action, added to a copy of the program as CONTRIBUTING.md says, is asked for at each missing step."""

import pytest
from support.scratch_copy import ScratchCopy

pytestmark = pytest.mark.slow

STAFF, MENU = "firmware_host/table/staff", "tests/firmware_host/table/staff/test_staff_menu_items.py"
CONTROL, DOCUMENTED = "tests/firmware_host/daemon/test_control.py", "tests/docs/test_staff_items.py"
TRANSLATED = "tests/firmware_host/i18n/test_catalogues.py"
CHECKS = (CONTROL, DOCUMENTED, MENU, TRANSLATED, "-k", "answered or page or manual or six_presses or word")
TYPES = ("-m", "mypy", "--follow-imports=silent", "firmware_host/table/staff_control.py")

ROW = """    CLEAR = "clear", _action(StaffSection.NOW, "end the match, and empty the seats")
"""
EFFECT = """            case StaffCommand.CLEAR:
                assert game is not None
                context.announce(MatchBrokenOff(game.id, BreakOffReason.STAFF))
                return Lobby()
"""
TEXT = "Clear the table"
TRANSLATIONS = {"es": ["Vaciar la mesa"], "fr": ["Vider la table"]}
TAKEN = """
from support.table.staff_menu import OK, L, bidding, picks, turn

harness = turn(bidding())
picks(harness, OK, L, L, OK)
print(type(harness.events[-1]).__name__, harness.lobby.is_empty)
"""
PAGE = """
from firmware_host.clients.owner.computer import ComputerFacts
from firmware_host.clients.owner.form import shown
from firmware_host.i18n.catalogues import translation_for
from firmware_host.i18n.words import Words
from firmware_host.table.staff.requests import StaffForm
from firmware_host.wire import PublicSeat, PublicState

state = PublicState(scene="bidding", match="laid", rules="perudo", seats=(PublicSeat("North", "red", True, 5),))
page = shown(StaffForm(state, {}, {}, {}, ()), ComputerFacts("", False, "", ""), Words(translation_for("es")))
print(*(item.title for section in page.sections for item in section.items), sep="\\n")
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> ScratchCopy:
    """Return a copy with the action's row."""
    manual = ("debian/dudo-table.1.in", "docs/manual.py", "docs/__init__.py")
    tests = ("tests/support", "tests/conftest.py", CONTROL, DOCUMENTED, MENU, TRANSLATED)
    made = ScratchCopy(tmp_path_factory.mktemp("copy"), ("firmware_host",), ("docs/staff.md", *manual, *tests))
    made.before(f"{STAFF}/items.py", "    END_MATCH = ", ROW)
    return made


def test_each_step_is_asked_for_until_it_is_done(copy: ScratchCopy) -> None:
    assert "'clear' is not a valid StaffCommand" in copy.run("-c", f"import {STAFF.replace('/', '.')}.menu", status=1)
    copy.before(f"{STAFF}/actions.py", '    REOPEN = "reopen"', '    CLEAR = "clear"\n')
    assert "Missing return statement" in copy.run(*TYPES, status=1)
    copy.before("firmware_host/table/staff_control.py", "            case StaffCommand.END_MATCH:\n", EFFECT)
    copy.run(*TYPES)
    refused = copy.tests(*CHECKS, status=1)
    assert f"FAILED {CONTROL}::test_an_action_is_answered_in_one_line[clear]" in refused
    assert "KeyError: <StaffItem.CLEAR: 'clear'>" in refused
    assert "write these commands into the block of docs/staff.md\nassert ['clear'] == []" in refused
    copy.before(
        "firmware_host/daemon/staff.py", "    StaffCommand.REOPEN: ", '    StaffCommand.CLEAR: "all is clear",\n'
    )
    copy.before("firmware_host/i18n/phrases.py", "    StaffItem.REOPEN: ", f'    StaffItem.CLEAR: N_("{TEXT}"),\n')
    copy.before("docs/staff.md", "sudo dudo-table staff reopen ", "sudo dudo-table staff clear\n")
    refused = copy.tests(*CHECKS, status=1)
    assert "| Now | Clear the table | ... |" in refused
    assert "AssertionError: make words" in refused
    copy.before(
        "docs/staff.md", "| | Reopen match |", "| | Clear the table | ends the match, and empties the seats |\n"
    )
    copy.translate([TEXT], TRANSLATIONS)
    copy.tests(*CHECKS)


def test_menu_page_and_command_line_then_have_it(copy: ScratchCopy) -> None:
    assert "MatchBrokenOff True\n" in copy.run("-c", TAKEN)
    assert "Vaciar la mesa\n" in copy.run("-c", PAGE)
    assert "end the match, and empty the seats" in copy.table("staff", "--help")
