"""Matches whose dice are proven, made up without a table: the host and every seat as honest as a test wants them."""

import io
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from engine import Call, Match, Phase, Rules, Score
from engine.notation.score import DealtHands, Departure, HandOver, OrderRoll, PlayedAction, Ruling
from firmware_host import wire
from firmware_host.fairness import chain, commitments
from firmware_host.fairness.chain import EMPTY_HEAD, head_text, next_head
from firmware_host.fairness.commitments import cup_commitment, host_commitment, seat_commitment
from firmware_host.store.scores.recorder import MatchRecorder
from firmware_host.store.scores.replay_events import steps
from firmware_host.table import events
from firmware_host.table.events import PublicEvent

NAMES = ("Lima", "Quito", 'La "Paz"', "")
DAY = "2026-11-21"


@dataclass
class ProvenDeal:
    """A deal: who rolls how many dice, and how: `cup`, `switch` or `button`."""

    match: str
    number: int
    seed: bytes
    wanted: Mapping[int, int]
    how: Mapping[int, str]
    entropies: dict[int, bytes]

    @cached_property
    def house(self) -> bytes:
        return host_commitment(self.match, self.number, self.seed)

    def commitments(self) -> list[str]:
        write = {"cup": chain.cup_line, "switch": chain.switch_line, "button": chain.button_line}
        proof_lines = [chain.host_line(self.number, self.house)]
        for player in sorted(self.wanted, key=lambda player: self.how[player] != "cup"):
            commit = cup_commitment if self.how[player] == "cup" else seat_commitment
            proof_lines.append(write[self.how[player]](self.number, player, commit(self.house, self.entropies[player])))
        return proof_lines

    def sealed(self) -> list[str]:
        return [*self.commitments(), chain.sealed_line(self.number)]

    def opening(self) -> list[str]:
        opened = (chain.opens_line(self.number, player, self.entropies[player]) for player in self.wanted)
        return [chain.seed_line(self.number, self.seed), *opened]

    def dice(self) -> dict[int, list[int]]:
        cups = {player: self.entropies[player] for player in self.wanted if self.how[player] == "cup"}
        others = {player: self.entropies[player] for player in self.wanted if self.how[player] != "cup"}
        entropies = commitments.effective_entropies(cups, others)
        return commitments.deal_dice(self.match, self.number, self.seed, entropies, self.wanted)


@dataclass
class ProvenMatch:
    """A random match, played to its end, or for so many rounds."""

    rules: Rules
    seed: int
    seats: int = 3
    how: tuple[str, ...] = ("cup", "cup", "switch", "cup")
    accidents: bool = True  # rounds are void, special ones forgone, deals repeated, and seats leave
    undos: float = 0.0  # the part of all actions that is taken back
    handovers: float = 0.0  # the part of all moments at which another person takes a seat over
    reopenings: int = 0  # ends that do not stand: half of them by breaking the match off
    rounds: int = 1000
    version: int = chain.VERSION  # of its proofs
    change: Callable[[ProvenDeal], None] = lambda deal: None  # what a cheat makes of a deal before anybody commits
    deals: list[ProvenDeal] = field(default_factory=list)
    repeated: list[int] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._rng = random.Random(f"{self.rules.name}/{self.seed}")
        self.match_seed = self._rng.randbytes(32)
        self.id = commitments.match_name(self.match_seed)
        fixed = self.rules.seating == "fixed"
        self.first = commitments.pick_number(self.match_seed, "first player", self.seats) if fixed else 0
        first = self.first if fixed else None
        self.line = chain.match_line(self.match_seed, self.rules, first, NAMES[: self.seats], version=self.version)
        self.identity = chain.match_identity(self.line)
        self._instead: ProvenDeal | None = None
        self._before: dict[int, list[str]] = {}  # by entry, the lines of its deal
        self._after: dict[int, list[str]] = {}  # and those that open it
        self.score = self._played()

    @property
    def record(self) -> str:
        """Return its record."""
        file = io.StringIO()
        recorder = MatchRecorder(self.rules, NAMES, lambda: DAY, file)
        for event in self.events():
            recorder.record(event)
        recorder.close()
        return file.getvalue()

    def _played(self) -> Score:
        score = Score(self.rules, NAMES[: self.seats], first=self.first)
        match, called = Match.start(self.rules, self.seats, self.first), 0
        before, reopenings = match, self.reopenings
        while (match.position.phase is not Phase.OVER or reopenings) and called < self.rounds:
            is_over = match.position.phase is Phase.OVER
            if is_over or (reopenings > self.reopenings // 2 and self._rng.random() < 0.1):
                reopenings -= 1
                score, match = score.reopen(), before.void() if is_over else match.void()
                continue
            if self.handovers and not is_over and self._rng.random() < self.handovers:
                score = score.hand_over(self._rng.choice(match.position.living))
                continue
            before = match
            position, place, chance = match.position, len(score.entries), self._rng.random()
            said = bool(score.entries) and isinstance(score.entries[-1], PlayedAction)
            if self.accidents and said and position.phase is Phase.BIDDING and chance < 0.04:
                score, match = score.void(), match.void()
            elif self.accidents and said and position.phase is Phase.BIDDING and chance < 0.05:
                gone = self._rng.choice(position.living)
                score, match = score.leave(gone), match.leave(gone)
            elif self.accidents and chance < 0.3 and match.forgo() is not match:
                score, match = score.forgo(), match.forgo()
            elif position.rolling:
                deal = self._deal({player: position.dice_to_roll(player) for player in position.rolling}, place)
                rolled = deal.dice()
                if position.phase is Phase.SEATING:
                    score = score.roll_for_order({player: die for player, (die,) in rolled.items()})
                    self._after[place] = deal.opening()
                else:
                    score = score.roll(rolled)
                match = match.roll(rolled)
            else:
                seat = self._rng.choice([seat for seat in position.living if match.legal(seat)])
                action = self._rng.choice(list(match.legal(seat)))
                if self.undos and self._rng.random() < self.undos:
                    score = score.play(seat, action).undo()
                    continue
                if isinstance(action, Call):
                    self._after[place] = self.deals[-1].opening()
                    called += 1
                score, match = score.play(seat, action), match.play(seat, action)
        winner = match.position.winner
        return score if winner is None else score.won(winner)

    def replay(self, first: ProvenDeal) -> None:
        """Have this be the first deal: the match is played again from there."""
        self._rng = random.Random(f"{self.rules.name}/{self.seed}")
        self._rng.randbytes(32)
        self._instead, self.deals = first, []
        self._before, self._after = {}, {}
        self.score = self._played()

    def _deal(self, wanted: dict[int, int], place: int) -> ProvenDeal:
        proof_lines: list[str] = []
        if self._instead is not None and not self.deals:
            self.deals.append(self._instead)
            self._before[place] = self._instead.sealed()
            return self._instead
        while True:
            entropies = {player: self._rng.randbytes(32) for player in wanted}
            how = {player: self.how[player] for player in wanted}
            if self.accidents and self._rng.random() < 0.1:
                how[min(wanted)] = "button"
                entropies[min(wanted)] = self._rng.randbytes(8)
            deal = ProvenDeal(self.identity, len(self.deals) + 1, self._rng.randbytes(32), wanted, how, entropies)
            self.change(deal)
            self.deals.append(deal)
            if self.accidents and self._rng.random() < 0.1:
                self.repeated.append(deal.number)
                proof_lines += deal.sealed()[: self._rng.randint(1, len(wanted) + 2)]
                continue
            self._before[place] = proof_lines + deal.sealed()
            return deal

    def events(self) -> Iterator[PublicEvent]:
        """Yield a table's announced events."""
        head, self.heads = EMPTY_HEAD, []

        def proven(proof_lines: list[str]) -> Iterator[PublicEvent]:
            nonlocal head
            for line in proof_lines:
                head = next_head(head, line)
                self.heads.append(head_text(head))
                yield wire.ChainEntryAdded(line, self.heads[-1])

        phase: Phase | None = None
        for place, step in enumerate(steps(self.score), start=-1):
            entry = self.score.entries[place] if place >= 0 else None
            if entry is Ruling.REOPEN and phase is not Phase.OVER:
                yield wire.MatchBrokenOff(self.id, events.BreakOffReason.STAFF)
            phase = step.position.phase
            yield from proven(self._before.get(place, []))
            if isinstance(entry, OrderRoll) and self.seed % 2:  # some tables tell the dice first, some what opens them
                yield from proven(self._after[place])
            if entry is not None and not isinstance(entry, DealtHands | OrderRoll):
                head = next_head(head, _word(entry))
                self.heads.append(head_text(head))
            for event in step.events:
                yield event
                if isinstance(event, wire.MatchBegan):
                    yield from proven([self.line])
                shown = isinstance(event, events.Revealed)
                if shown or (isinstance(event, events.OrderRolled) and not self.seed % 2):
                    yield from proven(self._after[place])


def _word(entry: PlayedAction | Departure | HandOver | Ruling) -> str:
    match entry:
        case PlayedAction(seat, action):
            return chain.action_line(seat, action)
        case Departure(seat):
            return chain.leave_line(seat)
        case HandOver(seat):
            return chain.hand_over_line(seat)
        case _:
            return chain.ruling_line(entry)
