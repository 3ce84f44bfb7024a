"""Page screenshots in Chromium. A module in `tests/support/host` stages each of them."""

import ast
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PIL import Image, PngImagePlugin

from docs import goldens
from docs.gallery import gallery
from docs.gallery.stage import Exhibit
from firmware_host import venue
from firmware_host.clients import owner, phones, tv
from firmware_host.clients.web.files import SHARED, page_files
from firmware_host.i18n.catalogues import translation_for
from firmware_host.i18n.owner_texts import OWNER_TEXTS
from firmware_host.i18n.page_texts import CHECK_TEXTS, TEXTS, page_texts
from firmware_host.i18n.phone_texts import PHONE_TEXTS
from firmware_host.i18n.phrases import FACE_NAMES
from firmware_host.i18n.venue_texts import VENUE_TEXTS
from firmware_host.i18n.workbench_texts import WORKBENCH_TEXTS
from firmware_host.play.workbench.web_app import FILES
from firmware_host.public import narration
from hardware.config.layout import load_builtin

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ROOT = Path(__file__).parents[1]
CHUNK = "Sources"
MAX_WIDTH = 1440  # pixels
PAGE_TEXTS = {**TEXTS, **CHECK_TEXTS}
TABLE_SEATS, TABLE_SEED, TABLE_SIZE = 6, 7, (1280, 800)
TABLE_SCREEN = "peek/in turn"
"""The golden picture, at eight seats, of the screen on the player's display."""
SCREEN_BESIDE_TV, TV_SEATS = "reveal/dudo, right, own", 4


def chromium() -> str | None:
    """Return a Chromium's path, None without one."""
    return next(filter(None, map(shutil.which, CHROMIUMS)), None)


class Screenshot:
    """A picture staged by a module under a name.

    Fonts and timing differ by machine, so the file is compared by its sources: a PNG text chunk holds their digests.
    """

    def __init__(self, module: str, name: str, sources: Callable[[], Mapping[str, object]]) -> None:
        self._module, self._name, self._sources = module, name, sources

    def digests(self) -> dict[str, str]:
        """Return each source's digest."""
        sources = self._sources().items()
        return {name: hashlib.sha256(json.dumps(part).encode()).hexdigest()[:16] for name, part in sources}

    def stale_parts(self, file: Path) -> list[str]:
        """Compare the sources with those recorded in the file."""
        with Image.open(file) as kept:
            recorded = json.loads(kept.info.get(CHUNK, "{}"))
        return [name for name, digest in self.digests().items() if recorded.get(name) != digest]

    def write(self, file: Path) -> None:
        """Take the screenshot and write it with its sources."""
        if chromium() is None:
            raise SystemExit(
                f"make: {file.name} is stale and needs Chromium on the PATH; on Debian: apt install chromium"
            )
        text = PngImagePlugin.PngInfo()
        text.add_text(CHUNK, json.dumps(self.digests()))
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", f"support.pictures.{self._module}", folder, self._name]
            found = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"}
            subprocess.run(command, check=True, env=found, cwd=ROOT)
            with Image.open(Path(folder) / f"{self._name}.png") as taken:
                shown = taken.convert("RGB")
        shown.thumbnail((MAX_WIDTH, shown.height), Image.Resampling.LANCZOS)
        shown.save(file, optimize=True, pnginfo=text)


def table_sources(page: Path = FILES, sentences: Path = Path(narration.__file__)) -> Mapping[str, object]:
    """Return the table page's sources."""
    seats = load_builtin("emulated").seats[:TABLE_SEATS]
    files = {file.relative_to(folder): file for folder in (SHARED, page) for file in page_files(folder)}
    return {
        "the files of the page": [(str(name), _uncommented(file)) for name, file in sorted(files.items())],
        "the sentences of the story": [_strings(sentences), *FACE_NAMES.values()],
        "the texts of the page": page_texts(translation_for("en"), {**PAGE_TEXTS, **WORKBENCH_TEXTS}),
        "the screen on the display": goldens.kept("en", 8)[TABLE_SCREEN].tobytes().hex(),
        "the seats": [(seat.name, seat.color) for seat in seats],
        "the size and the match": [TABLE_SIZE, TABLE_SEATS, TABLE_SEED],
    }


def page_sources(name: str, what: str, page: Path, texts: Mapping[str, object]) -> Mapping[str, object]:
    """Return another page's sources: its files and its English words."""
    files = {file.name: _uncommented(file) for file in page_files(page)}
    return {what: [name, sorted(files.items()), sorted(texts.items())]}


def of_a_venue(name: str) -> Screenshot:
    """Return a screenshot from a venue's page."""
    page = Path(venue.__file__).parent / "page"
    return Screenshot("venue_pictures", name, partial(page_sources, name, "the page of a venue", page, VENUE_TEXTS))


def of_figures(name: str) -> Screenshot:
    """Return a screenshot from the statistics page."""
    texts = {key: text for key, text in PAGE_TEXTS.items() if key.startswith("figures")}
    page = Path(tv.__file__).parent / "page" / "figures"
    return Screenshot("figures_pictures", name, partial(page_sources, name, "the page of figures", page, texts))


def of_a_moment(name: str, page: Path, texts: Mapping[str, object]) -> Screenshot:
    """Return a screenshot from a page at the moment of a document."""
    return Screenshot("document_pictures", name, partial(moment_sources, name, page, texts))


def moment_sources(name: str, page: Path, texts: Mapping[str, object]) -> Mapping[str, object]:
    """Return the sources of a moment's picture: its page's files, without its folders, and words; a seat's screen."""
    files = {file.name: _uncommented(file) for folder in (SHARED, page) for file in folder.iterdir() if file.is_file()}
    sources = {"the page": [name, sorted(files.items()), sorted(texts.items())]}
    return sources | ({"the screen": screen_beside_tv().picture().tobytes().hex()} if name == "reveal" else {})


def screen_beside_tv() -> Exhibit:
    """Return the state at the seat beside the TV: the caller's, who was right."""
    return next(exhibit for exhibit in gallery(TV_SEATS) if exhibit.name == SCREEN_BESIDE_TV)


def _texts(is_shown: Callable[[str], bool]) -> Mapping[str, object]:
    return {key: text for key, text in PAGE_TEXTS.items() if is_shown(key)}


def _uncommented(file: Path) -> str:
    """Return a file's text without blank lines and comment lines, invisible in the picture."""
    lines = file.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    return "\n".join(line for line in lines if line.strip() and not re.match(r"\s*(//|/\*.*\*/\s*$|\*)", line))


def _strings(module: Path) -> list[str]:
    """Return a module's strings except docstrings, in order."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in statements)
    return [node.value for node in constants if isinstance(node.value, str)]


_TV = Path(tv.__file__).parent / "page"
_TV_TEXTS = _texts(lambda key: not key.startswith(("figures", "check")))
SCREENSHOTS = {
    "reveal.png": of_a_moment("reveal", _TV, _TV_TEXTS),
    "table.png": Screenshot("table_picture", "table", table_sources),
    "bidding.png": of_a_moment("bidding", _TV, _TV_TEXTS),
    "party.png": of_a_moment("party", Path(phones.__file__).parent / "page", PHONE_TEXTS),
    "check.png": of_a_moment("check", _TV / "check", _texts(lambda key: key.startswith("check"))),
    "closing.png": of_a_moment("closing", _TV, _TV_TEXTS),
    "owner.png": of_a_moment("owner", Path(owner.__file__).parent / "page", OWNER_TEXTS),
    "figures.png": of_figures("tv-tonight-en"),
    "venue.png": of_a_venue("tables-tv-en"),
    "venue-tournament.png": of_a_venue("tournament-tv-en"),
    "venue-phone.png": of_a_venue("tournament-phone-en"),
}
"""Every screenshot by file name."""
