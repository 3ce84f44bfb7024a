"""The vectors from which a cup can be built in another language hold for the link's code, under both interpreters."""

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from cobs import cobs

from hardware.emulated.cup_process import ROOT, micropython
from hardware.link import gesture
from hardware.link import messages as link

FILE = Path(link.__file__).with_name("vectors.json")
SCRIPT = ROOT / "tests/support/firmware/check_vectors.py"
VECTORS = json.loads(FILE.read_text(encoding="utf-8"))
INTERPRETERS = [path for path in (sys.executable, micropython()) if path]


@pytest.mark.parametrize("interpreter", INTERPRETERS, ids=["cpython", "micropython"][: len(INTERPRETERS)])
def test_both_interpreters_agree_with_every_vector(interpreter: str) -> None:
    paths = {"PYTHONPATH": str(ROOT), "MICROPYPATH": f"{ROOT}:.frozen"}
    done = subprocess.run(
        [interpreter, str(SCRIPT), str(FILE)], env={**os.environ, **paths}, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_there_is_a_frame_of_every_kind() -> None:
    assert {row["kind"] for row in VECTORS["frames"]} == {kind.__name__ for kind in link._MESSAGES}


def test_every_frame_is_what_the_oracle_makes_of_its_body() -> None:
    for row in (*VECTORS["frames"], *VECTORS["nonsense"]):
        encoded = bytes.fromhex(row["frame"]).rstrip(b"\0")
        assert cobs.decode(encoded)[:-4] == bytes.fromhex(row["body"])


def test_the_document_names_the_file() -> None:
    assert "`vectors.json`" in FILE.with_name("LINK.md").read_text(encoding="utf-8")


def test_no_edge_of_a_cup_is_within_ten_milliseconds_of_a_limit_of_its_reading() -> None:
    limits_ms = [wait_ns / 1e6 for name, wait_ns in vars(gesture).items() if name.endswith("_NS")]
    for rows in (VECTORS["steps"], VECTORS["conversation"]["rows"]):
        edges_ms = [row["at_us"] / 1000 for row in rows if row.get("hand", [""])[0] == "tilt"]
        gaps_ms = [after - before for before, after in pairwise(edges_ms)]
        assert gaps_ms
        assert [gap for gap in gaps_ms if any(abs(gap - limit) < 10 for limit in limits_ms)] == []
