"""What `make pico` gathers: all that the cup's program needs, nothing else, and it runs under MicroPython."""

import os
import subprocess
from pathlib import Path

import pytest

from hardware.boards import pico_bundle
from hardware.emulated.cup_process import micropython
from hardware.firmware import wiring
from hardware.link import messages
from hardware.link.framing import FrameParser

MICROPYTHON = micropython()
WITHIN_S = 20

LATER = ("hardware.firmware.lis3dh",)
"""What the program loads only where it is fitted."""

MACHINE = """
class Pin:
    IN = OUT = PULL_UP = IRQ_FALLING = IRQ_RISING = 1
    def __init__(self, number, *_, value=1, **__):
        self.level = 0 if number == {grounded} else value
    def value(self, level=None):
        return self.level
    def irq(self, *_, **__):
        pass
class I2C:
    def __init__(self, *_, **__):
        pass
    def writeto(self, *_):
        raise OSError(5)
    readfrom_mem = writeto_mem = writeto
def unique_id():
    return bytes(range(8))
def idle():
    pass
"""
"""A Pico without a panel, every switch open: what its program needs of MicroPython's `machine`."""


def tree(folder: Path) -> set[str]:
    return {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}


@pytest.fixture(scope="module", params=[True, False], ids=["compiled", "as text"])
def gathered(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder as `make pico` leaves it."""
    folder = tmp_path_factory.mktemp("build") / "pico"
    pico_bundle.gather(folder, compiled=request.param)
    return folder


def started(folder: Path, tmp_path: Path, grounded: int, *, tell: bool = False) -> "subprocess.Popen[bytes]":
    """Start main.py as a Pico does, its pin `grounded` joined to ground; `tell` which modules it has loaded then."""
    assert MICROPYTHON is not None
    (tmp_path / "machine.py").write_text(MACHINE.format(grounded=grounded), encoding="utf-8")
    environment = {**os.environ, "MICROPYPATH": f"{tmp_path}:{folder}:.frozen"}
    words = (
        ["-c", f"import main, sys; main.main(); import {', '.join(LATER)}; print(*sys.modules)"]
        if tell
        else ["main.py"]
    )
    pipe = subprocess.PIPE
    return subprocess.Popen([MICROPYTHON, *words], cwd=folder, env=environment, stdin=pipe, stdout=pipe, stderr=pipe)


needs_micropython = pytest.mark.skipif(MICROPYTHON is None, reason="MicroPython's unix port is not installed")


def test_what_is_gathered_is_the_program_and_nothing_else() -> None:
    assert {"hardware.firmware.wiring", "hardware.firmware.program", "hardware.link.framing"} < pico_bundle.modules()
    assert not [name for name in pico_bundle.modules() if "emulated" in name or "layout" in name]


def test_what_an_owner_edits_and_what_micropython_starts_stay_text(gathered: Path) -> None:
    files = tree(gathered)
    assert {"main.py", "hardware/firmware/wiring.py"} <= files
    assert (gathered / "main.py").read_text() == (pico_bundle.ROOT / "hardware/firmware/main.py").read_text()
    assert not {file for file in files if Path(file).suffix not in (".py", ".mpy")}


def test_no_module_is_there_twice(gathered: Path) -> None:
    names = [file.rpartition(".")[0] for file in tree(gathered)]
    assert len(names) == len({*names})


def test_gathering_again_leaves_nothing_of_before(tmp_path: Path) -> None:
    (tmp_path / "pico" / "hardware").mkdir(parents=True)
    (tmp_path / "pico" / "hardware" / "old.py").touch()
    pico_bundle.gather(tmp_path / "pico", compiled=False)
    assert "hardware/old.py" not in tree(tmp_path / "pico")


def test_it_leaves_a_pico_most_of_its_files_room(gathered: Path) -> None:
    assert sum(file.stat().st_size for file in gathered.rglob("*") if file.is_file()) < 200_000  # of 1.4 MB


@needs_micropython
def test_every_gathered_module_is_loaded_and_none_is_missing(gathered: Path, tmp_path: Path) -> None:
    with started(gathered, tmp_path, grounded=wiring.SERVICE, tell=True) as process:
        out, errors = process.communicate(timeout=WITHIN_S)
    assert (process.returncode, errors) == (0, b"")
    loaded = {name for name in out.decode().split() if name.startswith("hardware")}
    assert loaded | {pico_bundle.FIRST} == pico_bundle.modules()


@needs_micropython
def test_the_gathered_program_says_hello(gathered: Path, tmp_path: Path) -> None:
    with started(gathered, tmp_path, grounded=-1) as process:
        assert process.stdout is not None
        parser = FrameParser()
        bodies: list[bytes] = []
        while not bodies and (received := os.read(process.stdout.fileno(), 4096)):
            bodies += parser.feed(received)
        process.kill()
    address, hello = messages.from_body(bodies[0])
    assert isinstance(hello, messages.Hello)
    assert (address, hello.identity) == (0, "0001020304050607")


@needs_micropython
def test_with_its_service_pin_grounded_it_leaves_the_pico_to_a_computer(gathered: Path, tmp_path: Path) -> None:
    with started(gathered, tmp_path, grounded=wiring.SERVICE) as process:
        assert process.communicate(timeout=WITHIN_S) == (b"", b"")
    assert process.returncode == 0
