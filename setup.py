"""Compiles the translations whenever the packages are built, editable ones too; pyproject.toml cannot do that."""

from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithWords(build_py):
    """Leaves a .mo beside every .po before the packages' files are gathered."""

    def run(self) -> None:
        """Compile, then build."""
        for written in Path(__file__).parent.glob("firmware_host/i18n/locale/*/LC_MESSAGES/*.po"):
            with written.open("rb") as po, written.with_suffix(".mo").open("wb") as mo:
                write_mo(mo, read_po(po, abort_invalid=True))
        super().run()


setup(cmdclass={"build_py": BuildWithWords})
