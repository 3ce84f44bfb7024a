"""Debian 13 on 64-bit ARM, the table's computer: the tests of engine, link and firmware, whole matches, the package."""

import platform
import shutil
import subprocess
from pathlib import Path

import pytest
from support import ROOT
from support.system import package

from engine import RULESETS

TESTED = "tests/engine tests/hardware/link tests/hardware/firmware tests/drivers/link"
USED = "cobs hypothesis pytest pytest-timeout pytest-xdist"
"""Of what the tests of this project need, what these do: browsers, type checker and brokers are not emulated."""
WITHIN_S = 5400.0
"""An emulated processor takes ten times as long for everything."""


@pytest.fixture(scope="module", autouse=True)
def emulated() -> None:
    """Skip the tests if this machine can't run programs for 64-bit ARM."""
    if platform.machine() == "aarch64":
        return
    lacking = [name for name in ("qemu-aarch64-static", "update-binfmts", "arch-test") if shutil.which(name) is None]
    if lacking:
        pytest.skip("64-bit ARM can't be emulated: apt-get install arch-test binfmt-support qemu-user-static")
    if not Path("/proc/sys/fs/binfmt_misc").is_dir():
        pytest.skip("64-bit ARM can't be emulated: this kernel has no binfmt_misc")


def on_arm(line: str, *given: Path) -> str:
    """Run a shell line in a clone of the last commit on 64-bit ARM and return its output."""
    done = subprocess.run(
        [ROOT / ".ci" / "debian", "trixie", "arm64", line, *given],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=WITHIN_S,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_engine_link_and_firmware_pass_their_tests() -> None:
    python = ".venv/bin/python -m"
    installs = f"make .venv/playable; {python} pip install -qq -c constraints.txt {USED}"
    print(on_arm(f"{installs}; {python} pytest -n auto --dist loadfile {TESTED}"))


def test_a_whole_match_of_each_rule_set_is_played() -> None:
    matches = "; ".join(f"make play ARGS='--headless --seed 1 --rules {name}'" for name in RULESETS)
    assert on_arm(matches).count(" wins the match.") == len(RULESETS)


def test_one_command_installs_the_package_and_it_plays_a_match() -> None:
    deb = package.built()
    install = f"DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends /given/{deb.name}"
    play = "dudo-table play --headless --seats 2 --seed 1"
    printed = on_arm(f"apt-get update -qq; {install}; cd /; dpkg --print-architecture; {play}", deb.parent)
    assert "arm64\n" in printed
    assert " wins the match." in printed
