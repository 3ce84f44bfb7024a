"""One match's facts for statistics, from its score alone. Actions taken back do not count."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from engine import DUDO, Bid, Call, Hand, HandOver, PlayedAction, Player, Position, Score
from engine.hands import count
from engine.position import Showdown
from engine.rules import Rules
from firmware_host.fairness.chain import player_name, split_player_name

NOBODY: Mapping[Player, str] = MappingProxyType({})


class Bluff(NamedTuple):
    """A false bid raised by the next player."""

    quantity: int
    face: int
    matching: int

    @property
    def missing(self) -> int:
        """The excess dice in the bid."""
        return self.quantity - self.matching


@dataclass
class PlayerFacts:
    """One player's actions in a match. Calls are those that ended a round; `exact` excludes `dudo`."""

    name: str
    has_won: bool = False
    is_robot: bool = False
    bids: int = 0
    dudo_right: int = 0
    dudo_wrong: int = 0
    exact_right: int = 0
    exact_wrong: int = 0
    had_one_die: bool = False
    """Whether the player was down to one die at a time when another had more."""
    bluff: Bluff | None = None
    """The player's undoubted bid with the most missing dice."""


@dataclass
class MatchFacts:
    """A match's events in numbers. A broken-off match has no winner."""

    day: str
    rules: str
    players: list[PlayerFacts]
    former: list[PlayerFacts] = field(default_factory=list)
    """The facts of handed-over seats, up to then."""
    rounds: int = 0
    actions: int = 0
    winner: Player | None = None
    _bids: list[tuple[Player, Bid]] = field(default_factory=list)  # in the round


def facts_of(score: Score, entered: Mapping[Player, str] = NOBODY) -> MatchFacts:
    """Return a match's facts, under the players' `entered` names, else their seats' names.

    A name is the last person's at a seat. Raises `ScoreError` if the match can't be replayed.
    """
    score = score.without_undone
    handed_over = {entry.seat for entry in score.entries if isinstance(entry, HandOver)}
    of_whole_match = {seat: name for seat, name in entered.items() if seat not in handed_over}
    match = MatchFacts(
        score.date,
        score.rules.name,
        [PlayerFacts(name, is_robot=split_player_name(name)[1] is not None) for name in _names(score, of_whole_match)],
    )
    positions = score.positions()
    next(positions)
    for entry, position in zip(score.entries, positions, strict=True):  # to the end, which checks the winner
        if isinstance(entry, PlayedAction):
            _add_action(match, entry, position)
        elif isinstance(entry, HandOver):
            _hand_over(match, entry.seat)
        else:
            match._bids.clear()
    for seat in handed_over.intersection(entered):
        match.players[seat].name = _marked(entered[seat], _taken(match))
    if score.winner is not None:
        match.winner = score.winner
        match.players[score.winner].has_won = True
    return match


def _names(score: Score, entered: Mapping[Player, str]) -> Iterator[str]:
    """Yield the players' names; a repeated name gets a mark."""
    taken = set[str]()
    for number, name in enumerate(score.names):
        own, robot = split_player_name(name or str(number + 1))
        if robot is None:
            own = entered.get(Player(number)) or own
        own = _marked(own, taken, robot)
        taken.add(own)
        yield own


def _marked(name: str, taken: Collection[str], robot: str | None = None) -> str:
    """Return a player's name, with enough marks to tell it from the taken ones."""
    while player_name(name, robot) in taken:
        name += "'"
    return player_name(name, robot)


def _taken(match: MatchFacts) -> set[str]:
    return {player.name for player in (*match.players, *match.former)}


def _hand_over(match: MatchFacts, player: Player) -> None:
    """Count the next person at a seat as a separate player, without earlier bids."""
    before = match.players[player]
    match.players[player] = PlayerFacts(_marked(before.name, _taken(match)))
    match.former.append(before)
    match._bids = [(maker, bid) for maker, bid in match._bids if maker != player]


def _add_action(match: MatchFacts, entry: PlayedAction, after: Position) -> None:
    match.actions += 1
    player = match.players[entry.seat]
    match entry.action:
        case Bid() as bid:
            player.bids += 1
            match._bids.append((entry.seat, bid))
        case Call() as call:
            assert after.showdown is not None
            _add_call(player, call, right=after.showdown.right)
            _add_round(match, after.showdown, after.rules)
            for other, dice in zip(match.players, after.dice, strict=True):
                other.had_one_die = other.had_one_die or (dice == 1 and max(after.dice) > 1)


def _add_call(player: PlayerFacts, call: Call, *, right: bool) -> None:
    if call is DUDO:
        player.dudo_right += right
        player.dudo_wrong += not right
    else:
        player.exact_right += right
        player.exact_wrong += not right


def _add_round(match: MatchFacts, shown: Showdown, rules: Rules) -> None:
    """Count the round, and look for bluffs among its standing bids. The last bid was called, not raised."""
    match.rounds += 1
    wilds = rules.wilds_in(shown.kind)
    for seat, bid in match._bids[: -1 if not shown.was_pass else None]:
        player = match.players[seat]
        if bluff := _bluff(bid, shown.hands, wilds):
            player.bluff = max(player.bluff or bluff, bluff, key=lambda one: (one.missing, one.quantity))
    match._bids.clear()


def _bluff(bid: Bid, hands: Sequence[Hand], wilds: bool) -> Bluff | None:
    matching = count(hands, bid.face, wilds=wilds)
    return Bluff(bid.quantity, bid.face, matching) if matching < bid.quantity else None
