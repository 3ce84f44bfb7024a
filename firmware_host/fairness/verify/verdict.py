"""The result of verifying a match, and its text for players."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from engine import Player, Score, write_rules
from firmware_host.fairness.chain import EMPTY_HEAD, VERSION, head_text, short_head
from firmware_host.fairness.verify.deal_checker import DealChecker, DealStage
from firmware_host.fairness.verify.parser import ReusedSecretError, UnprovenError, VerificationError

_FOUND = {UnprovenError: "Can’t be checked", ReusedSecretError: "Not fair as shown"}
_VERSION_1 = (
    "Proofs of version 1, as older tables wrote them: a deal is bound to 48 bits of the match’s name,",
    "to no rules, opener or players. A host could have fitted these deals into a second match.",
    "No match that begins at an up-to-date table has such: if this one did, its record is forged.",
)
_HOW = {"cup": "committed by cup", "switch": "shaken by switch", "button": "rolled by button"}


@dataclass
class Verdict:
    """The result for one match in a record, as far as it could be checked."""

    first: int  # line
    match: str = ""
    version: int = VERSION  # of its proofs
    score: Score | None = None
    deals: list[DealChecker] = field(default_factory=list)
    heads: list[tuple[int, bytes]] = field(default_factory=list)  # (line, head) after each chained line or word
    drawn: list[tuple[int, bytes]] = field(default_factory=list, repr=False)  # (line, opened seed or entropy)
    rounds: int = 0  # how many ended with a call
    undone: int = 0  # actions taken back
    handed_over: int = 0  # times that another person went on in a player's place
    reopened: int = 0  # times that the match went on after its end
    wrong: VerificationError | None = None
    cut: int | None = None  # the unchecked line that was cut off
    closed: bool = False

    @property
    def head(self) -> bytes:
        """The chain's last head."""
        return self.heads[-1][1] if self.heads else EMPTY_HEAD

    @property
    def is_proven(self) -> bool:
        """Whether at least one deal's dice were computed again."""
        return any(deal.stage is DealStage.OPEN for deal in self.deals)

    def deals_at(self, *stages: DealStage) -> list[DealChecker]:
        """Return the deals that ended in one of these stages."""
        return [deal for deal in self.deals if deal.stage in stages]

    def lines(self) -> Iterator[str]:
        """Yield the checks, as lines for a player."""
        yield self._title()
        if self.wrong is not None:
            yield f"  {_FOUND.get(type(self.wrong), 'Not right')}: see line {self.wrong.line}."
            return
        yield f"  {_many(self.rounds, 'round')}, {_many(len(self.deals), 'deal')}. {self._opened()}"
        if repeated := self.deals_at(DealStage.REPEATED):
            yield f"  {_many(len(repeated), 'deal')} repeated before there were dice: {_numbers(repeated)}."
        if secret := self.deals_at(DealStage.SECRET):
            yield f"  {_many(len(secret), 'deal')} of void rounds stay sealed and unchecked: {_numbers(secret)}."
        if self.undone:
            yield f"  {_many(self.undone, 'action')} taken back."
        if self.handed_over:
            yield f"  A seat was handed over {_many(self.handed_over, 'time')}: another person played on there."
        if self.reopened:
            yield f"  Reopened {_many(self.reopened, 'time')} after its end, with the last round shaken again."
        if self.version == 1 and self.deals:
            yield from (f"  {line}" for line in _VERSION_1)
        yield from self._end()
        yield from (f"  {line}" for line in self._hands())
        if alone := [deal for deal in self.deals if not deal.cups]:
            where = "any deal" if len(alone) == len(self.deals) else f"deal {_numbers(alone)}"
            yield f"  No cup committed in {where}: there the host’s word is all there is."
        if self.heads:
            yield f"  Head: {short_head(self.head, 16)}"
            yield f"  In full: {head_text(self.head)}"

    def _end(self) -> Iterator[str]:
        """Yield the parts missing at the end of the record."""
        if self.cut is not None:
            before = "; what stands before it is right" if self.heads else ""
            yield f"  Cut off on line {self.cut}, which is left out{before}."
        elif not self.closed:
            yield "  Cut off: the match goes on where the record ends."
        if unfinished := self.deals_at(DealStage.COMMITTING, DealStage.SEALED, DealStage.DEALT, DealStage.SHOWN):
            yield f"  Deal {_numbers(unfinished)} was not opened when the record ends: its dice are not checked."

    def _title(self) -> str:
        if self.score is None:
            return f"The match on line {self.first}."
        names = ", ".join(self._name(seat) for seat in map(Player, range(self.score.seats)))
        date = f" on {self.score.date}" if self.score.date else ""
        end = "not over" if self.score.winner is None else f"{self._name(self.score.winner)} won"
        return f"Match {self.match or '?'} of {write_rules(self.score.rules)}{date}: {names}; {end}."

    def _opened(self) -> str:
        count = len(self.deals_at(DealStage.OPEN))
        if not count:
            return "None was opened, so no die is proven."
        dice = sum(len(hand) for deal in self.deals_at(DealStage.OPEN) for hand in deal.shown)
        return f"{count} opened: {_many(dice, 'die')} recomputed, all as shown."

    def _hands(self) -> Iterator[str]:
        """Yield each player's entropy sources, with counts."""
        if self.score is None:
            return
        for player in map(Player, range(self.score.seats)):
            kinds = Counter(deal.given[player].kind for deal in self.deals if player in deal.given)
            if kinds:
                gave = ", ".join(f"{_HOW[kind]} {_many(count, 'time')}" for kind, count in kinds.items())
                yield f"{self._name(player)}: {gave}."

    def _name(self, seat: Player) -> str:
        assert self.score is not None
        return self.score.names[seat] or f"seat {seat}"


@dataclass
class FoundHead:
    """A known head found in a record: the line before it, and how many heads follow."""

    verdict: Verdict
    line: int
    following: int

    def lines(self) -> Iterator[str]:
        """Yield the facts proved by the head, as lines for a player."""
        match = self.verdict.match
        if self.verdict.wrong is not None:
            yield f"The head is that of match {match} after line {self.line}, but the record is not right."
            return
        if self.following == 0:
            yield f"The head is the last one of match {match}: nothing in it has changed since that head was seen."
            return
        yield f"The head is that of match {match} after line {self.line}: nothing up to there has changed since."
        yield "What stands further down it does not cover."
        committed = [deal for deal in self.verdict.deals if deal.host.line <= self.line]
        if committed and committed[-1].stage is not DealStage.REPEATED and committed[-1].cups:
            yield self._coverage(committed[-1])

    def _coverage(self, deal: DealChecker) -> str:
        """Return whether a head seen before the shake covers all sources of the dice."""
        after = [line.line for player, line in deal.given.items() if player in deal.cups and line.line > self.line]
        if after:
            return f"In deal {deal.number} a cup committed after it, on line {after[0]}."
        return f"All that the dice of deal {deal.number} come from was bound by then."


def find_head(verdicts: Sequence[Verdict], letters: str) -> FoundHead | None:
    """Return a head's last place in a record, given its first letters."""
    for verdict in reversed(verdicts):
        for following, (line, head) in enumerate(reversed(verdict.heads)):
            if head_text(head).startswith(letters):
                return FoundHead(verdict, line, following)
    return None


def _many(count: int, what: str) -> str:
    plural = {"die": "dice"}.get(what, f"{what}s")
    return f"{count} {what if count == 1 else plural}"


def _numbers(deals: Iterable[DealChecker]) -> str:
    return ", ".join(str(deal.number) for deal in deals)
