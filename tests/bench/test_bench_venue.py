"""The verdict on a venue in the benchmark: a limit is named where it was passed, and nowhere else."""

from typing import Any

import pytest
from msgspec.structs import replace

from bench.sections.venue import limits_passed
from bench.tools.simulated_tables import Measured

FINE = Measured(events=1000, states=900, seconds=20.0, unconfirmed=0, again=5, lags_s=[0.1] * 1000, behind=0.0)


def test_nothing_gave_way_where_every_limit_is_kept() -> None:
    assert limits_passed(FINE) == []


@pytest.mark.parametrize(
    ("measured", "said"),
    [
        ({"lags_s": [0.1] * 900 + [1.5] * 100}, "the lag gave way"),
        ({"unconfirmed": 11}, "the confirmation gave way"),
        ({"behind": 0.2}, "the simulation gave way: 20% of its lines late"),
    ],
)
def test_what_gave_way_is_named(measured: dict[str, Any], said: str) -> None:
    assert limits_passed(replace(FINE, **measured)) == [said]
