"""What `verify` finds out about a match, and how a player is told."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from engine import Score, write_rules
from firmware_host.fairness.commitments import NO_HEAD, head_text, short_head
from firmware_host.fairness.lines import VERSION
from firmware_host.fairness.verify.deal_checker import Deal, Stage
from firmware_host.fairness.verify.parser import RepeatedError, UnprovenError, WrongError

_FOUND = {UnprovenError: "Can’t be checked", RepeatedError: "Not fair as shown"}
_VERSION_1 = (
    "Proofs of version 1, as older tables wrote them: a deal is bound to 48 bits of the match’s name,",
    "to no rules, opener or players. A house could have fitted these deals into a second match.",
    "No match that begins at an up-to-date table has such: if this one did, its record is forged.",
)
_HOW = {"cup": "committed by cup", "switch": "shaken by switch", "button": "rolled by button"}


@dataclass
class Verdict:
    """A match of a record, as far as it could be checked."""

    first: int  # line
    match: str = ""
    version: int = VERSION  # of its proofs
    score: Score | None = None
    deals: list[Deal] = field(default_factory=list)
    heads: list[tuple[int, bytes]] = field(default_factory=list)  # after each line or word, and the line
    drawn: list[tuple[int, bytes]] = field(default_factory=list, repr=False)  # seeds and cups' entropies, and the line
    rounds: int = 0  # that a call ended
    wrong: WrongError | None = None
    cut: int | None = None  # the line that was cut off and is left out
    closed: bool = False

    @property
    def head(self) -> bytes:
        """The last head."""
        return self.heads[-1][1] if self.heads else NO_HEAD

    @property
    def is_proven(self) -> bool:
        """Return whether the dice of at least one deal were computed again."""
        return any(deal.stage is Stage.OPEN for deal in self.deals)

    def staged(self, *stages: Stage) -> list[Deal]:
        """The deals that came just so far."""
        return [deal for deal in self.deals if deal.stage in stages]

    def lines(self) -> Iterator[str]:
        """What was checked, for a player to read."""
        yield self._title()
        if self.wrong is not None:
            yield f"  {_FOUND.get(type(self.wrong), 'Not right')}: see line {self.wrong.line}."
            return
        yield f"  {_many(self.rounds, 'round')}, {_many(len(self.deals), 'deal')}. {self._opened()}"
        if repeated := self.staged(Stage.REPEATED):
            yield f"  {_many(len(repeated), 'deal')} repeated before there were dice: {_numbers(repeated)}."
        if secret := self.staged(Stage.SECRET):
            yield f"  {_many(len(secret), 'deal')} of void rounds stay sealed and unchecked: {_numbers(secret)}."
        if self.version == 1 and self.deals:
            yield from (f"  {line}" for line in _VERSION_1)
        yield from self._end()
        yield from (f"  {line}" for line in self._hands())
        if alone := [deal for deal in self.deals if not deal.cups]:
            where = "any deal" if len(alone) == len(self.deals) else f"deal {_numbers(alone)}"
            yield f"  No cup committed in {where}: there the house’s word is all there is."
        if self.heads:
            yield f"  Head: {short_head(self.head, 16)}"
            yield f"  In full: {head_text(self.head)}"

    def _end(self) -> Iterator[str]:
        """What is missing at the end, if something is."""
        if self.cut is not None:
            before = "; what stands before it is right" if self.heads else ""
            yield f"  Cut off on line {self.cut}, which is left out{before}."
        elif not self.closed:
            yield "  Cut off: the match goes on where the record ends."
        if unfinished := self.staged(Stage.COMMITTING, Stage.SEALED, Stage.DEALT, Stage.SHOWN):
            yield f"  Deal {_numbers(unfinished)} was not opened when the record ends: its dice are not checked."

    def _title(self) -> str:
        if self.score is None:
            return f"The match on line {self.first}."
        names = ", ".join(self._name(seat) for seat in range(self.score.seats))
        date = f" on {self.score.date}" if self.score.date else ""
        end = "not over" if self.score.winner is None else f"{self._name(self.score.winner)} won"
        return f"Match {self.match or '?'} of {write_rules(self.score.rules)}{date}: {names}; {end}."

    def _opened(self) -> str:
        count = len(self.staged(Stage.OPEN))
        if not count:
            return "None was opened, so no die is proven."
        dice = sum(len(hand) for deal in self.staged(Stage.OPEN) for hand in deal.shown)
        return f"{count} opened: {_many(dice, 'die')} recomputed, all as shown."

    def _hands(self) -> Iterator[str]:
        """Who gave what to the dice, and how often."""
        if self.score is None:
            return
        for player in range(self.score.seats):
            told = Counter(deal.given[player].what for deal in self.deals if player in deal.given)
            if told:
                gave = ", ".join(f"{_HOW[how]} {_many(count, 'time')}" for how, count in told.items())
                yield f"{self._name(player)}: {gave}."

    def _name(self, seat: int) -> str:
        assert self.score is not None
        return self.score.names[seat] or f"seat {seat}"


@dataclass
class Found:
    """A head that somebody knows, found in a record: after which line, and how many links follow it."""

    verdict: Verdict
    line: int
    following: int

    def lines(self) -> Iterator[str]:
        """What it proves, for a player to read."""
        match = self.verdict.match
        if self.verdict.wrong is not None:
            yield f"The head is that of match {match} after line {self.line}, but the record is not right."
            return
        if self.following == 0:
            yield f"The head is the last one of match {match}: nothing in it has changed since that head was seen."
            return
        yield f"The head is that of match {match} after line {self.line}: nothing up to there has changed since."
        yield "What stands further down it does not cover."
        bound = [deal for deal in self.verdict.deals if deal.house.line <= self.line]
        if bound and bound[-1].stage is not Stage.REPEATED and bound[-1].cups:
            yield self._of_deal(bound[-1])

    def _of_deal(self, deal: Deal) -> str:
        """Whether a head that was seen before the shake covers all that the dice came from."""
        after = [told.line for player, told in deal.given.items() if player in deal.cups and told.line > self.line]
        if after:
            return f"In deal {deal.number} a cup committed after it, on line {after[0]}."
        return f"All that the dice of deal {deal.number} come from was bound by then."


def find_head(verdicts: Sequence[Verdict], letters: str) -> Found | None:
    """Where a head that begins with these letters stands; if in several places, the last."""
    for verdict in reversed(verdicts):
        for following, (line, head) in enumerate(reversed(verdict.heads)):
            if head_text(head).startswith(letters):
                return Found(verdict, line, following)
    return None


def _many(count: int, what: str) -> str:
    plural = {"die": "dice"}.get(what, f"{what}s")
    return f"{count} {what if count == 1 else plural}"


def _numbers(deals: Iterable[Deal]) -> str:
    return ", ".join(str(deal.number) for deal in deals)
