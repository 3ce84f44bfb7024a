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
FIELD = """    dudo_opener: Literal["loser", "caller"] = "loser"
    \"\"\"The opener of the round after a dudo.\"\"\"
"""
WORDS = """    "dudo_opener": {
        "loser": "After a dudo, the player who lost the die opens.",
        "caller": "After a dudo, its caller opens.",
    },
"""
CUSTOM = 'name = "ours"\nbased_on = "perudo"\ndudo_opener = "caller"\n'
OPENER = """
from engine import DUDO, Bid, Match, Position, RULESETS
from firmware_host.configuration.rules.custom import parse

def opener(rules):
    match = Match.start(rules, 2, 0).roll({0: [3, 3, 3, 3, 3], 1: [2, 2, 2, 2, 2]})
    return match.play(0, Bid(9, 3)).play(1, DUDO).position.first

custom = parse(open("ours.toml").read())
print(opener(RULESETS["perudo"]), opener(custom), Match.start(custom, 2, 0).position.rules.dudo_opener)
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> ScratchCopy:
    made = ScratchCopy(
        tmp_path_factory.mktemp("copy"),
        ("engine", "firmware_host"),
        ("docs/rules.md", "tests/support", "tests/conftest.py", "tests/engine/conftest.py", *TESTS),
    )
    made.before("engine/rules.py", "    calza: ExactCall | None = None\n", FIELD)
    (made.folder / "ours.toml").write_text(CUSTOM)
    return made


def test_each_step_is_asked_for_until_it_is_done(copy: ScratchCopy) -> None:
    refused = copy.tests(*TESTS, status=1)
    assert "no code reads dudo_opener" in refused
    assert "write these fields into SECTIONS: dudo_opener" in refused
    assert "write these words into WORDS: dudo_opener" in refused
    assert "write this row into docs/rules.md: | `dudo_opener` | ... | loser |" in refused
    copy.put(
        "engine/settlement.py",
        "outcome = loser, -1, loser\n",
        'outcome = loser, -1, caller if ended.rules.dudo_opener == "caller" else loser\n',
    )
    words = "firmware_host/configuration/rules/descriptions.py"
    copy.put(words, '"Calls": ("dudo_by", ', '"Calls": ("dudo_by", "dudo_opener", ')
    copy.before(words, '    "calza": {\n', WORDS)
    row = "| `dudo_opener` | who opens after a dudo: the `loser` of the die or the `caller` |"
    copy.before("docs/rules.md", "| `calza` | the call", row + " loser |" * 6 + "\n")
    copy.tests(*TESTS)


def test_it_can_be_written_in_a_file_and_played(copy: ScratchCopy) -> None:
    assert copy.run("-c", OPENER).split() == ["0", "1", "caller"]
    assert "After a dudo, its caller opens." in copy.table("rules", "ours.toml")
    copy.table("play", "--headless", "--seats", "2", "--seed", "7", "--rules", "ours.toml", "--record", "ours.dudo")
    assert "dudo_opener" in (copy.folder / "ours.dudo").read_text()
    copy.table("verify", "ours.dudo")
