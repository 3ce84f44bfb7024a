"""A bouncing button of a board: its first edge counts, and what it settles to is never missed."""

LOCKOUT_NS = 12_000_000  # a push button bounces for up to 5 ms; a quick tap lasts 25 ms


class Switch:
    """Follows one button. The first edge is a press or release at once; edges within LOCKOUT_NS after it are bounce.

    When the lock-out ends and the level is not the one that was told, that is told with the moment of the last
    edge. A button that was held when the board started opens without a press before it: its bounce is no press either.
    """

    def __init__(self, down: bool = False) -> None:
        self._told = down
        self._level = down
        self._edge_ns = 0
        self._until_ns = 0
        self._locked = False

    def edge(self, at_ns: int, down: bool) -> "list[tuple[bool, int]]":
        """Take one change of level; return what it tells, as (down, at_ns) pairs."""
        told = self.tick(at_ns)
        self._level = down
        self._edge_ns = at_ns
        if not self._locked and down != self._told:
            told.append(self._tell(at_ns))
        elif not self._locked and not down:
            self._locked = True
            self._until_ns = at_ns + LOCKOUT_NS
        return told

    def tick(self, now_ns: int) -> "list[tuple[bool, int]]":
        """Let time pass up to `now_ns`; needed at `due_ns`, harmless at any other moment."""
        if not self._locked or now_ns < self._until_ns:
            return []
        self._locked = False
        return [self._tell(self._edge_ns)] if self._level != self._told else []

    @property
    def is_down(self) -> bool:
        """Whether the last thing told is a press."""
        return self._told

    @property
    def due_ns(self) -> "int | None":
        """When the lock-out ends, None when there is none."""
        return self._until_ns if self._locked else None

    def _tell(self, at_ns: int) -> "tuple[bool, int]":
        self._told = self._level
        self._locked = True
        self._until_ns = max(at_ns, self._until_ns) + LOCKOUT_NS
        return self._told, at_ns
