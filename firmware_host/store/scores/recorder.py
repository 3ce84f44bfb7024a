"""Records a table's matches from its public events alone, and writes them to a file round by round.

`dudo-table play` and `run` use it with `--record FILE`, the archive for journal matches. The recorder gets a round's
dice once its cups are up; after a round without a call its dice stay unknown. A score together with its proofs is a
record: `dudo-table verify` checks it.

A record file has one match after the other. If a daemon died in the last one, the next daemon replaces that part of the
file: it passes all the match's events again.
"""

import io
import logging
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from engine import (
    Bid,
    Call,
    DealtHands,
    Departure,
    HandOver,
    OrderRoll,
    Pass,
    PlayedAction,
    Player,
    RoundKind,
    Rules,
    Ruling,
)
from engine.notation.score_text import FORMAT, NOT_OVER
from firmware_host import wire
from firmware_host.errors import RecordFileError
from firmware_host.fairness.chain import is_match_line, printable_name, read_match_line
from firmware_host.store.journal.store import MatchLog
from firmware_host.store.scores.record_writer import RecordWriter
from firmware_host.table import events
from firmware_host.table.events import PublicEvent
from firmware_host.util.evening import this_evening
from firmware_host.util.system_error import reason_of
from firmware_host.wire import Seat
from hardware.config import regular_file
from hardware.config.problems import Problem

FIRST_WORDS = "dudo score "
_MAX_MATCH_BYTES = 8 << 20
"""More than any match takes. Only so much of a file's end is searched for the last match."""

log = logging.getLogger("dudo-table")


@contextmanager
def recording(
    path: Path | None, rules: Rules, names: Sequence[str], resumed: MatchLog | None = None
) -> Iterator[Callable[[PublicEvent], None]]:
    """Yield a function that records public events at the end of a file; without a `path` it is a no-op.

    A match has its evening's date. A `resumed` one is recorded from its beginning, in place of its part in the file.
    Raises `RecordFileError`, also for a file with other content. If the disk fails later, recording ends with a log
    entry; the table plays on.
    """
    if path is None:
        yield lambda _: None
        return
    file = open_record_file(path)
    recorder = MatchRecorder(rules, names, this_evening, file)
    try:
        if resumed is not None:
            recorder.resume(path, resumed)
        yield recorder.record
    finally:
        recorder.close()
        with suppress(OSError):  # the log has already reported the failure
            file.close()


def record_text(match: MatchLog) -> str:
    """Return a journal match as a record, with a star if it is unfinished. Raises `ValueError` without proofs."""
    announced = match.events()
    lines = [event.line for event in announced if isinstance(event, wire.ChainEntryAdded)]
    if not lines or not is_match_line(lines[0]):
        raise ValueError("it does not say who plays")
    rules, names = read_match_line(lines[0])
    file = io.StringIO()
    recorder = MatchRecorder(rules, names, lambda: match.day, file)
    recorder.record_all(announced)
    recorder.close()
    return file.getvalue()


class MatchRecorder:
    """One table's recorder. `names` are the layout's seat names, `day` returns a new match's date."""

    def __init__(self, rules: Rules, names: Sequence[str], day: Callable[[], str], file: TextIO) -> None:
        self._rules = rules
        self._names = tuple(names)
        self._day = day
        self._file = file
        self._writer: RecordWriter | None = None  # None between matches
        self._last: RecordWriter | None = None  # of an ended match
        self._players: tuple[Seat, ...] = ()
        self._dice: list[int] = []  # their number, by player
        self._order_rolls: dict[Seat, int] = {}  # the number of rolls for the order of play, by the layout's seat
        self._match_day = ""
        self._round: events.RoundBegan | None = None
        self._is_dealt = False  # a player has bid, so there are dice under the cups
        self._choice_due = False

    def resume(self, path: Path, match: MatchLog) -> None:
        """Record a match in the journal from its beginning, in place of its part in the file.

        A finished match is recorded only if the file has a part of it.
        """
        announced, day = match.events(), self._day
        ends = (wire.MatchWon, wire.MatchBrokenOff, wire.MatchReopened)
        last = next((event for event in reversed(announced) if isinstance(event, ends)), None)
        is_over = last is not None and not isinstance(last, wire.MatchReopened)
        with self._logging_disk_errors():
            if not truncate_to_match(path, self._file, match.name, record_text(match)) and is_over:
                return
            self._day = lambda: match.day
            self.record_all(announced)
        self._day = day

    def record_all(self, announced: Iterable[PublicEvent]) -> None:
        """Record events in order."""
        for event in announced:
            self.record(event)

    def record(self, event: PublicEvent) -> None:
        """Record an event if it belongs to a match."""
        with self._logging_disk_errors():
            if isinstance(event, wire.MatchBegan):
                self._begin(event)
            elif isinstance(event, wire.MatchReopened):
                self._reopen(event)
            elif self._writer is not None:
                self._record(event, self._writer)

    def _record(self, event: PublicEvent, writer: RecordWriter) -> None:
        match event:
            case events.OrderRolled(rolls):
                self._roll_order(rolls, writer)
            case events.RoundBegan():
                self._begin_round(event, writer)
            case wire.ChoiceAwaited():
                self._choice_due = True
            case events.ActionTaken():
                self._take_action(event, writer)
            case events.Undone(_, action):
                writer.add(Ruling.UNDO)
                if isinstance(action, RoundKind):  # the round of that kind never began
                    self._round = None
            case events.Revealed():
                self._dice, self._is_dealt = list(event.dice), False
                writer.show_dice(event.showdown.hands)
            case wire.ChainEntryAdded(line, head):
                if is_match_line(line):
                    writer = self._writer = RecordWriter(*read_match_line(line), self._match_day, self._file)
                writer.add_proof(line, head)
            case wire.SeatHandedOver(seat):
                writer.add(HandOver(self._player(seat)))
            case wire.Left(seat):
                self._leave(self._player(seat), writer)
            case wire.MatchWon(seat):
                self._record_departures({seat: 1}, writer)
                self._end(self._player(seat))
            case wire.MatchBrokenOff():
                self._end(None)

    def close(self) -> None:
        """End an unfinished match's record."""
        with self._logging_disk_errors():
            self._end(None)

    @contextmanager
    def _logging_disk_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self._writer = self._last = None
            log.error("%s: can't be written: %s; this match will not be in it", self._file.name, reason_of(error))

    def _reopen(self, event: wire.MatchReopened) -> None:
        """Record that a match continues after its end, in place of its result."""
        writer, self._last = self._last, None
        if self._writer is None and writer is not None:
            writer.reopen()
            self._writer = writer
            self._dice, self._round = [*event.dice], None
            self._is_dealt = self._choice_due = False

    def _begin(self, event: wire.MatchBegan) -> None:
        self._end(None)
        self._last = None
        self._players = event.players
        self._match_day = self._day()
        names = [printable_name(self._names[seat]) if seat < len(self._names) else "" for seat in event.players]
        self._writer = RecordWriter(self._rules, names, self._match_day, self._file)
        self._dice = [self._rules.starting_dice] * len(event.players)
        self._order_rolls = dict.fromkeys(event.players, 0)
        self._round = None
        self._is_dealt = self._choice_due = False

    def _roll_order(self, rolls: Sequence[tuple[Seat, tuple[int, ...]]], writer: RecordWriter) -> None:
        new = {self._player(seat): dice[-1] for seat, dice in rolls if len(dice) > self._order_rolls[seat]}
        if new:
            writer.add(OrderRoll(tuple(new.get(self._player(seat)) for seat in self._players)))
        for seat, dice in rolls:
            self._order_rolls[seat] = len(dice)

    def _begin_round(self, event: events.RoundBegan, writer: RecordWriter) -> None:
        """Record a new or repeated round: the last one is void, a seat has left, or its special kind is forgone."""
        before, self._round = self._round, event
        writer.set_opener(self._player(event.first))
        gone = self._record_departures(dict(event.dice), writer)
        again = before is not None and before.number == event.number
        special = self._choice_due or (again and before is not None and before.kind is not RoundKind.NORMAL)
        if special and event.kind is RoundKind.NORMAL and not gone:
            writer.add(Ruling.FORGO)
        elif again and self._is_dealt and not gone:
            writer.add(Ruling.VOID)
        self._is_dealt = self._choice_due = False

    def _leave(self, player: Player, writer: RecordWriter) -> None:
        """Record a departure. The next round is a new one, without a ruling."""
        writer.add(Departure(player))
        self._dice[player] = 0
        self._round, self._is_dealt, self._choice_due = None, False, False

    def _record_departures(self, living: dict[Seat, int], writer: RecordWriter) -> bool:
        """Record players who left with dice in hand. Return whether there are any."""
        gone = [seat for seat in self._players if self._dice[self._player(seat)] and seat not in living]
        for player in map(self._player, gone):
            writer.add(Departure(player))
            self._dice[player] = 0
        return bool(gone)

    def _take_action(self, event: events.ActionTaken, writer: RecordWriter) -> None:
        if isinstance(event.action, Bid | Pass | Call) and not self._is_dealt:
            self._is_dealt = True
            writer.add(DealtHands(None))
        if isinstance(event.action, RoundKind):
            self._choice_due = False
        writer.add(PlayedAction(self._player(event.seat), event.action))

    def _end(self, winner: Player | None) -> None:
        if self._writer is not None:
            self._writer.end(winner)
            self._last = self._writer
        self._writer = None

    def _player(self, seat: Seat) -> Player:
        return Player(self._players.index(seat))


# The file


def open_record_file(path: Path) -> TextIO:
    """Open a file for writing at its end. Raises `RecordFileError`, also for a file with other content."""
    try:
        if path.exists() and not path.is_char_device():  # a terminal and /dev/null can be written to
            with open(regular_file.opened(path), "rb") as before:
                start = before.read(len(FIRST_WORDS))
            if start and start != FIRST_WORDS.encode():
                raise RecordFileError(
                    str(path), [Problem("", "", "holds something else than scores", "name a new file")]
                )
        return path.open("a", encoding="utf-8", newline="")
    except (OSError, ValueError) as error:
        if isinstance(error, RecordFileError):
            raise
        fault = Problem("", "", f"can't be written: {reason_of(error)}", "name a file in a folder that is yours")
        raise RecordFileError(str(path), [fault]) from error


def truncate_to_match(path: Path, file: TextIO, match: str, text: str) -> bool:
    """Remove a match or its beginning from the end of the file. Return whether it was there.

    `match` is its name, `text` its record so far.
    """
    status = os.fstat(file.fileno())
    if not stat.S_ISREG(status.st_mode):
        return False
    size = status.st_size
    with open(regular_file.opened(path), "rb") as before:
        before.seek(max(0, size - _MAX_MATCH_BYTES))
        end = before.read()
    start = end.rfind(f"{FORMAT}\n".encode())
    if start < 0 or (start and end[start - 1 : start] != b"\n"):
        return False
    last = end[start:]
    written = last.removesuffix(f"{NOT_OVER}\n".encode())
    if f"\n% match {match} ".encode() not in last and not text.encode().startswith(written):
        return False
    file.truncate(size - len(last) - (1 if end[:start].endswith(b"\n\n") else 0))
    file.seek(0, 2)
    return True
