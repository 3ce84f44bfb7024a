"""What must hold after a daemon's death: the journal it left against its tape, the public lines and all displays.

Nothing may have been seen that is not on disk, at most one record may be on disk that was not seen, no dice may have
changed, nobody may have seen another's, and nothing that a board was told to forget may have come to nothing.
`support.crash.table` asks here after each death and when each daemon is up.
"""

import base64
import json
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from pathlib import Path

from PIL import Image
from support.crash.boards import KilledSeat
from support.crash.daemon import REFUSED
from support.crash.display_reader import SIZE, DisplayReader, ResumedTable, dice_on, hand_in
from support.crash.players import Intent, Player, question

from engine import Hand
from firmware_host import wire
from firmware_host.fairness.verify.checker import verify
from firmware_host.fairness.verify.parser import VerificationError
from firmware_host.public.line_log import MAX_KEPT_BYTES
from firmware_host.public.reader import ReadLine
from firmware_host.store.house import counters
from firmware_host.store.house.counters import tally_of
from firmware_host.store.house.facts import facts_of
from firmware_host.store.journal import records
from firmware_host.store.journal.journal import Journal
from firmware_host.store.scores.score_file import read_scores
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat.view import SceneName

BOTH = (False, True)


@dataclass
class DaemonRun:
    """One daemon, as the room knows it."""

    number: int
    began_s: float
    states: list[wire.PublicState] = field(default_factory=list)
    countdown_s: int | None = None
    is_missing: bool = False
    """A board did not answer for a while: this machine was too slow, and displays said so."""
    troubles: set[str] = field(default_factory=set)
    had_records: bool = False
    resumed: tuple[wire.PublicState, list[bytes]] | None = None
    """What was told and shown when it was up."""


class Examination:
    """`wrong` says what did not hold, `counts` what was looked at."""

    def __init__(
        self, folder: Path, reader: DisplayReader, seats: Sequence[KilledSeat], players: Sequence[Player]
    ) -> None:
        self.wrong: list[str] = []
        self.counts: Counter[str] = Counter()
        self._folder = folder
        self._reader = reader
        self._seats = seats
        self._players = players
        self._last: Scene = Lobby()
        self._has_records = False
        self._daemon_run = 0
        self._left_behind: dict[int, bytes] = {}  # in the display of each seat, lit or dark
        self._open: list[Intent] = []
        self._followed: list[bytes] = []

    async def begin_with(self, scene: Scene) -> None:
        """Lay a scene on the table, as if a daemon had died in it."""
        state = self._folder / "state"
        state.mkdir()
        with Journal(state / "journal.sqlite") as journal:
            await journal.write(scene, {})
        self._last, self._has_records = scene, True

    def follow(self, line: ReadLine) -> None:
        """A line has come to a reader that asks each daemon for what it has missed."""
        if line.missed:
            self.report("events are lost")
        if not line.is_state:
            self._followed.append(line.raw)

    def look_at_followed(self, state: Path) -> None:
        """The last daemon has stopped. What the reader got is what is on disk, up to where it was cut off."""
        with Journal(state / "journal.sqlite") as journal:
            log = journal.lines
            kept = dict(enumerate(log.page_after(log.first - 1, MAX_KEPT_BYTES), log.first))
        numbers = [json.loads(raw)["seq"] for raw in self._followed]
        if any(after != before + 1 for before, after in pairwise(numbers)):
            self.report(f"events came as {numbers}")
        for number, raw in zip(numbers, self._followed, strict=True):
            if raw != kept.get(number, raw + b"\n")[:-1]:
                self.report(f"event {number} is not what is on disk: {raw!r}")
        self.counts["events followed"] += len(self._followed)

    def look_at_resumed(self, run: DaemonRun) -> None:
        """The table is up and no hand has done anything new. What was seen is held against what was left, later."""
        run.resumed = run.states[-1], [seat.board.shown[-1].dots for seat in self._seats]

    def look_at_what_is_left(self, run: DaemonRun, tape: Path) -> None:
        """The daemon is dead."""
        self._daemon_run = run.number
        run.had_records = self._has_records
        self.counts["runs in which a board was missing"] += run.is_missing
        for trouble in run.troubles:
            self.report(f"the house was in trouble: {trouble}")
        entries = [json.loads(line) for line in _whole_lines(tape)]
        chain = [self._last, *(_scene(name, body) for name, body, _ in entries if name != REFUSED)]
        refused = [(seat, why) for name, seat, why in entries if name == REFUSED]
        left = self._journal()
        at = next((i for i in reversed(range(len(chain))) if chain[i] == left), None)
        if at is None or at < len(chain) - 2:
            self.report(f"the journal is {'nowhere' if at is None else f'at {at}'} on a tape of {len(chain)} records")
            at = len(chain) - 1
        durable = chain[: at + 1]
        expected = [ResumedTable(scene, self._reader) for scene in durable]
        self.counts["records"] += at
        self._check_resumed(run, expected)
        self._check_states(run, expected)
        for number in range(len(self._seats)):
            self._check_display(number, run, expected)
            self._check_looks(number, run, durable)
        self._check_dice(durable)
        self._check_intents(expected[-1], refused)
        self.counts["matches won"] += sum(
            after.name is SceneName.OVER is not before.name for before, after in pairwise(durable)
        )
        self._last = durable[-1]
        for seat in self._seats:
            del seat.board.shown[:-1]

    def look_at_matches(self, state: Path) -> None:
        """The matches that were written down whole are right, to the last die."""
        for file in sorted((state / "matches").glob("*.dudo")):
            try:
                verdicts = verify(file.read_text("utf-8"))
            except VerificationError as wrong:
                self.report(f"{file.name}: {wrong}")
                continue
            for verdict in verdicts:
                self.counts["matches verified" if verdict.closed else "matches cut off"] += 1
                self.counts["deals verified"] += len(verdict.deals)
                self.counts["actions taken back"] += verdict.undone
                if verdict.wrong is not None or verdict.cut is not None:
                    self.report(f"{file.name}: line {verdict.cut}: {verdict.wrong}")

    def look_at_counters(self, state: Path) -> None:
        """The last daemon has stopped, as the only one. All that was revealed and won counts, and nothing twice."""
        with Journal(state / "journal.sqlite") as journal:
            match = journal.match
        files = [*(state / "matches").glob("*.dudo")]
        played = [facts_of(score) for file in files for score in read_scores(file)]
        calls, won = sum(facts.rounds for facts in played), sum(facts.winner is not None for facts in played)
        if match is not None and not any(match.name in file.name for file in files):
            tally = tally_of(match.events())
            calls, won = calls + tally.calls, won + tally.is_won
        kept = counters.read(state)
        assert kept is not None
        self.counts["calls counted"] += kept.calls.count
        self.counts["starts counted"] += kept.starts.count
        if (kept.matches.count, kept.calls.count) != (won, calls):
            self.report(f"{kept.matches.count} matches and {kept.calls.count} calls are counted of {won} and {calls}")
        if kept.is_on or kept.crashes != kept.starts.count - 1 or kept.starts.count > self._daemon_run:
            self.report(f"of {self._daemon_run} starts are counted {kept.starts.count}, {kept.crashes} after a crash")

    def report(self, what: str) -> None:
        """Something does not hold."""
        self.wrong.append(f"{self._folder.name}, run {self._daemon_run}: {what}")
        print(self.wrong[-1], flush=True)

    # What is compared

    def _journal(self) -> Scene:
        """Return the scene on disk, read from a copy: the next daemon finds everything as the dead one left it."""
        copy = self._folder / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir()
        for file in (self._folder / "state").glob("journal.sqlite*"):
            if not file.name.endswith("-shm"):
                shutil.copy(file, copy)
        with Journal(copy / "journal.sqlite") as journal:
            last = journal.scene
        if any("damaged" in file.name for file in copy.iterdir()):
            self.report("the journal is damaged")
        if last is None and self._has_records:
            self.report("the journal is empty")
        self._has_records = last is not None
        return last or self._last

    def _check_resumed(self, run: DaemonRun, expected: Sequence[ResumedTable]) -> None:
        """It came up as the one that was left, and said so."""
        if run.resumed is None:
            return
        state, sights = run.resumed
        goes_on_in_secret = any(
            after.state == expected[0].state for after in expected[1:]
        )  # a deal's seed is nobody's business
        if state != expected[0].state:
            self.counts["went on at once with what was on its way"] += 1
            return
        self.counts["resumed as left"] += 1
        for number, dots in enumerate(sights if not run.is_missing else ()):
            says_so = (run.had_records, False) if goes_on_in_secret else (run.had_records,)
            ways = product(BOTH, says_so)
            if not any(expected[0].shows(number, dots, resumed=said, refused=refused) for refused, said in ways):
                self.report(f"seat {number} does not show after the start what was left: {self._kept(dots)}")

    def _check_states(self, run: DaemonRun, expected: Sequence[ResumedTable]) -> None:
        """Every state the room was told is of a record on disk, in order."""
        at = 0
        for state in run.states:
            self.counts["states told"] += 1
            found = next((i for i in range(at, len(expected)) if expected[i].state == state), None)
            if found is None:
                self.report(f"the room was told what is on no record: {state.scene} {state.position}")
                return
            at = found
        if not run.states:
            return
        self.counts["records that nobody saw before the death"] += at < len(expected) - 1
        if any(one.state != expected[at].state for one in expected[at + 1 : -1]):
            self.report(f"the room was not told of {len(expected) - 1 - at} records")

    def _check_display(self, number: int, run: DaemonRun, expected: Sequence[ResumedTable]) -> None:
        """Every picture of a seat is its own of a record on disk, in order."""
        at, before = 0, self._left_behind.get(number)
        shown = self._seats[number].board.shown
        for sight in shown if not run.is_missing else ():
            if sight.at_s < run.began_s or sight.dots == before:  # a new host's ping lights what a dead one left
                continue
            before = None
            self.counts["pictures"] += 1
            found = self._found(expected, at, number, sight.dots)
            if found is None:
                self.report(f"seat {number} showed a picture of no record: {self._kept(sight.dots)}")
                break
            at = found
        self._left_behind[number] = self._seats[number].board.held_dots

    @staticmethod
    def _found(expected: Sequence[ResumedTable], at: int, number: int, dots: bytes) -> int | None:
        """Return the record from `at` on to which a picture belongs."""
        for refused, resumed in product(BOTH, BOTH):
            for i in range(at, len(expected)):
                if expected[i].shows(number, dots, resumed=resumed, refused=refused):
                    return i
        return None

    def _check_looks(self, number: int, run: DaemonRun, durable: Sequence[Scene]) -> None:
        """Who saw dice saw their own, or what lay open."""
        seen = [dice_on(sight.dots) for sight in self._seats[number].board.shown if sight.at_s >= run.began_s]
        for faces in seen:
            if faces is None:
                continue
            self.counts["looks at dice"] += 1
            if not any(Hand(faces) in (hand_in(scene, number), *_open_hands(scene)) for scene in durable):
                self.report(f"seat {number} saw dice {faces} that are not its own")

    def _check_dice(self, durable: Sequence[Scene]) -> None:
        """Dice lie as they fell."""
        for before, after in pairwise(durable):
            if _round(before) is None or _round(before) != _round(after):
                continue
            for number in range(len(self._seats)):
                if hand_in(before, number) != hand_in(after, number):
                    self.report(f"the dice of seat {number} changed in the round {_round(after)}")

    def _check_intents(self, expected: ResumedTable, refused: Sequence[tuple[int, str]]) -> None:
        """What a board was told to forget has had its effect, unless the table has said why not."""
        waiting = list[Intent]()
        for intent in (*self._open, *(intent for player in self._players for intent in player.intents)):
            if self._seats[intent.seat].board.acknowledged < intent.number:
                if intent.survives:
                    waiting.append(intent)
                continue
            self.counts["acts acknowledged"] += 1
            if question(expected.state, intent.seat) != intent.question:
                continue
            whys = [why for seat, why in refused if seat == intent.seat]
            self.counts.update(f"acts refused: {why}" for why in whys)
            if not whys:
                self.report(f"what seat {intent.seat} did was acknowledged and came to nothing: {intent.question}")
        self._open = waiting
        for player in self._players:
            player.intents.clear()

    def _kept(self, dots: bytes) -> str:
        """Save a picture for a look at it; return its path."""
        path = self._folder / f"wrong-{self._daemon_run}-{len(self.wrong)}.png"
        Image.frombytes("1", SIZE, dots).resize((4 * SIZE[0], 4 * SIZE[1])).save(path)
        return str(path)


def _whole_lines(tape: Path) -> list[str]:
    return [line for line in tape.read_text().splitlines(keepends=True) if line.endswith("\n")]


def _scene(name: str, body: str) -> Scene:
    return records.decode_scene(name, base64.b64decode(body))


def _round(scene: Scene) -> tuple[object, ...] | None:
    """Return the round whose dice lie under the cups; nothing changes these before it ends."""
    game = scene.game
    if game is None or scene.name not in (SceneName.BIDDING, SceneName.CALLED):
        return None
    return game.id, game.position.number


def _open_hands(scene: Scene) -> Iterator[Hand]:
    """Yield the hands that lie open to everybody."""
    if scene.game is not None and scene.name in (SceneName.REVEAL, SceneName.OVER):
        showdown = scene.game.position.showdown
        if showdown is not None:
            yield from showdown.hands
