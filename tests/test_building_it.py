"""What hardware/README.md tells a builder to type: what can be tried without a Pi and a Pico is tried."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_host import cli
from hardware.boards import pico_bundle
from hardware.emulated.cup_process import micropython

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "hardware" / "README.md"
TEXT = PAGE.read_text(encoding="utf-8")
COMMANDS = [
    line.partition("  #")[0].strip()
    for body in re.findall(r"^```sh\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
    for line in body.splitlines()
    if line.strip()
]
ELSEWHERE = ("echo", "ls", "i2cdetect", "pinctrl", "sudo", ".venv/bin/pip")  # of the Pi's own system
MICROPYTHON = micropython()

MACHINE = """
class Pin:
    IN = OUT = PULL_UP = 1
    def __init__(self, number, *_):
        self.number = number
    def value(self):
        return 1
    def on(self):
        print("lit", self.number)
class I2C:
    def __init__(self, bus, sda, scl):
        self.wires = bus, sda.number, scl.number
    def scan(self):
        return [0x18, 0x3c]
    def writeto(self, address, data):
        print("wrote", address, data[0])
    def readfrom_mem(self, address, register, count):
        return bytes([0x33] * count)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder that looks like a clone, with the files that the page tells to write."""
    folder = tmp_path_factory.mktemp("clone")
    for name in ("Makefile", "pyproject.toml", "setup.py", "constraints.txt", "hardware"):
        (folder / name).symlink_to(ROOT / name)
    (folder / ".venv").symlink_to(sys.prefix)
    for command in COMMANDS:
        if command.startswith("cp "):
            subprocess.run(shlex.split(command), cwd=folder, check=True)
    return folder


def anchor(heading: str) -> str:
    """Return a heading's name in a link."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_every_file_it_links_to_is_there() -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)\)", TEXT)
    assert [target for target in targets if not (PAGE.parent / target).exists()] == []


def test_every_heading_it_links_to_is_there() -> None:
    headings = {anchor(heading) for heading in re.findall(r"^#+ (.*)$", TEXT, re.MULTILINE)}
    assert {*re.findall(r"\]\(#([^)]+)\)", TEXT)} <= headings


def test_every_drawing_is_on_the_page() -> None:
    drawings = {file.name for file in (ROOT / "docs" / "pictures").glob("wiring-*.svg")}
    assert drawings == {*re.findall(r"pictures/(wiring-[\w-]+\.svg)", TEXT)}


@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith("dudo-table ")])
def test_every_command_of_ours_works(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = shlex.split(command)[1:]
    monkeypatch.chdir(folder)
    if words[0] in ("check", "show"):
        assert cli.main(words) == 0
    else:
        cli.new_parser().parse_args(words)


@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith("make ")])
def test_every_target_is_one_of_the_makefiles(command: str, folder: Path) -> None:
    words = [*shlex.split(command), "--dry-run", "--assume-old=.venv/loadable"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(MICROPYTHON is None, reason="MicroPython's unix port is not installed")
@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith("mpremote exec ")])
def test_every_line_for_a_pico_runs_there(command: str, tmp_path: Path) -> None:
    assert MICROPYTHON is not None
    (tmp_path / "machine.py").write_text(MACHINE, encoding="utf-8")
    done = subprocess.run(
        [MICROPYTHON, "-c", shlex.split(command)[2]],
        env={**os.environ, "MICROPYPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=20,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip()


class PicoFiles:
    """The file system of a Pico as `mpremote fs` changes it from the folder `here`."""

    def __init__(self, root: Path, here: Path) -> None:
        self.root = root
        self.here = here

    def run(self, words: list[str]) -> None:
        match words:
            case ["cp", "-r", *sources, target]:
                for source in map(self._at, sources):
                    if source.is_dir():
                        shutil.copytree(source, self._at(target) / source.name, dirs_exist_ok=True)
                    else:
                        shutil.copy(source, self._at(target))
            case ["cp", *sources, target]:
                for source in map(self._at, sources):
                    shutil.copy(source, self._at(target))
            case _:
                raise AssertionError(f"not known here: mpremote fs {words}")

    def _at(self, name: str) -> Path:
        return self.root / name[1:] if name.startswith(":") else self.here / name


def test_newer_firmware_leaves_a_board_its_own_wiring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pico = PicoFiles(tmp_path / "pico", tmp_path)
    wiring = pico.root / "hardware/firmware/wiring.py"
    wiring.parent.mkdir(parents=True)
    wiring.write_text("PANEL = 'sh1106'")
    (steps,) = re.findall(r"^### Newer firmware.*?```sh\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    for step in steps.splitlines():
        match shlex.split(step):
            case ["mpremote", "fs", *words]:
                pico.run(words)
            case ["make", "pico"]:
                pico_bundle.main("build/pico")
            case words:
                raise AssertionError(f"not a step of an update: {words}")
    assert wiring.read_text() == "PANEL = 'sh1106'"
    assert {file.name for file in pico.root.iterdir()} == {"hardware", "main.py", "a.img", "slot"}


def test_nothing_else_is_to_be_typed() -> None:
    known = ("dudo-table", "make", "cp", "mpremote", *ELSEWHERE)
    assert [command for command in COMMANDS if command.split()[0] not in known] == []


@pytest.mark.parametrize("layout", ["wired-4", "wired-8"])
def test_a_layout_and_the_table_of_cables_allow_one_length_to_a_mux(layout: str) -> None:
    comment = (ROOT / "hardware/config/layouts" / f"{layout}.toml").read_text().replace("\n#", " ")
    (allowed,) = re.findall(r"^\| I2C, Pi to mux \| (\d+ cm) \|", TEXT, re.MULTILINE)
    assert re.findall(r"mux\s+within\s+(\d+ cm)\s+of the Pi", " ".join(comment.split())) == [allowed]
