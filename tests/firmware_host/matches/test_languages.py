"""From the language in a layout, or on the command line, to what a panel says."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware_host import cli
from firmware_host.daemon.seats import words_of
from hardware.config.layout import load_builtin


def test_a_spanish_and_a_french_player_sit_at_one_table() -> None:
    layout = load_builtin("emulated").first(2).speaking("es")
    spanish, french = layout.seats
    layout = replace(layout, seats=(spanish, replace(french, language="fr")))
    assert [words("You win!") for words in words_of(layout)] == ["¡Ganaste!", "Gagné\u00a0!"]


def pictures(folder: Path, *options: str) -> dict[str, bytes]:
    # Wired: a seat board takes its time for each byte of a picture, so other words make another match there.
    line = ("play", "--headless", "--layout", "wired-4", "--seats", "2", "--seed", "7", "--pictures", str(folder))
    assert cli.main((*line, *options)) == 0
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*.png"))}


@pytest.mark.slow
def test_the_same_evening_in_another_language_has_other_pictures_of_the_same_moments(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    english = pictures(tmp_path / "en")
    story = capsys.readouterr().out
    spanish = pictures(tmp_path / "es", "--language", "es")
    assert capsys.readouterr().out == story
    assert english.keys() == spanish.keys()
    assert sum(english[name] != spanish[name] for name in english) > len(english) / 2
