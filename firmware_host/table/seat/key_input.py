"""Turns edges from a seat's four buttons and cup into keys: cursor steps, confirmations and peeks.

Pure: stamps come in with the messages and `now_ns` with the ticks. Only ◀ ▶ repeat when held, one at a time and ever
faster. OK confirms on a release within 400 ms; a longer hold peeks and confirms nothing.
"""

from collections.abc import Iterator

from msgspec import Struct

from drivers.messages import Button, Levelled, Pressed, Released, Tilted

MS = 1_000_000
HOLD_NS = 400 * MS
"""Time after which a pressed button counts as held."""
REPEAT_INTERVAL_NS = 250 * MS
"""Interval between the steps of a held arrow: long enough to read a number and let go."""
FAST_REPEAT_AFTER_NS = 1500 * MS
"""Time after which a held arrow repeats faster."""
FAST_REPEAT_INTERVAL_NS = 150 * MS
"""Interval of the faster repeat: forty dice take six seconds, still slow enough to read the numbers."""


class Step(Struct, frozen=True):
    """A cursor step; `held` when the arrow repeats."""

    by: int
    held: bool = False


class Confirm(Struct, frozen=True):
    """A choice: the item under the cursor, or the DUDO button's call (`dudo`).

    `since_ns` is the press: the player saw the menu from that moment. `at_ns` is the deciding edge.
    """

    dudo: bool
    since_ns: int
    at_ns: int


class Peek(Struct, frozen=True):
    """The player begins or stops looking under the cup."""

    open: bool


Key = Step | Confirm | Peek
_STEPS = {Button.LEFT: -1, Button.RIGHT: +1}


class KeyInterpreter:
    """One seat's held buttons and cup."""

    def __init__(self) -> None:
        self._down: dict[Button, int] = {}  # with the moment of the press
        self._repeat_at: dict[Button, int] = {}
        self._ok_held = False  # long enough to peek
        self._tilted = False
        self._must_level = False  # a lifted cup had its dice hidden: it must come down before showing them again
        self._peeking = False

    @property
    def deadline_ns(self) -> int | None:
        """The next moment at which `tick` may yield keys."""
        due = list(self._repeat_at.values()) if len(self._repeat_at) == 1 else []
        ok_since = self._down.get(Button.OK)
        if ok_since is not None and not self._ok_held:
            due.append(ok_since + HOLD_NS)
        return min(due, default=None)

    @property
    def both_arrows_since_ns(self) -> int | None:
        """The moment since which ◀ and ▶ are both down."""
        arrows = [self._down[button] for button in _STEPS if button in self._down]
        return max(arrows) if len(arrows) == len(_STEPS) else None

    @property
    def ok_is_held(self) -> bool:
        """Whether OK is held long enough to peek."""
        return self._ok_held

    @property
    def ok_is_undecided(self) -> bool:
        """Whether OK is down and still undecided between press and hold."""
        return Button.OK in self._down and not self._ok_held

    def handle(self, message: Pressed | Released | Tilted | Levelled) -> Iterator[Key]:
        """Yield the keys from one edge."""
        match message:
            case Pressed(_, button, at_ns) if button not in self._down:
                yield from self._press(button, at_ns)
            case Released(_, button, at_ns) if button in self._down:
                yield from self._release(button, at_ns)
            case Tilted():
                self._tilted = not self._must_level
                yield from self._peek()
            case Levelled():
                self._tilted = self._must_level = False
                yield from self._peek()

    def tick(self, now_ns: int) -> Iterator[Key]:
        """Yield the keys from held buttons."""
        for button in [b for b, due_ns in self._repeat_at.items() if due_ns <= now_ns and len(self._repeat_at) == 1]:
            is_fast = now_ns - self._down[button] >= FAST_REPEAT_AFTER_NS
            self._repeat_at[button] = now_ns + (FAST_REPEAT_INTERVAL_NS if is_fast else REPEAT_INTERVAL_NS)
            yield Step(_STEPS[button], held=True)
        ok_since = self._down.get(Button.OK)
        self._ok_held = self._ok_held or (ok_since is not None and now_ns - ok_since >= HOLD_NS)
        yield from self._peek()

    def release_all(self, *, is_lost: bool = False) -> Iterator[Key]:
        """Treat everything as released. A lifted cup shows dice only after it was put down.

        With `is_lost` its devices don't respond, and the cup may have come down unheard.
        """
        self._must_level |= self._tilted and not is_lost
        self._down.clear()
        self._repeat_at.clear()
        self._ok_held = self._tilted = False
        yield from self._peek()

    def _press(self, button: Button, at_ns: int) -> Iterator[Key]:
        self._down[button] = at_ns
        if button in _STEPS:
            self._repeat_at[button] = at_ns + HOLD_NS
            yield Step(_STEPS[button])
        elif button is Button.DUDO:
            yield Confirm(dudo=True, since_ns=at_ns, at_ns=at_ns)

    def _release(self, button: Button, at_ns: int) -> Iterator[Key]:
        since_ns = self._down.pop(button)
        self._repeat_at.pop(button, None)
        if button is Button.OK and at_ns - since_ns < HOLD_NS:
            yield Confirm(dudo=False, since_ns=since_ns, at_ns=at_ns)
        self._ok_held = self._ok_held and button is not Button.OK
        yield from self._peek()

    def _peek(self) -> Iterator[Key]:
        """Yield a `Peek` if the player's wish to look has changed."""
        if (self._tilted or self._ok_held) is not self._peeking:
            self._peeking = not self._peeking
            yield Peek(self._peeking)
