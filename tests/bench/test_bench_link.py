"""The link's figures, on a table small enough to wait for."""

import pytest

from bench.sections.link import measure
from bench.tools.processes import children

pytestmark = pytest.mark.slow


def test_every_figure_of_the_link_has_a_value_and_no_board_is_left_behind() -> None:
    before = children()
    few = {"presses": 6, "pings": 6}
    section = measure(lambda what: None, seats=2, settled_s=0.0, idle_s=0.5, played_s=1.0, **few)
    figures = {figure.name: figure.value for figure in section.figures}
    assert all(value is not None and value > 0 for value in figures.values()), figures
    assert figures["press to changed panel: median"] < 200
    assert children() == before
