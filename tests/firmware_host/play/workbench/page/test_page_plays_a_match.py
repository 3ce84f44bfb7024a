"""A whole match by hand on the page, from joining to the winner, by somebody who does only what the page says."""

import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.pages.browser import a_chromium, a_page, a_short_match, a_table

pytestmark = pytest.mark.slow


if TYPE_CHECKING:
    from playwright.sync_api import Page

PATIENCE_MS = 3_000
"""After this long without an answer a person tries again: on a busy machine a tap may have taken so long as to peek."""
FUTILE = 20
CHANGED = """([hint, display]) => {
    const canvas = document.querySelector("#own canvas");
    return document.querySelector("#hint").textContent !== hint || canvas.toDataURL() !== display
        || document.querySelector("#middle").dataset.scene === "over";
}"""


class Newcomer:
    """Reads the hint, uses the control that is marked, doubts the first bid and those of over half of the dice."""

    def __init__(self, page: "Page") -> None:
        self._page = page
        self.did: set[str] = set()

    def play(self) -> str:
        """Play until somebody has won; returns who."""
        in_vain = 0
        while self._page.get_attribute("#middle", "data-scene") != "over":
            seen = self._page.evaluate(
                "[document.querySelector('#hint').textContent, document.querySelector('#own canvas').toDataURL()]"
            )
            self._act(seen[0])
            in_vain = 0 if self._sees_a_change(seen) else in_vain + 1
            assert in_vain < FUTILE, f"the table stands still at {seen[0]!r}"
        return self._page.inner_text("#middle .won")

    def _sees_a_change(self, seen: list[str]) -> bool:
        from playwright.sync_api import TimeoutError

        with suppress(TimeoutError):
            self._page.wait_for_function(CHANGED, arg=seen, timeout=PATIENCE_MS)
            return True
        return False

    def _act(self, hint: str) -> None:
        if "Shake" in hint:
            self._do("shake", "s")
        elif hint.startswith("Hold the cup up"):
            self._page.keyboard.down("ArrowUp")
            self._page.wait_for_selector("#own .seat[data-cup=up]")
            self.did.add("peek")
            self._page.keyboard.up("ArrowUp")
        elif hint.startswith("Your turn"):
            self._speak(hint)
        elif "OK" in hint:
            self._do("ok", "Enter")

    def _speak(self, hint: str) -> None:
        said = re.search(r"(\d+) dice.*?(\d+)\s*×", self._page.inner_text("#middle"), re.DOTALL)
        tried = "dudo" in self.did  # a match by fresh dice may bring no bid that high
        if said and "DUDO" in hint and (not tried or 2 * int(said[2]) > int(said[1])):
            self._do("dudo", "d")
        else:
            self._do("bid", "Enter")

    def _do(self, what: str, key: str) -> None:
        self.did.add(what)
        self._page.keyboard.press(key)


@pytest.mark.parametrize("seats", [2, *(pytest.param(many, marks=pytest.mark.soak) for many in (4, 8))])
def test_who_does_what_the_page_says_plays_a_match_to_its_end(seats: int, tmp_path: Path) -> None:
    with (
        a_chromium() as chromium,
        a_table("--seats", str(seats), "--rules", a_short_match(tmp_path), "--seed", "7", "--speed", "8") as table,
        a_page(chromium, table) as page,
    ):
        newcomer = Newcomer(page)
        assert newcomer.play().endswith(("win!", "wins!"))
        # Where the other seat always opens, every answer may be a dudo; where the other doubts first, a bid.
        assert newcomer.did >= {"ok", "shake", "peek"}
        assert newcomer.did & {"bid", "dudo"}
        assert any("wins the match." in line for line in table.story)
