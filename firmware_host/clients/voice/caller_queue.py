"""The announcer's queue: sounds with their times. Pure: time is passed in, in seconds of any clock.

`announcer` makes cues from public lines, `app` starts the result of `take`. One phrase plays at a time, and one waits:
an audience is better off with silence than with news from two bids ago.
"""

from collections import deque
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from enum import IntEnum

from firmware_host.i18n.caller_phrases import Phrase

MAX_SCHEDULED = 32
"""Maximum number of waiting cues. A reveal has about ten."""
MINUTE_S = 60.0
MAX_COUNTED = 64
"""Maximum number of counted cues in a minute. `mix.CueLimit` needs no more."""
MAX_REMEMBERED = 256
"""Maximum number of remembered cue identities; a match has about ninety."""
SOUND_KEEP_S = 0.8
"""Seconds for which a late sound still belongs to its event; opening a card takes half of that."""


class Topic(IntEnum):
    """A cue's subject. Of two waiting phrases, the higher topic is kept, else the newer one."""

    TURN = 0
    BID = 1
    ROUND = 2
    REVEAL = 3
    END = 4
    CALL = 5


@dataclass(frozen=True, slots=True)
class VoiceCue:
    """A sound by its key, or a phrase.

    It is due `after_s` seconds after its event, and dropped if it can't start within `keep_s` of that. A cue with a
    `once` is queued only once.
    """

    topic: Topic
    sound: str = ""
    phrase: Phrase | None = None
    after_s: float = 0.0
    keep_s: float = 2.0
    once: Hashable = None


@dataclass(frozen=True, slots=True)
class _Scheduled:
    due_s: float
    cue: VoiceCue

    @property
    def expires_s(self) -> float:
        return self.due_s + (SOUND_KEEP_S if self.cue.sound else self.cue.keep_s)


class CallerQueue:
    """Scheduled cues, the waiting phrase, and the current one."""

    def __init__(self) -> None:
        self._scheduled: list[_Scheduled] = []
        self._waiting: _Scheduled | None = None
        self._said: dict[Hashable, None] = {}
        self._taken_s: deque[float] = deque(maxlen=MAX_COUNTED)
        self.playing: VoiceCue | None = None
        """The last phrase from `take`, until `finished` or a drop."""

    def put(self, cue: VoiceCue, now_s: float) -> None:
        """Schedule a cue, unless it was queued before. A call's sound first drops everything else."""
        if cue.once is not None:
            if cue.once in self._said:
                return
            self._remember(cue.once)
        if cue.topic is Topic.CALL and cue.sound:
            self.clear()
        if len(self._scheduled) < MAX_SCHEDULED:
            self._scheduled.append(_Scheduled(now_s + cue.after_s, replace(cue, after_s=0.0)))

    def drop(self, topic: Topic, *, cut: bool = False) -> None:
        """Drop the rest of a topic. With `cut`, drop its current phrase too."""
        self._scheduled = [each for each in self._scheduled if each.cue.topic is not topic]
        if self._waiting is not None and self._waiting.cue.topic is topic:
            self._waiting = None
        if cut and self.playing is not None and self.playing.topic is topic:
            self.playing = None

    def hasten(self, topic: Topic, now_s: float) -> None:
        """Make a topic's remaining phrases due now, and drop its sounds."""
        left = [each for each in self._scheduled if each.cue.topic is topic and each.cue.phrase is not None]
        self._scheduled = [each for each in self._scheduled if each.cue.topic is not topic]
        self._scheduled += [replace(each, due_s=min(each.due_s, now_s)) for each in left]

    def clear(self) -> None:
        """Drop everything, including the current phrase."""
        self._scheduled, self._waiting, self.playing = [], None, None

    def forget(self) -> None:
        """Let earlier cues be queued again: another match has begun."""
        self._said.clear()

    def finished(self) -> None:
        """Note the end of the phrase."""
        self.playing = None

    def take(self, now_s: float) -> list[VoiceCue]:
        """Return due sounds, and a phrase unless another is being spoken. Drop late cues."""
        if not self._scheduled and self._waiting is None:
            return []
        due = sorted((each for each in self._scheduled if each.due_s <= now_s), key=lambda each: each.due_s)
        self._scheduled = [each for each in self._scheduled if each.due_s > now_s]
        sounds = [each.cue for each in due if each.cue.sound and now_s <= each.expires_s]
        for each in due:
            if not each.cue.sound and (self._waiting is None or each.cue.topic >= self._waiting.cue.topic):
                self._waiting = each
        taken = [*sounds, *self._phrase(now_s)]
        self._taken_s.extend(now_s for _ in taken)
        return taken

    def in_a_minute(self, now_s: float) -> int:
        """Return the number of cues taken within the last minute, at most `MAX_COUNTED`."""
        while self._taken_s and self._taken_s[0] <= now_s - MINUTE_S:
            self._taken_s.popleft()
        return len(self._taken_s)

    def next_s(self) -> float | None:
        """Return the time of the next cue, or None."""
        waiting = [] if self._waiting is None else [self._waiting.due_s]
        return min((each.due_s for each in self._scheduled), default=min(waiting, default=None))

    def _phrase(self, now_s: float) -> Iterator[VoiceCue]:
        waiting = self._waiting
        if waiting is None or self.playing is not None:
            return
        self._waiting = None
        if now_s <= waiting.expires_s:
            self.playing = waiting.cue
            yield waiting.cue

    def _remember(self, once: Hashable) -> None:
        if len(self._said) >= MAX_REMEMBERED:
            del self._said[next(iter(self._said))]
        self._said[once] = None

    def __repr__(self) -> str:
        return f"<CallerQueue {len(self._scheduled)} scheduled, waiting {self._waiting}, playing {self.playing}>"
