"""Every English word a panel can show; goes when all scenes speak with `Words`."""

from drivers.messages import Device
from engine import CALZA, DUDO, KILL, PASS, SPOT, Action, Bid, Call, Pass, Position, Reason, RoundKind, Showdown
from firmware_host.table.commands import Command, Item
from firmware_host.table.seat_view import Missing, Refusal

FACE = {1: "ace", 2: "duck", 3: "train", 4: "quad", 5: "quint", 6: "six"}
FACES = {1: "aces", 2: "ducks", 3: "trains", 4: "quads", 5: "quints", 6: "sixes"}

CALL = {DUDO: "DUDO", CALZA: "CALZA", KILL: "KILL", SPOT: "SPOT"}
PASSING = "PASS"

COMMAND = {
    Command.JOIN: "Join",
    Command.START: "Start",
    Command.LEAVE: "Leave",
    Command.ROLL: "Roll",
    Command.GO_ON: "Go on",
    Command.WAIT: "Wait",
    Command.AGAIN: "Play again",
}
COMMAND_TELLS = {Command.ROLL: "the table shakes for you"}

KIND = {
    RoundKind.NORMAL: "",
    RoundKind.FIXED_FACE: "PALIFICO",
    RoundKind.FIXED_FACE_NO_WILDS: "OBLIGING",
    RoundKind.FIXED_FACE_NO_WILDS_OPEN: "OPEN",
    RoundKind.FIXED_FACE_NO_WILDS_CLOSED: "CLOSED",
    RoundKind.BLIND: "BLIND",
    RoundKind.OPEN: "OPEN",
}
KIND_TELLS = {
    RoundKind.FIXED_FACE: "the face stays, {aces}",
    RoundKind.FIXED_FACE_NO_WILDS: "the face stays, {aces}",
    RoundKind.FIXED_FACE_NO_WILDS_OPEN: "the face stays, look at the others",
    RoundKind.FIXED_FACE_NO_WILDS_CLOSED: "the face stays, with one die look",
    RoundKind.BLIND: "only {owner} may look",
    RoundKind.OPEN: "all look, but not at their own",
}
CHOICE = {
    RoundKind.NORMAL: "NO, THANKS",
    RoundKind.FIXED_FACE: "PALIFICO",
    RoundKind.FIXED_FACE_NO_WILDS: "OBLIGING",
    RoundKind.FIXED_FACE_NO_WILDS_OPEN: "OPEN",
    RoundKind.FIXED_FACE_NO_WILDS_CLOSED: "CLOSED",
    RoundKind.BLIND: "BLIND",
    RoundKind.OPEN: "OPEN",
}
CHOICE_TELLS = {
    RoundKind.NORMAL: "an ordinary round",
    RoundKind.FIXED_FACE: "the first face stays",
    RoundKind.FIXED_FACE_NO_WILDS: "face stays, no wild aces",
    RoundKind.FIXED_FACE_NO_WILDS_OPEN: "see all but your own",
    RoundKind.FIXED_FACE_NO_WILDS_CLOSED: "look with one die",
    RoundKind.BLIND: "only you may look",
    RoundKind.OPEN: "see all but your own",
}

DEVICE = {Device.BUTTONS: "buttons", Device.CUP: "cup", Device.PANEL: "panel", Device.BOARD: "seat board"}

NOTICE: dict[Reason | Refusal, str] = {
    Reason.NO_ACTION: "The table did not understand that.",
    Reason.NO_SEAT: "This seat is not in the match.",
    Reason.OUT: "You have no dice left.",
    Reason.NOT_IN_TURN: "It is not your turn.",
    Reason.NOT_THE_OWNER: "The choice is not yours.",
    Reason.OWN_BID: "You can't call your own bid.",
    Reason.OWN_PASS: "You can't call your own pass.",
    Reason.MATCH_OVER: "The match is over.",
    Reason.NOT_ROLLED: "The cups must be shaken first.",
    Reason.CHOICE_FIRST: "The round must be chosen first.",
    Reason.NOT_A_CHOICE: "That round can't be chosen here.",
    Reason.NOTHING_TO_CHOOSE: "There is nothing to choose now.",
    Reason.NOT_IN_THESE_RULES: "These rules do not know that call.",
    Reason.NO_BID_YET: "There is no bid to call yet.",
    Reason.NO_SUCH_FACE: "A die has no such face.",
    Reason.NO_DICE: "Bid one die at least.",
    Reason.ACES_OPENING: "You may not open on aces.",
    Reason.FIXED_FACE: "The face stays in this round.",
    Reason.LOWER_FACE: "The face may not go down.",
    Reason.TOO_FEW: "That is too few dice.",
    Reason.TOO_MANY: "That is too many dice.",
    Reason.HALF: "Aces: half as many, rounded up.",
    Reason.DOUBLE: "From aces: twice as many and one.",
    Reason.OVER_THE_TABLE: "There are not so many dice.",
    Reason.TOO_FEW_DICE_LEFT: "Too few dice are left for calza.",
    Reason.PASS_TWICE: "You have passed in this round.",
    Reason.PASS_AFTER_PASS: "No pass after a pass.",
    Reason.PASS_NEEDS_FIVE: "To pass you need five dice.",
    Reason.PASS_STANDS: "A pass stands: doubt it or raise.",
    Refusal.BID_CHANGED: "The bid has changed.",
    Refusal.MENU_CHANGED: "The choice has changed.",
    Refusal.LOOK_FIRST: "Not so fast: look at the count.",
    Refusal.CHOICE_FIRST: "Choose the round first.",
    Refusal.NOT_PLAYING: "You are not in this match.",
}

PICKED_UP = "Picked up where it stopped"
GAME = "DUDO"
OK_JOINS = "OK: join in"
COME_IN = "Nobody is in yet"
NEED_TWO = "Waiting for one more"
WHO_IS_IN = "At the table"
BEGINS_IN = "Begins in {} s"
SHAKE = "Shake your cup"
SHAKE_TELLS = "then set it down"
ONE_DIE = "One die for the order"
TIE_AGAIN = "A tie: roll again"
WAITING = "Waiting for"
YOU = "you"
YOU_OPEN = "You open"
OPENS = "{} opens"
YOUR_TURN = "Your turn"
TURN = "{}’s turn"
BY = "by {}"
BY_YOU = "by you"
PASSED = "{} passed"
YOU_PASSED = "you passed"
YOU_ARE_OUT = "you are out"
WATCHING = "watching"
CALLS = "call"
CHOOSES = "{} chooses"
YOU_CHOOSE = "Choose your round"
WINS = "{} wins!"
YOU_WIN = "You win!"
NO_LOOK = {
    RoundKind.BLIND: "Blind round: only {} looks.",
    RoundKind.FIXED_FACE_NO_WILDS_CLOSED: "Closed round: look only with one die left.",
}
NO_DICE_TO_SEE = "No dice for you to see."
_ORDINAL = {1: "1st", 2: "2nd", 3: "3rd"}


def ordinal(place: int) -> str:
    """A place in the order of play; there are eight at most."""
    return _ORDINAL.get(place, f"{place}th")


def place(index: int, of: int) -> str:
    """Where a player comes in the order of play, from zero."""
    return f"{ordinal(index + 1)} of {of}"


def round_number(number: int) -> str:
    """The round, from one."""
    return f"Round {number}"


def dice(number: int) -> str:
    """So many dice."""
    return "1 die" if number == 1 else f"{number} dice"


def faces(bid: Bid) -> str:
    """The face a bid names, in the number it needs."""
    return (FACE if bid.quantity == 1 else FACES)[bid.face]


def quantity_of(bid: Bid) -> str:
    """A bid as people say it."""
    return f"{bid.quantity} {faces(bid)}"


def holds(position: Position, owner: str) -> str:
    """What holds in this round; `owner` is who has the special round."""
    wild = position.rules.wilds_in(position.kind)
    aces = "aces are wild" if wild else "aces are not wild"
    return KIND_TELLS.get(position.kind, "{aces}").format(aces=aces, owner=owner)


def item(choice: Item) -> str:
    """A menu's item in one or two words; bids are drawn and only read aloud here."""
    if isinstance(choice, Command):
        return COMMAND[choice]
    if isinstance(choice, Call):
        return CALL[choice]
    if isinstance(choice, Pass):
        return PASSING
    if isinstance(choice, RoundKind):
        return CHOICE[choice]
    return quantity_of(choice)


def item_tells(choice: Item, position: Position | None) -> str:
    """What picking an item would mean, in a few words; empty where nothing needs telling."""
    if isinstance(choice, Command):
        return COMMAND_TELLS.get(choice, "")
    if isinstance(choice, RoundKind):
        return CHOICE_TELLS[choice]
    if choice is PASS:
        return "full house, 5 alike or 5 different"
    if position is None or position.standing is None or isinstance(choice, Bid):
        return ""
    return _claim(choice, position, position.standing)


def _claim(call: Action, position: Position, standing: Bid) -> str:
    if call is DUDO:
        if position.passer is not None:
            return "the pass is a bluff"
        return "not even one" if standing.quantity == 1 else f"fewer than {quantity_of(standing)}"
    exactly = f"exactly {quantity_of(standing)}"
    rule = position.rules.exact(str(call))
    if rule is None or rule.right == "nobody-loses":
        return exactly
    return f"{exactly}: " + ("one up" if rule.right == "caller-gains" else "bidder −1")


def missing(devices: tuple[Missing, ...]) -> tuple[str, str]:
    """The first device that does not answer, as a sentence with a gap and the name for it, and how many more."""
    first, more = devices[0], len(devices) - 1
    return f"{{}}: no {DEVICE[first.device]}" + (f" (+{more})" if more else ""), first.name


def call_made(showdown: Showdown) -> str:
    """What follows the caller's name in a showdown, with a gap for the name of the bidder or passer."""
    if showdown.was_pass:
        return "doubts {}’s pass"
    return {DUDO: "doubts {}", CALZA: "calza on {}", KILL: "kill on {}", SPOT: "spot on {}"}[showdown.call]


def count(showdown: Showdown) -> str:
    """What was bid and what there is."""
    if showdown.matching is None:
        return "The pass was a bluff" if showdown.right else "The pass was honest"
    there = "none" if showdown.matching == 0 else str(showdown.matching)
    return f"{quantity_of(showdown.bid)} bid, {there} there"


def result(showdown: Showdown, me: int | None) -> tuple[str, int | None]:
    """What it cost whom: a sentence with a gap, and whose name fills it, or None where it has no gap."""
    loser, gainer = showdown.loser, showdown.gainer
    if loser is not None:
        if loser in showdown.out:
            return ("You are out", None) if loser == me else ("{} is out", loser)
        return ("You lose a die", None) if loser == me else ("{} loses a die", loser)
    if gainer is not None:
        return ("You win a die", None) if gainer == me else ("{} wins a die", gainer)
    return "Nobody loses a die", None
