"""A made-up staff fact, added to a copy of the program as CONTRIBUTING.md says, is everywhere where facts are."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT

ROW = """    SEATS = "seats", StaffRow(StaffKind.FACT, StaffSection.MACHINE, "print how many seats the table has")
    UPDATE = ("""
FUNCTION = """    StaffItem.VERSION: _version,
    StaffItem.SEATS: lambda layout, _: str(len(layout.seats)),
"""
MENU = """
from firmware_host.configuration.configuration import Configuration
from firmware_host.daemon.staff import facts_of
from firmware_host.i18n import phrases
from firmware_host.table.staff import StaffOptions
from firmware_host.table.staff_items import StaffSection
from firmware_host.table.staff_menu import StaffFacts, StaffMenu
from engine import RULESETS
from hardware.config.layout import load
LAYOUT = "hardware/config/layouts/wired-4.toml"

options = StaffOptions(facts=facts_of(load(LAYOUT), RULESETS["perudo"]))
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
from firmware_host.daemon.control import ControlSocket, path_beside
from firmware_host.daemon.staff import StaffRequests, facts_of
from hardware.config.layout import load
LAYOUT = "hardware/config/layouts/wired-4.toml"

async def run():
    table = SimpleNamespace(public_state=object(), facts=facts_of(load(LAYOUT), RULESETS["perudo"]))
    events = Path("events.sock").absolute()
    async with ControlSocket(path_beside(events), StaffRequests(table).answer):
        await asyncio.to_thread(cli.main, ["staff", "--events", str(events), "seats"])

asyncio.run(run())
"""


class Copy:
    """The program in a folder of its own, with the new fact."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("engine", "drivers", "hardware"):
            (folder / name).symlink_to(ROOT / name)
        shutil.copytree(ROOT / "firmware_host", folder / "firmware_host", ignore=shutil.ignore_patterns("__pycache__"))
        for file in (
            "docs/staff.md",
            "debian/dudo-table.1",
            "tests/docs/test_staff_items.py",
            "tests/support/__init__.py",
        ):
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, folder / file)
        self.put("firmware_host/table/staff_items.py", "    UPDATE = (", ROW)
        self.put(
            "firmware_host/i18n/phrases.py",
            "    StaffItem.UPDATE:",
            '    StaffItem.SEATS: N_("Seats"),\n    StaffItem.UPDATE:',
        )
        self.put("firmware_host/daemon/staff.py", "    StaffItem.VERSION: _version,\n", FUNCTION)

    def put(self, file: str, place: str, text: str) -> None:
        """Write a text in place of another that is there once."""
        old = (self.folder / file).read_text(encoding="utf-8")
        assert old.count(place) == 1, file
        (self.folder / file).write_text(old.replace(place, text), encoding="utf-8")

    def run(self, *arguments: str, status: int = 0) -> str:
        """Run Python in the copy; return its output."""
        paths = os.pathsep.join((str(self.folder), str(self.folder / "tests")))
        environment = {**os.environ, "PYTHONPATH": paths, "PYTHONSAFEPATH": "", "COLUMNS": "200"}
        done = subprocess.run(
            [sys.executable, *arguments], cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    def check_documents(self, status: int = 0) -> str:
        """Run the test of the documents in the copy."""
        test = "tests/docs/test_staff_items.py"
        return self.run("-m", "pytest", "-vv", "-p", "no:xdist", "-p", "no:cacheprovider", test, status=status)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    return Copy(tmp_path_factory.mktemp("copy"))


def test_the_menu_has_it(copy: Copy) -> None:
    assert "machine Seats 4\n" in copy.run("-c", MENU)


def test_the_command_line_has_it(copy: Copy) -> None:
    assert "print how many seats the table has" in copy.run("-m", "firmware_host.cli", "staff", "--help")
    assert copy.run("-c", COMMAND).splitlines()[-1] == "4"


def test_the_check_asks_for_it_in_page_and_manual_until_both_have_it(copy: Copy) -> None:
    refused = copy.check_documents(status=1)
    assert "| Machine | Seats | ... |" in refused
    assert "write these commands into the staff section of the manual" in refused
    copy.put("docs/staff.md", "| | Update |", "| | Seats | how many the table has |\n| | Update |")
    copy.put("debian/dudo-table.1", "export, update, power\\-off.", "export, update, power\\-off, seats.")
    copy.check_documents()
