"""A made-up rule field, added to a copy of the program as CONTRIBUTING.md says, is everywhere where fields are."""

import pytest
from support.scratch_copy import ScratchCopy

pytestmark = pytest.mark.slow

TESTS = (
    "tests/engine/test_rule_set_facts.py",
    "tests/engine/test_documented_rules.py",
    "tests/firmware_host/configuration/test_rule_descriptions.py",
    "tests/firmware_host/configuration/test_custom_rules.py",
)
PAGES = ("docs/rules.md", "docs/notation.md", "docs/configuration.md")
FIELD = """    xy_opener: Literal["loser", "caller"] = "loser"
    \"\"\"The opener of the round after a dudo.\"\"\"
"""
WORDS = """    "xy_opener": {
        "loser": N_("After a dudo, the player who lost the die opens."),
        "caller": N_("After a dudo, its caller opens."),
    },
"""
CUSTOM = 'name = "ours"\nbased_on = "perudo"\nxy_opener = "caller"\n'
OPENER = """
from engine import DUDO, PASS, Bid, Match, Phase, Position, Round, RULESETS
from firmware_host.configuration.rules.custom import parse

def opener(rules, *actions):
    coming = Round(rules=rules, order=(0, 1), dice=(5, 5), starting_dice=10, first=0)
    match = Match(Position(coming, Phase.ROLLING, rolling=(0, 1))).roll({0: [3, 3, 3, 3, 2], 1: [2, 2, 2, 2, 4]})
    for player, action in enumerate((*actions, DUDO)):
        match = match.play(player % 2, action)
    return match.position.first

for base, actions in (("perudo", [Bid(9, 3)]), ("palo-fijo", [Bid(1, 3), PASS])):
    custom = parse(f'name = "ours"\\nbased_on = "{base}"\\nxy_opener = "caller"\\n')
    print(opener(RULESETS[base], *actions), opener(custom, *actions))
"""
QUESTIONS = """
from engine import RULESETS
from firmware_host.configuration.rules.house_rules import answered, form

for question in form(answered("ours", "perudo", {"xy_opener": "caller"}), "perudo").questions:
    print(question.section, question.key, question.value, *question.answers)
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> ScratchCopy:
    made = ScratchCopy(
        tmp_path_factory.mktemp("copy"),
        ("engine", "firmware_host"),
        (*PAGES, "tests/support", "tests/conftest.py", "tests/engine/conftest.py", *TESTS),
    )
    made.before("engine/rules.py", "    calza: ExactCall | None = None\n", FIELD)
    (made.folder / "ours.toml").write_text(CUSTOM)
    return made


def test_each_step_is_asked_for_until_it_is_done(copy: ScratchCopy) -> None:
    refused = copy.tests(*TESTS, status=1)
    assert "no code reads xy_opener" in refused
    assert "write these fields into SECTIONS: xy_opener" in refused
    assert "write these words into WORDS: xy_opener" in refused
    assert "write this row into docs/rules.md: | `xy_opener` | ... | loser |" in refused
    copy.put(
        "engine/settlement.py",
        "outcome = loser, -1, loser\n",
        'outcome = loser, -1, caller if ended.rules.xy_opener == "caller" else loser\n',
    )
    copy.put(
        "engine/settlement.py",
        "return True, (passer, -1, passer)\n",
        'return True, (passer, -1, caller if ended.rules.xy_opener == "caller" else passer)\n',
    )
    words = "firmware_host/configuration/rules/descriptions.py"
    copy.put(words, 'N_("Calls"): ("dudo_by", ', 'N_("Calls"): ("dudo_by", "xy_opener", ')
    copy.before(words, '    "calza": {\n', WORDS)
    row = "| `xy_opener` | who opens after a dudo: the `loser` of the die or the `caller` |"
    copy.before("docs/rules.md", "| `calza` | the call", row + " loser |" * 6 + "\n")
    copy.tests(*TESTS)


def test_it_can_be_written_in_a_file_and_played(copy: ScratchCopy) -> None:
    assert copy.run("-c", OPENER).splitlines() == ["0 1", "1 0"]
    assert "After a dudo, its caller opens." in copy.table("rules", "ours.toml")
    assert "Calls xy_opener caller ('loser'," in copy.run("-c", QUESTIONS)
    copy.table("play", "--headless", "--seats", "2", "--seed", "7", "--rules", "ours.toml", "--record", "ours.dudo")
    assert "xy_opener" in (copy.folder / "ours.dudo").read_text()
    copy.table("verify", "ours.dudo")
