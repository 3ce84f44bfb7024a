"""From public lines to cues: the audible part of each event, and its time. Pure; `app` feeds it and owns the queue.

Its only input is the lines in docs/events.md. A reveal follows `table.cues`, as the displays do.
"""

from collections.abc import Iterable, Iterator
from itertools import zip_longest

from engine import Call, RoundKind
from firmware_host import wire
from firmware_host.clients.voice import mix
from firmware_host.clients.voice.caller_queue import CallerQueue, Topic, VoiceCue
from firmware_host.clients.voice.mix import CueLimit
from firmware_host.i18n import caller_phrases, phrases
from firmware_host.i18n.caller_phrases import CallerWords, Phrase
from firmware_host.public.state_rules import kind_of, rules_of
from firmware_host.table.cues import CueKind, reveal_cues
from firmware_host.table.seat.view import SceneName
from firmware_host.wire import AnyLine, PublicShowdown, PublicState, Seat, all_seats

BID_AFTER_S = 0.15
"""Seconds from a bid to its words: the sound of the turn comes first."""
CALL_AFTER_S = 0.45
"""Seconds from a call to its word: most of the horns."""
WIN_AFTER_S = 0.9
OPENS_AFTER_S = 0.4
MAX_DICE_A_SEAT = 5

_QUIET = (SceneName.LOBBY, SceneName.OVER)
_RESULTS = (Topic.REVEAL, Topic.END, Topic.CALL)

_SENTENCES = (
    *(
        caller_phrases.PASS,
        caller_phrases.TAKEN_BACK,
        caller_phrases.MATCH_BEGINS,
        phrases.MATCH_GOES_ON,
        caller_phrases.SHAKE_AGAIN,
    ),
    phrases.NOBODY,
)


class Announcer:
    """The follower of one table: it queues cues in line order.

    Reveal cues are queued `lead_s` earlier, to make up for a card's buffer. Other outlets take them after that time.
    With `only_results`, calls and results alone are queued.
    """

    def __init__(
        self, words: CallerWords, queue: CallerQueue, lead_s: float = 0.0, *, only_results: bool = False
    ) -> None:
        self._words = words
        self._queue = queue
        self._lead_s = lead_s
        self._only_results = only_results
        self._pace = 0  # cues in the last minute
        self._state: PublicState | None = None
        self._match: str | None = None
        self._called_bid: tuple[int, int] | None = None

    @property
    def is_quiet(self) -> bool:
        """Whether no match is running, so that the card may be closed sooner."""
        return self._state is None or self._state.scene in _QUIET

    def lost(self) -> None:
        """Forget the state after missed lines: stay silent until the next state."""
        self._state = None
        self._queue.clear()

    def read(self, line: AnyLine | None, now_s: float) -> None:
        """Queue a line's cues; None is a newer table's unknown line."""
        self._pace = self._queue.in_a_minute(now_s)
        if isinstance(line, PublicState):
            self._read_state(line, now_s)
        elif line is not None and self._state is not None:
            self._put(self._cues(line), now_s)

    def _put(self, cues: Iterable[VoiceCue], now_s: float) -> None:
        for cue in cues:
            is_result = cue.topic in _RESULTS if cue.phrase is not None else mix.MIX[cue.sound].is_result
            if is_result or not self._only_results:
                self._queue.put(cue, now_s)

    def _allows(self, pace: CueLimit) -> bool:
        """Return whether the last minute was calm enough for a cue of this kind."""
        return self._pace < pace

    def phrases(self) -> Iterator[Phrase]:
        """Yield this table's likely phrases: every bid, every call, and each phrase with a player's name."""
        words, seats = self._words, () if self._state is None else self._state.seats
        for call in Call:
            yield words.call(call)
        for text in _SENTENCES:
            yield words.sentence(text)
        for text in (phrases.OPENS, phrases.LOSES, phrases.LOSES_LAST, phrases.GAINS, phrases.WINS_MATCH):
            yield from (words.about(text, self._name(seat)) for seat in all_seats(len(seats)))
        for quantity in range(MAX_DICE_A_SEAT * len(seats) + 1):
            for face in caller_phrases.BIDS:
                yield words.bid(quantity, face) if quantity else words.count(0, face)

    def _read_state(self, state: PublicState, now_s: float) -> None:
        before, self._state = self._state, state
        if state.match != self._match:
            self._match = state.match
            self._queue.forget()
        standing = None if state.standing is None else (state.standing.quantity, state.standing.face)
        if state.scene != SceneName.BIDDING or self._called_bid not in (None, standing):
            self._queue.drop(Topic.BID, cut=True)
            self._called_bid = None
        if state.scene != SceneName.BIDDING:
            self._queue.drop(Topic.TURN)
        if state.scene not in (SceneName.CALLED, SceneName.REVEAL, SceneName.OVER):
            self._queue.drop(Topic.REVEAL)
        if before is not None:
            if state.scene == SceneName.REVEAL and len(state.waiting_for) < len(before.waiting_for):
                self._queue.hasten(Topic.REVEAL, now_s)  # a player goes on, and the displays show the end
            self._put(self._turn_cues(before, state), now_s)

    def _turn_cues(self, before: PublicState, state: PublicState) -> Iterator[VoiceCue]:
        turn = state.turn
        if turn is None or turn == before.turn or state.scene != SceneName.BIDDING:
            return
        if not self._allows(CueLimit.AMBIENT):
            return
        yield VoiceCue(Topic.TURN, sound="turn")
        if state.standing is None and state.passer is None:
            opens = self._about(phrases.OPENS, turn, "opens")
            yield VoiceCue(Topic.TURN, phrase=opens, after_s=OPENS_AFTER_S)

    def _cues(self, line: wire.EventLine) -> Iterator[VoiceCue]:
        words = self._words
        match line:
            case wire.Joined():
                yield VoiceCue(Topic.ROUND, sound="join")
            case wire.MatchBegan():
                yield VoiceCue(
                    Topic.ROUND, phrase=words.sentence(caller_phrases.MATCH_BEGINS, "match_begins"), once="began"
                )
            case wire.ChoiceAwaited(seat):
                yield VoiceCue(Topic.ROUND, phrase=self._about(caller_phrases.CHOOSES_ROUND, seat, "chooses"))
            case wire.RoundLine():
                yield from self._round(line)
            case wire.CupSettled() if self._allows(CueLimit.AMBIENT):
                yield VoiceCue(Topic.ROUND, sound="slam")
            case wire.ActionLine():
                yield from self._action(line)
            case wire.UndoLine():
                yield from self._undone(line)
            case wire.RevealLine(showdown):
                yield from self._reveal(showdown)
            case wire.MatchWon(seat):
                yield VoiceCue(Topic.END, sound="win", once="win")
                won = self._about(phrases.WINS_MATCH, seat, "wins_match")
                yield VoiceCue(Topic.END, phrase=won, after_s=WIN_AFTER_S, keep_s=6.0, once="won")
            case wire.MatchReopened():
                self._queue.forget()  # it may be won again
                self._queue.drop(Topic.END, cut=True)
                yield VoiceCue(Topic.ROUND, phrase=words.sentence(phrases.MATCH_GOES_ON, "match_goes_on"))
            case wire.Left(seat) if not self.is_quiet:
                yield VoiceCue(Topic.ROUND, phrase=self._about(caller_phrases.LEAVES, seat, "leaves"), keep_s=5.0)
            case wire.Away(seat):
                yield VoiceCue(Topic.ROUND, phrase=self._about(caller_phrases.WAITS_FOR, seat, "waits_for"))
            case wire.TimeUp(seat):
                yield VoiceCue(Topic.ROUND, phrase=self._about(phrases.TIME_IS_UP, seat, "time_is_up"))
            case wire.DealRepeated():
                yield VoiceCue(Topic.ROUND, sound="reshake")
                again = words.sentence(caller_phrases.SHAKE_AGAIN, "shake_again")
                yield VoiceCue(Topic.ROUND, phrase=again, after_s=0.3, keep_s=5.0)

    def _round(self, line: wire.RoundLine) -> Iterator[VoiceCue]:
        if self._allows(CueLimit.AMBIENT):
            yield VoiceCue(Topic.ROUND, sound="shake", after_s=0.2)
        kind = kind_of(line.kind)
        if kind is not None and kind is not RoundKind.NORMAL:
            named = self._name(line.first if line.owner is None else line.owner)
            title = self._words.round(kind, named, None if self._state is None else rules_of(self._state))
            yield VoiceCue(Topic.ROUND, phrase=title, after_s=0.6, keep_s=4.0, once=("round", line.number, line.kind))

    def _action(self, line: wire.ActionLine) -> Iterator[VoiceCue]:
        if line.bid is not None:
            self._queue.drop(Topic.BID, cut=True)
            self._queue.drop(Topic.TURN, cut=True)
            self._called_bid = (line.bid.quantity, line.bid.face)
            if line.bid.face in caller_phrases.BIDS and self._allows(CueLimit.BID):
                after_s = BID_AFTER_S if self._allows(CueLimit.AMBIENT) else 0.0
                yield VoiceCue(Topic.BID, phrase=self._words.bid(*self._called_bid), after_s=after_s)
        elif line.action in _CALLS:
            yield VoiceCue(Topic.CALL, sound=line.action)
            yield VoiceCue(Topic.CALL, phrase=self._words.call(_CALLS[line.action]), after_s=CALL_AFTER_S)
        elif line.action == "pass":
            yield VoiceCue(Topic.BID, phrase=self._words.sentence(caller_phrases.PASS, "pass"), after_s=BID_AFTER_S)

    def _undone(self, line: wire.UndoLine) -> Iterator[VoiceCue]:
        """Say that something was taken back, and the standing bid: the rest is unchanged."""
        for topic in (Topic.BID, Topic.TURN, Topic.CALL):
            self._queue.drop(topic, cut=True)
        yield VoiceCue(Topic.ROUND, phrase=self._words.sentence(caller_phrases.TAKEN_BACK, "taken_back"))
        self._called_bid = None
        if line.standing is not None and line.standing.face in caller_phrases.BIDS:
            self._called_bid = (line.standing.quantity, line.standing.face)
            yield VoiceCue(Topic.BID, phrase=self._words.bid(*self._called_bid), after_s=BID_AFTER_S)

    def _reveal(self, shown: PublicShowdown) -> Iterator[VoiceCue]:
        order = () if self._state is None else self._state.order
        has_begun = False
        cues = reveal_cues(shown, shown, order)
        for cue, following in zip_longest(cues, cues[1:]):
            if following and (following.at_ms, following.kind) == (cue.at_ms, CueKind.COUNT) == (cue.at_ms, cue.kind):
                continue  # cups that go up together have one note, the last count's
            at_s = max(0.0, cue.at_ms / 1000 - self._lead_s)
            match cue.kind:
                case CueKind.LIFT if not has_begun and self._allows(CueLimit.STEPS):
                    has_begun = True
                    yield VoiceCue(Topic.REVEAL, sound="reveal", after_s=at_s)
                case CueKind.COUNT if self._allows(CueLimit.STEPS):
                    yield VoiceCue(Topic.REVEAL, sound=mix.step(cue.count), after_s=at_s)
                case CueKind.VERDICT:
                    yield VoiceCue(Topic.REVEAL, sound="verdict", after_s=at_s)
                    yield VoiceCue(Topic.REVEAL, phrase=self._counted(shown), after_s=at_s)
                case CueKind.PAYS:
                    if shown.gainer is not None:
                        yield VoiceCue(Topic.REVEAL, sound="gain", after_s=at_s)
                    yield VoiceCue(Topic.REVEAL, phrase=self._cost(shown), after_s=at_s, keep_s=5.0)
                case CueKind.FALL:
                    yield VoiceCue(Topic.REVEAL, sound="out" if shown.loser in shown.out else "lost", after_s=at_s)

    def _counted(self, shown: PublicShowdown) -> Phrase:
        if shown.matching is None:
            text, key = (phrases.PASS_WAS_BLUFF, "bluff") if shown.right else (phrases.PASS_WAS_HONEST, "honest")
            return self._words.sentence(text, key)
        return self._words.count(shown.matching, shown.face)

    def _cost(self, shown: PublicShowdown) -> Phrase:
        if shown.loser is not None:
            if shown.loser in shown.out:
                return self._about(phrases.LOSES_LAST, shown.loser, "out", "loses")
            return self._about(phrases.LOSES, shown.loser, "loses")
        if shown.gainer is not None:
            return self._about(phrases.GAINS, shown.gainer, "wins_die")
        return self._words.sentence(phrases.NOBODY, "nobody_loses")

    def _about(self, text: str, seat: Seat, *keys: str) -> Phrase:
        return self._words.about(text, self._name(seat), *keys)

    def _name(self, seat: Seat) -> str:
        seats = () if self._state is None else self._state.seats
        return self._words.name(seats[seat].name if 0 <= seat < len(seats) else "", seat + 1)


_CALLS = {str(call): call for call in Call}
