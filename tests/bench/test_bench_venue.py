"""The verdict on a venue in the benchmark: a limit is named where it was passed, and nowhere else."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from bench.sections.venue import limits_passed
from bench.tools.plain_tables import PlainTable
from bench.tools.simulated_tables import Measured, TimedLine

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


def test_a_plain_table_goes_through_its_match_again_and_again() -> None:
    lines = [{"type": "state"}, {"type": "tip", "match": "m"}, {"type": "match-won", "match": "m", "standings": [1, 0]}]
    table = PlainTable(0, [TimedLine(10.0 * at, line) for at, line in enumerate(lines)])
    table.begin(100.0)
    said = []
    for due_s in (100.0, 105.0, 110.0):
        assert table.due_s(2.0) == due_s
        said += table.take(due_s)[0]
    assert table.due_s(2.0) == 110.0
    said += [message for _ in range(2) for message in table.take(110.0)[0]]
    told = [(topic.split("/")[-1], msgspec.json.decode(payload)) for topic, payload in said]
    assert [kind for kind, _ in told] == ["state", "event", "result", "event", "state", "event"]
    assert [content["seq"] for _, content in told] == [0, 1, 2, 2, 2, 3]
    assert [content.get("gap", False) for _, content in told] == [False, True, False, False, False, False]
    assert [seq for seq, _ in table.on_their_way] == [1, 2, 3]
