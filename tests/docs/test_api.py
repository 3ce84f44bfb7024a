"""The pages of the engine's API: one for each module, and every public name with its docstring on the first."""

import warnings
from pathlib import Path

import pytest
from support import ROOT

import engine
from docs import api

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("api")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ResourceWarning)  # from what an earlier test left to the garbage collector
        api.write(folder)
    return folder


def test_each_module_has_a_page(pages: Path) -> None:
    files = [file.relative_to(ROOT) for file in (ROOT / "engine").rglob("*.py") if file.name != "__main__.py"]
    names = {file.parent if file.name == "__init__.py" else file.with_suffix("") for file in files}
    assert {str(page.relative_to(pages)) for page in pages.rglob("engine*/**/*.html")} | {"engine.html"} == {
        f"{name}.html" for name in names
    }


def test_the_first_page_has_every_public_name_with_its_docstring(pages: Path) -> None:
    page = (pages / "engine.html").read_text(encoding="utf-8")
    assert [name for name in engine.__all__ if f'<section id="{name}">' not in page] == []
    words = (engine.View.__doc__ or "").split()[:3]
    assert words
    assert " ".join(words) in page
