"""`make pictures`: every picture of the README and the documents, in `docs/pictures`.

The wiring drawings come from the shipped layouts and from a Pico's wiring, the templates from the dimensions of parts.
`screens.png` is the poster of `docs.poster`, `round.gif` the moving picture of `docs.film`, `table.png` a screenshot of
the real page in Chromium, and so are the `venue` pictures of a venue's page and `figures.png`. Only stale pictures are
written.
`make screens` writes the poster and the moving picture alone, which need no Chromium.
"""

import ast
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Protocol

from PIL import Image, ImageSequence, PngImagePlugin

from bench.tools.browser import chromium, table_with_page
from docs import goldens
from docs.film import frames
from docs.poster import NAME_LINES, NAME_ROWS, STAFF_LINES, STAFF_ROWS, poster
from docs.templates import box_sheet, cup_base_sheet, face_sheet
from firmware_host import venue
from firmware_host.clients import tv
from firmware_host.clients.web.files import SHARED, page_files
from firmware_host.i18n.page_texts import TEXTS as PAGE_TEXTS
from firmware_host.i18n.phrases import FACE_NAMES
from firmware_host.i18n.venue_texts import VENUE_TEXTS
from firmware_host.play.workbench.web_app import FILES
from firmware_host.public import narration
from hardware.chips import CHIPS
from hardware.config.layout import load_builtin
from hardware.drawing.wiring import render_svg, seat_board_diagram, table_diagram
from hardware.firmware import wiring

FOLDER = Path(__file__).parent / "pictures"
TABLES = ("wired-4", "wired-8", "boards-8")
"""The shipped layouts that are drawn."""


class Picture(Protocol):
    """A picture that can be compared with its file, and written."""

    def stale_parts(self, file: Path) -> list[str]:
        """Name the parts of a file that are not as they would be made now; an empty list for a current file."""

    def write(self, file: Path) -> None:
        """Make the picture and write it."""


class Drawing:
    """A wiring drawing or a template as the text of an SVG; its file is compared exactly."""

    def __init__(self, text: str) -> None:
        self.text = text

    def stale_parts(self, file: Path) -> list[str]:
        """Compare the text."""
        return [] if file.read_text(encoding="utf-8") == self.text else ["the drawing"]

    def write(self, file: Path) -> None:
        """Write the text."""
        file.write_text(self.text, encoding="utf-8")


class Poster:
    """A poster of screens; its file is compared pixel by pixel, as compression differs by version."""

    def __init__(self, draw: Callable[[], Image.Image]) -> None:
        self._draw = draw

    def stale_parts(self, file: Path) -> list[str]:
        """Compare the pixels."""
        with Image.open(file) as kept:
            new = self._draw().convert("RGB")
            is_same = kept.size == new.size and kept.convert("RGB").tobytes() == new.tobytes()
        return [] if is_same else ["the screens"]

    def write(self, file: Path) -> None:
        """Draw and write the poster."""
        self._draw().save(file, optimize=True)


class Film:
    """The moving picture of a round; its file is compared pixel by pixel, as the poster's is, and by its durations."""

    def stale_parts(self, file: Path) -> list[str]:
        """Compare the frames."""
        with Image.open(file) as kept:
            shown = [(frame.convert("RGB").tobytes(), frame.info["duration"]) for frame in ImageSequence.Iterator(kept)]
        is_same = shown == [(picture.convert("RGB").tobytes(), duration_ms) for picture, duration_ms in frames()]
        return [] if is_same else ["the screens"]

    def write(self, file: Path) -> None:
        """Draw and write the frames, which begin again after the last one."""
        (first, *others), durations_ms = zip(*frames(), strict=True)
        first.save(file, save_all=True, append_images=others, duration=list(durations_ms), loop=0)


class Screenshot:
    """The page in Chromium, at the moment when the player in turn looks under the cup at a bid that stands.

    Fonts and timing differ by machine, so the file is compared by its sources: a PNG text chunk holds a digest of each.
    """

    SEATS, SEED = 6, 7
    SIZE = 1280, 800
    SHOWN_STATE = "peek/in turn"
    """The golden picture, at eight seats, of the screen on the player's display."""
    _CHUNK = "Sources"
    _STEP_MS = 1500
    _STEPS = 200

    def sources(self, page: Path = FILES, sentences: Path = Path(narration.__file__)) -> dict[str, str]:
        """Return a digest of everything the screenshot is made from, by what it is."""
        seats = load_builtin("emulated").seats[: self.SEATS]
        files = {file.relative_to(folder): file for folder in (SHARED, page) for file in page_files(folder)}
        shown = {
            "the files of the page": [(str(name), _uncommented(file)) for name, file in sorted(files.items())],
            "the sentences of the story": [_strings(sentences), *FACE_NAMES.values()],
            "the screen on the display": goldens.kept("en", 8)[self.SHOWN_STATE].tobytes().hex(),
            "the seats": [(seat.name, seat.color) for seat in seats],
            "the size and the match": [self.SIZE, self.SEATS, self.SEED],
        }
        return {name: hashlib.sha256(json.dumps(part).encode()).hexdigest()[:16] for name, part in shown.items()}

    def stale_parts(self, file: Path) -> list[str]:
        """Compare the sources with those recorded in the file."""
        with Image.open(file) as kept:
            recorded = json.loads(kept.info.get(self._CHUNK, "{}"))
        return [name for name, digest in self.sources().items() if recorded.get(name) != digest]

    def write(self, file: Path) -> None:
        """Take the screenshot and write it with its sources."""
        text = PngImagePlugin.PngInfo()
        text.add_text(self._CHUNK, json.dumps(self.sources()))
        with Image.open(io.BytesIO(self._take())) as taken:
            taken.convert("RGB").save(file, optimize=True, pnginfo=text)

    def _take(self) -> bytes:
        from playwright.sync_api import sync_playwright

        browser = chromium()
        if browser is None:
            raise SystemExit("make: table.png is stale and needs Chromium on the PATH; on Debian: apt install chromium")
        arguments = ("--seats", str(self.SEATS), "--seed", str(self.SEED))
        width, height = self.SIZE
        with table_with_page(*arguments) as address, sync_playwright() as playwright:
            started = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
            view = started.new_page(viewport={"width": width, "height": height})
            view.goto(address)
            for _ in range(self._STEPS):
                if "Your turn" in view.locator("#middle").inner_text():
                    break
                hint = view.locator("#hint").inner_text()
                view.keyboard.press("s" if "Shake" in hint else "Enter" if "OK" in hint else "Shift")
                view.wait_for_timeout(self._STEP_MS)  # a cup that is shaken without a pause never comes to rest
            else:
                raise TimeoutError("nobody asked this player for a bid: does the page still say 'Your turn'?")
            before = view.evaluate(_DOTS)
            view.keyboard.down("ArrowUp")
            view.wait_for_function(f"before => ({_DOTS})() !== before", arg=before)
            view.wait_for_timeout(self._STEP_MS)  # until the cup has come to rest and the display shows it all
            return view.screenshot()


class StagedScreenshot:
    """A page in Chromium, as a module in `tests/support/host` stages it; compared by its sources."""

    WIDTH = 1440
    """Pixels of a picture that is wider."""
    _CHUNK = "Sources"
    _ROOT = Path(__file__).parents[1]

    def __init__(self, name: str, what: str, module: str, page: Path, texts: Mapping[str, object]) -> None:
        """Have the picture that a module stages under this name, of a page in a folder, with these English words."""
        self._name, self._what, self._module, self._page, self._texts = name, what, module, page, texts

    def sources(self) -> str:
        """Return a digest of the files of the page and its English words."""
        files = {file.name: _uncommented(file) for file in page_files(self._page)}
        parts = [self._name, sorted(files.items()), sorted(self._texts.items())]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]

    def stale_parts(self, file: Path) -> list[str]:
        """Compare the sources with those recorded in the file."""
        with Image.open(file) as kept:
            return [] if kept.info.get(self._CHUNK) == self.sources() else [self._what]

    def write(self, file: Path) -> None:
        """Take the screenshot and write it with its sources."""
        if chromium() is None:
            raise SystemExit(
                f"make: {file.name} is stale and needs Chromium on the PATH; on Debian: apt install chromium"
            )
        text = PngImagePlugin.PngInfo()
        text.add_text(self._CHUNK, self.sources())
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", f"support.host.{self._module}", folder, self._name]
            found = os.environ | {"PYTHONPATH": f"{self._ROOT}{os.pathsep}{self._ROOT / 'tests'}"}
            subprocess.run(command, check=True, env=found, cwd=self._ROOT)
            with Image.open(Path(folder) / f"{self._name}.png") as taken:
                shown = taken.convert("RGB")
        shown.thumbnail((self.WIDTH, shown.height), Image.Resampling.LANCZOS)
        shown.save(file, optimize=True, pnginfo=text)


def _of_a_venue(name: str) -> StagedScreenshot:
    page = Path(venue.__file__).parent / "page"
    return StagedScreenshot(name, "the page of a venue", "venue_pictures", page, VENUE_TEXTS)


def _of_figures(name: str) -> StagedScreenshot:
    texts = {key: text for key, text in PAGE_TEXTS.items() if key.startswith("figures")}
    page = Path(tv.__file__).parent / "page" / "figures"
    return StagedScreenshot(name, "the page of figures", "figures_pictures", page, texts)


_DOTS = """() => {
    const canvas = document.querySelector("#own canvas");
    return canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.join();
}"""
"""JavaScript that returns the dots of the own display as a string."""


def _uncommented(file: Path) -> str:
    """Return a file's text without blank lines and comment lines, which change nothing in the picture."""
    lines = file.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    return "\n".join(line for line in lines if line.strip() and not re.match(r"\s*(//|/\*.*\*/\s*$|\*)", line))


def _strings(module: Path) -> list[str]:
    """Return the strings of a module that are not docstrings, in order."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in statements)
    return [node.value for node in constants if isinstance(node.value, str)]


def drawings() -> Mapping[str, Drawing]:
    """Return the wiring drawings by the names of their files."""
    tables = {f"wiring-{name}.svg": Drawing(render_svg(table_diagram(load_builtin(name)))) for name in TABLES}
    with_lis3dh = SimpleNamespace(**{**vars(wiring), "TILT": None, "ACCELEROMETER": 0x18})
    return {
        **tables,
        "wiring-seat-board.svg": Drawing(render_svg(seat_board_diagram(wiring))),
        "wiring-seat-board-lis3dh.svg": Drawing(render_svg(seat_board_diagram(with_lis3dh))),
    }


def templates() -> Mapping[str, Drawing]:
    """Return the templates to print by the names of their files."""
    return {
        "template-seat-box.svg": Drawing(box_sheet()),
        **{
            f"template-seat-face-{display.inches:g}-inch.svg": Drawing(face_sheet(display))
            for display in dict.fromkeys(chip.module for chip in CHIPS.values())
        },
        "template-cup-base.svg": Drawing(cup_base_sheet()),
    }


PICTURES: Mapping[str, Picture] = {
    **drawings(),
    **templates(),
    "screens.png": Poster(poster),
    "staff.png": Poster(partial(poster, STAFF_ROWS, "STAFF", STAFF_LINES)),
    "names.png": Poster(partial(poster, NAME_ROWS, "NAMES", NAME_LINES)),
    "round.gif": Film(),
    "table.png": Screenshot(),
    "figures.png": _of_figures("tv-tonight-en"),
    "venue.png": _of_a_venue("tables-tv-en"),
    "venue-tournament.png": _of_a_venue("tournament-tv-en"),
    "venue-phone.png": _of_a_venue("tournament-phone-en"),
}
"""Every picture by the name of its file."""


def main(names: Sequence[str] = ()) -> None:
    """Write the stale ones of the named pictures, or of all, and print their names. `KeyError` for an unknown name."""
    FOLDER.mkdir(exist_ok=True)
    for name in names or PICTURES:
        file, picture = FOLDER / name, PICTURES[name]
        if not file.exists() or picture.stale_parts(file):
            picture.write(file)
            print(f"{file}: is new; look at it before you commit it")


if __name__ == "__main__":
    main(sys.argv[1:])
