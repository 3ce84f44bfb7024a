"""The figures of the page's motion: the reading of a trace, and a run short enough to wait for."""

import pytest
from support.pages.browser import a_chromium

from bench.sections import tv
from bench.tools.main_thread import Event, frames_of, tasks_of
from bench.tools.processes import children

OWN, OTHER = (7, 1), (7, 2)


def _part(name: str, at_us: float, spent_us: float, thread: tuple[int, int] = OWN, *, took_us: float = 0) -> Event:
    pid, tid = thread
    known = {"ph": "X", "name": name, "ts": at_us, "dur": took_us or spent_us, "tdur": spent_us}
    return known | {"pid": pid, "tid": tid}


TRACE = [
    _part("RunTask", 0, 500, OTHER),
    _part("RunTask", 100, 100),
    _part("FireAnimationFrame", 110, 30),
    _part("FunctionCall", 110, 20),
    _part("UpdateLayoutTree", 120, 5),
    _part("Layout", 150, 10),
    _part("RunTask", 300, 40, took_us=90),
    _part("TimerFire", 310, 40),
    _part("RunTask", 500, 10),
    _part("FireAnimationFrame", 502, 1),
]


def test_only_tasks_of_the_thread_that_draws_count() -> None:
    assert [task.at_us for task in tasks_of(TRACE)] == [100, 300, 500]


def test_a_part_counts_without_the_parts_inside_it() -> None:
    first, *_ = tasks_of(TRACE)
    assert first.kinds == {"script": 25, "style": 5, "layout": 10, "other": 60}


def test_a_task_has_its_processor_time_whatever_the_clock_says() -> None:
    _, second, _ = tasks_of(TRACE)
    assert second.spent_us == 40


def test_a_frame_has_the_work_up_to_the_next_one() -> None:
    assert [sum(frame.values()) for frame in frames_of(tasks_of(TRACE))] == [140, 10]


def test_a_trace_without_a_frame_is_refused() -> None:
    with pytest.raises(ValueError, match="no frame"):
        tasks_of([_part("RunTask", 0, 5)])


@pytest.mark.slow
def test_every_scene_is_measured_beside_an_empty_page_and_no_process_is_left_behind() -> None:
    with a_chromium():  # or skip
        pass
    before = children()
    figures = tv.measure(lambda what: None, rounds=1, share=0.1).figures
    assert len(figures) == 4 * (1 + len({scene.name for scene in tv.scenes()}))
    assert all(figure.value is not None and figure.value >= 0 for figure in figures), figures
    assert children() == before
