"""What `make pico` gathers: all that the cup's program needs, nothing else, and it runs under MicroPython."""

import ast
import hashlib
import os
import subprocess
from pathlib import Path

import pytest

from hardware.boards import pico_bundle
from hardware.emulated.cup_process import micropython
from hardware.firmware import loader, wiring
from hardware.link import messages
from hardware.link.framing import FrameParser

MICROPYTHON = micropython()
WITHIN_S = 20

LOADED = """
import main, sys, vfs
vfs.mount(main.Image("a.img"), main.MOUNTED)
sys.path.insert(0, main.MOUNTED)
import hardware.firmware.main, hardware.firmware.lis3dh
print(*sys.modules)
"""
"""Loads the program with the module that it loads only where it is fitted."""

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


def modules_in(image: Path) -> dict[str, bytes]:
    """Return an image's modules by their paths."""
    with image.open("rb") as file:
        file.read(loader.HEAD_BYTES)
        sizes = {}
        while length := file.read(1)[0]:
            name = file.read(length).decode()
            sizes[name] = int.from_bytes(file.read(4), "little")
        return {name: file.read(size) for name, size in sizes.items()}


def parsed_imports(module: str) -> set[str]:
    """Return a module's packages and the project modules that it imports, except for types, by Python's own parser."""
    waiting: list[ast.AST] = [ast.parse(pico_bundle._file(module).read_text(encoding="utf-8"))]
    names = {module.rpartition(".")[0]} - {""}
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {name for name in names if name.startswith("hardware") and pico_bundle._file(name).exists()}


@pytest.fixture(scope="module", params=[True, False], ids=["compiled", "as text"])
def gathered(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder as `make pico` leaves it."""
    folder = tmp_path_factory.mktemp("build") / "pico"
    pico_bundle.gather(folder, compiled=request.param)
    return folder


def started(folder: Path, tmp_path: Path, grounded: int, *arguments: str) -> "subprocess.Popen[bytes]":
    """Start main.py as a Pico does, its pin `grounded` joined to ground; or MicroPython with other arguments."""
    assert MICROPYTHON is not None
    (tmp_path / "machine.py").write_text(MACHINE.format(grounded=grounded), encoding="utf-8")
    environment = {**os.environ, "MICROPYPATH": f"{tmp_path}:{folder}:.frozen"}
    words, pipe = arguments or ("main.py",), subprocess.PIPE
    return subprocess.Popen([MICROPYTHON, *words], cwd=folder, env=environment, stdin=pipe, stdout=pipe, stderr=pipe)


needs_micropython = pytest.mark.skipif(MICROPYTHON is None, reason="MicroPython's unix port is not installed")


def test_what_is_gathered_is_the_program_and_nothing_else() -> None:
    assert {"hardware.firmware.update", "hardware.firmware.program", "hardware.link.framing"} < pico_bundle.modules()
    assert not [name for name in pico_bundle.modules() if "emulated" in name or "layout" in name]


def test_the_modules_found_in_the_text_are_the_imported_ones() -> None:
    found = {pico_bundle.FIRST}
    while new := {name for module in found for name in parsed_imports(module)} - found:
        found |= new
    assert pico_bundle.modules() == found


def test_the_program_holds_neither_the_loader_nor_the_owners_file() -> None:
    assert not {"hardware.firmware.loader", "hardware.firmware.wiring"} & pico_bundle.modules()


def test_an_owner_copies_four_files_of_which_two_are_text(gathered: Path) -> None:
    assert tree(gathered) == {"main.py", "a.img", "slot", "hardware/firmware/wiring.py"}
    own = pico_bundle.ROOT / "hardware/firmware/wiring.py"
    assert (gathered / "hardware/firmware/wiring.py").read_text() == own.read_text()


def test_the_image_begins_with_its_hash_and_has_every_module_once(gathered: Path) -> None:
    image = (gathered / "a.img").read_bytes()
    assert hashlib.sha256(image[loader.HASH_BYTES :]).digest() == image[: loader.HASH_BYTES]
    names = [name.rpartition(".")[0].replace("/", ".") for name in modules_in(gathered / "a.img")]
    assert sorted(name.removesuffix(".__init__") for name in names) == sorted(pico_bundle.modules())


def test_a_program_compiled_or_as_text_has_the_same_release(gathered: Path) -> None:
    assert (gathered / "a.img").read_bytes()[loader.HASH_BYTES : loader.HEAD_BYTES] == pico_bundle.release()


def test_a_packages_program_is_taken_if_it_is_of_this_release(
    gathered: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(pico_bundle, "SHIPPED", tmp_path / "program.img")
    monkeypatch.setattr(pico_bundle, "image", lambda *, compiled: b"a new one")
    assert pico_bundle.best_image() == b"a new one"
    shipped = (gathered / "a.img").read_bytes()
    pico_bundle.SHIPPED.write_bytes(shipped)
    assert pico_bundle.best_image() == shipped
    pico_bundle.SHIPPED.write_bytes(shipped.replace(pico_bundle.release(), b"release1"))
    assert pico_bundle.best_image() == b"a new one"


@pytest.mark.parametrize("name", ["hardware.firmware.program", "hardware.link.messages"])
def test_a_changed_source_file_is_another_release(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file, changed = pico_bundle._file, tmp_path / "changed.py"
    changed.write_text(file(name).read_text() + "\n# a remark\n")
    monkeypatch.setattr(pico_bundle, "_file", lambda each: changed if each == name else file(each))
    assert pico_bundle.release.__wrapped__() != pico_bundle.release()


def test_a_pins_file_of_ones_own_is_no_other_release(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file, changed = pico_bundle._file, tmp_path / "wiring.py"
    changed.write_text(file(pico_bundle.WIRING).read_text() + "\nKEY = 16\n")
    monkeypatch.setattr(pico_bundle, "_file", lambda each: changed if each == pico_bundle.WIRING else file(each))
    assert pico_bundle.release.__wrapped__() == pico_bundle.release()


def test_gathering_again_leaves_nothing_of_before(tmp_path: Path) -> None:
    (tmp_path / "pico" / "hardware").mkdir(parents=True)
    (tmp_path / "pico" / "hardware" / "old.py").touch()
    pico_bundle.gather(tmp_path / "pico", compiled=False)
    assert "hardware/old.py" not in tree(tmp_path / "pico")


def test_two_programs_leave_a_pico_most_of_its_files_room(gathered: Path) -> None:
    assert 2 * (gathered / "a.img").stat().st_size < 200_000  # of 1.4 MB, a Pico W's 848 KB


@needs_micropython
def test_every_gathered_module_is_loaded_and_none_is_missing(gathered: Path, tmp_path: Path) -> None:
    with started(gathered, tmp_path, wiring.SERVICE, "-c", LOADED) as process:
        out, errors = process.communicate(timeout=WITHIN_S)
    assert (process.returncode, errors) == (0, b"")
    assert {name for name in out.decode().split() if name.startswith("hardware")} == pico_bundle.modules()


@needs_micropython
def test_the_gathered_program_says_hello_and_its_release(gathered: Path, tmp_path: Path) -> None:
    with started(gathered, tmp_path, -1) as process:
        assert process.stdout is not None
        parser = FrameParser()
        bodies: list[bytes] = []
        while len(bodies) < 2 and (received := os.read(process.stdout.fileno(), 4096)):
            bodies += parser.feed(received)
        process.kill()
    address, hello = messages.from_body(bodies[0])
    assert isinstance(hello, messages.Hello)
    assert (address, hello.identity) == (0, "0001020304050607")
    assert messages.from_body(bodies[1]) == (0, messages.Running(pico_bundle.release(), loader.LOADER))


@needs_micropython
def test_with_its_service_pin_grounded_it_leaves_the_pico_to_a_computer(gathered: Path, tmp_path: Path) -> None:
    with started(gathered, tmp_path, wiring.SERVICE) as process:
        assert process.communicate(timeout=WITHIN_S) == (b"", b"")
    assert process.returncode == 0
