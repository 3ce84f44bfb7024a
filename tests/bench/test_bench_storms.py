"""The figures of the storms, over storms short enough to wait for."""

import pytest

from bench.sections import storms
from bench.tools.flood import KINDS
from bench.tools.processes import children

pytestmark = pytest.mark.slow


def test_every_figure_of_the_storms_has_a_value_and_no_flood_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storms, "SETTLED_S", 0.2)
    before = children()
    figures = storms.measure(lambda what: None, rounds=1, presses=1).figures
    assert len(figures) == 1 + 3 * len(KINDS)
    assert all(figure.value is not None for figure in figures)
    assert children() == before
