"""The figures of the storms, over storms short enough to wait for."""

import pytest

from bench.sections import storms
from bench.tools.flood import KINDS
from bench.tools.processes import children

pytestmark = pytest.mark.slow


def test_every_storm_gets_through_and_has_its_figures_and_no_flood_is_left_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(storms, "SETTLED_S", 0.2)
    before = children()
    figures = storms.measure(lambda what: None, rounds=1, presses=1).figures
    assert len(figures) == 1 + 4 * len(KINDS)
    assert all(figure.value is not None for figure in figures)
    got_through = [figure.verdict for figure in figures if "got through" in figure.name]
    assert got_through == ["met"] * len(KINDS)
    assert children() == before


def test_a_storm_that_does_nothing_falls_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storms, "SETTLED_S", 0.2)
    monkeypatch.setattr(storms, "KINDS", {"lulls": None})
    figures = storms.measure(lambda what: None, rounds=1, presses=1).figures
    assert next(figure.verdict for figure in figures if "got through" in figure.name) == "short"
