"""A made-up staff fact, added to a copy of the program as CONTRIBUTING.md says, is everywhere where facts are."""

import pytest
from support.scratch_copy import ScratchCopy

TEST = "tests/docs/test_staff_items.py"

ROW = """    SEATS = "seats", StaffRow(StaffKind.FACT, StaffSection.MACHINE, "print how many seats the table has")
"""
FUNCTION = """    StaffItem.VERSION: _version,
    StaffItem.SEATS: lambda context: str(len(context.layout.seats)),
"""
MENU = """
from firmware_host.configuration.configuration import Configuration
from pathlib import Path
from firmware_host.daemon.staff import FactContext, facts_of
from firmware_host.i18n import phrases
from firmware_host.table.staff.actions import StaffOptions
from firmware_host.table.staff.items import StaffSection
from firmware_host.table.staff.menu import StaffFacts, StaffMenu
from engine import RULESETS
from hardware.config.layout import load
LAYOUT = "hardware/config/layouts/wired-4.toml"

context = FactContext(load(LAYOUT), RULESETS["perudo"], Path())
options = StaffOptions(read_facts=lambda: facts_of(context))
facts, menu = StaffFacts(False, True, False, []), StaffMenu(options)
menu.step(-1, facts, 0)
menu.confirm(facts, 0)
for _ in range(8):
    view = menu.view(facts)
    print(view.section, phrases.STAFF_ITEM[view.item], view.value)
    menu.step(1, facts, 0)
"""
COMMAND = """
import asyncio
from pathlib import Path
from types import SimpleNamespace
from engine import RULESETS
from firmware_host import cli
from firmware_host.daemon.control import ControlSocket
from firmware_host.public.address import path_beside
from firmware_host.daemon.staff import FactContext, StaffRequests
from hardware.config.layout import load
LAYOUT = "hardware/config/layouts/wired-4.toml"

async def run():
    context = FactContext(load(LAYOUT), RULESETS["perudo"], Path())
    table = SimpleNamespace(public_state=object(), fact_context=context)
    events = Path("events.sock").absolute()
    async with ControlSocket(path_beside(events), StaffRequests(table).answer):
        await asyncio.to_thread(cli.main, ["staff", "--events", str(events), "seats"])

asyncio.run(run())
"""

PAGE = """
from pathlib import Path
from engine import RULESETS
from firmware_host.clients.owner.computer import ComputerFacts
from firmware_host.clients.owner.form import shown
from firmware_host.daemon.staff import FactContext, facts_of
from firmware_host.i18n.words import ENGLISH
from firmware_host.table.staff.requests import StaffForm
from firmware_host.wire import PublicSeat, PublicState
from hardware.config.layout import load
LAYOUT = "hardware/config/layouts/wired-4.toml"

context = FactContext(load(LAYOUT), RULESETS["perudo"], Path())
state = PublicState(scene="lobby", rules="perudo", seats=(PublicSeat("North", "red", False, 0),))
form = StaffForm(state, {}, facts_of(context), {}, ())
for section in shown(form, ComputerFacts("", False, "", ""), ENGLISH).sections:
    for item in section.items:
        print(section.name, item.title, item.value)
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> ScratchCopy:
    """Return a copy with the new fact."""
    manual = ("debian/dudo-table.1.in", "docs/manual.py", "docs/__init__.py")
    documents = ("docs/staff.md", *manual, TEST, "tests/support/__init__.py")
    made = ScratchCopy(tmp_path_factory.mktemp("copy"), ("firmware_host",), documents)
    made.before("firmware_host/table/staff/items.py", "    UPDATE = (", ROW)
    made.before("firmware_host/i18n/phrases.py", "    StaffItem.UPDATE:", '    StaffItem.SEATS: N_("Seats"),\n')
    made.put("firmware_host/daemon/staff.py", "    StaffItem.VERSION: _version,\n", FUNCTION)
    return made


def test_the_menu_has_it(copy: ScratchCopy) -> None:
    assert "machine Seats 4\n" in copy.run("-c", MENU)


def test_the_owners_page_has_it(copy: ScratchCopy) -> None:
    assert "machine Seats 4\n" in copy.run("-c", PAGE)


def test_the_command_line_has_it(copy: ScratchCopy) -> None:
    assert "print how many seats the table has" in copy.table("staff", "--help")
    assert copy.run("-c", COMMAND).splitlines()[-1] == "4"


@pytest.mark.slow
def test_the_check_asks_for_it_in_the_page_until_that_has_it(copy: ScratchCopy) -> None:
    refused = copy.tests(TEST, status=1)
    assert "| Machine | Seats | ... |" in refused
    assert "write these commands into the block of docs/staff.md" in refused
    copy.before("docs/staff.md", "sudo dudo-table staff export ", "sudo dudo-table staff seats\n")
    copy.put("docs/staff.md", "| | Update |", "| | Seats | how many the table has |\n| | Update |")
    copy.tests(TEST)
