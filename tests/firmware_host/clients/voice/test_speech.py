"""Speech by espeak-ng, and what happens where it is missing, hangs or babbles, and where the cache can't be written."""

import asyncio
import os
import shutil
import stat
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from support.host.caller_lines import wav

from firmware_host.clients.voice import speech
from firmware_host.clients.voice.clips import RATE
from firmware_host.clients.voice.speech import RETRY_S, Speech, SpeechError
from hardware.config.languages import VOICES
from hardware.emulated.virtual_loop import VirtualLoop

needs_espeak = pytest.mark.skipif(not shutil.which("espeak-ng"), reason="espeak-ng is not installed")
Run = Callable[[Coroutine[Any, Any, Any]], Any]


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(work)


@pytest.fixture
def virtually() -> Run:
    def virtually(work: Coroutine[Any, Any, Any]) -> Any:
        with asyncio.Runner(loop_factory=VirtualLoop) as runner:
            return runner.run(work)

    return virtually


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return what puts a shell script in the place of espeak-ng."""

    def put(script: str) -> None:
        folder = tmp_path / "bin"
        folder.mkdir()
        (folder / "espeak-ng").write_text(f"#!/bin/sh\n{script}\n")
        (folder / "espeak-ng").chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")

    return put


class Said:
    """A speech that counts what it was asked to say."""

    def __init__(self) -> None:
        self.sentences: list[str] = []
        self.fails = False

    async def __call__(self, sentence: str) -> bytes:
        self.sentences.append(sentence)
        if self.fails:
            raise SpeechError("espeak-ng is tired")
        return wav(0.1)


@needs_espeak
@pytest.mark.parametrize("language", VOICES)
def test_a_sentence_is_spoken_and_kept(language: str, tmp_path: Path) -> None:
    clip = run(Speech(language, tmp_path).clip("5 trains"))
    assert RATE // 3 < len(clip) < 2 * RATE
    assert len([*tmp_path.iterdir()]) == 1
    assert run(Speech(language, tmp_path, speak=Said()).clip("5 trains")) == clip


@needs_espeak
def test_what_looks_like_an_option_or_a_command_is_only_spoken(tmp_path: Path) -> None:
    for sentence in ("-w/tmp/evil.wav", "--version", "$(reboot)", "x" * 100):
        assert run(Speech("en", None).clip(sentence)) is not None
    assert not Path("/tmp/evil.wav").exists()


def test_without_espeak_there_is_one_warning_and_another_try_after_a_minute(
    virtually: Run, caplog: pytest.LogCaptureFixture
) -> None:
    said = Said()
    said.fails = True

    async def evening() -> None:
        voice = Speech("en", None, speak=said)
        for _ in range(10):
            assert await voice.clip("x") is None
        assert len(said.sentences) == 1
        await asyncio.sleep(RETRY_S + 1)
        said.fails = False
        assert await voice.clip("x") is not None

    virtually(evening())
    assert caplog.messages == [
        "no speech: espeak-ng is tired; only sounds are played until it works",
        "speech works again",
    ]


def test_a_missing_espeak_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run(Speech("en", None).clip("x")) is None
    assert "sudo apt install espeak-ng" in caplog.text


BROKEN = {
    "exec sleep 60": "did not answer within",
    "exec cat /dev/zero": "wrote more than a phrase",
    "exit 3": "exit code 3",
    "echo hello": "no sound that can be read",
    "true": "no sound that can be read",
}


@pytest.mark.parametrize(("script", "why"), BROKEN.items())
def test_an_espeak_that_misbehaves_is_stopped_within_its_time(
    script: str,
    why: str,
    program: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    program(script)
    monkeypatch.setattr(speech, "TIMEOUT_S", 0.5)
    began_s = time.monotonic()
    assert run(Speech("en", None).clip("x" * 100_000)) is None
    assert time.monotonic() - began_s < 3
    assert why in caplog.text


def test_a_cache_that_cannot_be_written_is_logged_once_and_speech_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(self: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    voice = Speech("en", tmp_path, speak=Said())
    assert all(run(voice.clip(f"{number}")) for number in range(3))
    assert caplog.messages == [
        f"{tmp_path}: phrases are not kept there: no space left on device; they are made again each time"
    ]
    assert not voice.keeps


def test_a_cache_that_is_a_file_is_no_cache(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "cache").write_text("mine")
    voice = Speech("en", tmp_path / "cache", speak=Said())
    assert run(voice.clip("x")) is not None
    assert "phrases are not kept there" in caplog.text


def test_a_cached_phrase_that_was_cut_off_is_made_again(tmp_path: Path) -> None:
    said = Said()
    clip = run(Speech("en", tmp_path, speak=said).clip("x"))
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:30])
    assert run(Speech("en", tmp_path, speak=said).clip("x")) == clip
    assert said.sentences == ["x", "x"]


def test_the_cache_has_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speech, "MAX_CACHED", 3)
    for number in range(9):
        file = tmp_path / f"{number}.wav"
        file.write_bytes(b"")
        os.utime(file, (number, number))
    Speech("en", tmp_path)
    assert {file.name for file in tmp_path.iterdir()} == {"6.wav", "7.wav", "8.wav"}


def test_the_cache_is_for_its_user_and_names_no_phrase(tmp_path: Path) -> None:
    run(Speech("en", tmp_path / "cache", speak=Said()).clip("North opens."))
    (file,) = (tmp_path / "cache").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) & 0o022 == 0
    assert "North" not in file.name
