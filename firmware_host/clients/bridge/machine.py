"""A hash of this computer, to distinguish a copied card or another computer's restored copy from the original."""

import hashlib
from pathlib import Path

FILES = (Path("/etc/machine-id"), Path("/sys/firmware/devicetree/base/serial-number"))
"""The installation and its board; a copied card shares only the installation."""


def machine_hash(files: tuple[Path, ...] = FILES) -> str:
    """Return eight digits identifying this computer without revealing the source files; empty without files."""
    found = hashlib.sha256(b"dudo-table\0")
    is_known = False
    for file in files:
        try:
            found.update(file.read_bytes() + b"\0")
            is_known = True
        except OSError:
            continue
    return found.hexdigest()[:8] if is_known else ""
