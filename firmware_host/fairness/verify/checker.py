"""A match on its way through its record: each item is played and checked as it comes, up to the first that is wrong.

`verify` uses it. What is found out stands in the `Verdict`.
"""

from collections.abc import Iterator
from itertools import pairwise

from engine import Call, Match
from engine.hands import Hand
from engine.notation.score import (
    DealtHands,
    Departure,
    OrderRoll,
    PlayedAction,
    Ruling,
    ScoreError,
    UnknownDiceError,
    replay,
)
from engine.notation.score_text import write_entry
from firmware_host.fairness import commitments
from firmware_host.fairness.commitments import NO_HEAD, head_text, linked
from firmware_host.fairness.lines import match_identity, match_line
from firmware_host.fairness.record import EntryItem, Item, Record, ResultItem
from firmware_host.fairness.verify.deal_checker import Deal, Stage
from firmware_host.fairness.verify.parser import (
    Proof,
    Told,
    UnprovenError,
    WrongError,
    read_match_seed,
    read_told,
    write_proof,
)
from firmware_host.fairness.verify.verdict import Verdict


class Walk:
    """Through one match. `go` raises `WrongError` at the first line that is wrong."""

    def __init__(self, record: Record, verdict: Verdict) -> None:
        score = record.score
        self._record = record
        self._verdict = verdict
        self._steps = replay(Match.start(score.rules, score.seats, score.first), score.entries, score.winner)
        self._match = next(self._steps).match
        self._head = NO_HEAD
        self._deal: Deal | None = None
        self._unproven: list[int] = []  # lines since the last head
        self._ended = False
        self._identity = ""

    def go(self) -> None:
        """Take everything as it stands there."""
        for item, after in _with_next(self._record.items()):
            if self._ended:
                raise WrongError(item.line, "expected nothing after the result")
            if not self._verdict.match and not (isinstance(item, Proof) and item.text):
                if not self._record.has_proofs:
                    raise UnprovenError(item.line)
                raise WrongError(item.line, "expected the match’s first proof before it, % match …")
            match item:
                case Proof(_, ""):
                    self._check_what_was_said(item, after)
                case Proof():
                    self._prove(item)
                case EntryItem():
                    self._say(item)
                case ResultItem():
                    self._end(item)

    # What is chained

    def _prove(self, proof: Proof) -> None:
        if self._unproven:
            expected = write_proof("", head_text(self._head))
            raise WrongError(proof.line, f"expected the head after line {self._unproven[-1]} before it, {expected}")
        if not self._verdict.match:
            self._begin(proof)
        else:
            self._tell(read_told(proof))
            self._link(proof.line, proof.text)
            self._check_head(proof)

    def _link(self, line: int, text: str) -> None:
        self._head = linked(self._head, text)
        self._verdict.heads.append((line, self._head))

    def _check_head(self, proof: Proof) -> None:
        if proof.head != head_text(self._head):
            self._verdict.heads.pop()
            problem = "this line or its head was changed, or one before it is missing: the chain goes on with"
            raise WrongError(proof.line, f"{problem} {head_text(self._head)}")

    def _check_what_was_said(self, proof: Proof, after: Item | None) -> None:
        """Compare the head after lines of the score. What comes next goes on from the right one, which tells where."""
        if not self._unproven:
            raise WrongError(proof.line, "expected what was said, of which this is the head, before it")
        said, self._unproven = self._unproven, []
        if proof.head == head_text(self._head):
            return
        goes_on = isinstance(after, Proof) and after.head == head_text(linked(self._head, after.text))
        where = proof.line if goes_on else said[0]
        expected = write_proof("", head_text(self._head))
        raise WrongError(where, f"what was said and the head on line {proof.line} differ: as it stands, {expected}")

    # What happens

    def _begin(self, proof: Proof) -> None:
        (seed, version), score = read_match_seed(proof), self._record.score
        first = score.first if score.rules.seating == "fixed" else None
        self._link(proof.line, proof.text)
        self._check_head(proof)
        if not proof.text.startswith(f"match {commitments.name(seed)} "):
            raise WrongError(proof.line, f"expected match {commitments.name(seed)}, as its seed names it")
        if proof.text != match_line(seed, score.rules, first, score.names, version=version):
            raise self._misheaded(proof, seed, first, version)
        drawn = commitments.pick(seed, "first player", score.seats)
        if first not in (None, drawn):
            raise WrongError(proof.line, f"expected seat {drawn} to open, whom this seed drew")
        self._verdict.match, self._verdict.version = commitments.name(seed), version
        self._verdict.drawn.append((proof.line, seed))
        self._identity = match_identity(proof.text)

    def _misheaded(self, proof: Proof, seed: bytes, first: int | None, version: int) -> WrongError:
        """The heading tells another match than the proof, whose head is right: in which line?"""
        score = self._record.score
        whole = match_line(seed, score.rules, first, score.names, version=version)
        keys = {"rules": whole.partition(" first ")[0], "first": whole.partition(" seats ")[0]}
        for seat in range(score.seats):
            keys[f"seat {seat}"] = match_line(seed, score.rules, first, score.names[: seat + 1], version=version)
        *_, last = keys
        wrong = next((key for key, begins in keys.items() if not f"{proof.text} ".startswith(f"{begins} ")), last)
        return WrongError(self._record.heading_line(wrong), f"is not what was chained on line {proof.line}")

    def _tell(self, told: Told) -> None:
        if told.what == "house":
            self._house(told)
        elif self._deal is None:
            raise WrongError(told.line, "expected the house to commit first")
        else:
            self._deal.tell(told)
            if self._deal.is_drawn(told):
                self._verdict.drawn.append((told.line, told.value))

    def _house(self, told: Told) -> None:
        self._insist_on_opening(told.line)
        if self._deal is not None:
            self._deal.repeated()
        position = self._match.position
        if not position.rolling:
            raise WrongError(told.line, "no dice are to be rolled here")
        if told.number != len(self._verdict.deals) + 1:
            raise WrongError(told.line, f"expected deal {len(self._verdict.deals) + 1}")
        wanted = {player: position.dice_to_roll(player) for player in position.rolling}
        self._deal = Deal(self._identity, told, wanted)
        self._verdict.deals.append(self._deal)

    def _insist_on_opening(self, line: int) -> None:
        """What everybody has seen is opened before anything else happens."""
        if self._deal is not None and self._deal.stage is Stage.SHOWN:
            raise WrongError(line, f"expected deal {self._deal.number} to be opened before it: its dice were shown")

    def _say(self, said: EntryItem) -> None:
        if isinstance(said.entry, OrderRoll | DealtHands):
            self._roll(said, said.entry)
        else:
            self._chain(said, said.entry)
        self._unproven.append(said.line)

    def _roll(self, said: EntryItem, entry: OrderRoll | DealtHands) -> None:
        if self._deal is None:
            raise WrongError(said.line, "expected the commitments of a deal before its dice")
        self._play(said)
        self._deal.show(said.line, _hands(entry), for_order=isinstance(entry, OrderRoll))

    def _chain(self, said: EntryItem, entry: PlayedAction | Departure | Ruling) -> None:
        deal = self._deal
        self._insist_on_opening(said.line)
        is_known = self._play(said)
        self._link(said.line, write_entry(entry))
        if deal is None or not is_known:
            return
        if isinstance(entry, Departure | Ruling):
            deal.broken_off()
        elif isinstance(entry.action, Call):
            deal.called()
            self._verdict.rounds += 1

    def _play(self, said: EntryItem) -> bool:
        """Play on; False if a call is the last that is there, so that nobody has seen yet how it ends."""
        try:
            self._match = next(self._steps).match
        except UnknownDiceError as error:
            if said.place == len(self._record.score.entries) - 1 and self._record.score.winner is None:
                return False
            raise WrongError(said.line, error.problem) from None
        except ScoreError as error:
            raise WrongError(said.line, error.problem) from None
        return True

    def _end(self, result: ResultItem) -> None:
        self._ended = True
        if self._unproven:
            raise WrongError(result.line, f"expected the head after line {self._unproven[-1]} before it")
        try:
            next(self._steps, None)
        except ScoreError as error:
            raise WrongError(result.line, error.problem) from None
        if self._deal is not None:
            self._deal.check_secret()
        self._insist_on_opening(result.line)
        won = self._match.position.winner
        if won is not None and self._record.score.winner is None:
            raise WrongError(result.line, f"expected {won}:wins")


def _hands(entry: OrderRoll | DealtHands) -> tuple[Hand, ...] | None:
    """A roll's dice by player."""
    if isinstance(entry, DealtHands):
        return entry.hands
    return tuple(Hand(() if die is None else (die,)) for die in entry.dice)


def _with_next(items: Iterator[Item]) -> Iterator[tuple[Item, Item | None]]:
    """Each with the one after it; what can't be read is known only when it is its turn."""
    told = list[Item]()
    wrong: WrongError | None = None
    try:
        told.extend(items)
    except WrongError as error:
        wrong = error
    yield from pairwise((*told, None))
    if wrong is not None:
        raise wrong
