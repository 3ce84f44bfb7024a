"""Rooms that may import nothing but a few things; import-linter's contracts can only forbid what they name."""

import ast
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from graphlib import TopologicalSorter
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import grimp
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent


def imported_by(file: Path) -> Iterator[str]:
    """Every module that a file's statements name, wherever they stand in it."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} imports relatively"
            yield node.module or ""


def files_in(*rooms: str) -> list[Path]:
    return [file.relative_to(ROOT) for room in rooms for file in sorted((ROOT / room).rglob("*.py"))]


WITH_NUMPY = [Path(f"engine/arena/{name}.py") for name in ("end_games", "exploit", "learn_worths", "plain", "solver")]


@pytest.mark.parametrize("file", files_in("engine"), ids=str)
def test_the_engine_needs_only_the_standard_library(file: Path) -> None:
    roots = {name.partition(".")[0] for name in imported_by(ROOT / file)}
    numpy = {"numpy"} if file in WITH_NUMPY else set()
    assert roots <= {*sys.stdlib_module_names, "engine", *numpy}


@pytest.mark.parametrize("file", files_in("hardware/link"), ids=str)
def test_the_link_needs_only_what_micropython_and_cpython_share(file: Path) -> None:
    foreign = {name for name in imported_by(ROOT / file) if not name.startswith("hardware.link")}
    assert foreign <= {"binascii", "struct"}


PURE = {"base64", "collections", "dataclasses", "enum", "hashlib", "itertools", "json", "re", "typing"}


@pytest.mark.parametrize("file", files_in("firmware_host/fairness"), ids=str)
def test_fairness_needs_only_hashes_and_the_rules(file: Path) -> None:
    own = ("engine", "firmware_host.fairness")
    foreign = {name for name in imported_by(ROOT / file) if not name.startswith(own)}
    assert {name.partition(".")[0] for name in foreign} <= PURE


def test_the_types_of_public_lines_import_nothing_from_the_project() -> None:
    roots = {name.partition(".")[0] for name in imported_by(ROOT / "firmware_host/wire.py")}
    assert roots <= {*sys.stdlib_module_names, "msgspec"}


def test_no_modules_import_each_other_in_a_circle_not_even_for_types() -> None:
    imports = grimp.build_graph("engine", "hardware", "drivers", "firmware_host", cache_dir=None)
    graph = {module: imports.find_modules_directly_imported_by(module) for module in imports.modules}
    TopologicalSorter(graph).prepare()  # raises CycleError with the circle


def needed_by(library: str, extras: Iterable[str] = ()) -> Iterator[str]:
    """Yield a library's name and those of all that it needs, as far as they are installed here."""
    yield canonicalize_name(library)
    with suppress(PackageNotFoundError):
        for needed in map(Requirement, requires(library) or ()):
            if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
                yield from needed_by(needed.name, needed.extras)


def test_make_bench_installs_each_library_of_the_benchmarks() -> None:
    roots = {name.partition(".")[0] for file in files_in("bench") for name in imported_by(ROOT / file)}
    libraries = packages_distributions()
    own = {"firmware_host", *(path.name for path in ROOT.iterdir())}
    named = {canonicalize_name(libraries[root][0]) for root in roots - own if root in libraries}
    assert named <= {*needed_by("dudo-table", ["bench"])}
