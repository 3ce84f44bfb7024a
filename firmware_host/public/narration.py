"""Public events in English sentences, for `play` and the public lines. Pure."""

from collections.abc import Iterable, Mapping, Sequence

from drivers.messages import Device
from engine import CALZA, DUDO, KILL, SPOT, Action, Bid, Call, Pass, RoundKind, Rules, Showdown
from firmware_host import wire
from firmware_host.i18n import phrases
from firmware_host.i18n.phrases import DEVICE, FACE, FACES, as_sentence
from firmware_host.table import events
from firmware_host.table.events import BreakOffReason, DealFailure, LeaveReason, PublicEvent, UndoneBy
from firmware_host.table.health import Alert
from firmware_host.table.robots import RobotLevel

_SMALL = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")

_CALL = {DUDO: "{} doubts: dudo!", CALZA: "{} calls calza.", KILL: "{} calls kill.", SPOT: "{} calls spot."}

_KIND = {
    RoundKind.NORMAL: "an ordinary round",
    RoundKind.FIXED_FACE: "palifico",
    RoundKind.FIXED_FACE_NO_WILDS: "an obliging round",
    RoundKind.FIXED_FACE_NO_WILDS_OPEN: "an open palo fijo",
    RoundKind.FIXED_FACE_NO_WILDS_CLOSED: "a closed palo fijo",
    RoundKind.BLIND: "a blind round",
    RoundKind.OPEN: "an open round",
}

_FAILURE: Mapping[str, str] = {
    DealFailure.LOST: "{}’s cup was lost as the dice were to fall",
    DealFailure.FORGOTTEN: "{}’s cup started anew in the middle of the shake",
    DealFailure.SILENT: "{}’s cup kept its part of the dice to itself",
    DealFailure.WRONG: "{}’s cup added something else to the dice than it was bound to",
    DealFailure.LATE: "{}’s cup was not shaken in time",
    DealFailure.REUSED: "{}’s cup added to the dice what a cup had added before",
}

_LEFT: Mapping[str, str] = {
    LeaveReason.GAVE_UP: "{} gets up.",
    LeaveReason.AWAY: "{} has been away for too long and is out of it.",
    LeaveReason.OUTVOTED: "The others go on without {}.",
    LeaveReason.STAFF: "Staff take {} out of the match.",
}

_UNDONE_BY = {UndoneBy.STAFF: "The staff decide", UndoneBy.PLAYERS: "All agree"}

_ALERT: Mapping[str, str] = {
    Alert.DISK_FULL: "The disk is full, and play goes on in memory",
    Alert.DISK_FAILS: "The disk fails, and play goes on in memory",
    Alert.JOURNAL_RESET: "The journal could not be read, and the evening begins anew",
    Alert.DRIVER: "A part of the program fails over and over",
    Alert.LAYOUT: "The last good layout stays in force",
    Alert.RULES: "The last good rules stay in force",
}

_CLEARED: Mapping[str, str] = {
    Alert.DISK_FULL: "The disk has room again: nothing of the evening is lost.",
    Alert.DISK_FAILS: "The disk works again: nothing of the evening is lost.",
    Alert.JOURNAL_RESET: "The new journal has its first match.",
    Alert.DRIVER: "Every part of the program works again.",
    Alert.LAYOUT: "The layout is right again.",
    Alert.RULES: "The rules are right again.",
}


class Narrator:
    """A narrator for a table with these seat names, in layout order, and these rules."""

    def __init__(self, names: Sequence[str], rules: Rules | None = None) -> None:
        self._names = tuple(names)
        self._rules = rules

    def lines(self, event: PublicEvent) -> tuple[str, ...]:
        """Return an event's lines, empty for a wordless event such as a lowered cup."""
        match event:
            case wire.Joined(seat, RobotLevel() as level):
                return (f"A robot ({level}) plays at {self._names[seat]}’s place.",)
            case wire.Joined(seat):
                return (f"{self._names[seat]} sits down.",)
            case wire.Left(seat, why):
                return (_LEFT[why].format(self._names[seat]),)
            case wire.Away(seat):
                return (f"The table waits for {self._names[seat]}, and nobody is there.",)
            case wire.Back(seat):
                return (f"{self._names[seat]} is back.",)
            case wire.MatchBegan():
                return (f"A match of {event.rules} between {_listed(self._all(event.players))}.",)
            case events.OrderRolled():
                return self._order(event)
            case events.RoundBegan():
                return self._round(event)
            case wire.ChoiceAwaited():
                choices = _listed((self._kind(RoundKind(kind)) for kind in event.choices), "or")
                return (f"{self._names[event.seat]} is down to one die and may choose {choices}.",)
            case wire.CupSettled():
                return ()
            case events.ActionTaken(seat, action):
                return (self._action(self._names[seat], action),)
            case events.Undone():
                return self._undone(event)
            case events.Revealed():
                return self._reveal(event)
            case wire.MatchWon():
                return self._won(event)
            case wire.MatchBrokenOff(_, BreakOffReason.STAFF):
                return ("", "Staff have ended the match, and nobody wins.")
            case wire.SeatHandedOver(seat):
                return (f"Another player goes on at {self._names[seat]}.",)
            case wire.MatchReopened():
                return ("", f"{phrases.MATCH_GOES_ON}: its end does not stand.")
            case wire.MatchPaused():
                return ("Staff have paused the match.",)
            case wire.MatchResumed():
                return (as_sentence(phrases.MATCH_GOES_ON),)
            case wire.MatchBrokenOff():
                return ("", "Everybody has gone: the match is broken off, and nobody wins.")
            case wire.TimeUp(seat):
                return (f"{self._names[seat]}’s time is up.",)
            case wire.ChainEntryAdded():
                return ()
            case wire.DealRepeated(deal, seat, why):
                what = _FAILURE[why].format(self._names[seat])
                return (f"{what}: everybody shakes again. Deal {deal} is counted as repeated.",)
            case wire.DeviceLost():
                verb = "do" if event.device is Device.BUTTONS else "does"
                return (f"{self._names[event.seat]}’s {DEVICE[event.device]} {verb} not answer: {event.why}",)
            case wire.DeviceFound():
                verb = "answer" if event.device is Device.BUTTONS else "answers"
                return (f"{self._names[event.seat]}’s {DEVICE[event.device]} {verb} again.",)
            case wire.DeviceReplaced(seat, device):
                return (f"{self._names[seat]} has another {DEVICE[device]} from now on.",)
            case wire.AlertBegan(what, why):
                return tuple(f"{_ALERT[what]}: {line}" for line in why.splitlines())
            case wire.AlertEnded(what):
                return (_CLEARED[what],)

    def sentences(self, event: PublicEvent) -> tuple[str, ...]:
        """Return an event's speakable lines: without blank ones and the list of places."""
        return tuple(line for line in self.lines(event) if line and not line.startswith(" "))

    def _all(self, seats: Iterable[int]) -> list[str]:
        return [self._names[seat] for seat in seats]

    def _kind(self, kind: RoundKind) -> str:
        return _KIND[kind if self._rules is None else self._rules.called_like(kind)]

    def _action(self, name: str, action: Action) -> str:
        if isinstance(action, Bid):
            return f"{name} bids {bid_in_words(*action)}."
        if isinstance(action, Call):
            return _CALL[action].format(name)
        if isinstance(action, Pass):
            return f"{name} passes."
        return f"{name} chooses {self._kind(action)}."

    def _undone(self, event: events.Undone) -> tuple[str, ...]:
        who = f"{self._names[event.seat]}’s {self._undone_words(event.action)} is taken back."
        taken = f"{_UNDONE_BY[event.by]}: {who}" if event.by else who
        if event.standing is None or event.bidder is None:
            return (taken,)
        verb = "stands" if event.standing.quantity == 1 else "stand"
        words = bid_in_words(*event.standing)
        return (taken, f"{words[0].upper()}{words[1:]} of {self._names[event.bidder]} {verb}.")

    def _undone_words(self, action: Action) -> str:
        if isinstance(action, Bid):
            return f"bid of {bid_in_words(*action)}"
        return f"choice of {self._kind(action)}" if isinstance(action, RoundKind) else str(action)

    def _order(self, event: events.OrderRolled) -> tuple[str, ...]:
        rolls = ", ".join(f"{self._names[seat]} {'-'.join(map(str, dice))}" for seat, dice in event.rolls if dice)
        from_opener = self._rules is not None and self._rules.seating == "roll-opener"
        rolled = f"One die each {'decides who opens' if from_opener else 'for the order of play'}: {rolls}."
        if not event.order:
            return (rolled, "A tie: those roll again.")
        if from_opener:
            return (rolled, f"Play goes around the table from {self._names[event.order[0]]}.")
        return (rolled, f"They play in the order {_listed(self._all(event.order))}.")

    def _round(self, event: events.RoundBegan) -> tuple[str, ...]:
        heading = f"Round {event.number}"
        if event.kind is not RoundKind.NORMAL:
            whose = "" if event.owner is None else f"{self._names[event.owner]}’s "
            kind = self._kind(event.kind)
            heading += f": {whose}{kind.split(' ', 1)[-1] if whose else kind}"
        total = _dice(sum(dice for _, dice in event.dice))
        held = ", ".join(f"{self._names[seat]} {dice}" for seat, dice in event.dice)
        opens = as_sentence(phrases.OPENS).format(self._names[event.first])
        return ("", f"{heading}. {total[0].upper()}{total[1:]}: {held}. {opens}")

    def _reveal(self, event: events.Revealed) -> tuple[str, ...]:
        shown, names = event.showdown, self._all(event.players)
        dice = ", ".join(
            f"{name} {''.join(map(str, hand))}" for name, hand in zip(names, shown.hands, strict=True) if hand
        )
        return (f"The cups go up: {dice}.", f"{_count(shown, names)} {_cost(shown, names)}")

    def _won(self, event: wire.MatchWon) -> tuple[str, ...]:
        places = (f"  {place}. {self._names[seat]}" for place, seat in enumerate(event.standings, start=1))
        wins = as_sentence(phrases.WINS_MATCH.rstrip("!")).format(self._names[event.seat])
        return ("", wins, *places)


def count_in_words(count: int) -> str:
    """Return a count in words up to 99, beyond that in digits; zero is "no"."""
    if count < len(_SMALL):
        return _SMALL[count]
    if count >= 100:
        return str(count)
    tens, ones = divmod(count, 10)
    return f"{_TENS[tens - 2]}-{_SMALL[ones]}" if ones else _TENS[tens - 2]


def bid_in_words(quantity: int, face: int) -> str:
    """Return a bid or a count in words: five trains."""
    return f"{count_in_words(quantity)} {(FACE if quantity == 1 else FACES)[face]}"


def _dice(count: int) -> str:
    return f"{count_in_words(count)} {'die' if count == 1 else 'dice'}"


def _listed(names: Iterable[str], word: str = "and") -> str:
    *most, last = names
    return f"{', '.join(most)} {word} {last}" if most else last


def _count(shown: Showdown, names: Sequence[str]) -> str:
    if shown.matching is None:
        return f"{names[shown.doubted]}’s pass was {'a bluff' if shown.right else 'honest'}."
    there = bid_in_words(shown.matching, shown.bid.face)
    verb = "is" if shown.matching == 1 else "are"
    if shown.matching == shown.bid.quantity:
        return f"There {verb} exactly {there}, as bid."
    return f"There {verb} {there}, and {bid_in_words(*shown.bid)} had been bid."


def _cost(shown: Showdown, names: Sequence[str]) -> str:
    loser, gainer = shown.loser, shown.gainer
    if loser is not None:
        text = f"{phrases.LOSES_LAST} and is out" if loser in shown.out else phrases.LOSES
        return as_sentence(text).format(names[loser])
    return as_sentence(phrases.NOBODY) if gainer is None else as_sentence(phrases.GAINS).format(names[gainer])


__all__ = ["Narrator", "bid_in_words", "count_in_words"]
