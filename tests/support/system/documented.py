"""A fresh Debian 13 on which the shell blocks of the pages are typed, with a real systemd and without a network.

Its apt has the archives of all packages that the pages install, so `apt install` works as it does for an owner, and
a package that a page forgets is missing.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from support import ROOT
from support.system import container, debian_root, package
from support.system.container import Container

ARCHIVES = (
    "mosquitto",
    "postgresql",
    "python3-aiohttp",
    "python3-argcomplete",
    "python3-ifaddr",
    "python3-nacl",
    "python3-paho-mqtt",
    "python3-psycopg",
    "python3-segno",
)
"""The packages of the pages, beside that of the project and its dependencies."""
PRESENT = ("sudo", "tzdata", "adduser", "openssl", "dosfstools", "exfatprogs", "e2fsprogs", "iproute2", "nano")
"""The programs of every installed Debian that the pages use."""
ADDRESS, NAMES = "192.168.1.5", ("mqtt.local", "db.local")
"""The address that the pages have for a computer, and the names of its servers."""
_FETCH = "apt-get install --yes --download-only --option APT::Install-Recommends=true"


def text(page: str) -> str:
    """Return a page of docs."""
    return (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")


def blocks(page: str) -> list[str]:
    """Return the shell blocks of a page of docs."""
    return [str(block) for block in re.findall(r"```sh\n(.*?)```", text(page), re.DOTALL)]


def block(page: str, start: str) -> str:
    """Return the one block of a page that begins so."""
    (found,) = (each for each in blocks(page) if each.startswith(start))
    return found


def tar() -> Path:
    """Return the system as a tar; two minutes the first time."""
    inputs = (debian_root.SUITE, *debian_root.SYSTEM, *debian_root.DEPENDS, *ARCHIVES, *PRESENT, _FETCH)
    return debian_root.kept("documented.tar", inputs, _bootstrap)


def _bootstrap(target: Path) -> None:
    fetched = " ".join((*ARCHIVES, *debian_root.DEPENDS))
    debian_root.run(
        "mmdebstrap",
        "--variant=apt",
        "--format=tar",
        f"--include={','.join((*debian_root.SYSTEM, *PRESENT))}",
        "--skip=cleanup/apt",
        f"--customize-hook=APT_CONFIG=$MMDEBSTRAP_APT_CONFIG {_FETCH} {fetched}",
        debian_root.SUITE,
        target,
        debian_root.mirror(),
    )


@contextmanager
def fresh(name: str = "bar") -> Iterator["Typist"]:
    """Give a fresh computer of this name, with the package in root's folder."""
    with debian_root.unpacked(tar()) as root:
        (root / "etc/hostname").write_text(f"{name}\n")
        (root / "etc/hosts").write_text(f"127.0.0.1 localhost\n{ADDRESS} {name} {' '.join(NAMES)}\n")
        (root / "etc/apt/apt.conf.d/90yes").write_text('APT::Get::Assume-Yes "true";\n')
        (root / "etc/sudoers.d/debconf").write_text('Defaults env_keep += "DEBIAN_FRONTEND"\n')
        (root / "root" / package.built().name).write_bytes(package.built().read_bytes())
        with container.booted(root) as debian:
            debian.run("ip", "address", "add", f"{ADDRESS}/24", "dev", "lo")
            yield Typist(debian)


class Typist:
    """An owner who types blocks as root, in root's folder."""

    def __init__(self, debian: Container) -> None:
        self.debian = debian
        self.root = debian.root

    def types(self, typed: str, *, before: str = "", within_s: float = 300.0) -> str:
        """Type a block; return what it printed. Raises `ContainerError` if a command fails."""
        return self.debian.run("bash", "-euo", "pipefail", "-c", f"cd /root\n{before}\n{typed}", within_s=within_s)

    def has(self, path: str, text: str, mode: int = 0o644) -> None:
        """Have a file with this text."""
        file = self.root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(mode)

    def status(self, unit: str) -> str:
        """Return the line of a service's status, with its state."""
        return f"{self.debian.shown(unit, 'ActiveState')}: {self.debian.shown(unit, 'StatusText')}"
