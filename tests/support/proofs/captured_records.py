"""A pytest plugin that keeps every record which tests verify: `-p support.proofs.captured_records`.

At the end it writes them to the file that `CAPTURED_RECORDS` names, as a list in JSON.
"""

import json
import os
from pathlib import Path

from firmware_host.fairness.verify import checker
from firmware_host.fairness.verify.verdict import Verdict

FILE = "CAPTURED_RECORDS"

_verify = checker.verify
_records: dict[str, None] = {}


def _capture(text: str) -> list[Verdict]:
    _records[text] = None
    return _verify(text)


def pytest_configure() -> None:
    """Capture from now on: tests are imported later."""
    checker.verify = _capture


def pytest_sessionfinish() -> None:
    """Write what was captured."""
    Path(os.environ[FILE]).write_text(json.dumps([*_records]), "utf-8")
