"""A renderer's main thread, read from a trace of Chromium: its tasks, and the work of each frame by kind. Pure."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

Event = Mapping[str, Any]
"""An event of the trace-event format; times are in microseconds."""

TRACED = ("devtools.timeline", "disabled-by-default-devtools.timeline")
"""The trace categories with tasks and their parts."""
TASK, FRAME = "RunTask", "FireAnimationFrame"
KINDS = {
    **dict.fromkeys(("FunctionCall", "EvaluateScript", "TimerFire", FRAME, "EventDispatch", "RunMicrotasks"), "script"),
    **dict.fromkeys(("MinorGC", "MajorGC"), "script"),
    **dict.fromkeys(("UpdateLayoutTree", "ParseAuthorStyleSheet"), "style"),
    "Layout": "layout",
    **dict.fromkeys(("PrePaint", "Paint", "Layerize", "Commit"), "paint"),
}
"""The kind of work for each traced part of a task; the remainder of a task is `other`."""
OTHER = "other"


class Task(NamedTuple):
    """A task: its begin, its processor time, and this time by kind."""

    at_us: float
    spent_us: float
    kinds: Mapping[str, float]
    is_frame: bool
    """Whether it draws a frame."""


def tasks_of(events: Iterable[Event]) -> list[Task]:
    """Return the tasks of the thread that draws frames, in order. `ValueError` without a frame."""
    whole = [event for event in events if event.get("ph") == "X"]
    drawing = Counter(_thread(event) for event in whole if event["name"] == FRAME)
    if not drawing:
        raise ValueError("no frame in the trace")
    ((thread, _),) = drawing.most_common(1)
    own = sorted((event for event in whole if _thread(event) == thread), key=lambda each: (each["ts"], -each["dur"]))
    tasks = [event for event in own if event["name"] == TASK]
    parts = [event for event in own if event["name"] in KINDS]
    at_us = [part["ts"] for part in parts]
    return [
        _task(task, parts[bisect_left(at_us, task["ts"]) : bisect_right(at_us, task["ts"] + task["dur"])])
        for task in tasks
    ]


def frames_of(tasks: Sequence[Task]) -> list[Counter[str]]:
    """Return the processor time by kind of each frame: of its task, and of the tasks up to the next one's."""
    frames = list[Counter[str]]()
    for task in tasks:
        if task.is_frame:
            frames.append(Counter())
        if frames:
            frames[-1].update(task.kinds)
    return frames


def _thread(event: Event) -> tuple[int, int]:
    return event["pid"], event["tid"]


def _task(task: Event, parts: Sequence[Event]) -> Task:
    """Return a task. A part counts without the parts inside it."""
    spent_us = task.get("tdur", task["dur"])
    kinds, open_parts = Counter({OTHER: spent_us}), list[tuple[float, str]]()
    for part in parts:
        while open_parts and open_parts[-1][0] <= part["ts"]:
            open_parts.pop()
        part_us, kind = part.get("tdur", part["dur"]), KINDS[part["name"]]
        kinds[open_parts[-1][1] if open_parts else OTHER] -= part_us
        kinds[kind] += part_us
        open_parts.append((part["ts"] + part["dur"], kind))
    is_frame = any(part["name"] == FRAME for part in parts)
    return Task(task["ts"], spent_us, kinds, is_frame)
