"""Verifies a record from its first line on: the chain, the commitments, the legality of the score, and every die.

`dudo-table verify` calls `verify`. A `RecordChecker` plays one match item by item and writes its results into the
`Verdict`, up to the first wrong line; then the next match follows.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from engine import Call, Match, Phase, Player
from engine.hands import Hand
from engine.notation.score import (
    DealtHands,
    Departure,
    HandOver,
    OrderRoll,
    PlayedAction,
    Ruling,
    ScoreError,
    UnknownDiceError,
    replay,
)
from engine.notation.score_text import NumberedLine, write_entry
from firmware_host.fairness import commitments
from firmware_host.fairness.chain import EMPTY_HEAD, head_text, match_identity, match_line, next_head
from firmware_host.fairness.verify.deal_checker import DealChecker, DealStage
from firmware_host.fairness.verify.parser import (
    DealLine,
    EntryItem,
    Item,
    ProofLine,
    RecordReader,
    ResultItem,
    ReusedSecretError,
    UnprovenError,
    VerificationError,
    is_complete_proof_line,
    read_deal_line,
    read_match_seed,
    split_matches,
    write_proof_line,
)
from firmware_host.fairness.verify.verdict import Verdict

MAX_NAMED = 5
"""Maximum number of further lines in one error."""
MAX_WRONG = 20
"""Maximum number of wrong or unproven matches; the check stops there."""


def verify(text: str) -> list[Verdict]:
    """Return a verdict for each match in a record. Raises `VerificationError` if the text is not a record.

    After `MAX_WRONG` wrong or unproven matches, one verdict reports the rest as unchecked.
    """
    matches = split_matches(text)
    verdicts, wrong = list[Verdict](), 0
    first_lines, secrets = dict[str, int](), dict[bytes, int]()
    for number, lines in enumerate(matches, start=1):
        if wrong == MAX_WRONG:
            verdicts.append(_unchecked(lines[0].number, len(matches) - number + 1))
            break
        verdict = _verify_match(lines, may_be_cut=number < len(matches) or not text.endswith("\n"))
        if verdict.match in first_lines and verdict.wrong is None:
            problem = f"is the match of line {first_lines[verdict.match]} once more"
            verdict.wrong = VerificationError(verdict.first, problem)
        if verdict.match:
            first_lines.setdefault(verdict.match, verdict.first)
        reused = [(line, secrets[value]) for line, value in verdict.drawn if secrets.setdefault(value, line) != line]
        if reused and (verdict.wrong is None or reused[0][0] < verdict.wrong.line):
            verdict.wrong = _reused(reused)
        wrong += verdict.wrong is not None or not verdict.is_proven
        verdicts.append(verdict)
    return verdicts


def _reused(lines: Sequence[tuple[int, int]]) -> ReusedSecretError:
    """Return the error for reused bytes, given each later line with the earlier one."""
    (line, before), *more = lines
    named = ", ".join(f"{line} (as {before})" for line, before in more[:MAX_NAMED])
    uncounted = f" and {len(more) - MAX_NAMED} more" if len(more) > MAX_NAMED else ""
    also = f"; so do {named}{uncounted}" if more else ""
    return ReusedSecretError(line, f"opens the same bytes as line {before}, so they were no secret{also}")


def _unchecked(line: int, count: int) -> Verdict:
    """Return the verdict on the `count` unchecked matches from this line on."""
    many = f"this match and {count - 1} more" if count > 1 else "this match"
    problem = f"{many} were not looked at, after {MAX_WRONG} that are wrong or prove no die"
    return Verdict(first=line, wrong=VerificationError(line, problem))


def _verify_match(lines: Sequence[NumberedLine], *, may_be_cut: bool) -> Verdict:
    """Return the verdict on one match. `may_be_cut` is whether its last line can be incomplete."""
    verdict = Verdict(first=lines[0].number)
    last = max(line.number for line in lines if line.text.strip())
    may_be_cut = may_be_cut or all(line.text for line in lines)  # even its heading has no end
    try:
        record = RecordReader(lines)
        verdict.score, verdict.closed = record.score, record.is_closed
        RecordChecker(record, verdict).run()
    except VerificationError as error:
        if may_be_cut and not verdict.closed and error.line == last and not _is_complete(lines, last):
            verdict.cut = last
        else:
            verdict.wrong = error
    return verdict


def _is_complete(lines: Sequence[NumberedLine], number: int) -> bool:
    """Return whether a proof line is complete. A wrong complete line was changed rather than cut off."""
    return any(line.number == number and is_complete_proof_line(line.text) for line in lines)


class RecordChecker:
    """A check of one match. `run` raises `VerificationError` at the first wrong line."""

    def __init__(self, record: RecordReader, verdict: Verdict) -> None:
        score = record.score
        self._record = record
        self._verdict = verdict
        self._steps = replay(Match.start(score.rules, score.seats, score.first), score.entries, score.winner)
        self._match = next(self._steps).match
        self._head = EMPTY_HEAD
        self._deal: DealChecker | None = None
        self._unproven: list[int] = []  # lines of the score since the last head
        self._ended = False
        self._identity = ""

    def run(self) -> None:
        """Check all items in their order."""
        for item, after in _with_next(self._record.items()):
            if self._ended:
                raise VerificationError(item.line, "expected nothing after the result")
            if not self._verdict.match and not (isinstance(item, ProofLine) and item.text):
                if not self._record.has_proofs:
                    raise UnprovenError(item.line)
                raise VerificationError(item.line, "expected the match’s first proof before it, % match …")
            match item:
                case ProofLine(_, ""):
                    self._check_score_head(item, after)
                case ProofLine():
                    self._check_proof(item)
                case EntryItem():
                    self._take_entry(item)
                case ResultItem():
                    self._end(item)

    # The chain

    def _check_proof(self, proof: ProofLine) -> None:
        if self._unproven:
            expected = write_proof_line("", head_text(self._head))
            raise VerificationError(
                proof.line, f"expected the head after line {self._unproven[-1]} before it, {expected}"
            )
        if not self._verdict.match:
            self._begin_match(proof)
        else:
            self._take_deal_line(read_deal_line(proof))
            self._link(proof.line, proof.text)
            self._check_head(proof)

    def _link(self, line: int, text: str) -> None:
        self._head = next_head(self._head, text)
        self._verdict.heads.append((line, self._head))

    def _check_head(self, proof: ProofLine) -> None:
        if proof.head != head_text(self._head):
            self._verdict.heads.pop()
            problem = "this line or its head was changed, or one before it is missing: the chain goes on with"
            raise VerificationError(proof.line, f"{problem} {head_text(self._head)}")

    def _check_score_head(self, proof: ProofLine, after: Item | None) -> None:
        """Compare the head after lines of the score. If the next head follows from the right one, this one is wrong."""
        if not self._unproven:
            raise VerificationError(proof.line, "expected what was said, of which this is the head, before it")
        lines, self._unproven = self._unproven, []
        if proof.head == head_text(self._head):
            return
        goes_on = isinstance(after, ProofLine) and after.head == head_text(next_head(self._head, after.text))
        line = proof.line if goes_on else lines[0]
        expected = write_proof_line("", head_text(self._head))
        problem = f"what was said and the head on line {proof.line} differ: as it stands, {expected}"
        raise VerificationError(line, problem)

    # The match

    def _begin_match(self, proof: ProofLine) -> None:
        (seed, version), score = read_match_seed(proof), self._record.score
        first = score.first if score.rules.seating == "fixed" else None
        self._link(proof.line, proof.text)
        self._check_head(proof)
        if not proof.text.startswith(f"match {commitments.match_name(seed)} "):
            raise VerificationError(proof.line, f"expected match {commitments.match_name(seed)}, as its seed names it")
        if proof.text != match_line(seed, score.rules, first, score.names, version=version):
            raise self._wrong_heading(proof, seed, first, version)
        opener = commitments.pick_number(seed, "first player", score.seats)
        if first not in (None, opener):
            raise VerificationError(proof.line, f"expected seat {opener} to open, whom this seed drew")
        self._verdict.match, self._verdict.version = commitments.match_name(seed), version
        self._verdict.drawn.append((proof.line, seed))
        self._identity = match_identity(proof.text)

    def _wrong_heading(self, proof: ProofLine, seed: bytes, first: Player | None, version: int) -> VerificationError:
        """Return the error for the first heading line that differs from a proof with a right head."""
        score = self._record.score
        whole = match_line(seed, score.rules, first, score.names, version=version)
        keys = {"rules": whole.partition(" first ")[0], "first": whole.partition(" seats ")[0]}
        for seat in range(score.seats):
            keys[f"seat {seat}"] = match_line(seed, score.rules, first, score.names[: seat + 1], version=version)
        *_, last = keys
        wrong = next((key for key, begins in keys.items() if not f"{proof.text} ".startswith(f"{begins} ")), last)
        return VerificationError(self._record.heading_line(wrong), f"is not what was chained on line {proof.line}")

    def _take_deal_line(self, line: DealLine) -> None:
        if line.kind == "house":
            self._begin_deal(line)
        elif self._deal is None:
            raise VerificationError(line.line, "expected the host to commit first")
        else:
            self._deal.apply(line)
            if self._deal.must_be_unique(line):
                self._verdict.drawn.append((line.line, line.value))

    def _begin_deal(self, line: DealLine) -> None:
        self._require_opened(line.line)
        if self._deal is not None:
            self._deal.repeated()
        position = self._match.position
        if not position.rolling:
            raise VerificationError(line.line, "no dice are to be rolled here")
        if line.number != len(self._verdict.deals) + 1:
            raise VerificationError(line.line, f"expected deal {len(self._verdict.deals) + 1}")
        wanted = {player: position.dice_to_roll(player) for player in position.rolling}
        self._deal = DealChecker(self._identity, line, wanted)
        self._verdict.deals.append(self._deal)

    def _require_opened(self, line: int) -> None:
        """Insist that a deal with shown dice is opened before the next event."""
        if self._deal is not None and self._deal.stage is DealStage.SHOWN:
            raise VerificationError(
                line, f"expected deal {self._deal.number} to be opened before it: its dice were shown"
            )

    def _take_entry(self, item: EntryItem) -> None:
        if isinstance(item.entry, OrderRoll | DealtHands):
            self._roll(item, item.entry)
        else:
            self._take_chained(item, item.entry)
        self._unproven.append(item.line)

    def _roll(self, item: EntryItem, entry: OrderRoll | DealtHands) -> None:
        if self._deal is None:
            raise VerificationError(item.line, "expected the commitments of a deal before its dice")
        self._play(item)
        self._deal.show_dice(item.line, _hands(entry), for_order=isinstance(entry, OrderRoll))

    def _take_chained(self, item: EntryItem, entry: PlayedAction | Departure | HandOver | Ruling) -> None:
        deal = self._deal
        self._require_opened(item.line)
        is_known = self._play(item)
        self._link(item.line, write_entry(entry))
        if entry is Ruling.UNDO:
            self._undo(item, takes_choice=self._match.position.phase is Phase.CHOOSING)
        self._verdict.reopened += entry is Ruling.REOPEN
        self._verdict.handed_over += isinstance(entry, HandOver)
        if deal is None or not is_known or entry is Ruling.UNDO or isinstance(entry, HandOver):
            return
        if isinstance(entry, Departure | Ruling):
            deal.broken_off()
        elif isinstance(entry.action, Call) and self._match.position.phase is not Phase.BIDDING:
            deal.called()
            self._verdict.rounds += 1

    def _undo(self, item: EntryItem, *, takes_choice: bool) -> None:
        """Count an undo. A choice can be taken back only before its deal is sealed: then the host may know the dice."""
        self._verdict.undone += 1
        if takes_choice and self._deal is not None:
            if self._deal.stage is DealStage.SEALED:
                problem = f"the choice can’t be taken back: deal {self._deal.number} was sealed"
                raise VerificationError(item.line, problem)
            self._deal.repeated()

    def _play(self, item: EntryItem) -> bool:
        """Play an entry. Return False for a call at the end of the score, still without the deciding dice."""
        try:
            self._match = next(self._steps).match
        except UnknownDiceError as error:
            if item.place == len(self._record.score.entries) - 1 and self._record.score.winner is None:
                return False
            raise VerificationError(item.line, error.problem) from None
        except ScoreError as error:
            raise VerificationError(item.line, error.problem) from None
        return True

    def _end(self, result: ResultItem) -> None:
        self._ended = True
        if self._unproven:
            raise VerificationError(result.line, f"expected the head after line {self._unproven[-1]} before it")
        try:
            next(self._steps, None)
        except ScoreError as error:
            raise VerificationError(result.line, error.problem) from None
        if self._deal is not None:
            self._deal.check_secret()
        self._require_opened(result.line)
        won = self._match.position.winner
        if won is not None and self._record.score.winner is None:
            raise VerificationError(result.line, f"expected {won}:wins")


def _hands(entry: OrderRoll | DealtHands) -> tuple[Hand, ...] | None:
    """Return the dice of a roll, by player."""
    if isinstance(entry, DealtHands):
        return entry.hands
    return tuple(Hand(() if die is None else (die,)) for die in entry.dice)


def _with_next(items: Iterator[Item]) -> Iterator[tuple[Item, Item | None]]:
    """Yield each item with the next. An unreadable item raises its error in its turn."""
    read = list[Item]()
    wrong: VerificationError | None = None
    try:
        read.extend(items)
    except VerificationError as error:
        wrong = error
    yield from pairwise((*read, None))
    if wrong is not None:
        raise wrong
