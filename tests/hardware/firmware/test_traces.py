"""Named traces of either sensor against what is to be told of them; `traces/` says how to add a recording."""

import csv
from pathlib import Path

import pytest

from hardware.link import messages
from hardware.link.accelerometer_gesture import AccelerometerGestureDetector
from hardware.link.gesture import GestureDetector
from hardware.link.messages import LEVELLED, SETTLED, SHAKEN, TILTED

TRACES = Path(__file__).with_name("traces")
MS = 1_000_000
AFTER_MS = 120_000
NAMES = {SHAKEN: "SHAKEN", SETTLED: "SETTLED", TILTED: "TILTED", LEVELLED: "LEVELLED"}


def in_words(expected: list[tuple[int, int]]) -> str:
    return ", ".join(f"{NAMES[what]} {at_ns // MS}" for what, at_ns in expected) or "nothing"


def switch_traces() -> list[tuple[str, str, str]]:
    lines = (TRACES / "switch.txt").read_text(encoding="utf-8").splitlines()
    rows = (line.split(":") for line in lines if line.strip() and not line.startswith("#"))
    return [(name.strip(), expected.strip(), edges.strip()) for name, expected, edges in rows]


@pytest.mark.parametrize(("expected", "edges"), [pytest.param(*rest, id=name) for name, *rest in switch_traces()])
def test_a_switch_trace_tells(expected: str, edges: str) -> None:
    motion = GestureDetector(False, 0)
    detected = []
    for edge in edges.split():
        at_ms = int(edge[:-1])
        detected += motion.edge(at_ms * MS, edge[-1] == "+")
    detected += motion.tick((at_ms + AFTER_MS) * MS)
    assert in_words(detected) == expected


@pytest.mark.parametrize("file", sorted(TRACES.glob("*.csv")), ids=lambda file: file.stem)
def test_a_trace_of_accelerations_tells(file: Path) -> None:
    heading, *lines = file.read_text(encoding="utf-8").splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    motion = AccelerometerGestureDetector("+z", 0)
    detected = []
    for row in rows:
        sample = (int(row[axis]) for axis in "xyz")
        detected += motion.acceleration(round(float(row["ms"]) * MS), *sample)
    assert in_words(detected) == heading.removeprefix("# told: ")


def test_every_kind_of_event_is_in_some_trace() -> None:
    expected = " ".join(expected for _, expected, _ in switch_traces())
    assert all(name in expected for name in NAMES.values())
    assert messages.SHAKEN in NAMES
