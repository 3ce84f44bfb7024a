"""`make site`: the documents as a site with search, made by Sphinx, into `build/site`.

The sources stay plain Markdown with links between files. The table under "Documentation" in README.md is the
navigation: a row for each section, a link for each page. Warnings, such as a broken link, fail the build. A reader
needs no network.
"""

import posixpath
import re
import sys
import tomllib
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from docutils import nodes
from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

ROOT = Path(__file__).parents[1]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
PAGES = ("*.md", "docs/*.md", "hardware/README.md", "hardware/link/LINK.md")
"""Patterns of the documents."""
SETTINGS = {
    "project": "dudo-table",
    "html_title": f"dudo-table {VERSION}",
    "html_theme": "furo",
    "html_copy_source": False,
    "html_show_copyright": False,
    "html_use_index": False,
    "html_show_search_summary": False,  # a browser can't fetch it from a local file
    "extensions": ["myst_parser"],
    "myst_heading_anchors": 4,
    "include_patterns": [*PAGES],
    "exclude_patterns": [".*", "build"],
    "root_doc": "README",
}
NOTATION = ("action", "hand", "rules", "position", "score")
"""Languages of code blocks that are not coloured."""
SCORER = """var Scorer = {
  score: ([, , , , score, , kind]) => (kind === "title" ? 2 * score + 15 : score),
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};
"""
"""Search ranks: a heading that is mostly the query precedes pages with its words in several headings."""
ENTRY = """<!doctype html>
<html lang="en"><title>dudo-table</title><meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=README.html"><a href="README.html">dudo-table</a></html>
"""
"""`index.html`, for a server and for whoever opens the folder."""


def sections(readme: str) -> dict[str, list[tuple[str, str]]]:
    """Return the navigation in a README's text: each section's pages, as link text and file."""
    table = readme.partition("\n## Documentation\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| \*\*(.+?)\*\* \| (.+) \|$", table, re.MULTILINE)
    return {title: re.findall(r"\[([^]]+)]\(([^)]+)\.md\)", links) for title, links in rows}


def _navigation(readme: str) -> str:
    trees = (
        "\n".join(("```{toctree}", f":caption: {title}", ":hidden:", *(_entry(*page) for page in pages), "```"))
        for title, pages in sections(readme).items()
    )
    return "\n\n".join(trees)


def _entry(text: str, page: str) -> str:
    return f"{text[:1].upper()}{text[1:]} <{page}>"


def write(folder: Path) -> bool:
    """Write the site; print warnings, and return whether there are none."""
    with TemporaryDirectory() as parsed:
        scorer = Path(parsed, "scorer.js")
        scorer.write_text(SCORER, encoding="utf-8")
        settings = SETTINGS | {"html_search_scorer": str(scorer)}
        app = Sphinx(ROOT, None, folder, parsed, "html", settings, status=None, warning=sys.stderr, warningiserror=True)
        for language in NOTATION:
            app.add_lexer(language, TextLexer)
        app.connect("source-read", _add_navigation)
        app.connect("doctree-resolved", _name_pages)
        app.connect("html-page-context", _serve_keyboard_and_reader, priority=900)  # after the theme
        app.build()
    (folder / "index.html").write_text(ENTRY, encoding="utf-8")
    return app.statuscode == 0


def _add_navigation(app: Sphinx, page: str, source: list[str]) -> None:
    """Add the navigation to the root, and to the search's index each page's names and short forms.

    A page's names are its file's and the navigation's; short forms stand in brackets behind a heading. Other words that
    readers type for a section are in a comment above it: `<!-- search: usb drive, backup -->`.
    """
    typed = re.compile(r"^<!-- search: (.+) -->\n", re.MULTILINE)
    source[0] = typed.sub(lambda comment: _index(*comment[1].split(", ")), source[0])
    short_forms = re.compile(r"^#+ .+ \((.+)\)$", re.MULTILINE)
    source[0] = short_forms.sub(lambda line: _index(*line[1].split(", ")) + line[0], source[0])
    if page == app.config.root_doc:
        source[0] = f"{source[0]}\n\n{_navigation(source[0])}\n"
    else:
        pages = sections((ROOT / "README.md").read_text(encoding="utf-8")).values()
        listed = {text for section in pages for text, file in section if file == page}
        source[0] = _index(PurePosixPath(page).name.lower(), *listed) + source[0]


def _index(*words: str) -> str:
    return "".join(f"```{{index}} !{word}\n```\n\n" for word in words)


def _name_pages(app: Sphinx, tree: nodes.document, page: str) -> None:
    """Write a page's title for a link with its file's name."""
    for link in tree.findall(nodes.reference):
        if link.astext().endswith(".md") and link.get("internal"):
            file = PurePosixPath(posixpath.normpath(f"{PurePosixPath(page).parent}/{link['refuri'].partition('#')[0]}"))
            link.clear()
            link += nodes.Text(app.env.titles[str(file.with_suffix(""))].astext())


def _serve_keyboard_and_reader(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: object) -> None:
    """Let keys scroll code and tables on a phone, and add the level that `role="heading"` needs."""
    context["body"] = re.sub(r'<(?=pre>|div class="table-wrapper)(\w+)', r'<\1 tabindex="0"', context.get("body", ""))
    context["furo_navigation_tree"] = context["furo_navigation_tree"].replace(
        'role="heading"', 'role="heading" aria-level="2"'
    )


if __name__ == "__main__":
    if not write(Path(sys.argv[1])):
        sys.exit(1)
    print(f"{sys.argv[1]}/index.html: open it in a browser")
