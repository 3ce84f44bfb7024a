"""A made-up public event, added to a copy of the program as CONTRIBUTING.md says, reaches whatever tells events."""

import re

import pytest
from support.scratch_copy import ScratchCopy

DOCUMENTED = "tests/firmware_host/public/test_documented_events.py"
NARRATED = "tests/firmware_host/public/test_narration.py"
TRANSLATED = "tests/firmware_host/i18n/test_catalogues.py"
STRUCT = '''class CheersGiven(EventBase, frozen=True):
    """The room greets whoever sits down."""

    seat: Number


'''
CHECKS = (DOCUMENTED, NARRATED, TRANSLATED, "-m", "", "-k", "case or cheers or page_has or page_tells or words or word")
EXAMPLE = '{"type":"cheers-given","seq":%d,"seat":1,"sentences":["The room greets East."]}\n'
SENTENCE = "The room greets {}."
TRANSLATIONS = {"es": ["La sala saluda a {}."], "fr": ["La salle salue {}."]}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> ScratchCopy:
    """Return a copy with the event's struct, and a lobby that announces it: the first two steps of the list."""
    made = ScratchCopy(
        tmp_path_factory.mktemp("copy"),
        ("firmware_host",),
        ("docs/events.md", "tests/support", "tests/conftest.py", DOCUMENTED, NARRATED, TRANSLATED),
    )
    made.before("firmware_host/wire.py", "class AlertBegan(", STRUCT)
    made.before("firmware_host/wire.py", "    | AlertBegan\n", "    | CheersGiven\n")
    lobby, joined = "firmware_host/table/scenes/lobby.py", "                context.announce(Joined(seat))\n"
    made.put(lobby, joined, f"{joined}                context.announce(CheersGiven(seat))\n")
    made.put(lobby, "from firmware_host.wire import ", "from firmware_host.wire import CheersGiven, ")
    return made


@pytest.mark.slow
def test_each_step_is_asked_for_until_it_is_done(copy: ScratchCopy) -> None:
    refused = copy.tests(*CHECKS, status=1)
    assert "write a case for these events: CheersGiven" in refused
    assert "write an example of these events: cheers-given" in refused
    assert "write a row for these events: cheers-given" in refused
    copy.before(
        "firmware_host/public/narration.py",
        "            case wire.AlertBegan(what, why):\n",
        f'            case wire.CheersGiven(seat):\n                return (self._about(N_("{SENTENCE}"), seat),)\n',
    )
    page = "docs/events.md"
    copy.before(page, "| `trouble-began` |", "| `cheers-given` | `seat`: the room greets whoever sits down |\n")
    text = (copy.folder / page).read_text(encoding="utf-8")
    events = text.partition("\n## The events\n")[2]
    last = max(re.findall(r'^{"type":"[a-z-]+","seq":\d+,.*\n', events, re.MULTILINE), key=number_of)
    copy.put(page, last, last + EXAMPLE % (number_of(last) + 1))
    assert "AssertionError: make words" in copy.tests(*CHECKS, status=1)
    copy.translate([SENTENCE], TRANSLATIONS)
    copy.tests(*CHECKS)


def number_of(example: str) -> int:
    return int(example.split('"seq":')[1].split(",")[0])


@pytest.mark.slow
def test_whoever_listens_has_it_in_a_sentence(copy: ScratchCopy) -> None:
    assert "The room greets Lima." in copy.table("play", "--headless", "--seats", "2", "--seed", "7")
