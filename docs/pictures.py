"""`make pictures`: the README's picture of the page, taken of a real browser's. Those of panels: `docs.screens`."""

from pathlib import Path

from bench.tools.browser import chromium, table_with_page

FILE = Path(__file__).parent / "pictures" / "table.png"


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
    """Take it."""
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_bytes(page(seed=7))


if __name__ == "__main__":
    main()
