"""One digest of everything that the engine shows in random matches, to compare two versions of it.

`PYTHONPATH=. python tests/support/engine/play_digest.py 5000` plays 5,000 matches from fixed seeds: the shipped rule
sets and made-up ones, two to eight seats, with seats that leave, void rounds, forgone special rounds and illegal
actions. It prints the digest so far after each tenth of them.
"""

import hashlib
import importlib.util
import random
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from engine import PASS, RULESETS, Action, Bid, Call, DudoError, HandsError, Match, Phase, RoundKind, Rules
from engine.hands import write_hand

CONFTEST = Path(__file__).parents[2] / "engine" / "conftest.py"
MAX_STEPS = 400
_FACES = (-1, 0, 1, 2, 3, 4, 5, 6, 7)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    spec = importlib.util.spec_from_file_location("engine_conftest", CONFTEST)
    assert spec is not None
    assert spec.loader is not None
    conftest: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(conftest)
    digest = hashlib.sha256()
    steps = 0
    for seed in range(count):
        rng = random.Random(seed)
        rules = rng.choice([*RULESETS.values()])
        if rng.random() < 0.6:
            rules = conftest._varied(rules, rng)
        steps += _play(rules, rng, digest)
        if (seed + 1) % max(1, count // 10) == 0:
            print(seed + 1, steps, digest.hexdigest(), flush=True)


def _play(rules: Rules, rng: random.Random, digest: Any) -> int:
    seats = rng.randint(2, 8)
    match = Match.start(rules, seats, rng.randrange(seats))
    for step in range(MAX_STEPS):
        for line in _shown(match, rng):
            digest.update(line.encode())
            digest.update(b"\n")
        if match.position.phase is Phase.OVER:
            return step
        match = _next(match, rng)
    return MAX_STEPS


def _next(match: Match, rng: random.Random) -> Match:
    position, chance = match.position, rng.random()
    if chance < 0.01:
        return match.leave(rng.randrange(position.seats))
    if chance < 0.03:
        return match.void()
    if chance < 0.05:
        return match.forgo()
    if position.rolling:
        # Few faces make tied rolls for the order, honest passes and right exact calls more frequent.
        faces = rng.choice(((1, 2, 3, 4, 5, 6), (1, 4), (3,)))
        return match.roll(
            {seat: [rng.choice(faces) for _ in range(position.dice_to_roll(seat))] for seat in position.rolling}
        )
    seat = rng.choice([seat for seat in position.living if match.legal(seat)])
    if position.turn is not None and rng.random() < 0.5:
        seat = position.turn
    legal = list(match.legal(seat))
    low = [action for action in legal if isinstance(action, Bid)][: rng.randint(1, 9)]
    words = [action for action in legal if not isinstance(action, Bid)]
    return match.play(seat, rng.choice(low if low and (not words or rng.random() < 0.8) else words))


def _shown(match: Match, rng: random.Random) -> Iterable[str]:
    position = match.position
    yield f"{position} {match!r}"
    yield f"{position.living} {position.in_play} {position.winner} {position.doubted} {position.choices}"
    yield f"{[position.after(seat) for seat in range(position.seats)]} {position.showdown!r}"
    yield f"{[(position.living_from(seat), position.dice_to_roll(seat)) for seat in range(position.seats)]}"
    shown = position.showdown
    if shown is not None:
        yield f"{shown.loser} {shown.gainer} {shown.was_pass} {[*map(write_hand, shown.hands)]}"
    for seat in range(-1, position.seats + 1) if rng.random() < 0.3 else (position.turn or 0,):
        legal = match.legal(seat)
        by_face = [open_ or None for open_ in legal.bids.by_face] if legal.bids else None  # equal ranges look alike
        yield f"{seat} {legal.words} {by_face} {legal.count()} {bool(legal)}"
        yield ",".join(map(str, legal))
        if 0 <= seat < position.seats:
            view = match.view(seat)
            yield str([hand if hand is None else write_hand(hand) for hand in view.hands])
    for _ in range(3):
        yield _attempt(match, rng.randint(-1, position.seats), _any_action(match, rng))
    if rng.random() < 0.2:
        yield _misrolled(match, rng)


def _any_action(match: Match, rng: random.Random) -> Action:
    standing = match.position.standing
    chance = rng.random()
    if chance < 0.5:
        quantity = rng.randint(-1, 9) + (standing.quantity if standing and rng.random() < 0.7 else 0)
        return Bid(10**40 if chance < 0.02 else quantity, rng.choice(_FACES))
    return rng.choice((PASS, *Call, *Call, *RoundKind))


def _attempt(match: Match, seat: int, action: Action) -> str:
    listed = action in match.legal(seat)
    try:
        after = match.play(seat, action)
    except DudoError as error:
        return f"{listed} {type(error).__name__} {error.reason} {error}"
    return f"{listed} {after.position}"


def _misrolled(match: Match, rng: random.Random) -> str:
    position = match.position
    dice = {seat: [rng.randint(1, 6)] * position.dice_to_roll(seat) for seat in position.rolling or (0,)}
    seat = rng.choice([*dice])
    match rng.randrange(4):
        case 0:
            dice[seat].append(2)
        case 1 if dice[seat]:
            dice[seat][0] = rng.choice((0, 7))
        case 2:
            del dice[seat]
        case _:
            dice[position.seats] = [1]
    try:
        match.roll(dice)
    except HandsError as error:
        return str(error)
    return "rolled"


if __name__ == "__main__":
    main()
