"""The record of the last won match, in memory, for clients of the public socket.

It is made from public events alone, so it has only dice already seen by everybody at the table, with their proofs. It
is available from the end of its match to the end of the next one.
"""

import io
import logging
from collections.abc import Callable, Sequence

from engine import Rules
from firmware_host.store.journal.store import MatchLog
from firmware_host.store.scores.recorder import MatchRecorder
from firmware_host.table.events import PublicEvent
from firmware_host.util.evening import this_evening
from firmware_host.wire import MatchBegan, MatchReopened, MatchWon, RecordAnswer

log = logging.getLogger(__name__)


class LastRecord:
    """A table's last record, across all its sessions."""

    def __init__(self) -> None:
        self._record = RecordAnswer()

    def get(self) -> RecordAnswer:
        """Return the record, empty before the first match is won."""
        return self._record

    def listener(
        self, rules: Rules, names: Sequence[str], resumed: MatchLog | None = None
    ) -> Callable[[PublicEvent], None]:
        """Return a function for a session's events, after those of a `resumed` match."""
        listener = _Listener(rules, names, self._keep)
        if resumed is not None:
            listener.resume(resumed)
        return listener.take

    def _keep(self, match: str, text: str) -> None:
        self._record = RecordAnswer(match, text)


class _Listener:
    """One session's listener; it writes each match to a separate text."""

    def __init__(self, rules: Rules, names: Sequence[str], keep: Callable[[str, str], None]) -> None:
        self._rules = rules
        self._names = names
        self._keep = keep
        self._day = ""
        self._match = ""
        self._file = io.StringIO()
        self._recorder: MatchRecorder | None = None  # None between matches

    def resume(self, match: MatchLog) -> None:
        """Take the events of a match in the journal, and its day."""
        self._day = match.day
        try:
            announced = match.events()
        except (ValueError, LookupError):
            log.warning("the match of the journal is damaged: it will have no record to be checked")
            announced = []
        for event in announced:
            self.take(event)
        self._day = ""

    def take(self, event: PublicEvent) -> None:
        """Take an event. An unrecordable one drops its match's record."""
        if isinstance(event, MatchBegan):
            day = self._day or this_evening()
            self._match, self._file = event.match, io.StringIO()
            self._recorder = MatchRecorder(self._rules, self._names, lambda: day, self._file)
        if self._recorder is None:
            return
        try:
            self._recorder.record(event)
        except (ValueError, LookupError, AssertionError):  # events that no match can have
            log.warning("match %s can't be recorded: it will have no record to be checked", self._match)
            self._recorder = None
            return
        if isinstance(event, MatchWon):
            self._keep(self._match, self._file.getvalue())
        elif isinstance(event, MatchReopened):
            self._keep("", "")
