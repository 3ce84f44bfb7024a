"""What a match waits for."""

from enum import StrEnum


class Phase(StrEnum):
    """What the match waits for."""

    SEATING = "seating"  # one die from each of `rolling`, for the order of play
    CHOOSING = "choosing"  # the owner's choice of the special round
    ROLLING = "rolling"  # all living players' dice
    BIDDING = "bidding"  # a bid or a call
    OVER = "over"


SEATING, CHOOSING, ROLLING, BIDDING, OVER = Phase
