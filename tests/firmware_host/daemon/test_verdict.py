"""The daemon has the last record verified by one process, however many clients ask, and goes on without a verdict."""

import asyncio
import json
import sys
from pathlib import Path

import pytest
from support.proofs.proven_matches import ProvenMatch

from engine import PERUDO
from firmware_host.daemon import answers
from firmware_host.daemon.answers import LastVerdict, SideProgram
from firmware_host.fairness.verify.checker import verify
from firmware_host.wire import RecordAnswer, VerdictAnswer

RECORD = ProvenMatch(PERUDO, 5).record


def test_a_record_is_verified_once_for_all_who_ask_and_the_next_one_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    last = RecordAnswer("first", "1")

    async def printed(_: SideProgram, *, text: str) -> str:
        made.append(text)
        await asyncio.sleep(0)
        return f"verdict on {text}"

    async def scenario() -> None:
        nonlocal last
        told = LastVerdict(lambda: last)
        assert await asyncio.gather(*[told.get() for _ in range(50)]) == [VerdictAnswer("first", "verdict on 1")] * 50
        last = RecordAnswer("next", "2")
        assert await told.get() == VerdictAnswer("next", "verdict on 2")
        assert made == ["1", "2"]

    monkeypatch.setattr(answers, "printed", printed)
    asyncio.run(scenario())


def test_a_table_without_a_record_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere")
    assert asyncio.run(LastVerdict(RecordAnswer).get()) == VerdictAnswer()
    assert asyncio.run(LastVerdict(lambda: RecordAnswer("long")).get()) == VerdictAnswer("long")


def test_a_process_says_what_verify_says() -> None:
    (verified,) = verify(RECORD)
    answer = asyncio.run(LastVerdict(lambda: RecordAnswer("m", RECORD)).get())
    assert json.loads(answer.text or "") == {"kind": "right", "line": None, "report": [*verified.lines()]}


def test_a_broken_rule_is_named_by_its_line() -> None:
    forged = RECORD.replace(":wins", ":leave\n*", 1)
    (verified,) = verify(forged)
    assert verified.wrong is not None
    told = json.loads(asyncio.run(LastVerdict(lambda: RecordAnswer("m", forged)).get()).text or "")
    assert (told["kind"], told["line"]) == ("wrong", verified.wrong.line)
    assert told["report"][-1] == f"{verified.wrong.line}: {verified.wrong.problem}"


def test_a_process_that_fails_costs_the_verdict_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    failing = tmp_path / "python"
    failing.write_text("#!/bin/sh\ncat > /dev/null\nexit 3\n")
    failing.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(failing))
    assert asyncio.run(LastVerdict(lambda: RecordAnswer("m", RECORD)).get()) == VerdictAnswer("m", None)
    assert caplog.messages == [
        "match m can't be verified: its process ended with 3; dudo-table verify says more",
    ]
