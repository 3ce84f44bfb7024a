"""What a menu offers besides the engine's actions: the few things a seat can ask of the table itself."""

from enum import StrEnum

from engine import Action


class Command(StrEnum):
    """A wish that is no move in the match."""

    JOIN = "join"
    START = "start"
    LEAVE = "leave"
    ROLL = "roll"  # in place of a shake, at a seat whose cup is missing
    GO_ON = "go-on"
    WAIT = "wait"  # the first entry out of turn, so that a stray OK calls nothing
    AGAIN = "again"
    BACK = "back"  # from what follows, which ▶ leads to at the end of any menu in a match
    WITHOUT = "without"  # to go on without who is away
    GIVE_UP = "give-up"  # asks whether that is meant
    STAY = "stay"
    GO = "go"  # for good


Item = Action | Command
