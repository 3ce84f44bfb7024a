"""What the tests on a real systemd and a real kernel need; says in one sentence what this machine lacks.

Whatever lies in this folder is marked `system`. Files of the folder are importable by their name.
"""

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
# What looks at a glass there looks at the guest's here.
LOOKED_INTO = (HERE, ROOT, HERE.parent / "firmware_host")
sys.path[:0] = [folder for folder in map(str, LOOKED_INTO) if folder not in sys.path]

PACKAGES: Mapping[str, str] = {
    "mmdebstrap": "mmdebstrap",
    "systemd-nspawn": "systemd-container",
    "systemd-analyze": "systemd",
    "qemu-system-x86_64": "qemu-system-x86",
    "qemu-img": "qemu-utils",
    "mkfs.ext4": "e2fsprogs",
    "zstd": "zstd",
    "xz": "xz-utils",
    "dh": "debhelper",
    "dh_python3": "dh-python",
    "dpkg-buildpackage": "dpkg-dev",
}
"""The programs that these tests start, and which of Debian's packages has each."""


def pytest_itemcollected(item: pytest.Item) -> None:
    item.add_marker("system")


def pytest_collection_finish(session: pytest.Session) -> None:
    if any(item.path.is_relative_to(HERE) for item in session.items) and (sentence := _lacking()):
        pytest.exit(sentence, returncode=pytest.ExitCode.USAGE_ERROR)


def _lacking() -> str:
    """Return what keeps these tests from running here, with what mends it; nothing if nothing does."""
    if os.geteuid():
        return "these tests lay out and boot whole systems: run them as root"
    lacking = sorted({package for program, package in PACKAGES.items() if shutil.which(program) is None})
    if lacking:
        return f"these tests lack programs: apt-get install --no-install-recommends {' '.join(lacking)}"
    return ""
