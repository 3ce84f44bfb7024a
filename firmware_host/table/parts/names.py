"""The names of a table's players, and the letters that a player enters on their display.

Pure: `Table` hands it the keys of a seat that is asked and the moments. A name belongs to the seat of the layout for
the rest of the evening.
"""

from collections.abc import Collection, Iterable, Sequence

from firmware_host.table.key_input import Confirm, Key, Step
from firmware_host.table.names import (
    LETTERS,
    MAX_CHARACTERS,
    MAX_LETTERS,
    NAME_TIMEOUT_NS,
    KeepNames,
    NameItem,
    NameOptions,
    NameView,
)
from firmware_host.table.parts.part import Part


class _Entry:
    """One seat that is asked: it picks a regular, or enters letters."""

    def __init__(self, regulars: Sequence[str], now_ns: int) -> None:
        self.since_ns = now_ns
        self.is_new = True  # not on the display yet
        self.until_ns = now_ns + NAME_TIMEOUT_NS
        self._regulars = tuple(regulars)
        self._spells = not regulars
        self._letters = ""
        self._at = 0

    def _ring(self) -> tuple[str | NameItem, ...]:
        """Return what ◀ and ▶ lead to, in a circle. The items that end the entry are just before the first letter."""
        if not self._spells:
            return (*self._regulars, NameItem.SPELL, NameItem.SKIP)
        if not self._letters:
            return (*LETTERS, NameItem.BACK if self._regulars else NameItem.SKIP)
        if len(self._letters) == MAX_LETTERS:
            return (NameItem.DONE, NameItem.BACK)
        return (*LETTERS, NameItem.BACK, NameItem.DONE)

    def view(self) -> NameView:
        chosen = self._ring()[self._at]
        item = chosen if isinstance(chosen, NameItem) else None
        return NameView(self._letters, "" if item else chosen, item, regulars=not self._spells)

    def step(self, by: int, now_ns: int) -> None:
        self._at = (self._at + by) % len(self._ring())
        self.until_ns = now_ns + NAME_TIMEOUT_NS

    def confirm(self, now_ns: int) -> str | None:
        """Take what is chosen. Return the name once it is complete, an empty one if there is to be none."""
        chosen = self._ring()[self._at]
        self.until_ns = now_ns + NAME_TIMEOUT_NS
        match chosen:
            case NameItem.SKIP:
                return ""
            case NameItem.DONE:
                return self._letters
            case NameItem.BACK:
                return self.back(now_ns)
            case NameItem.SPELL:
                self._spells = True
            case str() if self._spells:
                self._letters += chosen
            case str():
                return chosen
        self._at = 0
        return None

    def back(self, now_ns: int) -> str | None:
        """Take the last letter back, return to the regulars, or end without a name."""
        self.until_ns = now_ns + NAME_TIMEOUT_NS
        if self._spells and self._letters:
            taken, self._letters = self._letters[-1], self._letters[:-1]
            self._at = LETTERS.index(taken)
            return None
        if self._spells and self._regulars:
            self._spells, self._at = False, 0
            return None
        return ""

    @property
    def at_its_end(self) -> str:
        """The name if time runs out: all letters that there can be, or none."""
        return self._letters if len(self._letters) == MAX_LETTERS else ""


class Names(Part):
    """The names of one table. `places` are the names of the layout's seats, which no player may take."""

    def __init__(self, options: NameOptions, places: Sequence[str]) -> None:
        self._places = tuple(places)
        self._take(options)
        self._entries: dict[int, _Entry] = {}
        self._leaving: tuple[int, ...] = ()  # seats whose players have left the match that is over
        self._match: tuple[str | None, tuple[int, ...]] = None, ()
        self._kept: KeepNames | None = self._state()

    def _take(self, options: NameOptions) -> None:
        self.asks, self.are_public = options.asks, options.asks and options.public
        self._names = dict(enumerate(options.names[: len(self._places)])) if options.asks else {}
        self._skipped = {seat for seat in options.skipped if seat < len(self._places)}
        self._regulars = options.regulars

    def read(self, options: NameOptions) -> None:
        """Take the names that the host has changed. A player who is entering a name goes on.

        The next `take_effects` returns them in any case: the host may have kept an older state since it read them.
        """
        self._take(options)
        self._kept = None

    def name(self, seat: int) -> str:
        """Return the name of the player at a seat, nothing if there is none."""
        return self._names.get(seat, "")

    def is_asked(self, seat: int) -> bool:
        """Whether the buttons of a seat enter a name."""
        return seat in self._entries

    def view(self, seat: int) -> NameView | None:
        """Return what a seat shows that is asked."""
        return self._entries[seat].view() if seat in self._entries else None

    @property
    def deadline_ns(self) -> int | None:
        """The next moment at which a question ends."""
        return min((entry.until_ns for entry in self._entries.values()), default=None)

    def follow_match(self, match: str | None, players: tuple[int, ...], leaving: tuple[int, ...]) -> None:
        """Follow the table into a match and out of it. The seats in `leaving` lose their names when it is gone."""
        if match is None:
            for seat in self._leaving:
                self.forget(seat)
        self._leaving, self._match = leaving, (match, players)

    def follow(self, asked: Iterable[int], may_stay: Iterable[int], robots: Collection[int], now_ns: int) -> None:
        """Ask the seats of `asked` that have neither a name nor refused; stop where a seat may not stay asked.

        A robot is not asked, and has no name that somebody has entered there before.
        """
        if self._match[0] is None:
            for seat in robots:
                self.forget(seat)
        asked = [seat for seat in asked if seat not in robots]
        stays = {*may_stay}.difference(robots) if self.asks else set()
        self._entries = {seat: entry for seat, entry in self._entries.items() if seat in stays}
        for seat in asked:
            if self.asks and not self.name(seat) and seat not in self._skipped and seat not in self._entries:
                self.ask(seat, now_ns)

    def ask(self, seat: int, now_ns: int) -> None:
        """Ask a seat for a name, also one that has one."""
        taken = {name.casefold() for other, name in self._names.items() if other != seat}
        regulars = [name for name in self._regulars if name.casefold() not in taken]
        self._entries[seat] = _Entry(regulars, now_ns)

    def on_key(self, seat: int, key: Key, now_ns: int) -> None:
        """Hand a key to the entry of a seat. A press from before the question means nothing."""
        entry = self._entries[seat]
        name: str | None = None
        match key:
            case Step(by):
                entry.step(by, now_ns)
            case Confirm(dudo, since_ns) if since_ns >= entry.since_ns:
                name = entry.back(now_ns) if dudo else entry.confirm(now_ns)
        if name is not None:
            self._end(seat, name)

    def tick(self, now_ns: int) -> None:
        """End the entries whose time is up."""
        for seat, entry in [*self._entries.items()]:
            if entry.until_ns <= now_ns:
                self._end(seat, entry.at_its_end)

    def on_displayed(self, now_ns: int) -> None:
        """Note that new questions have reached the displays: what was pressed before them is no letter."""
        for entry in self._entries.values():
            if entry.is_new:
                entry.is_new, entry.since_ns = False, max(entry.since_ns, now_ns)

    def forget(self, seat: int) -> None:
        """Forget the name at a seat whose player has left it, and ask the next one."""
        self._names.pop(seat, None)
        self._skipped.discard(seat)
        self._entries.pop(seat, None)

    def discard(self) -> None:
        """End all entries, after a call of the table that raised."""
        self._entries, self._kept = {}, None

    def take_effects(self) -> list[KeepNames]:
        """Return the effect that keeps the names, if they or the match have changed since the last call."""
        before, state = self._kept, self._state()
        self._kept = state
        return [state] if self.asks and state != before else []

    def _end(self, seat: int, name: str) -> None:
        del self._entries[seat]
        if name:
            self._names[seat] = self._unique(seat, name)
            self._skipped.discard(seat)
        else:
            self._names.pop(seat, None)
            self._skipped.add(seat)

    def _unique(self, seat: int, name: str) -> str:
        """Return a name that no other seat has: a number tells players of the same name apart."""
        others = {each.casefold() for each in (*self._places, *(n for s, n in self._names.items() if s != seat))}
        number, unique = 1, name
        while unique.casefold() in others:
            number += 1
            unique = f"{name[: MAX_CHARACTERS - len(str(number))]}{number}"
        return unique

    def _state(self) -> KeepNames:
        names = tuple(self.name(seat) for seat in range(len(self._places)))
        return KeepNames(names, tuple(sorted(self._skipped)), *self._match)
