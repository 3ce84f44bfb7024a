"""What docs/install.md tells those to type who have no package, typed where pip and udev reach nothing."""

import re
from collections.abc import Iterator

import pytest
from support.system import container, debian_root, package
from support.system.container import Container

ROOT = package.ROOT
PAGE = (ROOT / "docs/install.md").read_text()
(TYPED,) = re.findall(r"## Without the package\n.*?```sh\n(.*?)```", PAGE, re.DOTALL)
VENV = "/opt/dudo-table/bin"
ELSEWHERE = ("sudo python3 -m venv", f"sudo {VENV}/pip", "sudo udevadm")


@pytest.fixture(scope="module")
def debian() -> Iterator[Container]:
    """Give a Debian on which all was typed, in a folder that looks like a clone."""
    with debian_root.unpacked() as root, container.booted(root) as debian:
        for folder in ("systemd", "hardware/config/layouts"):
            (root / "clone" / folder).mkdir(parents=True)
            for file in (ROOT / folder).iterdir():
                (root / "clone" / folder / file.name).write_bytes(file.read_bytes())
        debian_root.run("dpkg-deb", "--extract", package.built(), root / "built")
        debian.run(
            "sh", "-ec", f"mkdir -p {VENV}; mv /built/usr/lib/dudo-table /usr/lib; mv /built/usr/bin/dudo-table {VENV}"
        )
        lines = [line for line in TYPED.splitlines() if not line.startswith(ELSEWHERE)]
        (root / "bin/sudo").write_text('#!/bin/sh\nexec "$@"\n')
        (root / "bin/sudo").chmod(0o755)
        debian.run("sh", "-exc", "\n".join(["cd /clone", *lines]))
        yield debian


def test_the_daemon_is_up(debian: Container) -> None:
    assert debian.shown("dudo-table.service", "ActiveState") == "active"


def test_it_is_the_one_that_was_built_by_hand(debian: Container) -> None:
    assert VENV in debian.shown("dudo-table.service", "ExecStart")


def test_panels_can_be_blanked_when_it_is_killed(debian: Container) -> None:
    assert VENV in debian.shown("dudo-table.service", "ExecStopPost")
    assert debian.shown("dudo-table-blank.service", "ExecMainStatus") in ("0", "1")
