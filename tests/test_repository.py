"""What an owner of the repository fills in once, and the files that a forge or an editor reads."""

import re
import shlex
import tomllib

import pytest
from support import ROOT

from firmware_host import cli

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
URLS = PROJECT["project"]["urls"]
TEMPLATES = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.md"))
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("hardware/*.md")]
CLONED = re.compile(r"git clone (?:-\S+ )*(\S+?)[`\s]")


def text(page: object) -> str:
    return (ROOT / str(page)).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", ["README.md", "hardware/README.md"])
def test_a_page_for_newcomers_says_how_to_clone_it(page: str) -> None:
    assert CLONED.findall(text(page))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_clones_from_the_address_in_pyproject(page: object) -> None:
    others = {address for address in CLONED.findall(text(page)) if address != URLS["Source"]}
    assert not others, f"{page}: write {URLS['Source']}, or another address under [project.urls] in pyproject.toml"


def test_a_weakness_goes_to_the_address_in_pyproject() -> None:
    (author,) = PROJECT["project"]["authors"]
    assert re.findall(r"\*\*(\S+@\S+)\*\*", text("SECURITY.md")) == [author["email"]]
    assert f"{author['name']} <{author['email']}>" in text("debian/control")


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)
def test_an_issue_template_has_a_head_and_asks_for_commands_that_exist(template: object) -> None:
    head, _, body = text(template).removeprefix("---\n").partition("\n---\n")
    assert {line.partition(":")[0] for line in head.splitlines()} == {"name", "about", "labels"}
    for command in re.findall(r"`dudo-table ([^`]+)`", body):
        if command != "--version":
            cli.new_parser().parse_args(shlex.split(command))
    for page in re.findall(r"\b(?:docs/)?[\w-]+\.md\b", body):
        assert (ROOT / page).exists(), page


def test_the_readme_names_packages_of_debian_with_which_ci_clones_and_plays() -> None:
    (named,) = re.findall(r"`sudo apt install (git [^`]+)`", text("README.md"))
    (listed,) = re.findall(r"^clone: ([^#\n]+)", text(".ci/packages"), re.MULTILINE)
    assert set(named.split()) <= set(listed.split())


def test_a_workflow_calls_targets_that_exist_on_the_oldest_python_and_newer_ones() -> None:
    workflow = text(".github/workflows/tests.yml")
    targets = re.findall(r"- run: (?:make|\.ci/twice) ([\w-]+)", workflow)
    assert targets
    assert set(targets) <= set(re.findall(r"^([\w-]+):", text("Makefile"), re.MULTILINE))
    (pythons,) = re.findall(r"python: (\[.*\])", workflow)
    assert PROJECT["project"]["requires-python"] == f">={tomllib.loads(f'a = {pythons}')['a'][0]}"


def test_editors_break_lines_where_ruff_does() -> None:
    (length,) = re.findall(r"max_line_length = (\d+)", text(".editorconfig"))
    assert int(length) == PROJECT["tool"]["ruff"]["line-length"]
