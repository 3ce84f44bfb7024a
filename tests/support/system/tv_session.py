"""The TV of `dudo-table-kiosk.service` without a TV: the unit's own command line under Debian 13's cage, photographed.

cage draws on an output in memory. It, grim and wlr-randr are unpacked from Debian 13 into `build/system`, once, and run
with the libraries of their own Debian; what they start, the project and the browser, are those of this machine. They
run as a user who is not root, because Chromium then has its sandbox, as under the unit.
"""

import io
import os
import re
import shlex
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from PIL import Image
from support import ROOT
from support.system import debian_root

from docs.screenshots import chromium

PROGRAMS = ("cage", "grim", "wlr-randr", "wtype")
LEFT_OUT = ("debconf", "dpkg", "libllvm", "libz3", "mesa-", "perl", "tar", "x11-", "xserver-", "xwayland")
"""What they depend on and do not load: mostly drivers of graphics cards, nine tenths of all bytes."""
LIBRARIES = "usr/lib/x86_64-linux-gnu"
UNIT = ROOT / "systemd/dudo-table-kiosk.service"
OUTPUT = "HEADLESS-1"
USER = 65534
WITHIN_S = 40.0
STOP_TIMEOUT_S = 5.0


def programs() -> Path:
    """Return the folder with the programs; ten seconds the first time."""
    return debian_root.kept("tv", (debian_root.SUITE, *PROGRAMS, *LEFT_OUT), _unpack)


class TvSession:
    """A running session: its output, and what it has logged."""

    def __init__(self, own: Path, log: Path, group: int) -> None:
        self._environment = _environment(own) | {"WAYLAND_DISPLAY": "wayland-0"}
        self._log = log
        self._group = group

    @property
    def log(self) -> str:
        """What its programs have printed."""
        return self._log.read_text(errors="replace")

    def photograph(self) -> Image.Image:
        """Return what the TV shows."""
        return Image.open(io.BytesIO(self._run("grim", "-o", OUTPUT, "-"))).convert("RGB")

    def switch(self, *options: str) -> None:
        """Change the output with wlr-randr."""
        self._run("wlr-randr", "--output", OUTPUT, *options)

    @contextmanager
    def keyboard(self) -> Iterator[None]:
        """Keep a keyboard plugged in: with none there before, the browser misses the first keys of each that comes."""
        idle = [*_with_its_libraries(programs(), "wtype"), "-s", str(24 * 3600 * 1000)]
        with subprocess.Popen(idle, env=self._environment) as process:
            try:
                yield
            finally:
                process.kill()

    def press(self, key: str, *modifiers: str) -> None:
        """Press a key of a keyboard at the TV, by its name in xkeysyms, with modifiers such as ctrl."""
        held = [word for modifier in modifiers for word in ("-M", modifier)]
        self._run("wtype", *held, "-k", key)

    def write(self, text: str) -> None:
        """Type a text at the keyboard."""
        self._run("wtype", text)

    def wait_until(self, shows: Callable[[Image.Image], bool]) -> Image.Image:
        """Return the first picture that `shows` something; raises with the log if none comes in time."""
        until_s = time.monotonic() + WITHIN_S
        while time.monotonic() < until_s:
            if shows(picture := self.photograph()):
                return picture
            time.sleep(0.2)
        raise AssertionError(f"the TV does not show it:\n{self.log}")

    def renderers(self) -> list[str]:
        """Return what the kernel says of each of the browser's processes that draw pages (proc_pid_status(5))."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if os.getpgid(int(process.name)) == self._group and b"=renderer" in (process / "cmdline").read_bytes():
                    found.append((process / "status").read_text())
        return found

    def _run(self, program: str, *options: str) -> bytes:
        command = [*_with_its_libraries(programs(), program), *options]
        done = subprocess.run(command, env=self._environment, capture_output=True, timeout=WITHIN_S)
        assert not done.returncode, done.stderr.decode()
        return done.stdout


@contextmanager
def tv_session(options: str) -> Iterator[TvSession]:
    """Run the command line of the unit with the owner's `options` (KIOSK_OPTIONS) until the block ends."""
    with tempfile.TemporaryDirectory(prefix="dudo-tv-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # the user of the session must get through
        own, log = folder / "own", folder / "log"
        own.mkdir(0o700)
        os.chown(own, USER, USER)
        with log.open("wb") as said:
            process = subprocess.Popen(
                [*_entering(folder), *_command(folder, own, options)],
                env=_environment(own),
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        session = TvSession(own, log, process.pid)
        try:
            until_s = time.monotonic() + WITHIN_S
            while not (own / "wayland-0").exists():
                assert process.poll() is None, session.log
                assert time.monotonic() < until_s, session.log
                time.sleep(0.05)
            with session.keyboard():
                yield session
        finally:
            _end(process)


def _command(folder: Path, own: Path, options: str) -> list[str]:
    """Return the command line of the unit, with what this machine has in place of installed packages."""
    (found,) = re.findall(r"^ExecStart=((?:.*\\\n)*.*)$", UNIT.read_text(), re.MULTILINE)
    line = found.replace("\\\n", " ").replace("$KIOSK_OPTIONS", options).replace("%t/dudo-table-kiosk", str(own))
    tree = folder / "tree"
    python = folder / "python" / Path(sys.executable).resolve().relative_to(sys.base_prefix)
    packages = tree / Path(sysconfig.get_path("purelib")).relative_to(ROOT)
    here = {
        "/usr/bin/cage": _with_its_libraries(tree / programs().relative_to(ROOT), "cage"),
        "/usr/bin/dudo-table": ["env", f"PYTHONPATH={tree}:{packages}", str(python), "-m", "firmware_host.cli"],
        "/usr/bin/chromium": [str(chromium())],
    }
    return [word for each in shlex.split(line) for word in here.get(each, [each])]


def _entering(folder: Path) -> list[str]:
    """Return what starts a command as the user of the session, who may enter neither root's home nor the clone.

    It sees the clone as `folder`/tree and this Python as `folder`/python.
    """
    for name in ("tree", "python"):
        (folder / name).mkdir()
    policies = folder / "own/policies"
    policies.mkdir(0o700)
    os.chown(policies, USER, USER)
    (of_the_browser,) = re.findall(
        r"^BindReadOnlyPaths=%t/dudo-table-kiosk/policies:(.*)$", UNIT.read_text(), re.MULTILINE
    )
    mounts = f"mkdir -p {of_the_browser} && mount --bind {policies} {of_the_browser} && "
    mounts += 'cd "$0" && mount --bind "$1" tree && mount --bind "$2" python'
    enter = f'{mounts} && exec setpriv --reuid="$3" --regid="$3" --clear-groups "${{@:4}}"'
    script = ["bash", "-c", enter, str(folder), str(ROOT), sys.base_prefix, str(USER)]
    return ["unshare", "--mount", *script]


def _environment(own: Path) -> dict[str, str]:
    """Return the environment of the unit, with an output in memory in place of a TV."""
    (stated,) = re.findall(r"^Environment=(.*)$", UNIT.read_text(), re.MULTILINE)
    return {
        **dict(each.split("=", 1) for each in stated.split()),
        "PATH": os.environ["PATH"],
        "HOME": str(own),
        "XDG_RUNTIME_DIR": str(own),
        "XKB_CONFIG_ROOT": str(programs() / "usr/share/X11/xkb"),
        "WLR_BACKENDS": "headless",
        "WLR_RENDERER": "pixman",
    }


def _with_its_libraries(place: Path, program: str) -> list[str]:
    """Return a command line for a program of the other Debian, with the loader and the libraries of that."""
    libraries = place / LIBRARIES
    return [f"{libraries}/ld-linux-x86-64.so.2", "--library-path", str(libraries), f"{place}/usr/bin/{program}"]


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a session as systemd ends a unit: everybody in it is asked, then killed."""
    until_s = time.monotonic() + STOP_TIMEOUT_S
    number = signal.SIGTERM
    with suppress(ProcessLookupError):
        while True:
            os.killpg(process.pid, number)
            process.poll()
            time.sleep(0.05)
            if time.monotonic() > until_s:
                number = signal.SIGKILL


def _unpack(target: Path) -> None:
    """Unpack the programs and their libraries from the mirror of this machine's apt; nothing is installed."""
    target.mkdir()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for each in ("state/lists/partial", "cache/archives/partial"):
            (folder / each).mkdir(parents=True)
        (folder / "status").touch()
        keys = "/usr/share/keyrings/debian-archive-keyring.gpg"
        (folder / "list").write_text(f"deb [signed-by={keys}] {debian_root.mirror()} {debian_root.SUITE} main\n")
        places = {
            "Dir::State": folder / "state",
            "Dir::State::status": folder / "status",
            "Dir::Cache": folder / "cache",
            "Dir::Etc::sourcelist": folder / "list",
            "Dir::Etc::sourceparts": "-",
            "APT::Sandbox::User": "root",
            "Acquire::Languages": "none",
        }
        apt = ["env", "-C", name, "apt-get", "-qq", *(f"--option={key}={value}" for key, value in places.items())]
        debian_root.run(*apt, "update")
        told = debian_root.run(*apt, "--no-install-recommends", "--simulate", "install", *PROGRAMS)
        wanted = [each for each in re.findall(r"^Inst (\S+)", told, re.MULTILINE) if not each.startswith(LEFT_OUT)]
        debian_root.run(*apt, "download", *wanted)
        for package in folder.glob("*.deb"):
            debian_root.run("dpkg-deb", "--extract", package, target)
