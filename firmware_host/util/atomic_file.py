"""Atomic replacement of a file: after a kill or a power cut, readers find the old content or the new, never a part."""

import os
from contextlib import suppress
from pathlib import Path


def write_atomic(file: Path, text: str, *, mode: int = 0o600) -> None:
    """Replace the content of `file`; it is on the disk when this returns. Blocks; raises `OSError`.

    The folder must exist. An interrupted write leaves a file with the suffix .new, replaced by the next write.
    """
    new = file.with_name(f"{file.name}.new")
    with suppress(FileNotFoundError):  # left by an interrupted write, or a planted pipe or link
        new.unlink()
    descriptor = os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode)
    with open(descriptor, "w", encoding="utf-8", newline="") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(descriptor)
    new.replace(file)
    fsync_dir(file.parent)


def fsync_dir(folder: Path) -> None:
    """Flush the names in a folder to the disk. Blocks; raises `OSError`."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
