"""The pictures of the README and the documents are current, and `make pictures` makes each of them."""

import re
import shutil
from pathlib import Path

import pytest
from PIL import Image

from docs import pictures
from docs.pictures import FOLDER, PICTURES
from docs.screenshots import FILES, table_sources

ROOT = FOLDER.parents[1]
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("hardware/*.md")]
LINK = re.compile(r"]\(([^)#\s]+\.(?:png|svg|jpg|gif))\)")


LARGE = {"screens.png", "staff.png", "faults.png"}


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in LARGE)) for name in PICTURES])
def test_a_picture_is_current(name: str) -> None:
    stale = PICTURES[name].stale_parts(FOLDER / name)
    assert not stale, f"{name} is stale ({', '.join(stale)} changed): run `make pictures`, look at it and commit it"


def test_each_picture_is_made_and_no_other_is_kept() -> None:
    assert {file.name for file in FOLDER.iterdir()} == {*PICTURES}


def test_each_picture_is_in_a_document_and_each_document_shows_pictures_that_are_made() -> None:
    shown = {
        (page.parent / link).resolve() for page in PAGES for link in LINK.findall(page.read_text(encoding="utf-8"))
    }
    assert shown == {FOLDER / name for name in PICTURES}


@pytest.mark.slow
def test_current_pictures_are_not_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(shutil.copytree(FOLDER, tmp_path / "pictures"))
    before = {file: file.stat().st_mtime_ns for file in folder.iterdir()}
    monkeypatch.setattr(pictures, "FOLDER", folder)
    monkeypatch.delenv("PATH")  # no Chromium is needed either
    pictures.main()
    assert {file: file.stat().st_mtime_ns for file in folder.iterdir()} == before
    assert capsys.readouterr().out == ""


def test_a_stale_drawing_is_written_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(shutil.copytree(FOLDER, tmp_path / "pictures"))
    stale, missing = folder / "wiring-wired-4.svg", folder / "wiring-boards-8.svg"
    stale.write_text("<svg/>", encoding="utf-8")
    missing.unlink()
    monkeypatch.setattr(pictures, "FOLDER", folder)
    pictures.main()
    assert all(file.read_bytes() == (FOLDER / file.name).read_bytes() for file in (stale, missing))
    assert [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()] == [str(stale), str(missing)]


def test_a_drawing_with_another_letter_is_stale(tmp_path: Path) -> None:
    file = tmp_path / "wiring-wired-4.svg"
    file.write_text((FOLDER / file.name).read_text(encoding="utf-8").replace("GPIO4", "GPIO5", 1), encoding="utf-8")
    assert PICTURES[file.name].stale_parts(file)


def test_a_poster_with_another_pixel_is_stale(tmp_path: Path) -> None:
    file = tmp_path / "screens.png"
    with Image.open(FOLDER / file.name) as poster:
        changed = poster.convert("RGB")
    changed.putpixel((100, 100), (1, 2, 3))
    changed.save(file)
    assert PICTURES[file.name].stale_parts(file)


def test_a_moving_picture_with_another_duration_is_stale(tmp_path: Path) -> None:
    file = tmp_path / "round.gif"
    with Image.open(FOLDER / file.name) as film:
        film.save(file, save_all=True, duration=100)
    assert PICTURES[file.name].stale_parts(file)


def test_a_moving_picture_is_small_enough_for_the_first_page() -> None:
    assert (FOLDER / "round.gif").stat().st_size < 150_000


def test_a_picture_can_be_made_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "FOLDER", tmp_path)
    pictures.main(["round.gif"])
    assert [file.name for file in tmp_path.iterdir()] == ["round.gif"]
    assert not PICTURES["round.gif"].stale_parts(tmp_path / "round.gif")


def test_a_screenshot_without_its_sources_is_stale(tmp_path: Path) -> None:
    file = tmp_path / "table.png"
    with Image.open(FOLDER / file.name) as table:
        table.convert("RGB").save(file)
    assert PICTURES[file.name].stale_parts(file) == [*table_sources()]


@pytest.mark.parametrize(
    ("name", "line", "is_another"),
    [
        ("page.css", "body { color: red; }", True),
        ("page.css", "/* A comment. */", False),
        ("words.js", 'export const MORE = "more";', True),
        ("words.js", "// A comment.", False),
    ],
)
def test_a_page_that_looks_different_makes_its_screenshot_stale(
    name: str, line: str, is_another: bool, tmp_path: Path
) -> None:
    page = tmp_path / "page"
    shutil.copytree(FILES, page)
    with (page / name).open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    assert (table_sources(page) != table_sources()) == is_another


@pytest.mark.parametrize(
    ("code", "is_another"),
    [
        ('"""Told."""\nWORDS = "a cup"', False),
        ('"""Other prose."""\nSENTENCES = "a cup"  # renamed', False),
        ('"""Told."""\nWORDS = "two cups"', True),
    ],
)
def test_only_the_sentences_of_the_story_count_not_its_code(code: str, is_another: bool, tmp_path: Path) -> None:
    def sentences(text: str) -> object:
        file = tmp_path / "told.py"
        file.write_text(text, encoding="utf-8")
        return table_sources(sentences=file)["the sentences of the story"]

    assert (sentences(code) != sentences('"""Told."""\nWORDS = "a cup"')) == is_another
