"""What the tests on a real systemd and a real kernel need; says in one sentence what this machine lacks.

Whatever lies in this folder is marked `system`. Files of the folder are importable by their name.
"""

import asyncio
import os
import re
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from support.guest.installed import Started

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
LISTED = (ROOT / ".ci" / "packages").read_text(encoding="utf-8")

PROGRAMS = (
    "mmdebstrap",
    "systemd-nspawn",
    "systemd-analyze",
    "qemu-system-x86_64",
    "qemu-img",
    "mkfs.ext4",
    "mkfs.vfat",
    "mkfs.exfat",
    "gpg",
    "zstd",
    "xz",
    "apt-ftparchive",
    "dh",
    "dh_python3",
    "dpkg-buildpackage",
)
"""The programs that these tests start. `.ci/packages` lists the Debian packages that have them."""


@pytest.fixture(scope="session")
def runner() -> Iterator[asyncio.Runner]:
    """Give the loop of everybody who is at a guest's table."""
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="session")
def kept(runner: asyncio.Runner, tmp_path_factory: pytest.TempPathFactory) -> "Started":
    """Give a guest with the package, as it was when its panels were lit."""
    from support.guest.installed import started
    from support.system import debian_root, kernel, package

    with ThreadPoolExecutor() as beside:
        beside.submit(kernel.boot)
        beside.submit(debian_root.tar)
        made = runner.run(started(package.built(), tmp_path_factory.mktemp("started")))
    print(f"\npanels lit {made.lit_s:.1f} s after power-on")
    return made


def pytest_itemcollected(item: pytest.Item) -> None:
    item.add_marker("system")


def pytest_collection_finish(session: pytest.Session) -> None:
    if any(item.path.is_relative_to(HERE) for item in session.items) and (sentence := _lacking()):
        pytest.exit(sentence, returncode=pytest.ExitCode.USAGE_ERROR)


def _lacking() -> str:
    """Return what keeps these tests from running here, with its remedy; nothing if nothing does."""
    if os.geteuid():
        return "these tests lay out and boot whole systems: run them as root"
    lacking = [program for program in PROGRAMS if shutil.which(program) is None]
    if lacking:
        packages = " ".join(re.findall(r"^system: *([^#\n]*[^#\s])", LISTED, re.MULTILINE))
        return f"these tests lack {', '.join(lacking)}: apt-get install --no-install-recommends {packages}"
    return ""
