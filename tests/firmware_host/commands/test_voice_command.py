"""`dudo-table voice` as a process: at a table's socket, with the real aplay, until a signal ends it."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import wave
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support import ROOT
from support.host.caller_lines import bids, encoded, samples, stands, state

from firmware_host.table.seat.view import SceneName

WITHIN_S = 30.0


@contextmanager
def table(path: Path) -> Iterator[Callable[[], socket.socket]]:
    """Give a socket as a table has it; what is returned accepts the next client."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()
        listening.settimeout(WITHIN_S)
        yield lambda: listening.accept()[0]


@contextmanager
def voice(*arguments: object, folder: Path, **environment: str) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-m", "firmware_host.cli", "voice", "--language", "en", *map(str, arguments)]
    home = {"HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}
    process = subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, **home, **environment}, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        assert process.stderr is not None
        process.stderr.close()


def until(holds: Callable[[], bool]) -> None:
    until_s = time.monotonic() + WITHIN_S
    while not holds():
        assert time.monotonic() < until_s
        time.sleep(0.05)


def plays_a_bid(client: socket.socket) -> None:
    client.sendall(encoded(state(SceneName.SHAKING), state(turn=0)))
    client.sendall(encoded(bids(5, 3), stands(5, 3)))


def test_it_writes_what_would_be_heard_with_its_cues_and_ends_by_a_signal(tmp_path: Path) -> None:
    sock, out = tmp_path / "events.sock", tmp_path / "match.wav"
    with table(sock) as accept, voice("--output", out, sock, folder=tmp_path) as process, accept() as client:
        plays_a_bid(client)
        cues = out.with_suffix(".txt")
        until(lambda: "turn" in cues.read_text())
        if shutil.which("espeak-ng"):
            until(lambda: "bid_5_3  5 trains" in cues.read_text())
        process.send_signal(signal.SIGTERM)
        assert process.wait(WITHIN_S) == 0
    with wave.open(str(out)) as sound:
        assert (sound.getframerate(), sound.getnchannels(), sound.getsampwidth()) == (48_000, 1, 2)
        assert any(sound.readframes(sound.getnframes()))


@pytest.mark.skipif(not shutil.which("aplay"), reason="aplay of alsa-utils is not installed")
def test_it_plays_on_a_card_and_goes_on_when_the_table_is_gone(tmp_path: Path) -> None:
    sock, heard, alsa = tmp_path / "events.sock", tmp_path / "heard.raw", tmp_path / "asound.conf"
    alsa.write_text(f'pcm.null {{ type null }}\npcm.test {{ type file slave.pcm null file "{heard}" format raw }}\n')
    options = ("--card", "test", sock)
    with table(sock) as accept, voice(*options, folder=tmp_path, ALSA_CONFIG_PATH=str(alsa)) as process:
        with accept() as client:
            plays_a_bid(client)
            until(lambda: heard.exists() and any(heard.read_bytes()))
        with accept() as client:
            client.sendall(encoded(state(SceneName.LOBBY)))
            assert process.poll() is None
            process.send_signal(signal.SIGINT)
            assert process.wait(WITHIN_S) == 0
        assert process.stderr is not None
        assert process.stderr.read().count("the table closed the connection") == 1


def loudest_of_a_bid(folder: Path, volume: int, *options: str) -> int:
    """Return the highest sample of the WAV in which a bid was made at a volume of the table."""
    folder.mkdir()
    sock, out = folder / "events.sock", folder / "match.wav"
    with table(sock) as accept, voice("--output", out, *options, sock, folder=folder) as process, accept() as client:
        client.sendall(encoded(state(SceneName.SHAKING, volume=volume), state(turn=0, volume=volume)))
        client.sendall(encoded(bids(5, 3), stands(5, 3, volume=volume)))
        until(lambda: "turn" in out.with_suffix(".txt").read_text())
        until(lambda: out.stat().st_size > 2 * 2 * 48_000)
        process.send_signal(signal.SIGTERM)
        assert process.wait(WITHIN_S) == 0
    with wave.open(str(out)) as sound:
        return max(map(abs, samples(sound.readframes(sound.getnframes()))))


@pytest.mark.slow
def test_the_samples_of_a_recording_follow_the_volume_of_the_table_below_its_own(tmp_path: Path) -> None:
    full, half = loudest_of_a_bid(tmp_path / "full", 100), loudest_of_a_bid(tmp_path / "half", 50)
    own = loudest_of_a_bid(tmp_path / "own", 100, "--volume", "50")
    assert half == pytest.approx(full / 4, abs=3)
    assert own == pytest.approx(full / 4, abs=3)
    assert loudest_of_a_bid(tmp_path / "none", 0) == 0
