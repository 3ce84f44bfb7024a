"""A whole match by keyboard, from nothing but the text of the accessibility tree: what a screen reader would read."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support.pages.browser import a_chromium, a_page, a_short_match, a_table

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Page

FUTILE = 150
"""Looks at the same tree after which the table counts as standing still."""
SETTLE_MS = 400
"""Time that a shaken cup is left alone, so that it settles: 3.2 s at the table's speed of 8."""
LOOKS = 40
"""Looks at the tree for which a cup is held up."""
UNREAD = {"InlineTextBox", "none"}


class Listener:
    """Somebody who hears the tree and presses keys. They have no other way to learn anything of the page."""

    def __init__(self, page: "Page") -> None:
        self._page = page
        self._session = page.context.new_cdp_session(page)
        self._session.send("Accessibility.enable")
        self.heard: set[str] = set()

    def listen(self) -> str:
        """Return the names of the whole tree, a line for each node that is not ignored."""
        nodes = self._session.send("Accessibility.getFullAXTree")["nodes"]
        return "\n".join(dict.fromkeys(self._names(nodes)))

    def play(self) -> str:
        """Play until somebody has won; return the sentence."""
        tree, futile = "", 0
        while True:
            before, tree = tree, self.listen()
            futile = futile + 1 if tree == before else 0
            assert futile < FUTILE, f"nothing happens at {tree}"
            if "The match is over" in tree:
                (won,) = re.findall(r"^.* wins?!$", tree, re.MULTILINE)[:1]
                return str(won)
            self._act(tree)
            self._page.wait_for_timeout(100)

    def _act(self, tree: str) -> None:
        press = self._page.keyboard.press
        if "Press OK to join" in tree or "OK starts the match" in tree:
            press("Enter")
        elif "Shake your cup" in tree or "Shake for the next round" in tree:
            press("s")
            self._page.wait_for_timeout(SETTLE_MS)
        elif "Hold the cup up" in tree:
            self._peek()
        elif "Your turn: " in tree:
            self._speak(tree)

    def _peek(self) -> None:
        """Hold the cup up until the dice are read out."""
        self._page.keyboard.down("ArrowUp")
        for _ in range(LOOKS):
            if found := re.search(r"^Your dice: (\w+(?:, \w+)*)", self.listen(), re.MULTILINE):
                self.heard.add("dice")
                assert 1 <= len(found[1].split(", ")) <= 5
                break
        self._page.keyboard.up("ArrowUp")

    def _speak(self, tree: str) -> None:
        """Doubt bids of over half of the dice, else take the bid that is read out as selected."""
        standing = re.search(r"^(\d+) \w+$", tree, re.MULTILINE)
        dice = re.search(r"· (\d+) dice", tree)
        assert dice is not None
        if standing and "DUDO doubts" in tree and ("doubt" not in self.heard or 2 * int(standing[1]) > int(dice[1])):
            self.heard.add("doubt")
            self._page.keyboard.press("d")
        elif re.search(r"^Your display: \d+ \w+", tree, re.MULTILINE):
            self.heard.add("selected bid")
            self._page.keyboard.press("Enter")

    def _names(self, nodes: list[dict[str, Any]]) -> Iterator[str]:
        for node in nodes:
            name = str(node.get("name", {}).get("value", "")).strip()
            if name and not node.get("ignored") and node["role"]["value"] not in UNREAD:
                yield name


def test_a_match_is_played_by_keyboard_from_the_text_of_the_tree_alone(tmp_path: Path) -> None:
    with (
        a_chromium() as chromium,
        a_table("--seats", "2", "--rules", a_short_match(tmp_path, dice=3), "--seed", "7", "--speed", "8") as table,
        a_page(chromium, table) as page,
    ):
        listener = Listener(page)
        assert re.fullmatch(r"You win!|\w+ wins!", listener.play())
        assert listener.heard == {"dice", "doubt", "selected bid"}
        assert any("wins the match." in line for line in table.story)
