"""Clips of an owner: any WAV is heard, anything else costs itself alone and is named once."""

import os
import struct
import wave
from itertools import pairwise
from math import log2
from pathlib import Path

import pytest
from support.host.caller_lines import wav
from support.host.loudness import momentary_lufs

from firmware_host.clients.voice import mix, synthesis
from firmware_host.clients.voice.clips import (
    MAX_CLIP_BYTES,
    MAX_CLIP_S,
    PEAK,
    RATE,
    RMS,
    SOUNDS,
    Clip,
    ClipError,
    ClipFolder,
    read_clip,
    read_file,
)


def size(data: bytes, chunk: bytes, claimed: int) -> bytes:
    """Return a WAV whose chunk claims another size."""
    at = data.index(chunk) + 4
    return data[:at] + struct.pack("<I", claimed) + data[at + 4 :]


@pytest.mark.parametrize(
    ("rate", "channels", "width"), [(22_050, 1, 2), (48_000, 2, 2), (44_100, 2, 3), (8_000, 1, 1), (96_000, 1, 4)]
)
def test_a_wav_of_any_form_becomes_one_channel_at_the_rate_of_the_stream(rate: int, channels: int, width: int) -> None:
    clip = read_clip(wav(0.5, rate, channels, width))
    assert abs(len(clip) - RATE // 2) <= 1
    crossings = sum(a < 0 <= b for a, b in pairwise(clip))
    assert abs(crossings - 220) <= 2


@pytest.mark.parametrize("level", [0.001, 0.1, 1.0])
def test_a_clip_is_as_loud_as_any_other(level: float) -> None:
    clip = read_clip(wav(level=level))
    assert max(clip) / 32767 <= PEAK
    assert (sum(value * value for value in clip) / len(clip)) ** 0.5 / 32767 == pytest.approx(RMS, rel=0.02)


def test_the_volume_is_in_the_clip() -> None:
    assert max(read_clip(wav(), 0.25)) == pytest.approx(max(read_clip(wav())) / 4, abs=2)
    assert not any(read_clip(wav(), 0.0))


def test_a_long_clip_is_cut() -> None:
    assert len(read_clip(wav(MAX_CLIP_S + 1, 8000))) == MAX_CLIP_S * RATE


NO_SOUND = {
    "a text": b"this is no sound at all\n" * 9,
    "nothing": b"",
    "a head that ends": wav()[:20],
    "a head alone": wav()[:44],
    "no samples": wav(0.0),
    "eight channels": wav(0.1, channels=8),
    "a rate of nothing": size(wav(0.1), b"\x01\x00\x01\x00", 0),
    "noise": bytes(range(256)) * 20,
    "a chunk of 4 GB before the sound": size(wav(0.1), b"fmt ", 0xFFFFFFFF),
}


@pytest.mark.parametrize("data", NO_SOUND.values(), ids=NO_SOUND)
def test_what_is_no_sound_is_refused_with_a_remedy(data: bytes) -> None:
    with pytest.raises(ClipError, match="sox"):
        read_clip(data)


def test_sound_that_claims_to_be_longer_than_it_is_is_played_as_far_as_it_goes() -> None:
    assert len(read_clip(size(wav(0.5), b"data", 0xFFFFFFF0))) == RATE // 2
    assert len(read_clip(wav(0.5)[:-7001])) < RATE // 2


def test_a_folder_has_clips_by_their_keys_and_takes_variants_in_turn(tmp_path: Path) -> None:
    (tmp_path / "dudo.wav").write_bytes(wav(0.1))
    (tmp_path / "dudo+1.wav").write_bytes(wav(0.2))
    folder = ClipFolder(tmp_path)
    lengths = [len(folder.find(["dudo"]) or ()) for _ in range(4)]
    assert sorted(lengths[:2]) == [RATE // 10, RATE // 5]
    assert lengths[:2] == lengths[2:]


def test_the_first_key_with_a_clip_wins(tmp_path: Path) -> None:
    (tmp_path / "bid_5.wav").write_bytes(wav(0.1))
    folder = ClipFolder(tmp_path)
    assert folder.find(["bid_5_3", "bid_5"]) is not None
    assert folder.find(["bid_6_3", "bid_6"]) is None


def test_a_clip_that_cannot_be_played_falls_down_the_ladder_and_is_named_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "bid_5_3.wav").write_bytes(b"a text")
    (tmp_path / "bid_5.wav").write_bytes(wav(0.1))
    folder = ClipFolder(tmp_path)
    assert all(folder.find(["bid_5_3", "bid_5"]) for _ in range(3))
    (line,) = caplog.messages
    assert line.startswith(f"{tmp_path}/bid_5_3.wav: is no sound that can be read")


def test_a_pipe_a_link_and_a_file_of_gigabytes_are_refused_at_once(tmp_path: Path) -> None:
    secret = tmp_path / "secret.wav"
    secret.write_bytes(wav())
    folder = tmp_path / "pack"
    folder.mkdir()
    os.mkfifo(folder / "pipe.wav")
    (folder / "link.wav").symlink_to(secret)
    (folder / "folder.wav").mkdir()
    with (folder / "huge.wav").open("wb") as huge:
        huge.truncate(8 << 30)
    for name, why in (("pipe", "is no file"), ("link", "is a link"), ("folder", "is no file"), ("huge", "8192 MiB")):
        with pytest.raises(ClipError, match=why):
            read_file(folder / f"{name}.wav")
        assert ClipFolder(folder).find([name]) is None
    (folder / "big.wav").write_bytes(bytes(MAX_CLIP_BYTES + 1))
    with pytest.raises(ClipError, match="at most 8 s"):
        read_file(folder / "big.wav")


def test_a_folder_that_is_not_there_is_logged_and_has_no_clips(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert ClipFolder(tmp_path / "none").find(["dudo"]) is None
    assert "no clips from there: no such file or directory" in caplog.text


# The shipped sounds


def test_the_shipped_sounds_are_what_the_script_makes(tmp_path: Path) -> None:
    synthesis.write(tmp_path)
    made = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert made == {file.name: file.read_bytes() for file in SOUNDS.iterdir()}


def test_the_shipped_sounds_are_small_and_those_that_are_played() -> None:
    assert sum(file.stat().st_size for file in SOUNDS.iterdir()) < 420_000
    assert {file.stem for file in SOUNDS.iterdir()} == {*mix.MIX}


def test_no_two_sounds_are_the_same_file() -> None:
    assert len({file.read_bytes() for file in SOUNDS.iterdir()}) == len(mix.MIX)


def test_each_die_of_the_count_is_a_step_higher_in_the_key() -> None:
    semitones = [12 * log2(_pitch_hz(mix.step(count)) / synthesis.D4) for count in range(1, mix.STEPS + 1)]
    assert semitones == pytest.approx(
        [12 * octave + degree for octave in range(4) for degree in synthesis.SCALE][: mix.STEPS], abs=0.35
    )
    assert mix.step(mix.STEPS + 9) == mix.step(mix.STEPS)


def _pitch_hz(key: str) -> float:
    """Return a note's frequency from its upward zero crossings."""
    with wave.open(str(SOUNDS / f"{key}.wav")) as sound:
        values = [*memoryview(sound.readframes(sound.getnframes())).cast("h")][:1600]
    crossings = [at - a / (b - a) for at, (a, b) in enumerate(pairwise(values)) if a < 0 <= b]
    return synthesis.RATE * (len(crossings) - 1) / (crossings[-1] - crossings[0])


# The mix


def test_each_sound_has_its_declared_distance_from_speech() -> None:
    """Levels are K-weighted and momentary, as in ITU-R BS.1770."""
    folder, speech = ClipFolder(SOUNDS), momentary_lufs(read_clip(wav()))
    for key in ("turn", "slam", "dudo", "verdict", "win"):
        clip = folder.find([key])
        assert clip is not None
        assert momentary_lufs(clip) - speech == pytest.approx(mix.level_db(key), abs=2.5), key


def test_calls_stand_over_bids_the_win_over_calls_and_the_knock_far_under_speech() -> None:
    folder, speech = ClipFolder(SOUNDS), momentary_lufs(read_clip(wav()))
    level = {key: momentary_lufs(folder.find([key]) or Clip("h")) - speech for key in ("turn", "dudo", "calza", "win")}
    assert min(level["dudo"], level["calza"]) >= 4
    assert level["win"] > level["dudo"] + 1
    assert level["turn"] <= -12


def test_a_clip_of_an_owner_takes_the_level_of_the_sound_that_it_replaces(tmp_path: Path) -> None:
    for name in ("turn", "turn+1", "bid_5"):
        (tmp_path / f"{name}.wav").write_bytes(wav())
    folder = ClipFolder(tmp_path)
    turn, another, bid = (max(folder.find([key]) or (0,)) for key in ("turn", "turn", "bid_5"))
    assert turn == another == pytest.approx(bid * 10 ** (mix.level_db("turn") / 20), abs=2)


def test_no_clip_is_louder_than_the_peak() -> None:
    assert max(read_clip(wav(), level_db=40)) <= PEAK * 32767


def test_the_shipped_sounds_do_not_clip_begin_at_once_and_end_in_silence() -> None:
    for file in SOUNDS.iterdir():
        with wave.open(str(file)) as sound:
            values = memoryview(sound.readframes(sound.getnframes())).cast("h")
        assert max(map(abs, values)) < 32767
        assert max(map(abs, values[: synthesis.RATE // 10])) > 800
        assert abs(values[-1]) < 200
