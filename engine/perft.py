"""Counts bid sequences: an independent check on the legal bids, as chess programs count their moves.
`python -m engine perft` prints it, the tests compare it with brute force through `Match`.
"""

from collections.abc import Iterator, Mapping

from engine.actions import Bid
from engine.bidding import BidRanges, legal_bids
from engine.rules import FACES, RoundKind, Rules


def perft(
    rules: Rules, *, dice: int, kind: RoundKind = RoundKind.NORMAL, opener_dice: int | None = None, depth: int = 4
) -> Iterator[int]:
    """Yield the number of legal bid sequences for each length from 1 to `depth` in one round of `kind`.
    Quantities go up to `dice`. Later bidders hold the starting dice, and so does the opener without `opener_dice`.
    """
    held = rules.starting_dice
    opening = legal_bids(rules, kind, None, dice=held if opener_dice is None else opener_dice, in_play=dice)
    bids = [Bid(quantity, face) for face in FACES for quantity in range(1, dice + 1)]
    over = {bid: legal_bids(rules, kind, bid, dice=held, in_play=dice) for bid in bids}
    ways = dict.fromkeys(bids, 1)  # continuations from each bid, for as many further bids as counted so far
    for _ in range(depth):
        sums = _running_sums(ways, dice)
        yield _total(opening, sums)
        ways = {bid: _total(raised, sums) for bid, raised in over.items()}


def _running_sums(ways: Mapping[Bid, int], dice: int) -> list[list[int]]:
    """Return for each face the total ways of its bids below 0, 1, … `dice` + 1 dice."""
    by_face = []
    for face in FACES:
        sums = [0, 0]
        for quantity in range(1, dice + 1):
            sums.append(sums[-1] + ways[Bid(quantity, face)])
        by_face.append(sums)
    return by_face


def _total(raised: BidRanges, by_face: list[list[int]]) -> int:
    total = 0
    for quantities, sums in zip(raised.by_face, by_face, strict=True):
        most = len(sums) - 1
        total += sums[min(quantities.stop, most)] - sums[min(quantities.start, most)]
    return total
