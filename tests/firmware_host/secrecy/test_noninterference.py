"""A round at emulated wires, forked at the deal: who may not see a die can't tell the forks apart before the reveal.

Compared is everything that comes out, to the nanosecond and the byte: what goes over a seat's wires, what its eyes see,
the events, the lines at the public socket, the story, the log, what a careless log line could show, the files of the
journal by their size; and of all other seats' wires when something went over them, and how much.
`support.noninterference.incidents` has what happens to the tables meanwhile, `planted_leaks` shows that all of this
can fail.
"""

import random
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import pytest
from support.noninterference.decisions import ROBOT_SEAT, robots_decide, time_up
from support.noninterference.incidents import INCIDENTS, a_pass, a_spare, hurried, pages
from support.noninterference.variants import CLOSED, HELD, LAYOUTS, OPEN, ROUNDS, Family, dealt

from engine import BOXED, KILL_SPOT, OBLIGING, PALO_FIJO, PERUDO, PYRUDO, RoundKind, Rules


class Case(NamedTuple):
    """A table, the round it plays, and what happens to it."""

    layout: str
    seats: int
    rules: Rules
    kind: RoundKind
    incidents: Sequence[str]

    def __str__(self) -> str:
        return "-".join(map(str, (self.layout, self.seats, self.rules, self.kind, *self.incidents)))

    def family(self, folder: Path, *, counts_work: bool = False) -> Family:
        """Return the rounds, with a call at the end that differs from case to case."""
        incidents = [INCIDENTS[name] for name in self.incidents]
        call = random.Random(str(self)).randrange(40)
        layout = LAYOUTS[self.layout].first(self.seats)
        deal = dealt(self.rules, self.kind, self.seats)
        held = [ROBOT_SEAT] if robots_decide in incidents else []
        return Family(folder, layout, deal, held=held, incidents=incidents, call=call, counts_work=counts_work)


NORMAL, FIXED, NO_WILDS = RoundKind.NORMAL, RoundKind.FIXED_FACE, RoundKind.FIXED_FACE_NO_WILDS
CASES = [
    Case("wired-8", 8, KILL_SPOT, NORMAL, ["hangs", "presses", "two_calls", "bid_against_call"]),
    Case("boards-8", 7, KILL_SPOT, RoundKind.BLIND, ["cables", "late"]),
    Case("wired-8", 5, KILL_SPOT, RoundKind.OPEN, ["turns_pages", "errors"]),
    Case("wired-4", 4, PYRUDO, NORMAL, ["takes_back", "cups", "staff_items", "a_robot", "is_away", "newcomers"]),
    Case("boards-8", 6, PYRUDO, FIXED, ["errors", "disk", "bid_against_call"]),
    Case("spi", 3, OBLIGING, NORMAL, ["looks", "cables", "a_no"]),
    Case("wired-8", 2, OBLIGING, NO_WILDS, ["buttons", "late", "cups"]),
    Case("boards-8", 5, PERUDO, NORMAL, ["newcomers", "hangs", "looks", "pages", "two_calls", "is_away"]),
    Case("wired-4", 3, PERUDO, FIXED, ["cables", "disk", "staff_by_socket", "hand_over_named"]),
    Case("boards-8", 2, PALO_FIJO, NORMAL, ["a_pass", "cups", "takes_back", "presses", "staff", "a_no"]),
    Case("boards-8", 4, PALO_FIJO, OPEN, ["turns_pages", "lights", "staff_by_socket", "hand_over_named"]),
    Case("wired-8", 7, PALO_FIJO, CLOSED, ["a_pass", "lights", "a_no"]),
    Case("boards-8", 2, KILL_SPOT, RoundKind.OPEN, ["buttons", "a_spare", "pages", "a_robot"]),
    Case("radio", 4, PERUDO, NORMAL, ["hurried", "cups", "time_up"]),
    Case("wired-4", 4, BOXED, NORMAL, ["presses", "errors", "staff"]),
    Case("boards-8", 3, BOXED, NO_WILDS, ["staff_items", "pages", "late", "two_calls"]),
    Case("radio", 2, KILL_SPOT, RoundKind.BLIND, ["looks", "hurried", "time_up"]),
    Case("phones", 4, PERUDO, NORMAL, ["looks", "late", "cables"]),
    Case("wired-4", 3, PERUDO, NORMAL, ["robots_decide"]),
    Case("boards-8", 3, KILL_SPOT, NORMAL, ["robots_decide"]),
]
"""A few for `make test-all`, in which everything occurs."""

QUICK = "spi-3"
"""The one of them that `make test` runs."""

WITHOUT_ROBOTS = [name for name in INCIDENTS if name != robots_decide.__name__]  # beside one, its dice are held fixed
PRODUCT = [
    Case(
        name,
        seats,
        rules,
        kind,
        random.Random(f"{name}{seats}{rules}{kind}").sample(WITHOUT_ROBOTS, len(WITHOUT_ROBOTS)),
    )
    for name, layout in LAYOUTS.items()
    for seats in HELD
    if seats <= len(layout.seats)
    for rules, kind in ROUNDS
]
"""Every round at every table, and everything happens to each, in an order of its own."""


def test_every_rule_set_round_table_size_and_incident_is_tried() -> None:
    assert {(case.rules.name, case.kind) for case in CASES} == {(rules.name, kind) for rules, kind in ROUNDS}
    assert {case.seats for case in CASES} == {*range(2, 9)}
    assert {case.layout for case in CASES} == {*LAYOUTS}
    tried = [{*chain(*(case.incidents for case in CASES if case.layout.startswith(wires)))} for wires in ("b", "w")]
    anywhere = {incident.__name__ for incident in (a_pass, hurried, a_spare, pages, time_up)}
    assert tried[0] | anywhere == tried[1] | anywhere | {"looks"} == {*INCIDENTS}


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=() if str(case).startswith(QUICK) else pytest.mark.slow) for case in CASES],
    ids=str,
)
def test_whoever_may_not_see_a_die_hears_the_same_whatever_it_shows(
    case: Case, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    _is_silent(case.family(tmp_path))
    assert capfd.readouterr() == ("", "")


@pytest.mark.soak
@pytest.mark.parametrize("case", PRODUCT, ids=lambda case: "-".join(map(str, case[:4])))
def test_whoever_may_not_see_a_die_hears_the_same_wherever_whatever_befalls(case: Case, tmp_path: Path) -> None:
    _is_silent(case.family(tmp_path))


def _is_silent(family: Family) -> None:
    assert family.leaks == []
    assert family.misdirected == [], "dice went somewhere although nobody looked"
    assert len(family.covered) == 1, "cups that are down show something"
    assert family.invisible == [], "who may look sees nothing"


@pytest.mark.slow
@pytest.mark.parametrize(
    "case",
    [
        Case("wired-8", 2, PERUDO, NORMAL, ["cables"]),
        *(pytest.param(case, marks=pytest.mark.soak) for case in CASES),
    ],
    ids=str,
)
def test_no_thread_does_more_for_some_dice_than_for_others_before_a_call(case: Case, tmp_path: Path) -> None:
    family = case.family(tmp_path, counts_work=True)
    assert family.leaks == []
    assert sum(output.channel == "work" for output in family.tape().outputs) > 500


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["wired-4", "boards-8"])
def test_cups_that_are_down_show_nothing_in_the_album_even_of_their_owners(layout: str, tmp_path: Path) -> None:
    deal = dealt(PERUDO, NORMAL, 4)
    family = Family(tmp_path, LAYOUTS[layout].first(4), deal, incidents=[INCIDENTS["looks"]], album=True)
    ours, theirs = (
        {name: page for name, page in family.tape(deal).pages.items() if "peek" not in name}
        for deal in family.deals[:2]
    )
    assert len(ours) >= 4
    assert ours == theirs


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["wired-4", "boards-8"])
def test_asyncios_own_debug_lines_tell_nothing(layout: str, tmp_path: Path) -> None:
    deal = dealt(PALO_FIJO, CLOSED, 2)
    family = Family(tmp_path, LAYOUTS[layout].first(2), deal, incidents=[INCIDENTS["looks"]], debug=True)
    assert family.leaks == []
    assert sum(output.channel == "log" for output in family.tape().outputs) > 500
