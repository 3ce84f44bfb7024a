"""Prints for each language how many texts are translated, missing and fuzzy. `make words` runs it."""

from collections.abc import Iterator
from pathlib import Path

from babel.messages.pofile import read_po

from firmware_host.i18n.catalogues import CATALOGUES, DOMAIN


def counts(folder: Path = CATALOGUES) -> Iterator[str]:
    """Yield a line for each language. A fuzzy text is an uncompiled guess, so it counts as untranslated."""
    for path in sorted(folder.glob(f"*/LC_MESSAGES/{DOMAIN}.po")):
        with path.open("rb") as file:
            texts = [message for message in read_po(file) if message.id]
        fuzzy = sum(message.fuzzy for message in texts)
        missing = sum(not message.fuzzy and not all(_forms(message.string)) for message in texts)
        translated = len(texts) - fuzzy - missing
        yield f"{path.parts[-3]}: {translated} of {len(texts)} texts translated, {missing} missing, {fuzzy} fuzzy"


def _forms(text: str | tuple[str, ...]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else text


if __name__ == "__main__":
    for line in counts():
        print(line)
