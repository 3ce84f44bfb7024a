"""Bridges that try again at once."""

import pytest

from firmware_host.clients.bridge import app


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"RESEND_S": 0.3, "MAX_RESEND_S": 1.0, "MIN_RETRY_S": 0.02, "MAX_RETRY_S": 0.2}.items():
        monkeypatch.setattr(app, name, value)
    monkeypatch.setattr(app, "FIRST_WORD_S", 0.2)
