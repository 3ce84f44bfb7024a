"""A file is written whole or not at all."""

import os
from pathlib import Path

import pytest

from firmware_host.util import atomic_file


def test_a_file_is_the_owners_alone_and_has_just_what_was_written(tmp_path: Path) -> None:
    file = tmp_path / "kept.toml"
    file.write_text("something longer that stood there before")
    atomic_file.write_atomic(file, "name = “Ñandú”\r\n")
    assert file.read_bytes() == "name = “Ñandú”\r\n".encode()
    assert file.stat().st_mode & 0o777 == 0o600
    assert [*tmp_path.iterdir()] == [file]


def test_a_disk_that_fails_in_the_middle_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "kept.toml"
    atomic_file.write_atomic(file, "old")

    def fails(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(OSError, match="No space"):
        atomic_file.write_atomic(file, "new")
    assert file.read_text() == "old"


def test_what_a_cut_off_writing_left_is_in_nobodys_way(tmp_path: Path) -> None:
    file = tmp_path / "kept.toml"
    (tmp_path / "kept.toml.new").write_text("half a")
    atomic_file.write_atomic(file, "new")
    assert file.read_text() == "new"
