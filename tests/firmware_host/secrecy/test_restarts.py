"""A daemon that ends in mid-round and comes up again tells nobody more than one that never ended."""

from pathlib import Path

import pytest
from support.noninterference.forked_round import Round
from support.noninterference.restarts import EndsInACall, EndsWhileAllLook, GoesOn
from support.noninterference.variants import LAYOUTS, OPEN, Family, dealt

from engine import KILL_SPOT, PALO_FIJO, PERUDO, RoundKind, Rules

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("ends", [EndsWhileAllLook, EndsInACall])
@pytest.mark.parametrize(
    ("layout", "seats", "rules", "kind"),
    [
        ("boards-8", 3, KILL_SPOT, RoundKind.OPEN),
        ("wired-8", 4, PERUDO, RoundKind.NORMAL),
        ("wired-4", 2, PALO_FIJO, OPEN),
    ],
    ids=str,
)
def test_a_restart_tells_nothing_of_the_dice(
    ends: type[Round], layout: str, seats: int, rules: Rules, kind: RoundKind, tmp_path: Path
) -> None:
    family = Family(tmp_path, LAYOUTS[layout].first(seats), dealt(rules, kind, seats), sessions=(ends, GoesOn), call=3)
    assert family.leaks == []
    assert family.misdirected == []
    assert len(family.covered) == 1
