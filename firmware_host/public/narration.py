"""Public events in sentences: English ones for the log and the public lines, any language's for the page of `play`.

Pure.
"""

from collections.abc import Iterable, Mapping, Sequence

from drivers.messages import Device
from engine import CALZA, DUDO, KILL, SPOT, Action, Bid, Call, Pass, RoundKind, Rules, Showdown
from firmware_host import wire
from firmware_host.i18n import phrases
from firmware_host.i18n.catalogues import translation_for
from firmware_host.i18n.phrases import DEVICE, FACE_NAMES, KIND_IN_WORDS, N_, as_sentence, ngettext
from firmware_host.table import events
from firmware_host.table.events import BreakOffReason, DealFailure, LeaveReason, PublicEvent, UndoneBy
from firmware_host.table.health import Alert
from firmware_host.table.robot_level import RobotLevel
from firmware_host.wire import Seat

_SMALL = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")

# Room: of all that follows: sentences of a log, and of a page on which they scroll. {} is a player.
_ROBOT: Mapping[str, str] = {
    RobotLevel.EASY: N_("A robot (easy) plays at {}’s place."),
    RobotLevel.MIDDLE: N_("A robot (middle) plays at {}’s place."),
    RobotLevel.HARD: N_("A robot (hard) plays at {}’s place."),
    RobotLevel.FOX: N_("A robot (fox) plays at {}’s place."),
    RobotLevel.OWL: N_("A robot (owl) plays at {}’s place."),
    RobotLevel.MOUSE: N_("A robot (mouse) plays at {}’s place."),
}
_CALL = {
    DUDO: N_("{} doubts: dudo!"),
    CALZA: N_("{} calls calza."),
    KILL: N_("{} calls kill."),
    SPOT: N_("{} calls spot."),
}
# Room: after these, a colon and “everybody shakes again”.
_FAILURE: Mapping[str, str] = {
    DealFailure.LOST: N_("{}’s cup was lost as the dice were to fall"),
    DealFailure.FORGOTTEN: N_("{}’s cup started anew in the middle of the shake"),
    DealFailure.SILENT: N_("{}’s cup kept its part of the dice to itself"),
    DealFailure.WRONG: N_("{}’s cup added something else to the dice than it was bound to"),
    DealFailure.LATE: N_("{}’s cup was not shaken in time"),
    DealFailure.REUSED: N_("{}’s cup added to the dice what a cup had added before"),
}
_LEFT: Mapping[str, str] = {
    LeaveReason.GAVE_UP: N_("{} gets up."),
    LeaveReason.AWAY: N_("{} has been away for too long and is out of it."),
    LeaveReason.OUTVOTED: N_("The others go on without {}."),
    LeaveReason.STAFF: N_("Staff take {} out of the match."),
}
# Room: {taken} is a sentence such as “Lima’s bid of 5 trains is taken back.”
_UNDONE_BY = {UndoneBy.STAFF: N_("The staff decide: {taken}"), UndoneBy.PLAYERS: N_("All agree: {taken}")}
# Room: problems of the table, each followed by a full stop.
_ALERT: Mapping[str, str] = {
    Alert.DISK_FULL: N_("The disk is full, and play goes on in memory"),
    Alert.DISK_FAILS: N_("The disk fails, and play goes on in memory"),
    Alert.JOURNAL_RESET: N_("The journal could not be read, and the evening begins anew"),
    Alert.DRIVER: N_("A part of the program fails over and over"),
    Alert.LAYOUT: N_("The last good layout stays in force"),
    Alert.RULES: N_("The last good rules stay in force"),
    Alert.BOARDS: N_("A board gets its program by the paper clip only"),
}
_CLEARED: Mapping[str, str] = {
    Alert.DISK_FULL: N_("The disk has room again: nothing of the evening is lost."),
    Alert.DISK_FAILS: N_("The disk works again: nothing of the evening is lost."),
    Alert.JOURNAL_RESET: N_("The new journal has its first match."),
    Alert.DRIVER: N_("Every part of the program works again."),
    Alert.LAYOUT: N_("The layout is right again."),
    Alert.RULES: N_("The rules are right again."),
    Alert.BOARDS: N_("Every board takes its program over its cable."),
}


class Narrator:
    """A narrator for a table with these seat names, in layout order, and these rules.

    English has numbers in words and the reasons of faults, which drivers give in English.
    """

    def __init__(self, names: Sequence[str], rules: Rules | None = None, language: str = "en") -> None:
        self._names = tuple(names)
        self._rules = rules
        self._is_english = language == "en"
        self._translation = translation_for(language)
        self._say = self._translation.gettext

    def lines(self, event: PublicEvent) -> tuple[str, ...]:
        """Return an event's lines, empty for a wordless event such as a lowered cup."""
        match event:
            case wire.Joined(seat, RobotLevel() as level):
                return (self._about(_ROBOT[level], seat),)
            case wire.Joined(seat):
                return (self._about(N_("{} sits down."), seat),)
            case wire.Left(seat, why):
                return (self._about(_LEFT[why], seat),)
            case wire.Away(seat):
                return (self._about(N_("The table waits for {}, and nobody is there."), seat),)
            case wire.Back(seat):
                return (self._about(N_("{} is back."), seat),)
            case wire.MatchBegan(_, rules, players):
                text = self._say(N_("A match of {rules} between {names}."))
                return (text.format(rules=rules, names=self._names_of(players)),)
            case events.OrderRolled():
                return self._order(event)
            case events.RoundBegan():
                return self._round(event)
            case wire.ChoiceAwaited(seat, choices):
                text = N_("{} is down to one die and may choose {kinds}.")
                kinds = map(self._kind, map(RoundKind, choices))
                return (self._about(text, seat, kinds=self._listed(kinds, N_("{most} or {last}"))),)
            case wire.CupSettled():
                return ()
            case events.ActionTaken(seat, action):
                return (self._action(seat, action),)
            case events.Undone():
                return self._undone(event)
            case events.Revealed():
                return self._reveal(event)
            case wire.MatchWon(seat, standings):
                places = (f"  {place}. {self._names[each]}" for place, each in enumerate(standings, start=1))
                return ("", self._outcome(phrases.WINS_MATCH, seat), *places)
            case wire.MatchBrokenOff(_, BreakOffReason.STAFF):
                return ("", self._say(N_("Staff have ended the match, and nobody wins.")))
            case wire.SeatHandedOver(seat):
                return (self._about(N_("Another player goes on at {}."), seat),)
            case wire.MatchReopened():
                # Room: {news} is “The match goes on”.
                text = self._say(N_("{news}: its end does not stand."))
                return ("", text.format(news=self._say(phrases.MATCH_GOES_ON)))
            case wire.MatchPaused():
                return (self._say(N_("Staff have paused the match.")),)
            case wire.MatchResumed():
                return (as_sentence(self._say(phrases.MATCH_GOES_ON)),)
            case wire.MatchBrokenOff():
                return ("", self._say(N_("Everybody has gone: the match is broken off, and nobody wins.")))
            case wire.TimeUp(seat):
                return (self._about(N_("{}’s time is up."), seat),)
            case wire.ChainEntryAdded():
                return ()
            case wire.DealRepeated(deal, seat, why):
                text = self._say(N_("{what}: everybody shakes again. Deal {deal} is counted as repeated."))
                return (text.format(what=self._about(_FAILURE[why], seat), deal=deal),)
            case wire.DeviceLost(seat, device, why):
                forms = ngettext("{}’s {device} does not answer", "{}’s {device} do not answer")
                return (self._reasoned(self._device(forms, seat, device), why),)
            case wire.DeviceFound(seat, device):
                forms = ngettext("{}’s {device} answers again.", "{}’s {device} answer again.")
                return (self._device(forms, seat, device),)
            case wire.DeviceReplaced(seat, device):
                return (self._device((N_("{} has another {device} from now on."),) * 2, seat, device),)
            case wire.AlertBegan(what, why):
                return tuple(self._reasoned(self._say(_ALERT[what]), line) for line in why.splitlines())
            case wire.AlertEnded(what):
                return (self._say(_CLEARED[what]),)

    def sentences(self, event: PublicEvent) -> tuple[str, ...]:
        """Return an event's speakable lines: without blank ones and the list of places."""
        return tuple(line for line in self.lines(event) if line and not line.startswith(" "))

    def _about(self, text: str, seat: Seat, **gaps: str) -> str:
        return self._say(text).format(self._names[seat], **gaps)

    def _outcome(self, text: str, *seats: int) -> str:
        """Return a text from `phrases` as a sentence, without the exclamation marks that it has when spoken."""
        calm = self._say(text).strip("¡! ")
        return as_sentence(calm).format(*(self._names[seat] for seat in seats))

    def _plural(self, forms: tuple[str, str], count: int, *name: str, **gaps: str) -> str:
        return self._translation.ngettext(*forms, count).format(*name, **gaps)

    def _device(self, forms: tuple[str, str], seat: Seat, device: str) -> str:
        count = 2 if device is Device.BUTTONS else 1
        return self._plural(forms, count, self._names[seat], device=self._say(DEVICE[device]))

    def _reasoned(self, text: str, why: str) -> str:
        return f"{text}: {why}" if self._is_english else f"{text}."

    def _number(self, count: int) -> str:
        return count_in_words(count) if self._is_english else str(count)

    def _faces(self, count: int, face: int) -> str:
        return f"{self._number(count)} {self._translation.ngettext(*FACE_NAMES[face], count)}"

    def _bid(self, bid: Bid) -> str:
        return self._faces(bid.quantity, bid.face)

    def _kind(self, kind: RoundKind) -> str:
        return self._say(KIND_IN_WORDS[kind if self._rules is None else self._rules.called_like(kind)])

    def _names_of(self, seats: Iterable[Seat]) -> str:
        return self._listed((self._names[seat] for seat in seats), N_("{most} and {last}"))

    def _listed(self, words: Iterable[str], text: str) -> str:
        *most, last = words
        return self._say(text).format(most=", ".join(most), last=last) if most else last

    def _action(self, seat: Seat, action: Action) -> str:
        if isinstance(action, Bid):
            return self._about(N_("{} bids {bid}."), seat, bid=self._bid(action))
        if isinstance(action, Call):
            return self._about(_CALL[action], seat)
        if isinstance(action, Pass):
            return self._about(N_("{} passes."), seat)
        return self._about(N_("{} chooses {kind}."), seat, kind=self._kind(action))

    def _undone(self, event: events.Undone) -> tuple[str, ...]:
        match event.action:
            case Bid() as bid:
                taken = self._about(N_("{}’s bid of {bid} is taken back."), event.seat, bid=self._bid(bid))
            case RoundKind() as kind:
                taken = self._about(N_("{}’s choice of {kind} is taken back."), event.seat, kind=self._kind(kind))
            case call:
                said = self._say(phrases.CALL[call] if isinstance(call, Call) else phrases.PASSING).lower()
                taken = self._about(N_("{}’s {call} is taken back."), event.seat, call=said)
        if event.by:
            taken = self._say(_UNDONE_BY[event.by]).format(taken=taken)
        if event.standing is None or event.bidder is None:
            return (taken,)
        forms = ngettext("{bid} of {} stands.", "{bid} of {} stand.")
        stands, bidder = _capital(self._bid(event.standing)), self._names[event.bidder]
        return (taken, self._plural(forms, event.standing.quantity, bidder, bid=stands))

    def _order(self, event: events.OrderRolled) -> tuple[str, ...]:
        rolls = ", ".join(f"{self._names[seat]} {'-'.join(map(str, dice))}" for seat, dice in event.rolls if dice)
        from_opener = self._rules is not None and self._rules.seating == "roll-opener"
        opener, order = (
            N_("One die each decides who opens: {rolls}."),
            N_("One die each for the order of play: {rolls}."),
        )
        rolled = self._say(opener if from_opener else order).format(rolls=rolls)
        if not event.order:
            return (rolled, self._say(N_("A tie: those roll again.")))
        if from_opener:
            return (rolled, self._about(N_("Play goes around the table from {}."), event.order[0]))
        return (rolled, self._say(N_("They play in the order {names}.")).format(names=self._names_of(event.order)))

    def _round(self, event: events.RoundBegan) -> tuple[str, ...]:
        heading, kind = self._say(N_("Round {number}")).format(number=event.number), self._kind(event.kind)
        if event.kind is not RoundKind.NORMAL and event.owner is not None:
            kind = kind.split(" ", 1)[-1]  # without its article
            heading = self._about(N_("{round}: {}’s {kind}"), event.owner, round=heading, kind=kind)
        elif event.kind is not RoundKind.NORMAL:
            heading = self._say(N_("{round}: {kind}")).format(round=heading, kind=kind)
        total = sum(dice for _, dice in event.dice)
        dice = _capital(self._plural(phrases.DICE, total, self._number(total)))
        held = ", ".join(f"{self._names[seat]} {dice}" for seat, dice in event.dice)
        began = self._say(N_("{round}. {dice}: {held}.")).format(round=heading, dice=dice, held=held)
        return ("", f"{began} {self._outcome(phrases.OPENS, event.first)}")

    def _reveal(self, event: events.Revealed) -> tuple[str, ...]:
        shown, seats = event.showdown, event.players
        hands = ", ".join(
            f"{self._names[seat]} {' '.join(map(str, hand))}"
            for seat, hand in zip(seats, shown.hands, strict=True)
            if hand
        )
        return (
            self._say(N_("The cups go up: {hands}.")).format(hands=hands),
            f"{self._count(shown, seats[shown.doubted])} {self._cost(shown, seats)}",
        )

    def _count(self, shown: Showdown, doubted: Seat) -> str:
        if shown.matching is None:
            return self._about(N_("{}’s pass was a bluff.") if shown.right else N_("{}’s pass was honest."), doubted)
        there, bid = self._faces(shown.matching, shown.bid.face), self._bid(shown.bid)
        if shown.matching == shown.bid.quantity:
            forms = ngettext("There is exactly {there}, as bid.", "There are exactly {there}, as bid.")
        else:
            forms = ngettext("There is {there}, and {bid} had been bid.", "There are {there}, and {bid} had been bid.")
        return self._plural(forms, shown.matching, there=there, bid=bid)

    def _cost(self, shown: Showdown, seats: Sequence[Seat]) -> str:
        if shown.loser is not None:
            if shown.loser not in shown.out:
                return self._outcome(phrases.LOSES, seats[shown.loser])
            # Room: {loses} is such as “Lima loses the last die”.
            loses = self._about(phrases.LOSES_LAST, seats[shown.loser])
            return self._say(N_("{loses} and is out.")).format(loses=loses)
        if shown.gainer is not None:
            return self._outcome(phrases.GAINS, seats[shown.gainer])
        return self._outcome(phrases.NOBODY)


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
    one, many = FACE_NAMES[face]
    return f"{count_in_words(quantity)} {one if quantity == 1 else many}"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


__all__ = ["Narrator", "bid_in_words", "count_in_words"]
