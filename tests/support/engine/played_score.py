"""The score of a whole match between opponents, without a table."""

import random

from engine import RULESETS, Match, Phase, Score
from engine.opponents.odds import choose


def played(rules: str, seats: int, rng: random.Random) -> Score:
    """Return the score of a match between opponents."""
    chosen = RULESETS[rules]
    score, match = Score(chosen, tuple(f"P{seat}" for seat in range(seats))), Match.start(chosen, seats)
    while match.position.phase is not Phase.OVER:
        if wanted := match.position.awaited:
            dice = {seat: [rng.randint(1, 6) for _ in range(count)] for seat, count in wanted.items()}
            is_order = match.position.phase is Phase.SEATING
            match = match.roll(dice)
            score = score.roll_for_order({seat: die for seat, (die,) in dice.items()}) if is_order else score.roll(dice)
            continue
        seat = match.position.owner if match.position.phase is Phase.CHOOSING else match.position.turn
        assert seat is not None
        action = choose(match.view(seat), rng)
        assert action is not None
        match, score = match.play(seat, action), score.play(seat, action)
    assert match.position.winner is not None
    return score.won(match.position.winner)
