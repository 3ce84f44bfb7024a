"""How many presses an action takes, over matches of opponents who play by the odds and know the menu.

Opponents are the engine's own. Every bid, pass and call of theirs, in turn and out of turn, is looked up in the menu
that its seat would have had, and the presses of the shortest way there are counted, OK and all.
"""

from collections.abc import Iterable, Iterator
from random import Random
from statistics import mean
from typing import NamedTuple

from bench.hand import presses
from bench.report import Figure, Progress, Section, at_most
from engine import DUDO, RULESETS, Action, Bid, Match, Phase, Position, Rules
from engine.opponent import choose
from firmware_host.table.menu import bidding_menu

MATCHES = {2: 30, 4: 12, 8: 6}
"""By seats: so many that each size says about as much."""


class Turn(NamedTuple):
    """A player's decision, and what was public when it was made."""

    position: Position
    seat: int
    action: Action


class Pressed(NamedTuple):
    """What a decision took; `what` is a kind of action."""

    what: str
    presses: int


def measure(progress: Progress) -> Section:
    """Each rule set's mean over all actions and over each kind of them, at seats with and without a DUDO button."""
    figures: list[Figure] = []
    for rules in RULESETS.values():
        progress(rules.name)
        turns = [
            turn for seats, matches in MATCHES.items() for seed in range(matches) for turn in match(rules, seats, seed)
        ]
        for dudo_button in (True, False):
            figures += _figures(rules.name, list(counted(turns, dudo_button=dudo_button)), dudo_button=dudo_button)
    about = (
        "Matches of 2, 4 and 8 opponents. A press is that of a button, OK too; each step of a held arrow is one more."
    )
    return Section("Presses for an action", tuple(figures), about)


def match(rules: Rules, seats: int, seed: int) -> Iterator[Turn]:
    """All decisions of one match but the choices of special rounds."""
    rng = Random(seed)
    game = Match.start(rules, seats, first=rng.randrange(seats))
    while game.position.phase is not Phase.OVER:
        position = game.position
        if position.rolling:
            game = game.roll(
                {s: [rng.randint(1, 6) for _ in range(position.dice_to_roll(s))] for s in position.rolling}
            )
            continue
        turn = next(_decisions(game, rng))
        if position.phase is Phase.BIDDING:
            yield turn
        game = game.play(turn.seat, turn.action)


def _decisions(game: Match, rng: Random) -> Iterator[Turn]:
    """Whoever wants to call out of turn, in no order, and then who is in turn."""
    position = game.position
    first = position.owner if position.phase is Phase.CHOOSING else position.turn
    assert first is not None
    others = [seat for seat in position.living if seat != first and position.standing is not None]
    for seat in [*rng.sample(others, len(others)), first]:
        action = choose(game.view(seat), rng)
        if action is not None:
            yield Turn(position, seat, action)


def counted(turns: Iterable[Turn], *, dudo_button: bool) -> Iterator[Pressed]:
    """What each decision takes; a bid of more dice than there are is in no menu and left out."""
    for position, seat, action in turns:
        if action is DUDO and dudo_button:
            yield Pressed("dudo", 1)
            continue
        menu = bidding_menu(position, seat, dudo_button=dudo_button)
        if action not in menu.items:
            continue
        yield Pressed(_kind(position, action), presses(menu, action))
        if isinstance(action, Bid) and position.standing and action == next(filter(_is_bid, menu.items)):
            yield Pressed("least raise", presses(menu, action))


def _kind(position: Position, action: Action) -> str:
    if not isinstance(action, Bid):
        return str(action)
    return "raise" if position.standing else "opening"


def _is_bid(item: object) -> bool:
    return isinstance(item, Bid)


def _figures(name: str, found: list[Pressed], *, dudo_button: bool) -> Iterator[Figure]:
    def of(what: str) -> float:
        return mean([one.presses for one in found if one.what == what])

    actions = [one for one in found if one.what != "least raise"]
    where = "DUDO button" if dudo_button else "no DUDO button"
    kinds = sorted({one.what for one in actions})
    note = ", ".join(f"{kind} {of(kind):.2f}" for kind in kinds)
    yield Figure(f"{name}, {where}", mean([one.presses for one in actions]), "presses", at_most(3), note)
    yield Figure("… a least raise", of("least raise"), "presses", at_most(2))
    yield Figure("… dudo", of("dudo"), "presses", at_most(1 if dudo_button else 2))
