"""What a panel says, in the language of its seat: the texts of `phrases` in the number and case they are needed in.

Sentences about somebody come with a gap for the name, so that drawing can cut a long name instead of the sentence.
"""

from collections.abc import Sequence
from gettext import NullTranslations

from drivers.messages import Device
from engine import DUDO, PASS, Action, Bid, Call, Pass, Position, RoundKind, Rules, Showdown
from firmware_host.i18n import phrases
from firmware_host.table.health import Alert
from firmware_host.table.menu import MenuCommand, MenuItem
from firmware_host.table.seat_view import Absence, SceneName, SeatView

__all__ = ["ENGLISH", "Words"]


class Words:
    """The words of one language; `words(text)` is a text of `phrases` that needs nothing else."""

    def __init__(self, tongue: NullTranslations | None = None) -> None:
        self._tongue = tongue or NullTranslations()

    def __call__(self, text: str) -> str:
        """The translation of a marked text."""
        return self._tongue.gettext(text)

    def faces(self, bid: Bid) -> str:
        """The face a bid names, in the number it needs."""
        return self._tongue.ngettext(*phrases.FACE_NAMES[bid.face], bid.quantity)

    def quantity_of(self, bid: Bid) -> str:
        """A bid as people say it."""
        return f"{bid.quantity} {self.faces(bid)}"

    def dice(self, number: int) -> str:
        """So many dice."""
        return self._tongue.ngettext(*phrases.DICE, number).format(number)

    def begins_in(self, seconds: int) -> str:
        """How long it is to the start of the match."""
        return self._tongue.ngettext(*phrases.BEGINS_IN, seconds).format(seconds)

    def kind(self, kind: RoundKind) -> str:
        """A special round's title; nothing for a normal one."""
        title = phrases.KIND[kind]
        return "" if title is None else self._tongue.pgettext(*title)

    def holds(self, view: SeatView, position: Position) -> tuple[str, str]:
        """What holds in this round, with a gap, and the name for it."""
        kind = position.kind
        if kind is RoundKind.NORMAL:
            return self(phrases.ACES_WILD if position.rules.wilds_in(kind) else phrases.ACES_PLAIN), ""
        if kind is RoundKind.BLIND and position.owner == view.me:
            return self(phrases.ONLY_YOU_LOOK), ""
        return self(phrases.KIND_TELLS[_in_effect(kind, position.rules)]), "" if position.owner is None else view.names[
            position.owner
        ]

    def item(self, choice: MenuItem) -> str:
        """A menu's item in one or two words; bids are drawn and only read aloud here."""
        match choice:
            case MenuCommand():
                return self(phrases.COMMAND[choice])
            case Call():
                return self(phrases.CALL[choice])
            case Pass():
                return self(phrases.PASSING)
            case RoundKind():
                return self.kind(choice) or self(phrases.WAIVING)
        return self.quantity_of(choice)

    def item_tells(self, choice: MenuItem | None, position: Position | None, names: Sequence[str]) -> str:
        """What picking an item would mean, in a few words; empty where nothing needs telling."""
        if isinstance(choice, RoundKind):
            return self(phrases.CHOICE_TELLS[choice if position is None else _in_effect(choice, position.rules)])
        if choice is PASS:
            return self(phrases.HONEST)
        if isinstance(choice, MenuCommand):
            return self(phrases.COMMAND_TELLS[choice]) if choice in phrases.ASIDE else ""
        if choice is None or position is None or position.standing is None or isinstance(choice, Bid):
            return ""
        return self._claim(choice, position, position.standing, names)

    def _claim(self, call: Action, position: Position, standing: Bid, names: Sequence[str]) -> str:
        bid = self.quantity_of(standing)
        if call is DUDO:
            if position.passer is not None:
                return self(phrases.BLUFF)
            return self(phrases.NOT_ONE) if standing.quantity == 1 else self(phrases.FEWER).format(bid)
        rule = position.rules.exact(str(call))
        if rule is None or position.bidder is None:
            return ""
        return self(phrases.EXACTLY[rule.right, rule.wrong]).format(bid=bid, name=names[position.bidder])

    def notice(self, view: SeatView) -> str:
        """What must be said over the own dice: why a press was refused, what does not answer, or that power was off."""
        if view.notice is not None:
            told = phrases.TROUBLE[view.notice] if isinstance(view.notice, Alert) else phrases.NOTICE[view.notice]
            return self(told)
        own = [missing.device for missing in view.missing if missing.name == view.name]
        if own:
            return self(_missing_here(own[0], view))
        if view.absence is not None and view.me in view.absence.players:
            return self(phrases.YOU_ARE_AWAY)
        return self(phrases.PICKED_UP) if view.resumed and not view.broken_off else ""

    def shaken_again(self, view: SeatView) -> tuple[str, str] | None:
        """Why there is another shake, for who has yet to shake: a sentence with a gap, and the name for it."""
        if view.repeat is None or view.me not in view.waiting_for:
            return None
        return self(phrases.AGAIN[view.repeat.why]), view.names[view.repeat.player]

    def away(self, view: SeatView) -> tuple[str, str] | None:
        """A sentence with a gap about who is away, and the name for it; None where nobody else is."""
        absence = view.absence
        if absence is None or view.me in absence.players:
            return None
        first, more = view.names[absence.players[0]], len(absence.players) - 1
        gap = f"{{}} +{more}" if more else "{}"
        if view.may_agree and not absence.votes:
            return self(phrases.AWAY_PLAY_ON).format(gap), first
        if not absence.needed:
            return self._out_of_it(view, absence).format(gap, name=gap, minutes=absence.out_in_min), first
        return self(phrases.AWAY_AGREED).format(name=gap, votes=absence.votes, needed=absence.needed), first

    def _out_of_it(self, view: SeatView, absence: Absence) -> str:
        """How long it takes where nobody can decide it, with a gap."""
        living = () if view.position is None else view.position.living
        if absence.out_in_min is None:
            return self(phrases.AWAY_AND_YOU if view.me in living else phrases.AWAY)
        alone = {*living}.difference(absence.players) == {view.me}
        return self(phrases.AWAY_YOU_WIN if alone else phrases.AWAY_OUT)

    def held_up(self, view: SeatView) -> tuple[str, str] | None:
        """A sentence with a gap about somebody the table waits for who can do nothing, and the name for it.

        None where nobody holds it up, and where it waits for this seat too, unless somebody is away.
        """
        if away := self.away(view):
            return away
        if view.scene not in _HELD_UP or view.me in view.waiting_for:
            return None
        awaited = {view.names[player] for player in view.waiting_for}
        for missing in view.missing:
            if missing.name in awaited and missing.device in phrases.HELD_UP:
                return self(phrases.HELD_UP[missing.device]), missing.name
        return None

    def trouble(self, view: SeatView) -> str:
        """The most urgent of what ails the table itself; empty where nothing does."""
        return self(phrases.TROUBLE[view.alerts[0]]) if view.alerts else ""

    def trouble_in_short(self, view: SeatView) -> str:
        """The same in a word or two, and how much more there is."""
        first, more = view.alerts[0], len(view.alerts) - 1
        return f"! {self(phrases.TROUBLE_IN_SHORT[first])}" + (f" +{more}" if more else "")

    def missing(self, devices: Sequence[Device]) -> str:
        """The first device elsewhere that does not answer, and how many more; the roster says whose it is."""
        first, more = devices[0], len(devices) - 1
        return f"! {self(phrases.MISSING_THERE[first])}" + (f" +{more}" if more else "")

    def result(self, showdown: Showdown) -> tuple[tuple[str, ...], int | None]:
        """What a call cost whom: sentences with a gap, the first that fits is best, and whose name fills it, if any."""
        loser, gainer = showdown.loser, showdown.gainer
        if loser is not None:
            texts = (phrases.IS_OUT,) if loser in showdown.out else (phrases.LOSES, phrases.LOSES_IN_SHORT)
            return tuple(map(self, texts)), loser
        if gainer is not None:
            return (self(phrases.GAINS), self(phrases.GAINS_IN_SHORT)), gainer
        return (self(phrases.NOBODY), self(phrases.NOBODY_IN_SHORT)), None


_HELD_UP = (SceneName.SHAKING, SceneName.CHOOSING, SceneName.BIDDING)
"""Where the table waits for as long as it takes; a reveal goes on by itself."""


def _missing_here(device: Device, view: SeatView) -> str:
    if device is Device.CUP and view.scene is SceneName.BIDDING:
        return phrases.NO_CUP_TO_TILT
    return phrases.NEW_CUP if device is Device.CUP and view.takes_new_cup else phrases.MISSING_HERE[device]


def _in_effect(kind: RoundKind, rules: Rules) -> RoundKind:
    """A fixed face where aces are never wild is one without wilds, whatever the rules call it."""
    return kind if rules.wild_aces or kind is not RoundKind.FIXED_FACE else RoundKind.FIXED_FACE_NO_WILDS


ENGLISH = Words()
