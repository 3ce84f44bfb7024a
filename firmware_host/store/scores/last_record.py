"""The record of the last match that was won, in memory, for clients of the public socket.

It is made from public events alone, so it holds what everybody at the table has seen and the proofs of it. It is there
from the end of its match to the end of the next one.
"""

import io
import logging
from collections.abc import Callable, Sequence

from engine import Rules
from firmware_host.public.messages import RecordAnswer
from firmware_host.store.journal.store import MatchLog
from firmware_host.store.scores.recorder import MatchRecorder
from firmware_host.table.events import MatchBegan, MatchReopened, MatchWon, PublicEvent
from firmware_host.util.evening import this_evening

log = logging.getLogger(__name__)


class LastRecord:
    """The last record of a table, over all its sessions."""

    def __init__(self) -> None:
        self._record = RecordAnswer()

    def get(self) -> RecordAnswer:
        """Return the record, an empty one before the first match is won."""
        return self._record

    def listener(
        self, rules: Rules, names: Sequence[str], resumed: MatchLog | None = None
    ) -> Callable[[PublicEvent], None]:
        """Return a function that takes a session's events, after those of a match that was `resumed`."""
        listener = _Listener(rules, names, self._keep)
        if resumed is not None:
            listener.resume(resumed)
        return listener.take

    def _keep(self, match: str, text: str) -> None:
        self._record = RecordAnswer(match, text)


class _Listener:
    """A listener to one session, which writes each match to a text of its own."""

    def __init__(self, rules: Rules, names: Sequence[str], keep: Callable[[str, str], None]) -> None:
        self._rules = rules
        self._names = names
        self._keep = keep
        self._day = ""
        self._match = ""
        self._file = io.StringIO()
        self._recorder: MatchRecorder | None = None  # None between matches

    def resume(self, match: MatchLog) -> None:
        """Take the events of a match of the journal, which has its day."""
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
        """Take an event. One that can't be recorded costs the record of its match."""
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
