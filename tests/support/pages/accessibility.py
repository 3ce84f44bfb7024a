"""A page's faults by axe-core and the accessibility tree."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

MAX_TAB_STOPS = 60
OPTIONS = {"resultTypes": ["violations"], "rules": {"label-content-name-mismatch": {"enabled": True}}}
"""axe-core's own rules, and one that it has off: who speaks to a page calls a button by its label."""
BROKEN = """async options => {
    const { violations } = await axe.run(options);
    const wrong = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    return wrong.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map(({ html }) => html)}`);
}"""


def broken_rules(page: "Page") -> list[str]:
    """Return the serious and critical rules of axe-core that the page breaks, with the elements."""
    axe = pytest.importorskip("axe_playwright_python.base", reason="make test installs axe")
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe.AXE_SCRIPT)
    broken: list[str] = page.evaluate(BROKEN, OPTIONS)
    return broken


def nameless_tab_stops(page: "Page", *, at_least: int = 4) -> list[str]:
    """Press Tab once around the page, and return the elements without a name; fewer stops than `at_least` fail."""
    session = page.context.new_cdp_session(page)
    nameless: list[str] = []
    seen: set[int] = set()
    for _ in range(MAX_TAB_STOPS):
        page.keyboard.press("Tab")
        focused = session.send("Runtime.evaluate", {"expression": "document.activeElement"})["result"]
        about = {"objectId": focused["objectId"], "fetchRelatives": False}
        (node, *_) = session.send("Accessibility.getPartialAXTree", about)["nodes"]
        if node["backendDOMNodeId"] in seen:
            break
        seen.add(node["backendDOMNodeId"])
        if "body" not in focused["description"] and not node.get("name", {}).get("value", "").strip():
            nameless.append(focused["description"])
    page.evaluate("document.activeElement.blur()")
    assert len(seen) >= at_least
    return nameless
