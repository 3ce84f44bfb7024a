"""Small signs before a name in the roster: whom the table waits for, who has bid, who lost or won a die.

They are three columns at most, because they move with every bid.
"""

from enum import Enum


class Mark(Enum):
    """A sign, row by row from the second row of its page on."""

    AWAITED = ("", "#..", "##.", "###", "##.", "#..")
    AWAITED_IN_A_CROWD = ("", ".#.", ".##", ".##", ".##", ".#.")
    BIDDER = ("#.#", "#.#")
    LOST = ("", "", "", "###")
    WON = ("", "", ".#.", "###", ".#.")


ACROSS = 3
"""Columns."""
