"""A copy of the program in a folder of its own, for tests that add to it as CONTRIBUTING.md says."""

import os
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from support import ROOT

_PACKAGES = ("engine", "hardware", "drivers", "firmware_host")


class ScratchCopy:
    """The program in `folder`: the named packages and files are copies to be changed, the other packages are links."""

    def __init__(self, folder: Path, packages: Iterable[str], files: Iterable[str] = ()) -> None:
        self.folder = folder
        for name in _PACKAGES:
            if name in packages:
                shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                (folder / name).symlink_to(ROOT / name)
        for file in ("constraints.txt", "pyproject.toml", *files):
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / file).is_dir():
                shutil.copytree(ROOT / file, folder / file, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / file, folder / file)

    def put(self, file: str, place: str, text: str) -> None:
        """Write a text in place of another that is there once."""
        old = (self.folder / file).read_text(encoding="utf-8")
        assert old.count(place) == 1, f"{file}: {place}"
        (self.folder / file).write_text(old.replace(place, text), encoding="utf-8")

    def before(self, file: str, place: str, text: str) -> None:
        """Write a text before another that is there once."""
        self.put(file, place, text + place)

    def translate(self, texts: Collection[str], translations: Mapping[str, Iterable[str]]) -> None:
        """Write the texts' translations of each language, in the order of the texts, and compile them."""
        locale = Path("firmware_host/i18n/locale")
        for language, translated in translations.items():
            catalogue = self.folder / locale / language / "LC_MESSAGES/dudo-table.po"
            with catalogue.open("a", encoding="utf-8") as file:
                file.writelines(
                    f'\nmsgid "{old}"\nmsgstr "{new}"\n' for old, new in zip(texts, translated, strict=True)
                )
        self.run("-m", "babel.messages.frontend", "-q", "compile", "-d", str(locale), "-D", "dudo-table")

    def run(self, *arguments: str, status: int = 0) -> str:
        """Run Python in the copy; return its output."""
        paths = os.pathsep.join((str(self.folder), str(self.folder / "tests")))
        environment = {**os.environ, "PYTHONPATH": paths, "PYTHONSAFEPATH": "", "COLUMNS": "200"}
        done = subprocess.run(
            [sys.executable, *arguments], cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    def table(self, *arguments: str, status: int = 0) -> str:
        """Run `dudo-table` in the copy."""
        return self.run("-m", "firmware_host.cli", *arguments, status=status)

    def tests(self, *tests: str, status: int = 0) -> str:
        """Run tests of the copy."""
        return self.run("-m", "pytest", "-vvv", "-p", "no:xdist", "-p", "no:cacheprovider", *tests, status=status)
