"""Turns the edges of a seat's four buttons and its cup into what the hand meant: steps, OK, dudo, a peek.

Pure: stamps come in with the messages and `now_ns` with the ticks. Only ◀ ▶ repeat when held, one of them at a time and
ever faster. OK acts on a release within 400 ms; held longer it peeks and acts on nothing.
"""

from collections.abc import Iterator

from msgspec import Struct

from drivers.messages import Button, Levelled, Pressed, Released, Tilted

MS = 1_000_000
HOLD_NS = 400 * MS
REPEAT_INTERVAL_NS = 250 * MS
"""Between the steps of a held arrow: slower than a finger that lets go when it has read the number."""
FAST_REPEAT_AFTER_NS = 1500 * MS
"""Who holds an arrow for so long has far to go,"""
FAST_REPEAT_INTERVAL_NS = 150 * MS
"""and gets there at a pace at which numbers can still be read: forty dice in six seconds."""


class Step(Struct, frozen=True):
    """The cursor is to move; `held` where the arrow has not been let go of since its press."""

    by: int
    held: bool = False


class Confirm(Struct, frozen=True):
    """The item at the cursor (`dudo` false) or the call of the DUDO button is meant.

    `since_ns` is when the finger came down: what the menu showed then is what the player saw. `at_ns` is the edge that
    decided.
    """

    dudo: bool
    since_ns: int
    at_ns: int


class Peek(Struct, frozen=True):
    """The player looks under the cup, or stops to."""

    open: bool


Key = Step | Confirm | Peek
_STEPS = {Button.LEFT: -1, Button.RIGHT: +1}


class KeyInterpreter:
    """One seat's buttons and cup, as far as a hand is on them."""

    def __init__(self) -> None:
        self._down: dict[Button, int] = {}  # since when
        self._repeat_at: dict[Button, int] = {}
        self._ok_held = False  # long enough to peek
        self._tilted = False
        self._peeking = False

    @property
    def deadline_ns(self) -> int | None:
        """When `tick` next has something to do."""
        due = list(self._repeat_at.values()) if len(self._repeat_at) == 1 else []
        ok_since = self._down.get(Button.OK)
        if ok_since is not None and not self._ok_held:
            due.append(ok_since + HOLD_NS)
        return min(due, default=None)

    @property
    def ok_is_held(self) -> bool:
        """Whether OK peeks."""
        return self._ok_held

    @property
    def ok_is_open(self) -> bool:
        """Whether OK is down and may yet turn out to be pressed or held."""
        return Button.OK in self._down and not self._ok_held

    def take(self, message: Pressed | Released | Tilted | Levelled) -> Iterator[Key]:
        """The keys that one edge means."""
        match message:
            case Pressed(_, button, at_ns) if button not in self._down:
                yield from self._pressed(button, at_ns)
            case Released(_, button, at_ns) if button in self._down:
                yield from self._released(button, at_ns)
            case Tilted():
                self._tilted = True
                yield from self._look()
            case Levelled():
                self._tilted = False
                yield from self._look()

    def tick(self, now_ns: int) -> Iterator[Key]:
        """The keys that mere holding means by now."""
        for button in [b for b, due_ns in self._repeat_at.items() if due_ns <= now_ns and len(self._repeat_at) == 1]:
            hurries = now_ns - self._down[button] >= FAST_REPEAT_AFTER_NS
            self._repeat_at[button] = now_ns + (FAST_REPEAT_INTERVAL_NS if hurries else REPEAT_INTERVAL_NS)
            yield Step(_STEPS[button], held=True)
        ok_since = self._down.get(Button.OK)
        self._ok_held = self._ok_held or (ok_since is not None and now_ns - ok_since >= HOLD_NS)
        yield from self._look()

    def let_go(self) -> Iterator[Key]:
        """All buttons and the cup are gone, or came back: nothing is held any more."""
        self._down.clear()
        self._repeat_at.clear()
        self._ok_held = self._tilted = False
        yield from self._look()

    def _pressed(self, button: Button, at_ns: int) -> Iterator[Key]:
        self._down[button] = at_ns
        if button in _STEPS:
            self._repeat_at[button] = at_ns + HOLD_NS
            yield Step(_STEPS[button])
        elif button is Button.DUDO:
            yield Confirm(dudo=True, since_ns=at_ns, at_ns=at_ns)

    def _released(self, button: Button, at_ns: int) -> Iterator[Key]:
        since_ns = self._down.pop(button)
        self._repeat_at.pop(button, None)
        if button is Button.OK and at_ns - since_ns < HOLD_NS:
            yield Confirm(dudo=False, since_ns=since_ns, at_ns=at_ns)
        self._ok_held = self._ok_held and button is not Button.OK
        yield from self._look()

    def _look(self) -> Iterator[Key]:
        if (self._tilted or self._ok_held) is not self._peeking:
            self._peeking = not self._peeking
            yield Peek(self._peeking)
