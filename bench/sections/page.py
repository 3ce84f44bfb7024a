"""The latency from a key on the workbench page to other dots on its display, in a real browser."""

from bench.report import Figure, Progress, Section, Spread, at_most
from bench.tools.browser import chromium, table_with_page

PRESSES = 60
LIMIT_MS = 100

# Milliseconds from a key to other dots on the player's display, seen at the next frame; then releases the key.
ANSWERED_AFTER = """key => new Promise(resolve => {
    const canvas = document.querySelector("#own canvas");
    const look = () => canvas.getContext("2d").getImageData(0, 0, 128, 64).data.join();
    const tell = type => document.body.dispatchEvent(new KeyboardEvent(type, { key, code: key, bubbles: true }));
    const before = look();
    const began = performance.now();
    const watch = () => {
        if (look() === before) return requestAnimationFrame(watch);
        tell("keyup");
        resolve(performance.now() - began);
    };
    tell("keydown");
    watch();
})"""


def measure(progress: Progress, presses: int = PRESSES) -> Section:
    """Measure presses of ◀ and ▶ in the lobby of a table of eight, on the machine's own clock."""
    name, about = (
        "a press to other dots on the page",
        "Layout, network stack and two screen frames of the browser are in it.",
    )
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return Section("Page", (Figure(name, None, "ms", at_most(LIMIT_MS), "needs Playwright: make test"),), about)
    browser = chromium()
    if browser is None:
        return Section("Page", (Figure(name, None, "ms", at_most(LIMIT_MS), "needs Chromium on the PATH"),), about)
    progress(f"{presses} presses in Chromium")
    with table_with_page("--seats", "8", "--humans", "8") as address, sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"]).new_page()
        page.goto(address)
        page.locator("#hint", has_text="Press OK").wait_for()
        page.keyboard.press("Enter")
        page.locator("#hint", has_text="You are in").wait_for()
        taken_ms = []
        for press in range(presses):
            taken_ms.append(page.evaluate(ANSWERED_AFTER, "ArrowLeft" if press % 2 else "ArrowRight"))
            page.locator("#own [data-down]").wait_for(state="detached")
    return Section("Page", tuple(Spread.of(taken_ms).figures(name, "ms", worst=at_most(LIMIT_MS))), about)
