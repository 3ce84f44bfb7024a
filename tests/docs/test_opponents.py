"""The page of the opponents has the figures of the tables that are shipped."""

import re
import shutil

import pytest
from support import ROOT

from engine import RULESETS
from engine.arena.exploit import Exploiter
from engine.opponents import find

pytest.importorskip("numpy")
if not shutil.which("cc"):
    pytest.skip("a response to solved rounds is compiled by cc", allow_module_level=True)

PAGE = (ROOT / "docs" / "opponents.md").read_text("utf-8")
TABLE = PAGE.partition("| round |")[2].partition("\n\n")[0].splitlines()
FIGURES = {
    (rules, tuple(map(int, dice))): cell.strip()
    for row in TABLE[2:]
    for dice in re.findall(r"(\d) .*against (\d)", row)
    for rules, cell in zip(re.findall(r"`([\w-]+)`", TABLE[0]), row.split("|")[2:], strict=False)
    if "/" in cell
}
"""The chances of a best response, as opener and as second, by rule set and dice."""


@pytest.mark.parametrize("rules", [rules for rules, dice in FIGURES if dice == (1, 1)])
def test_the_page_has_a_best_responses_chances_with_one_die_each(rules: str) -> None:
    chances = Exploiter(RULESETS[rules], find("hard")).solve((1, 1))
    assert FIGURES[rules, (1, 1)] == " / ".join(f"{chance:.3f}".lstrip("0") for chance in chances)


@pytest.mark.soak
@pytest.mark.parametrize(("rules", "dice"), [key for key in FIGURES if sum(key[1]) > 2])
def test_the_page_has_a_best_responses_chances_with_more_dice(rules: str, dice: tuple[int, int]) -> None:
    chances = Exploiter(RULESETS[rules], find("hard")).solve(dice)
    assert FIGURES[rules, dice] == " / ".join(f"{chance:.3f}".lstrip("0") for chance in chances)
