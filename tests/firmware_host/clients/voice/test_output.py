"""The mix of what plays, and the card: the real aplay at an emulated card that is there, missing, or goes away."""

import os
import shutil
import signal
import time
import wave
from array import array
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from firmware_host.clients.voice.output import BLOCK, FADE, LIMIT, CardOutput, Mixer, OutputError, WavOutput, card_name
from firmware_host.errors import UserError

needs_aplay = pytest.mark.skipif(not shutil.which("aplay"), reason="aplay of alsa-utils is not installed")
SILENCE = bytes(2 * BLOCK)


def tone(level: int, blocks: float = 1.0) -> "array[int]":
    return array("h", [level] * round(blocks * BLOCK))


def values(block: bytes) -> "array[int]":
    return array("h", block)


# The mix


def test_without_anything_to_play_there_is_silence() -> None:
    mixer = Mixer()
    assert mixer.block() == SILENCE
    assert mixer.is_silent
    assert mixer.played == BLOCK


def test_a_sound_and_a_phrase_are_heard_at_once_each_to_its_end() -> None:
    mixer = Mixer()
    mixer.sound(tone(100, 0.5))
    mixer.speak(tone(1000, 1.5))
    first, second = values(mixer.block()), values(mixer.block())
    assert first[0] in (1099, 1100)
    assert first[0] > first[BLOCK // 2 - 1] >= 1070, "the sound makes way"
    assert {*first[BLOCK // 2 :]} == {*second[: BLOCK // 2]} == {1000}
    assert {*second[BLOCK // 2 :]} == {0}
    assert mixer.is_silent


def test_too_much_at_once_does_not_wrap_around() -> None:
    mixer = Mixer()
    for level in (30_000, 30_000):
        mixer.sound(tone(level))
    assert {*values(mixer.block())} == {LIMIT}


def test_speech_ducks_sounds_by_six_decibels_without_a_click_and_only_while_it_lasts() -> None:
    mixer = Mixer()
    mixer.sound(tone(8000, 9))
    mixer.block()
    mixer.speak(tone(1, 2))
    ducking, ducked, back, after = (values(mixer.block()) for _ in range(4))
    assert all(0 <= before - now <= 4 for before, now in pairwise(ducking))
    assert {*ducked} == {round(8000 * 10 ** (-6 / 20)) + 1}
    assert all(0 <= now - before <= 4 for before, now in pairwise(back))
    assert {*after} == {8000}


def test_a_phrase_that_is_cut_fades_out_within_ten_milliseconds() -> None:
    mixer = Mixer()
    mixer.speak(tone(1000, 9))
    mixer.block()
    mixer.hush()
    assert not mixer.speaks
    faded = values(mixer.block())
    assert faded[0] == 1000
    assert all(0 <= a - b <= 3 for a, b in pairwise(faded[:FADE]))
    assert {*faded[FADE:]} == {0}


def test_every_sample_is_as_loud_as_the_gain_says_also_of_a_clip_that_plays_already() -> None:
    mixer = Mixer()
    mixer.speak(tone(1000, 3))
    assert {*values(mixer.block())} == {1000}
    mixer.gain = 0.25
    fading = values(mixer.block())
    assert all(0 <= before - after <= 1 for before, after in pairwise(fading)), "no click"
    assert {*values(mixer.block())} == {250}


def test_a_gain_of_nothing_is_silence_and_the_clip_goes_on() -> None:
    mixer = Mixer(0.0)
    mixer.sound(tone(1000, 3))
    assert mixer.block() == mixer.block() == SILENCE
    mixer.gain = 1.0
    assert values(mixer.block())[-1] == 1000


def test_many_sounds_at_once_have_a_bound() -> None:
    mixer = Mixer()
    for _ in range(100):
        mixer.sound(tone(1))
    assert max(values(mixer.block())) <= 5


# Which card

PI = """ 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0
                      vc4-hdmi-0
 1 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones
                      bcm2835 Headphones
 2 [Device         ]: USB-Audio - USB Audio Device
                      C-Media at usb-1
"""


@pytest.fixture
def cards(tmp_path: Path) -> Callable[[str], Path]:
    def cards(text: str) -> Path:
        (tmp_path / "cards").write_text(text)
        return tmp_path / "cards"

    return cards


@pytest.mark.parametrize(
    ("lines", "card"), [(6, "plughw:CARD=Device"), (4, "plughw:CARD=Headphones"), (2, "plughw:CARD=vc4hdmi0")]
)
def test_a_usb_card_comes_first_and_hdmi_last(lines: int, card: str, cards: Callable[[str], Path]) -> None:
    assert card_name(None, cards("".join(PI.splitlines(keepends=True)[:lines]))) == card


@pytest.mark.parametrize(
    ("named", "card"),
    [
        ("Headphones", "plughw:CARD=Headphones"),
        ("1", "plughw:CARD=1"),
        ("hdmi:CARD=vc4hdmi0", "hdmi:CARD=vc4hdmi0"),
        ("null", "null"),
    ],
)
def test_a_card_is_named_as_aplay_lists_it_or_by_any_alsa_name(
    named: str, card: str, cards: Callable[[str], Path]
) -> None:
    assert card_name(named, cards(PI)) == card


def test_without_a_card_the_error_says_what_to_plug_in(tmp_path: Path, cards: Callable[[str], Path]) -> None:
    for file in (tmp_path / "none", cards("--- no soundcards ---\n")):
        with pytest.raises(OutputError, match="plug in a USB loudspeaker"):
            card_name(None, file)


# aplay


@pytest.fixture
def heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a file in which everything ends that is played on the card `tofile`; `null` takes anything."""
    file = tmp_path / "heard.raw"
    alsa = tmp_path / "asound.conf"
    alsa.write_text(f'pcm.null {{ type null }}\npcm.tofile {{ type file slave.pcm null file "{file}" format raw }}\n')
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(alsa))
    return file


@pytest.fixture
def play(heard: Path) -> Iterator[Callable[[str], CardOutput]]:
    played: list[CardOutput] = []

    def play(card: str) -> CardOutput:
        played.append(CardOutput(card))
        return played[-1]

    yield play
    for output in played:
        output.close()


def written(output: CardOutput, block: bytes, within_s: float = 5.0) -> None:
    """Write a block as soon as there is room."""
    until_s = time.monotonic() + within_s
    while not output.write(block):
        assert time.monotonic() < until_s
        time.sleep(0.005)


def lost(output: CardOutput, within_s: float = 5.0) -> str:
    """Write until the card is lost, and return why."""
    until_s = time.monotonic() + within_s
    while time.monotonic() < until_s:
        try:
            output.write(SILENCE)
        except OutputError as error:
            return str(error)
        time.sleep(0.01)
    raise AssertionError("the card takes everything")


@needs_aplay
def test_what_is_written_is_what_the_card_gets(play: Callable[[str], CardOutput], heard: Path) -> None:
    output = play("tofile")
    blocks = [tone(level).tobytes() for level in range(1, 21)]
    for block in blocks:
        written(output, block)
    until_s = time.monotonic() + 5
    while not (heard.exists() and heard.read_bytes().startswith(b"".join(blocks[:8]))):
        written(output, SILENCE)
        assert time.monotonic() < until_s


@needs_aplay
def test_a_card_that_does_not_exist_is_named_with_the_reason(play: Callable[[str], CardOutput]) -> None:
    assert lost(play("plughw:CARD=Gone")).startswith("plughw:CARD=Gone: ")


@needs_aplay
def test_a_card_that_goes_away_in_the_middle_is_noticed(play: Callable[[str], CardOutput]) -> None:
    output = play("null")
    written(output, SILENCE)
    os.kill(output._process.pid, signal.SIGKILL)
    assert lost(output).startswith("null: ")


@needs_aplay
def test_a_card_that_takes_nothing_says_so_without_waiting(play: Callable[[str], CardOutput]) -> None:
    output = play("null")
    os.kill(output._process.pid, signal.SIGSTOP)
    began_s = time.monotonic()
    took = [output.write(SILENCE) for _ in range(5)]
    assert not all(took)
    assert time.monotonic() - began_s < 1


@needs_aplay
def test_a_closed_card_leaves_no_process(play: Callable[[str], CardOutput]) -> None:
    output = play("null")
    output.close()
    output.close()
    output._process.wait(5)
    with pytest.raises(OutputError, match="closed"):
        output.write(SILENCE)


def test_without_aplay_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(OutputError, match="sudo apt install alsa-utils"):
        CardOutput("null")
    assert len(os.listdir("/proc/self/fd")) == before


# A file


def test_a_file_that_cannot_be_written_is_an_error_at_once(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="can't be written: no such file"):
        WavOutput(tmp_path / "none" / "match.wav")


def test_a_disk_that_is_full_is_named_with_the_file(tmp_path: Path) -> None:
    out = tmp_path / "match.wav"
    out.symlink_to("/dev/full")
    reason = f"^{out}: can't be written: no space left on device; make room there"
    with pytest.raises(UserError, match=reason), closing(WavOutput(out)) as written:
        written.write(bytes(BLOCK))


def test_a_recording_whose_process_is_killed_can_be_played_up_to_there(tmp_path: Path) -> None:
    written = WavOutput(tmp_path / "match.wav")
    for _ in range(3):
        written.write(bytes(2 * BLOCK))
    (tmp_path / "killed.wav").write_bytes((tmp_path / "match.wav").read_bytes())  # nothing is completed
    written.close()
    with wave.open(str(tmp_path / "killed.wav")) as sound:
        assert sound.getnframes() >= 2 * BLOCK
