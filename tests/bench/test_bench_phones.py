"""The figures of guests' phones, over bids few enough to wait for."""

import pytest
from support.pages.browser import a_chromium

from bench.sections import phones
from bench.tools.processes import children

pytestmark = pytest.mark.slow


def test_every_bid_at_a_phone_is_seen_at_the_other_displays_and_no_process_is_left_behind() -> None:
    with a_chromium():  # or skip
        pass
    before = children()
    figures = phones.measure(lambda what: None, bids=4).figures
    assert len(figures) == 9
    assert all(figure.value is not None and 0 < figure.value < phones.MAX_MS for figure in figures), figures
    assert children() == before


def test_a_picture_belongs_to_the_press_before_it() -> None:
    pressed, painted = [10.0, 50.0], [5.0, 30.0, 75.0]
    assert phones._last(pressed, 49.0) == 10.0
    assert phones._next_ms(painted, 10.0) == 20.0
    assert phones._next_ms(painted, 50.0) == 25.0
    assert phones._next_ms(painted, 80.0) == phones.MAX_MS
