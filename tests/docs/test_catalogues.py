"""The counts that `make words` prints: a guess of the tool is no translation."""

from pathlib import Path

from docs.catalogues import counts

CATALOGUE = """\
msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\\n"

msgid "Shake"
msgstr "Agita"

#, fuzzy
msgid "Shake again"
msgstr "Agita"

msgid "Wait"
msgstr ""
"""


def test_a_fuzzy_text_is_counted_as_fuzzy_and_not_as_translated(tmp_path: Path) -> None:
    folder = tmp_path / "es" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "dudo-table.po").write_text(CATALOGUE)
    assert [*counts(tmp_path)] == ["es: 1 of 3 texts translated, 1 missing, 1 fuzzy"]
