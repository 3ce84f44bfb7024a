"""What the bench prints."""

import json
from io import StringIO

import pytest
from rich.console import Console

from bench.__main__ import main
from bench.report import Figure, Section, Spread, amount, at_least, at_most, table, to_json


@pytest.mark.parametrize(
    ("value", "text"),
    [(1034, "1,034"), (1034.4, "1,034"), (23.275, "23.3"), (1.5, "1.50"), (0.0771, "0.077"), (2.0, "2"), (0, "0")],
)
def test_an_amount_has_three_figures(value: float, text: str) -> None:
    assert amount(value) == text


def test_a_figure_on_its_target_is_met() -> None:
    assert Figure("ratio", 1.5, "×", at_most(1.5)).verdict == "met"
    assert Figure("ratio", 1.0, "×", at_least(1.0)).verdict == "met"


def test_a_figure_beyond_its_target_is_short() -> None:
    assert Figure("ratio", 1.51, "×", at_most(1.5)).verdict == "short"
    assert Figure("ratio", 0.99, "×", at_least(1.0)).verdict == "short"


def test_what_could_not_be_measured_is_neither() -> None:
    assert Figure("ratio", None, "×", at_most(1.5)).verdict == ""


def test_a_table_shows_figure_target_and_verdict() -> None:
    console = Console(width=120, record=True, file=StringIO())
    console.print(table(Section("Start", (Figure("ratio", 1.62, "×", at_most(1.5), "of nine"),))))
    shown = console.export_text()
    assert all(word in shown for word in ("Start", "ratio", "1.62", "≤ 1.50", "short", "of nine"))


def test_json_keeps_the_figures_whole() -> None:
    written = json.loads(to_json([Section("Start", (Figure("ratio", 1.6234, "×", at_most(1.5)),))]))
    figure = written["sections"][0]["figures"][0]
    assert (figure["value"], figure["target"], figure["verdict"]) == (1.6234, "≤ 1.50", "short")


def test_a_section_that_is_none_is_told_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["strat"])
    assert "strat is not a section, write start" in capsys.readouterr().err


def test_a_spread_has_the_value_that_one_in_twenty_exceeds() -> None:
    spread = Spread.of(range(1, 101))
    assert (spread.median, spread.p95, spread.worst, spread.size) == (50.5, 95, 100, 100)


def test_of_nothing_there_is_one_figure_without_a_value() -> None:
    (figure,) = Spread.of([]).figures("edge to last byte", "ms")
    assert figure.value is None
