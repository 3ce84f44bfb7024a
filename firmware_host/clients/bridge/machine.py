"""A hash of this computer, which tells a copied card or a restored copy of another computer from the original."""

import hashlib
from pathlib import Path

FILES = (Path("/etc/machine-id"), Path("/sys/firmware/devicetree/base/serial-number"))
"""The installation, and the board that it runs on: a copied card has the first of both, too."""


def machine_hash(files: tuple[Path, ...] = FILES) -> str:
    """Return eight digits that identify this computer without revealing the files behind them; empty without files."""
    found = hashlib.sha256(b"dudo-table\0")
    is_known = False
    for file in files:
        try:
            found.update(file.read_bytes() + b"\0")
            is_known = True
        except OSError:
            continue
    return found.hexdigest()[:8] if is_known else ""
