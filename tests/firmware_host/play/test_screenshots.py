"""The folder of pictures that `play --pictures` makes."""

from pathlib import Path

from firmware_host.play.screenshots import ScreenshotRecorder


def test_nobody_else_leafs_through_an_album_while_its_dice_are_played_with(tmp_path: Path) -> None:
    ScreenshotRecorder(tmp_path / "new")
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700


def test_a_folder_that_was_there_stays_as_open_as_it_was(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    ScreenshotRecorder(tmp_path)
    assert tmp_path.stat().st_mode & 0o777 == 0o755
