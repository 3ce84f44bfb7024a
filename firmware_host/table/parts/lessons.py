"""The lessons in progress at a table's free seats. Pure: moments are passed in.

A lesson belongs to one display: it is absent from the public state, the other seats' displays and the journal.
"""

from collections.abc import Collection
from dataclasses import dataclass

from drivers.messages import Message, Settled
from engine import Rules
from firmware_host.table.effects import HostMessage
from firmware_host.table.parts.part import Part
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat.key_input import Confirm, Key
from firmware_host.table.seat.lesson import LESSON_TIMEOUT_NS, Lesson, LessonEnd, LessonStep
from firmware_host.wire import Seat


@dataclass
class _Learner:
    """One seat's lesson, with the moment since which its display shows this step."""

    lesson: Lesson
    since_ns: int
    until_ns: int
    is_new: bool = True  # not on the display yet


class Lessons(Part):
    """One table's lessons by seat."""

    def __init__(self) -> None:
        self._learners: dict[Seat, _Learner] = {}
        self._ended: set[Seat] = set()
        self._taught: set[Seat] = set()

    def begin(self, seat: Seat, rules: Rules, now_ns: int, *, has_dudo_button: bool) -> None:
        """Begin a seat's lesson under these rules."""
        self._learners[seat] = _Learner(Lesson(rules, has_dudo_button), now_ns, now_ns + LESSON_TIMEOUT_NS)

    def lesson(self, seat: Seat) -> Lesson | None:
        """Return a seat's lesson, if any."""
        return self._learners[seat].lesson if seat in self._learners else None

    def on_key(self, seat: Seat, key: Key, now_ns: int) -> bool:
        """Hand a key to a seat's lesson; return whether its player joins now. A press from before a step is ignored."""
        learner = self._learners[seat]
        learner.until_ns = now_ns + LESSON_TIMEOUT_NS
        if isinstance(key, Confirm) and key.since_ns < learner.since_ns:
            return False
        return self._go_on(seat, learner.lesson.take(key), now_ns)

    def on_message(self, message: Message | HostMessage, scene: Scene) -> None:
        """Note a shaken cup."""
        if isinstance(message, Settled) and (learner := self._learners.get(Seat(message.seat))):
            learner.until_ns = message.at_ns + LESSON_TIMEOUT_NS
            self._go_on(Seat(message.seat), learner.lesson.shaken(), message.at_ns)

    def follow(self, busy: Collection[Seat]) -> None:
        """End the lessons at seats with a player or robot."""
        for seat in [seat for seat in self._learners if seat in busy]:
            del self._learners[seat]

    def take_ended(self) -> set[Seat]:
        """Return the seats whose lessons have ended since the last call."""
        ended, self._ended = self._ended, set()
        return ended

    def take_taught(self) -> set[Seat]:
        """Return the seats whose lessons have reached their end since the last call."""
        taught, self._taught = self._taught, set()
        return taught

    @property
    def deadline_ns(self) -> int | None:
        """The next moment at which a lesson ends by itself."""
        return min((learner.until_ns for learner in self._learners.values()), default=None)

    def tick(self, now_ns: int) -> None:
        """End the lessons of players who have gone."""
        for seat in [seat for seat, learner in self._learners.items() if learner.until_ns <= now_ns]:
            self._end(seat)

    def on_displayed(self, now_ns: int) -> None:
        """Note that new steps are on the displays: earlier presses were meant for others."""
        for learner in self._learners.values():
            if learner.is_new:
                learner.is_new, learner.since_ns = False, max(learner.since_ns, now_ns)

    def discard(self) -> None:
        """End all lessons, after a table call raised."""
        self._learners.clear()

    def _go_on(self, seat: Seat, after: Lesson | LessonEnd, now_ns: int) -> bool:
        learner = self._learners[seat]
        if isinstance(after, LessonEnd):
            self._end(seat)
            return after is LessonEnd.JOINS
        if after.step is not learner.lesson.step:
            learner.since_ns, learner.is_new = now_ns, True
            if after.step is LessonStep.END:
                self._taught.add(seat)
        learner.lesson = after
        return False

    def _end(self, seat: Seat) -> None:
        del self._learners[seat]
        self._ended.add(seat)
