"""Writing a file so that a reader, a kill or a power cut finds the old one or the new one, never a piece."""

import os
from contextlib import suppress
from pathlib import Path


def write(file: Path, text: str, *, mode: int = 0o600) -> None:
    """Have `file` hold `text` and no more, on the disk when this returns. Blocks; raises `OSError`.

    Its folder has to be there. A writing that is cut off leaves `file` with .new behind its name, until the next one.
    """
    new = file.with_name(f"{file.name}.new")
    with suppress(FileNotFoundError):  # of a writing that was cut off, or a pipe or link that somebody laid there
        new.unlink()
    descriptor = os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode)
    with open(descriptor, "w", encoding="utf-8", newline="") as written:
        written.write(text)
        written.flush()
        os.fsync(descriptor)
    new.replace(file)
    keep_names(file.parent)


def keep_names(folder: Path) -> None:
    """Have the disk know which files are in a folder, and under which names. Blocks; raises `OSError`."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
