"""A pytest plugin that keeps every record which tests verify, and its verdict: `-p support.proofs.captured_records`.

At the end it writes them to the file that `CAPTURED_RECORDS` names, as JSON: pairs of a record and what `outcome` says.
"""

import json
import os
from pathlib import Path
from typing import Any

from firmware_host.fairness.verify import checker
from firmware_host.fairness.verify.parser import VerificationError
from firmware_host.fairness.verify.verdict import Verdict

FILE = "CAPTURED_RECORDS"

_verify = checker.verify
_records: dict[str, Any] = {}


def outcome(text: str) -> list[Any]:
    """Return what `dudo-table verify` says of a record, as JSON; an error alone if it is none."""
    try:
        return [_verdict(verdict) for verdict in _verify(text)]
    except VerificationError as error:
        return [error.line, error.problem]


def _verdict(verdict: Verdict) -> list[Any]:
    wrong = verdict.wrong and [verdict.wrong.line, verdict.wrong.problem]
    return [verdict.match, wrong, verdict.cut, verdict.is_proven, [*verdict.lines()]]


def _capture(text: str) -> list[Verdict]:
    _records[text] = None
    return _verify(text)


def pytest_configure() -> None:
    """Capture from now on: tests are imported later."""
    checker.verify = _capture


def pytest_sessionfinish() -> None:
    """Write what was captured."""
    Path(os.environ[FILE]).write_text(json.dumps([[text, outcome(text)] for text in _records]), "utf-8")
