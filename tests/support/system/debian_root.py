"""A Debian 13 with everything that the package depends on, as one tar in `build/system`; made once.

    with debian_root.unpacked() as root:        # a folder to boot with systemd-nspawn
        ...

The container's tests and the guest's share it: installing the package there needs no network. It is built again when
what is stated here changes. The mirror is the one that this machine's apt uses.
"""

import fcntl
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from support import ROOT

BUILT = ROOT / "build" / "system"
SUITE = "trixie"
SYSTEM = ("systemd", "systemd-sysv", "udev", "dbus", "kmod", "procps", "socat")
DEPENDS = (
    "python3",
    "python3-cbor2",
    "python3-colorzero",
    "python3-libgpiod",
    "python3-msgspec",
    "python3-packaging",
    "python3-pil",
    "python3-rich",
    "python3-serial",
    "python3-smbus2",
)
"""What the package depends on, `debian/control`."""
LEFT_OUT = ("/usr/share/man/*", "/usr/share/locale/*", "/usr/share/doc/*", "/usr/share/info/*")
"""What nobody reads there. Only for what is in the tar: a package installed later has all its files."""
WITHIN_S = 900.0


class RootError(RuntimeError):
    """There is no such system to be had here."""


def tar() -> Path:
    """Return the system as a tar; a minute the first time."""
    return kept("root.tar", (SUITE, *SYSTEM, *DEPENDS, *LEFT_OUT), bootstrap)


@contextmanager
def unpacked(archive: Path | None = None) -> Iterator[Path]:
    """Give the system of a tar as a folder of one's own, which is taken away in the end."""
    BUILT.mkdir(parents=True, exist_ok=True)
    archive = archive or tar()
    folder = Path(tempfile.mkdtemp(prefix="root-", dir=BUILT))
    try:
        run("tar", "-C", folder, "-xf", archive)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def kept(name: str, inputs: Sequence[str], make: Callable[[Path], None]) -> Path:
    """Return what `make` makes in `build/system` of these inputs; made once, by whoever comes first."""
    BUILT.mkdir(parents=True, exist_ok=True)
    made = BUILT / f"{name}-{sha256(repr(inputs).encode()).hexdigest()[:12]}"
    with (BUILT / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            for old in BUILT.glob(f"{name}-*"):
                _take_away(old)
            unfinished = made.with_name(f"{made.name}.part")
            _take_away(unfinished)
            make(unfinished)
            unfinished.rename(made)
    return made


def run(*command: str | Path, within_s: float = WITHIN_S) -> str:
    """Run a command to its end and return what it printed; raises `RootError` with its last lines if it fails."""
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=within_s, text=True
    )
    if done.returncode:
        last = "\n".join(done.stdout.splitlines()[-20:])
        raise RootError(f"{' '.join(map(str, command))} failed:\n{last}")
    return done.stdout


def mirror() -> str:
    """Return where this machine's apt has Debian from."""
    listed = run("apt-get", "indextargets", "--format", "$(REPO_URI) $(COMPONENT) $(RELEASE)", "Created-By: Packages")
    for line in listed.splitlines():
        site, component, release = line.split()
        if component == "main" and "-" not in release and "debian" in site:
            return site
    raise RootError("apt knows no mirror of Debian here: give it one in /etc/apt/sources.list.d")


def bootstrap(target: Path, *others: str) -> None:
    """Make the system as a tar, with other packages."""
    run(
        "mmdebstrap",
        "--variant=apt",
        "--format=tar",
        f"--include={','.join((*SYSTEM, *DEPENDS, *others))}",
        *(f"--dpkgopt=path-exclude={path}" for path in LEFT_OUT),
        "--customize-hook=rm -f $1/etc/dpkg/dpkg.cfg.d/99mmdebstrap",
        SUITE,
        target,
        mirror(),
    )


def _take_away(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
