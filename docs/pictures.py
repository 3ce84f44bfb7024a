"""The README's pictures, made anew from the program itself: `make pictures`.

The panels are those of one match, as their controllers held them; the page is a photograph of a real browser's.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

from bench.browser import chromium, table_with_page

HERE = Path(__file__).parent / "pictures"
MATCH = ("--headless", "--seats", "4", "--seed", "7", "--rules", "perudo")
ROUND = "round-01-normal"
PANELS = (  # in reading order: the way of one round, as the seats of that match saw it
    (f"{ROUND}/lima-shaking.png", f"{ROUND}/lima-peek.png", f"{ROUND}/lima-turn.png"),
    (f"{ROUND}/cusco-bidding.png", f"{ROUND}/ica-reveal.png", "over/lima-over.png"),
)
DOT = 3  # pixels of the picture for a dot of the panel
GAP = 24
GLASS, DOTS, ROOM = (6, 8, 12), (188, 226, 255), (34, 30, 28)


def panels(album: Path) -> Image.Image:
    """Six panels on a dark ground, in the colour of an OLED."""
    width, height = 128 * DOT, 64 * DOT
    across, down = len(PANELS[0]), len(PANELS)
    board = Image.new("RGB", (across * (width + GAP) + GAP, down * (height + GAP) + GAP), ROOM)
    for row, line in enumerate(PANELS):
        for column, name in enumerate(line):
            at = GAP + column * (width + GAP), GAP + row * (height + GAP)
            board.paste(_lit(Image.open(album / name).convert("L")), at)
    return board


def _lit(picture: Image.Image) -> Image.Image:
    """The dots of a panel in its colour."""
    mask = picture.resize((picture.width * DOT, picture.height * DOT), Image.Resampling.NEAREST)
    lit = Image.new("RGB", mask.size, GLASS)
    lit.paste(DOTS, mask=mask)
    return lit


def page(seed: int) -> bytes:
    """The table from above as PNG, at the moment when a player in turn looks under the cup at a bid that stands."""
    from playwright.sync_api import sync_playwright

    with table_with_page("--seats", "6", "--seed", str(seed)) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        view = browser.new_page(viewport={"width": 1280, "height": 800})
        view.goto(address)
        while "Your turn" not in view.locator("#middle").inner_text():
            hint = view.locator("#hint").inner_text()
            view.keyboard.press("s" if "Shake" in hint else "Enter" if "OK" in hint else "Shift")
            view.wait_for_timeout(1500)  # a cup that is shaken without a pause never comes to rest
        view.keyboard.down("ArrowUp")
        view.locator("#hint", has_text="There are your dice").wait_for()
        view.wait_for_timeout(500)  # until the lifted cup has come to rest
        return view.screenshot()


def main() -> None:
    """Play the match and write what is asked for."""
    HERE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "firmware_host.cli", "play", *MATCH, "--pictures", folder]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        panels(Path(folder)).save(HERE / "panels.png", optimize=True)
    (HERE / "table.png").write_bytes(page(seed=7))


if __name__ == "__main__":
    main()
