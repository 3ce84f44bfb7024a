"""A display's texts in its seat's language: texts from `phrases` for a view, singular or plural.

Sentences about a player come with a gap for the name, so that drawing can cut a long name instead of the sentence.
"""

from collections.abc import Callable, Sequence
from gettext import NullTranslations

from drivers.messages import Device
from engine import ACES, DUDO, PASS, Bid, Call, Pass, Player, Position, Reason, RoundKind, Rules, Showdown
from firmware_host.i18n import phrases
from firmware_host.table.health import Alert
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.seat.lesson import LessonStep, LessonView
from firmware_host.table.seat.menu import MenuCommand, MenuItem
from firmware_host.table.seat.tips import Tip, TipView
from firmware_host.table.seat.view import Absence, SceneName, SeatView
from firmware_host.table.staff.actions import LAYOUT_VALUE
from firmware_host.table.staff.items import StaffItem
from firmware_host.table.staff.machine import JobOutcome, JobReport
from hardware.config.languages import LANGUAGE_NAMES

__all__ = ["ENGLISH", "Words", "die_letter"]

_NO_DIE = "\ue000"
"""The first of the letters drawn as dice, in an area that Unicode leaves to its users; the face is added."""


def die_letter(face: int) -> str:
    """Return the letter that a display draws as a die in a line of text."""
    return chr(ord(_NO_DIE) + face)


class Words:
    """Texts in one language; `words(text)` translates a text from `phrases` without gaps or numbers."""

    def __init__(self, translation: NullTranslations | None = None) -> None:
        self._translation = translation or NullTranslations()

    @property
    def next_language(self) -> str:
        """The code of the language after this one."""
        codes = [*LANGUAGE_NAMES]
        return codes[(codes.index(self._translation.info().get("language", "en")) + 1) % len(codes)]

    def __call__(self, text: str) -> str:
        """Return the translation of a marked text."""
        return self._translation.gettext(text)

    def faces(self, bid: Bid) -> str:
        """Return the name of a bid's face, singular or plural."""
        return self._translation.ngettext(*phrases.FACE_NAMES[bid.face], bid.quantity)

    def quantity_of(self, bid: Bid) -> str:
        """Return a bid in everyday words."""
        return f"{bid.quantity} {self.faces(bid)}"

    @staticmethod
    def drawn(bid: Bid) -> str:
        """Return a bid for a line on a display: its number and a letter drawn as its die."""
        return f"{bid.quantity} {die_letter(bid.face)}"

    def dice(self, number: int) -> str:
        """Return a number of dice."""
        return self._translation.ngettext(*phrases.DICE, number).format(number)

    def of_dice(self, number: int) -> str:
        """Return a bid's number of dice."""
        return self._translation.ngettext(*phrases.OF_DICE, number).format(number)

    def still_shaking(self, number: int) -> str:
        """Return that so many players still shake, with a gap for the number or a name, or that all have shaken."""
        return self._translation.ngettext(*phrases.STILL_SHAKE, number) if number else self(phrases.ALL_HAVE_SHAKEN)

    def still_to_go_on(self, names: Sequence[str]) -> tuple[str, str]:
        """Return which players still have to go on after a reveal, and how many."""
        text = self._translation.ngettext(*phrases.STILL_TO_GO_ON, len(names))
        return text.format(" + ".join(names)), text.format(len(names))

    def job(self, report: JobReport) -> str:
        """Return a host job's progress."""
        match report.outcome:
            case JobOutcome.BEGUN:
                return self(phrases.STAFF_AT_WORK[report.job])
            case JobOutcome.COPIED:
                text = self._translation.ngettext(*phrases.STAFF_COPIED, report.matches)
                return text.format(report.matches, f"{report.size_bytes / 1e6:.1f}")
            case JobOutcome.RESTORED:
                return self._translation.ngettext(*phrases.SETUP_RESTORED, report.matches).format(report.matches)
            case JobOutcome.UPDATED:
                return self(phrases.STAFF_UPDATED).format(report.version)
            case JobOutcome.NO_ANSWER:
                return self(phrases.STAFF_NO_ANSWER).format(f"{report.job.unit}.path")
        return self(phrases.STAFF_OUTCOME[report.outcome])

    def setting(self, item: StaffItem, value: str | int) -> str:
        """Return a staff setting's value."""
        match item, value:
            case StaffItem.TURN_CLOCK, 0:
                return self(phrases.STAFF_NO_CLOCK)
            case StaffItem.TURN_CLOCK, int(seconds):
                return f"{seconds} s"
            case StaffItem.NAMES_DAYS, 0:
                return self(phrases.STAFF_NAMES_EVENING)
            case StaffItem.NAMES_DAYS, int(days):
                return self._translation.ngettext(*phrases.STAFF_NAMES_DAYS, days).format(days)
            case StaffItem.RULES, "house":
                return self(phrases.STAFF_HOUSE_RULES)
            case StaffItem.LANGUAGE, str(code) if code in LANGUAGE_NAMES:
                return LANGUAGE_NAMES[code]
            case StaffItem.BRIGHTNESS, str(how) if how in phrases.STAFF_BRIGHTNESS:
                return self(phrases.STAFF_BRIGHTNESS[how])
            case StaffItem.TV, str(how) if how in phrases.STAFF_TV:
                return self(phrases.STAFF_TV[how])
            case ((StaffItem.VOLUME | StaffItem.GUESTS_MIN | StaffItem.GUESTS_MAX), int(percent)):
                return f"{percent} %" if percent else self(phrases.STAFF_SILENT)
            case StaffItem.GUESTS_MAX, str():
                return self(phrases.STAFF_NOT_ALLOWED)
            case _ if value == LAYOUT_VALUE:
                return self(phrases.STAFF_AS_LAYOUT)
        return str(value)

    def begins_in(self, seconds: int) -> str:
        """Return a sentence with the seconds to the start of the match."""
        return self._translation.ngettext(*phrases.BEGINS_IN, seconds).format(seconds)

    def volume(self, percent: int) -> str:
        """Return the loudspeaker volume."""
        return self(phrases.VOLUME).format(percent)

    def kind(self, kind: RoundKind, rules: Rules | None) -> str:
        """Return a special round's title, as players under these rules call it; empty for a normal one."""
        title = phrases.KIND[kind if rules is None else rules.called_like(kind)]
        return "" if title is None else self._translation.pgettext(*title)

    def round_rule(self, view: SeatView, position: Position) -> tuple[str, str]:
        """Return this round's rule with a gap, and the name for it."""
        kind = position.kind
        if kind is RoundKind.NORMAL:
            return self(phrases.ACES_WILD if position.rules.wilds_in(kind) else phrases.ACES_PLAIN), ""
        if kind is RoundKind.BLIND and position.owner == view.me:
            return self(phrases.ONLY_YOU_LOOK), ""
        if kind is RoundKind.FIXED_FACE_NO_WILDS_CLOSED and view.me is not None and position.dice[view.me] == 1:
            return self(phrases.ONE_DIE_LOOKS), ""
        name = "" if position.owner is None else view.names[position.owner]
        return self(phrases.KIND_RULE[_in_effect(kind, position.rules)]), name

    def titled_rule(self, view: SeatView, position: Position) -> tuple[str, str]:
        """Return a special round's title and rule with a gap, and the name for it."""
        rule, name = self.round_rule(view, position)
        return self(phrases.LABELLED).format(self.kind(position.kind, position.rules), rule), name

    def item(self, choice: MenuItem, rules: Rules | None = None, *, at_robot: bool = False) -> str:
        """Return a menu item in one or two words; for a bid, which is drawn, the text is for reading aloud.

        `rules` decides the name of a kind of round. At a robot's seat items are about the robot.
        """
        match choice:
            case MenuCommand.LEAVE if at_robot:
                return self(phrases.REMOVE_ROBOT)
            case RobotLevel():
                return self((phrases.LEVEL if at_robot else phrases.ROBOT)[choice])
            case MenuCommand.LANGUAGE:
                return LANGUAGE_NAMES[self.next_language]
            case MenuCommand():
                return self(phrases.COMMAND[choice])
            case Call():
                return self(phrases.CALL[choice])
            case Pass():
                return self(phrases.PASSING)
            case RoundKind():
                return self.kind(choice, rules) or self(phrases.WAIVING)
        return self.quantity_of(choice)

    def item_hint(
        self,
        choice: MenuItem | None,
        position: Position | None,
        names: Sequence[str],
        say: Callable[[Bid], str] | None = None,
    ) -> str:
        """Return an item's meaning in a few words, with bids as `say` has them; empty where it needs none."""
        if isinstance(choice, RoundKind):
            return self(phrases.CHOICE_HINT[choice if position is None else _in_effect(choice, position.rules)])
        if choice is PASS:
            return self(phrases.HONEST)
        if isinstance(choice, MenuCommand):
            return self(phrases.COMMAND_HINT[choice]) if choice in phrases.SIDE_MENU else ""
        if not isinstance(choice, Call) or position is None or position.standing is None:
            return ""
        return self._call_hint(choice, position, (say or self.quantity_of)(position.standing), names)

    def _call_hint(self, call: Call, position: Position, bid: str, names: Sequence[str]) -> str:
        if call is DUDO:
            if position.passer is not None:
                return self(phrases.BLUFF)
            is_one = position.standing is not None and position.standing.quantity == 1
            return self(phrases.NOT_ONE) if is_one else self(phrases.FEWER).format(bid)
        rule = position.rules.exact(str(call))
        if rule is None or position.bidder is None:
            return ""
        return self(phrases.EXACTLY[rule.right, rule.wrong]).format(bid=bid, name=names[position.bidder])

    def notice(self, view: SeatView) -> str:
        """Return the text over the own dice: an ignored press, an alert, a missing device, a power cut or a tip."""
        if view.notice is not None:
            if least := _least_raise(view):
                return self(phrases.NOTICE_WITH_LEAST[least[0]]).format(least[1])
            text = phrases.ALERT[view.notice] if isinstance(view.notice, Alert) else phrases.NOTICE[view.notice]
            return self(text)
        own = [missing.device for missing in view.missing if missing.name == view.name]
        if own:
            return self(_missing_here(own[0], view))
        if view.absence is not None and view.me in view.absence.players:
            return self(phrases.YOU_ARE_STALLING if view.me in view.absence.stalling else phrases.YOU_ARE_AWAY)
        if view.resumed and not view.broken_off:
            return self(phrases.RESUMED)
        return "" if view.tip is None or self.held_up(view) or self.shaken_again(view) else self.tip(view, view.tip)

    def banner(self, view: SeatView) -> tuple[str, str] | None:
        """Return the sentence that takes the dice's place, with a gap, and the name for it; None without one."""
        notice = self.notice(view)
        return (notice, "") if notice else self.held_up(view) or self.shaken_again(view)

    def tip(self, view: SeatView, tip: TipView) -> str:
        """Return a rule that matters now to a new player."""
        match tip.tip, tip.choice, tip.standing:
            case Tip.HALF, Bid() as aces, Bid() as bid:
                return self.half_is_enough(aces, bid)
            case Tip.DOUBLE, Bid(), Bid() as aces:
                return self(phrases.NOTICE_WITH_LEAST[Reason.DOUBLE]).format(2 * aces.quantity + 1)
            case Tip.BID, _, Bid() as bid:
                return self(phrases.BID_MEANS).format(bid=self.quantity_of(bid))
            case Tip.SPECIAL, _, _:
                owner = None if view.position is None else view.position.owner
                if owner is None or owner == view.me:
                    return self(phrases.SPECIAL_IS_YOURS)
                return self(phrases.TIP[tip.tip]).format(view.names[owner])
            case Tip.DOUBT, _, _ if not tip.has_dudo_button:
                return self(phrases.DOUBT_WITH_OK)
        return self(phrases.TIP[tip.tip]).format("" if tip.call is None else self(phrases.CALL[tip.call]))

    def half_is_enough(self, aces: Bid, bid: Bid) -> str:
        """Return why a bid on wild aces beats another one."""
        text = self._translation.ngettext(*phrases.HALF_IS_ENOUGH, aces.quantity)
        return text.format(aces=self.quantity_of(aces), bid=self.quantity_of(bid))

    def lesson(self, lesson: LessonView) -> str:
        """Return what a lesson's step has its player do or know."""
        standing, text = lesson.position.standing, phrases.LESSON.get(lesson.step, "")
        match lesson.step:
            case LessonStep.SHAKE if not lesson.has_cup:
                text = phrases.LESSON_NO_CUP
            case LessonStep.LOOK if not lesson.has_cup:
                text = phrases.LESSON_HOLD
            case LessonStep.WILD if not lesson.position.rules.wild_aces:
                text = phrases.LESSON_PLAIN
            case LessonStep.HALF if standing is not None:
                return self.half_is_enough(Bid(-(-standing.quantity // 2), ACES), standing)
            case LessonStep.DOUBT if not lesson.has_dudo_button:
                text = phrases.LESSON_DUDO
            case LessonStep.END if not lesson.may_join:
                text = phrases.LESSON_WAIT
        return self(text).format(bid="" if standing is None else self.quantity_of(standing))

    def shaken_again(self, view: SeatView) -> tuple[str, str] | None:
        """Return why a player has to shake again: a sentence with a gap, and the name for it."""
        if view.repeat is None or view.me not in view.waiting_for:
            return None
        return self(phrases.REPEATED[view.repeat.why]), view.names[view.repeat.player]

    def away(self, view: SeatView) -> tuple[str, str] | None:
        """Return a sentence with a gap about absent players, and the name; None if all others are present."""
        absence = view.absence
        if absence is None or view.me in absence.players:
            return None
        first, more = view.names[absence.players[0]], len(absence.players) - 1
        gap = f"{{}} +{more}" if more else "{}"
        if view.may_agree and not absence.votes:
            return self(phrases.AWAY_PLAY_ON).format(gap), first
        if not absence.needed:
            return self._away_out(view, absence).format(gap, name=gap, minutes=absence.out_in_min), first
        return self(phrases.AWAY_AGREED).format(name=gap, votes=absence.votes, needed=absence.needed), first

    def _away_out(self, view: SeatView, absence: Absence) -> str:
        """Return the sentence for a table that cannot vote, with the time left."""
        living = () if view.position is None else view.position.living
        if absence.out_in_min is None:
            return self(phrases.AWAY_AND_YOU if view.me in living else phrases.AWAY)
        alone = {*living}.difference(absence.players) == {view.me}
        return self(phrases.AWAY_YOU_WIN if alone else phrases.AWAY_OUT)

    def held_up(self, view: SeatView) -> tuple[str, str] | None:
        """Return a sentence with a gap about a player who asks for an undo or can't act in turn, and the name.

        None without such a player, and if the table waits for this seat too, unless a player is away.
        """
        if view.undo is not None:
            asked = self(phrases.UNDO_ASKED).format(name="{}", votes=view.undo.votes, needed=view.undo.needed)
            return asked, view.names[view.undo.player]
        if away := self.away(view):
            return away
        if view.scene not in _TIMED or view.me in view.waiting_for:
            return None
        awaited = {view.names[player] for player in view.waiting_for}
        for missing in view.missing:
            if missing.name in awaited and missing.device in phrases.HELD_UP:
                return self(phrases.HELD_UP[missing.device]), missing.name
        return None

    def alert(self, view: SeatView) -> str:
        """Return the most urgent alert, or an empty text."""
        return self(phrases.ALERT[view.alerts[0]]) if view.alerts else ""

    def alert_in_short(self, view: SeatView) -> str:
        """Return the same in a word or two, and the number of further alerts."""
        first, more = view.alerts[0], len(view.alerts) - 1
        return f"! {self(phrases.ALERT_SHORT[first])}" + (f" +{more}" if more else "")

    def verdict(self, showdown: Showdown) -> str:
        """Return the count's verdict on the bid."""
        if showdown.call is DUDO:
            return self(phrases.TOO_FEW if showdown.right else phrases.ENOUGH)
        return self(phrases.EXACT if showdown.right else phrases.NOT_EXACT)

    def payment(self, showdown: Showdown) -> tuple[str, ...]:
        """Return who loses or wins a die: sentences with a gap, the best first."""
        if showdown.loser is not None:
            texts = (phrases.IS_OUT,) if showdown.out else (phrases.LOSES, phrases.LOSES_SHORT)
        elif showdown.gainer is not None:
            texts = (phrases.GAINS, phrases.GAINS_SHORT)
        else:
            texts = (phrases.NOBODY, phrases.NOBODY_SHORT)
        return tuple(map(self, texts))

    def own_payment(self, showdown: Showdown, me: Player) -> str:
        """Return a call's cost or gain for a player who loses or wins a die, in two lines or one."""
        if me in showdown.out:
            return self(phrases.YOU_ARE_OUT)
        return self(phrases.YOU_LOSE if showdown.loser == me else phrases.YOU_GAIN)


def _least_raise(view: SeatView) -> tuple[Reason, int] | None:
    """Return why a bid to or from aces was refused and the least legal number; None for another reason."""
    standing = None if view.position is None else view.position.standing
    if standing is None:
        return None
    if view.notice is Reason.HALF and standing.face != ACES:
        return Reason.HALF, -(-standing.quantity // 2)
    if view.notice is Reason.DOUBLE and standing.face == ACES:
        return Reason.DOUBLE, 2 * standing.quantity + 1
    return None


_TIMED = (SceneName.SHAKING, SceneName.CHOOSING, SceneName.BIDDING)
"""Scenes that last as long as a player takes; a reveal goes on by itself."""


def _missing_here(device: Device, view: SeatView) -> str:
    if device is not Device.CUP:
        return phrases.MISSING_HERE[device]
    if view.scene is SceneName.BIDDING:
        return phrases.NO_CUP_TO_TILT
    if view.takes_new_cup:
        return phrases.NEW_CUP
    to_roll = view.scene is SceneName.SHAKING and view.me in view.waiting_for
    return phrases.NO_CUP_TO_SHAKE if to_roll else phrases.MISSING_HERE[device]


def _in_effect(kind: RoundKind, rules: Rules) -> RoundKind:
    """Return the effective kind: a fixed face under rules without wild aces is one without wilds."""
    return kind if rules.wild_aces or kind is not RoundKind.FIXED_FACE else RoundKind.FIXED_FACE_NO_WILDS


ENGLISH = Words()
