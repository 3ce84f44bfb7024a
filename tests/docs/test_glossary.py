"""The glossary's names are in the code, and the names that they replaced are not."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from support import ROOT

TERMS = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
PACKAGES = ("engine", "hardware", "drivers", "firmware_host")
FOLDERS = (*PACKAGES, "bench", "docs", "tests")
NAME = re.compile(r"`([A-Za-z_][A-Za-z0-9_.]*)`")
DEFINITION = re.compile(
    r"^ *(?:class |(?:async )?def |self\.|for )?([A-Za-z_]\w*)(?:: [^=\n]+| in .*)?(?: = |\(|:|$)", re.MULTILINE
)


class Row(NamedTuple):
    """A term of the glossary, its names in the code, and the words that it replaced."""

    term: str
    names: tuple[str, ...]
    retired: tuple[str, ...]


def rows() -> Iterator[Row]:
    for line in TERMS.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("| ") and cells[0] != "term":
            words = (word.strip() for word in cells[-1].split(","))
            yield Row(
                cells[0], tuple(NAME.findall(cells[1])), tuple(word for word in words if word and "*" not in word)
            )


def sources() -> list[Path]:
    return [file for folder in FOLDERS for file in sorted((ROOT / folder).rglob("*.py"))]


@cache
def defined() -> frozenset[str]:
    """Return what the code defines: folders, modules, classes, functions, constants, fields and variables."""
    names = {*FOLDERS}
    for file in sources():
        names |= {file.stem, file.parent.name, *DEFINITION.findall(file.read_text(encoding="utf-8"))}
    return frozenset(names)


def spellings(words: str) -> set[str]:
    """Return how a class, a function or module, and a constant of these words would be spelt."""
    parts = words.replace("-", " ").replace("’s", "").split()
    joined = "_".join(parts)
    return {"".join(part[:1].upper() + part[1:] for part in parts), joined.lower(), joined.upper()}


def test_every_name_in_the_glossary_is_in_the_code() -> None:
    missing = [f"{name} ({row.term})" for row in rows() for name in row.names if not {*name.split(".")} <= {*defined()}]
    assert not missing, "docs/glossary.md names what is not there"


def test_no_retired_name_is_in_the_code() -> None:
    used = [f"{name} ({row.term})" for row in rows() for old in row.retired for name in spellings(old) & {*defined()}]
    assert not used, "docs/glossary.md has the term to use instead; it marks words with other meanings by *…*"


def test_no_class_name_stands_for_more_than_two_things() -> None:
    texts = (file.read_text(encoding="utf-8") for package in PACKAGES for file in (ROOT / package).rglob("*.py"))
    classes = Counter(chain.from_iterable(re.findall(r"^class (\w+)", text, re.MULTILINE) for text in texts))
    assert not [name for name, count in classes.items() if count > 2]
