"""The players' names at a table, and their letters as players enter them on their displays.

Pure: `Table` passes in moments and the keys from seats entering a name. A name belongs to its layout seat for the rest
of the evening.
"""

from collections.abc import Collection, Iterable, Sequence
from unicodedata import normalize

from firmware_host.table.parts.part import Part
from firmware_host.table.seat.key_input import Confirm, Key, Step
from firmware_host.table.seat.names import (
    LETTERS,
    MAX_CHARACTERS,
    MAX_LETTERS,
    NAME_TIMEOUT_NS,
    KeepNames,
    NameItem,
    NameOptions,
    NameView,
    is_spellable,
)
from firmware_host.wire import Seat, all_seats, enumerate_seats


class _Entry:
    """One seat entering a name: it picks a regular, or enters letters."""

    def __init__(self, regulars: Sequence[str], now_ns: int) -> None:
        self.since_ns = now_ns
        self.is_new = True  # not on the display yet
        self.until_ns = now_ns + NAME_TIMEOUT_NS
        self._regulars = tuple(regulars)
        self._spells = not regulars
        self._letters = ""
        self._at = 0

    def _ring(self) -> tuple[str | NameItem, ...]:
        """Return the ring for ◀ and ▶. The items ending the entry stand just before the first letter."""
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
        """Take the choice. Return a complete name, an empty one if the player wants no name, else None."""
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
        """The name if time runs out: a full entry, or an empty one."""
        return self._letters if len(self._letters) == MAX_LETTERS else ""


class Names(Part):
    """One table's names. `places` are layout seat names, reserved from players.

    A phone, or the page of `play`, tells its person's name: the seats in `phones` are never asked. Such names are there
    at every table.
    """

    def __init__(self, options: NameOptions, places: Sequence[str], phones: Collection[Seat] = ()) -> None:
        self._places = tuple(places)
        self._phones = {*phones}
        self._take(options)
        self._entries: dict[Seat, _Entry] = {}
        self._leaving: tuple[Seat, ...] = ()  # seats whose players have left the finished match
        self._match: tuple[str | None, tuple[Seat, ...]] = None, ()
        self._kept: KeepNames | None = self._state()

    def _take(self, options: NameOptions) -> None:
        self.asks, self.are_public = options.asks, options.asks and options.public
        self._names = dict(enumerate_seats(options.names[: len(self._places)])) if options.asks else {}
        self._skipped = {seat for seat in options.skipped if seat < len(self._places)}
        self._regulars = options.regulars

    def read(self, options: NameOptions) -> None:
        """Take names changed by the host. A player entering a name goes on.

        The next `take_effects` returns the names in any case: the host may have kept an older state since it read them.
        """
        self._take(options)
        self._kept = None

    def name(self, seat: Seat) -> str:
        """Return a seat's player name, or an empty text."""
        return self._names.get(seat, "")

    @property
    def regulars(self) -> Sequence[str]:
        """The names of people who often play here."""
        return self._regulars

    @property
    def shown(self) -> tuple[str, ...]:
        """Each seat's name on displays: its player's, else its own."""
        return tuple(self.name(seat) or place for seat, place in enumerate_seats(self._places))

    @property
    def public(self) -> tuple[str, ...]:
        """Each seat's public name: entered names only if the owner makes them public.

        At a table that asks nobody, phones tell names for everybody to see, which are kept nowhere.
        """
        return self.shown if self.are_public or not self.asks else self._places

    def is_asked(self, seat: Seat) -> bool:
        """Return whether a seat's buttons enter a name."""
        return seat in self._entries

    def view(self, seat: Seat) -> NameView | None:
        """Return a seat's picture while it enters a name."""
        return self._entries[seat].view() if seat in self._entries else None

    @property
    def deadline_ns(self) -> int | None:
        """The next moment at which a question ends."""
        return min((entry.until_ns for entry in self._entries.values()), default=None)

    def follow_match(self, match: str | None, players: tuple[Seat, ...], leaving: tuple[Seat, ...]) -> None:
        """Follow the table into a match and out again. At its end, seats in `leaving` lose their names."""
        if match is None:
            for seat in self._leaving:
                self.leave(seat)
        self._leaving, self._match = leaving, (match, players)

    def introduce(self, seat: Seat, name: str) -> None:
        """Name the person at a phone or page as it says; what displays can't show is no name."""
        self._phones.add(seat)
        name = " ".join(normalize("NFC", name).split())[:MAX_CHARACTERS].strip()
        self.forget(seat)
        if is_spellable(name):
            self._names[seat] = self._unique(seat, name)

    def follow(self, asked: Iterable[Seat], may_stay: Iterable[Seat], nameless: Collection[Seat], now_ns: int) -> None:
        """Ask seats from `asked` without name or refusal; stop asking seats outside `may_stay`.

        Robots, and seats for phones without one, are `nameless`: not asked, and they lose any name from before.
        """
        if self._match[0] is None:
            for seat in nameless:
                self.forget(seat)
        asked = [seat for seat in asked if seat not in nameless and seat not in self._phones]
        stays = {*may_stay}.difference(nameless) if self.asks else set()
        self._entries = {seat: entry for seat, entry in self._entries.items() if seat in stays}
        for seat in asked:
            if self.asks and not self.name(seat) and seat not in self._skipped and seat not in self._entries:
                self.ask(seat, now_ns)

    def ask(self, seat: Seat, now_ns: int) -> None:
        """Ask a seat for a name, even if it has one."""
        taken = {name.casefold() for other, name in self._names.items() if other != seat}
        regulars = [name for name in self._regulars if name.casefold() not in taken]
        self._entries[seat] = _Entry(regulars, now_ns)

    def on_key(self, seat: Seat, key: Key, now_ns: int) -> None:
        """Hand a key to a seat's entry. A press from before the question is ignored."""
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
        """End overdue entries."""
        for seat, entry in [*self._entries.items()]:
            if entry.until_ns <= now_ns:
                self._end(seat, entry.at_its_end)

    def on_displayed(self, now_ns: int) -> None:
        """Note that new questions are on the displays: earlier presses are no letters."""
        for entry in self._entries.values():
            if entry.is_new:
                entry.is_new, entry.since_ns = False, max(entry.since_ns, now_ns)

    def leave(self, seat: Seat) -> None:
        """Forget a leaving player's name, unless they are still at their phone or page."""
        if seat not in self._phones:
            self.forget(seat)

    def forget(self, seat: Seat) -> None:
        """Forget a seat's name, and ask its next player."""
        self._names.pop(seat, None)
        self._skipped.discard(seat)
        self._entries.pop(seat, None)

    def discard(self) -> None:
        """End all entries, after a table call raised."""
        self._entries, self._kept = {}, None

    def take_effects(self) -> list[KeepNames]:
        """Return the effect that keeps the names, if they or the match have changed since the last call."""
        before, state = self._kept, self._state()
        self._kept = state
        return [state] if self.asks and state != before else []

    def _end(self, seat: Seat, name: str) -> None:
        del self._entries[seat]
        if name:
            self._names[seat] = self._unique(seat, name)
            self._skipped.discard(seat)
        else:
            self._names.pop(seat, None)
            self._skipped.add(seat)

    def _unique(self, seat: Seat, name: str) -> str:
        """Return a name unique at the table: a number tells players with equal names apart."""
        others = {each.casefold() for each in (*self._places, *(n for s, n in self._names.items() if s != seat))}
        number, unique = 1, name
        while unique.casefold() in others:
            number += 1
            unique = f"{name[: MAX_CHARACTERS - len(str(number))]}{number}"
        return unique

    def _state(self) -> KeepNames:
        names = tuple(map(self.name, all_seats(len(self._places))))
        return KeepNames(names, tuple(sorted(self._skipped)), *self._match)
