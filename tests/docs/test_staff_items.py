"""docs/staff.md and the manual have every staff item that is declared, and no other."""

import re

from support import ROOT

from docs import manual
from firmware_host.configuration.settings import FIELDS, Settings
from firmware_host.i18n import phrases
from firmware_host.table.staff.items import FIGURES, StaffItem, StaffKind, StaffRow
from firmware_host.table.staff.sound import SoundAndLight

PAGE = (ROOT / "docs/staff.md").read_text(encoding="utf-8")
MANUAL = manual.page().replace(r"\-", "-")
ROWS = re.findall(r"^\|([^|\n]*)\|([^|\n]*)\|[^|\n]+\|$", PAGE.partition("\n## The menu\n")[2], re.MULTILINE)


def table_of_the_page() -> list[tuple[str, str]]:
    """Return section and item of each row of the page's first table after the heading of the menu."""
    rows, section = [], ""
    for first, second in ROWS:
        if first.strip() == "figure":
            break
        section = first.strip() or section
        cell = second.strip()
        rows += [(section, item) for item in ([cell] if cell in phrases.STAFF_ITEM.values() else cell.split(", "))]
    return [row for row in rows if row[0] not in ("section", "---")]


def as_declared() -> list[tuple[str, str]]:
    """Return the same from the rows of the program."""
    return [
        (phrases.STAFF_SECTION[item.row.section], phrases.STAFF_ITEM[item])
        for item in StaffItem
        if item.row.section is not None
    ]


def test_the_page_has_the_items_of_the_menu() -> None:
    written = {*table_of_the_page()}
    missing = [f"| {section} | {item} | ... |" for section, item in as_declared() if (section, item) not in written]
    assert missing == [], "write these rows into the table of docs/staff.md"
    assert written == {*as_declared()}


def test_the_page_has_the_commands() -> None:
    block = PAGE.partition("\n## The command line\n")[2].partition("\n```\n")[0]
    written = {*re.findall(r"(?:dudo-table staff|# and) ([a-z-]+)", block)}
    missing = [item.command_word for item in StaffItem if item.row.help and item.command_word not in written]
    assert missing == [], "write these commands into the block of docs/staff.md"


def argument_of(item: StaffItem, row: StaffRow) -> str:
    """Return the argument of a command as the manual writes it."""
    level = " [LEVEL]" if item is StaffItem.ROBOT else ""
    return f" SEAT{level}" if row.of_seat else f" {row.value}" if row.value else ""


def test_the_manual_has_the_commands() -> None:
    section = MANUAL.partition(".SS dudo-table staff")[2].partition(".SS")[0].partition(".RS")[2]
    words = [f"{item.command_word}{argument_of(item, item.row)}" for item in StaffItem if item.row.help]
    assert {*re.findall(r"^\\fB(.*)\\fR$", section, re.MULTILINE)} == {"status", "figures", "reset FIGURE", *words}


def test_each_figure_can_be_reset_and_asks_first() -> None:
    assert all(item.row.asks_first for item in FIGURES)


def test_an_item_without_a_command_is_a_test_or_a_figure_or_a_fact() -> None:
    kinds = {item.row.kind for item in StaffItem if not item.row.help}
    assert kinds == {StaffKind.TEST, StaffKind.FIGURE, StaffKind.FACT, StaffKind.BACK}


def test_each_setting_is_read_from_the_file_and_has_a_field() -> None:
    names = [item.value for item in StaffItem if item.row.kind is StaffKind.SETTING]
    assert {*names} == {*FIELDS} == {*Settings.__struct_fields__}
    assert {*SoundAndLight.__struct_fields__} < {*FIELDS}


def test_each_setting_says_how_its_value_is_written() -> None:
    assert [item for item in StaffItem if (item.row.kind is StaffKind.SETTING) != bool(item.row.value)] == []
