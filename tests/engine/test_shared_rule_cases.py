"""Every worked case of the shipped rule sets, as `python -m engine check` plays it."""

from pathlib import Path

import pytest

from engine.rule_cases import Case, mismatches, read

FILES = sorted((Path(__file__).parent / "rule-cases").glob("*.json"))
CASES = [case for file in FILES for case in read(file.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_engine_plays_the_case_as_its_text_decides(case: Case) -> None:
    assert [str(wrong) for wrong in mismatches(case)] == []


def test_no_case_of_the_sample_is_missing() -> None:
    assert len({case.id for case in CASES}) == 136
