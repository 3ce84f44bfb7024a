"""What a check finds: one line that says what, and where something is wrong, one that says what mends it."""

from enum import StrEnum

from msgspec import Struct


class State(StrEnum):
    """How it is with the thing a finding is about."""

    RIGHT = "right"
    NOTE = "note"
    """Worth knowing; nobody at the table will miss anything."""
    WRONG = "wrong"
    UNKNOWN = "unknown"
    """The check itself failed, or could not be made."""


class Finding(Struct, frozen=True):
    """One thing that was looked at. `check` names the check; `remedy` is one command or one cable where it is wrong."""

    check: str
    state: State
    what: str
    remedy: str = ""


def right(check: str, what: str) -> Finding:
    """All is as it should be."""
    return Finding(check, State.RIGHT, what)


def note(check: str, what: str, remedy: str = "") -> Finding:
    """Good to know."""
    return Finding(check, State.NOTE, what, remedy)


def wrong(check: str, what: str, remedy: str) -> Finding:
    """Something to mend."""
    return Finding(check, State.WRONG, what, remedy)


def unknown(check: str, what: str, remedy: str) -> Finding:
    """Nobody knows: it could not be looked at."""
    return Finding(check, State.UNKNOWN, what, remedy)
