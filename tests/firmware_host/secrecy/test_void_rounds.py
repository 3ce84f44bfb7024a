"""The dice of a round that is void reach nobody who did not see them then, however the match goes on and ends."""

from pathlib import Path

import pytest
from support.noninterference.variants import LAYOUTS, Family, dealt
from support.noninterference.void_rounds import GivesUp, IsOutvoted, IsReopened

from engine import KILL_SPOT, PERUDO, RoundKind, Rules


@pytest.mark.slow
@pytest.mark.parametrize(
    ("layout", "rules", "ends"),
    [
        ("boards-8", PERUDO, GivesUp),
        ("radio", PERUDO, GivesUp),
        ("wired-4", KILL_SPOT, IsOutvoted),
        ("wired-4", PERUDO, IsReopened),
    ],
    ids=str,
)
def test_a_void_round_stays_secret_to_the_end_of_the_match(
    layout: str, rules: Rules, ends: type[GivesUp], tmp_path: Path
) -> None:
    family = Family(tmp_path, LAYOUTS[layout].first(3), dealt(rules, RoundKind.NORMAL, 3), sessions=(ends,))
    assert family.leaks == []
    assert family.misdirected == []
    assert any(output.channel == "files" for output in family.tape().outputs)
