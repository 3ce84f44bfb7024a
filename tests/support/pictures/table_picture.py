"""Picture of the page of `play`: `PYTHONPATH=tests python -m support.pictures.table_picture FOLDER table`.

It is the moment when the player in turn looks under the cup at a standing bid. `docs.screenshots` takes it.
"""

import sys
from pathlib import Path

from support.pages.browser import DOTS, a_chromium, a_table

from docs.screenshots import TABLE_SEATS, TABLE_SEED, TABLE_SIZE

STEP_MS = 1500
STEPS = 200


def main(folder: Path) -> None:
    """Write the picture into a folder."""
    width, height = TABLE_SIZE
    with a_table("--seats", str(TABLE_SEATS), "--seed", str(TABLE_SEED)) as table, a_chromium() as browser:
        page = browser.new_page(viewport={"width": width, "height": height})
        page.goto(table.address)
        for _ in range(STEPS):
            if "Your turn" in page.locator("#middle").inner_text():
                break
            hint = page.locator("#hint").inner_text()
            page.keyboard.press("s" if "Shake" in hint else "Enter" if "OK" in hint else "Shift")
            page.wait_for_timeout(STEP_MS)  # a cup that is shaken without a pause never comes to rest
        else:
            raise TimeoutError("nobody asked this player for a bid: does the page still say 'Your turn'?")
        before = page.locator("#own canvas").evaluate(DOTS)
        page.keyboard.down("ArrowUp")
        seen = f"""before => ({DOTS})(document.querySelector("#own canvas")) !== before"""
        page.wait_for_function(seen, arg=before)
        page.wait_for_timeout(STEP_MS)  # until the cup has come to rest and the display shows it all
        page.screenshot(path=folder / "table.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
