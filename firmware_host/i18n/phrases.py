"""All display texts in English, keyed by the codes of the engine and the table.

Pages, voice and log share the texts that end a round or a match; `as_sentence` makes spoken sentences of them. The
texts are the msgids that `make words` writes into the catalogues, and the three marking functions have Babel's names.
`words.Words` translates them. Comments that begin with "Room:" are for translators.
"""

from collections.abc import Mapping

from drivers.messages import Device
from engine import CALZA, DUDO, KILL, SPOT, Call, Reason, RoundKind
from firmware_host.table.events import RepeatReason
from firmware_host.table.health import Alert
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.seat.lesson import LessonStep
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.names import NameItem
from firmware_host.table.seat.tips import Tip
from firmware_host.table.seat.view import TableReason
from firmware_host.table.staff.actions import ClosedBy, StaffRefusal
from firmware_host.table.staff.items import StaffItem, StaffKind, StaffSection
from firmware_host.table.staff.machine import Job, JobOutcome


def N_(text: str) -> str:
    """Mark a text."""
    return text


def as_sentence(text: str) -> str:
    """Return a text with a capital, and a full stop if it has no mark at its end, as spoken or in the log."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}"


def ngettext(one: str, many: str) -> tuple[str, str]:
    """Mark a text with a singular and a plural."""
    return one, many


def pgettext(context: str, text: str) -> tuple[str, str]:
    """Mark a text whose translation depends on a context."""
    return context, text


FACE_NAMES = {
    1: ngettext("ace", "aces"),
    2: ngettext("duck", "ducks"),
    3: ngettext("train", "trains"),
    4: ngettext("quad", "quads"),
    5: ngettext("quint", "quints"),
    6: ngettext("six", "sixes"),
}
DICE = ngettext("{} die", "{} dice")
# Room: below a bid, as in 4 trains of 30 dice. 60 dots, capitals if they need no accent.
OF_DICE = ngettext("OF {} DIE", "OF {} DICE")

# Room: the calls and rounds in capitals: 48 dots in bold, about 7 letters.
CALL: dict[Call, str] = {DUDO: N_("DUDO"), CALZA: N_("CALZA"), KILL: N_("KILL"), SPOT: N_("SPOT")}
# Room: as said aloud, on every display, 60 dots in bold, about 7 letters.
CALLED: dict[Call, str] = {DUDO: N_("DUDO!"), CALZA: N_("CALZA!"), KILL: N_("KILL!"), SPOT: N_("SPOT!")}
PASSING = N_("PASS")

# Room: a robot plays at this seat, or may; a title of about 12 letters. The last three are characters.
ROBOT = {
    RobotLevel.EASY: N_("Robot: easy"),
    RobotLevel.MIDDLE: N_("Robot: middle"),
    RobotLevel.HARD: N_("Robot: hard"),
    RobotLevel.FOX: N_("Robot: fox"),
    RobotLevel.OWL: N_("Robot: owl"),
    RobotLevel.MOUSE: N_("Robot: mouse"),
}
# Room: at its display, about 9 letters: take the robot away, and ▶ leads to other levels.
REMOVE_ROBOT = N_("Remove")
LEVEL = {
    RobotLevel.EASY: N_("easy"),
    RobotLevel.MIDDLE: N_("middle"),
    RobotLevel.HARD: N_("hard"),
    RobotLevel.FOX: N_("fox"),
    RobotLevel.OWL: N_("owl"),
    RobotLevel.MOUSE: N_("mouse"),
}
OTHER_LEVELS = N_("Level")
OK_JOINS = N_("OK: join in")
# Room: where such a code would be, two lines of about 20 letters.
NO_PHONE_SEAT = N_("No seat for phones is free now")
# Room: what to do now, 60 dots in bold, about 7 letters.
SHAKE = N_("Shake!")
ROLL = N_("OK: roll")
COMMAND = {
    MenuCommand.JOIN: OK_JOINS,
    MenuCommand.LEARN: N_("Learn"),
    # Room: beside a code with which a guest takes a seat by phone, 44 dots, about 9 letters.
    MenuCommand.PHONE: N_("Phone"),
    MenuCommand.START: N_("Start"),
    MenuCommand.LEAVE: N_("Leave"),
    MenuCommand.NAME: N_("Name"),
    MenuCommand.LANGUAGE: "",  # the name of the next language
    MenuCommand.QUIETER: N_("Quieter"),
    MenuCommand.LOUDER: N_("Louder"),
    MenuCommand.ROLL: ROLL,
    MenuCommand.GO_ON: "OK",
    MenuCommand.WAIT: N_("Waiting"),  # a state, not an order: OK does nothing here
    MenuCommand.AGAIN: N_("OK: play again"),
    # Room: beside the bid, 44 dots in bold, about 6 letters.
    MenuCommand.BACK: (_BACK := N_("Back")),
    MenuCommand.PLAY_ON: N_("Play on"),
    MenuCommand.UNDO: N_("Undo"),
    MenuCommand.KEEP: N_("No"),
    MenuCommand.AGREE: N_("Yes"),
    MenuCommand.GIVE_UP: N_("Give up"),
    MenuCommand.STAY: N_("No"),
    MenuCommand.QUIT: N_("Yes"),
}
COMMAND_HINT = {
    # Room: what it means, one line, about 26 letters.
    MenuCommand.PLAY_ON: N_("without absent players"),
    MenuCommand.UNDO: N_("if all agree"),
    MenuCommand.KEEP: (_TAKE_BACK := N_("Take it back?")),
    MenuCommand.AGREE: _TAKE_BACK,
    MenuCommand.GIVE_UP: N_("leave this match for good"),
    MenuCommand.STAY: (_LEAVE := N_("Leave for good?")),
    MenuCommand.QUIT: _LEAVE,
}
_LOST = N_("Your dice are lost.")
QUESTION: Mapping[object, tuple[str, str]] = {
    MenuCommand.KEEP: (_TAKE_BACK, ""),
    MenuCommand.AGREE: (_TAKE_BACK, ""),
    MenuCommand.STAY: (_LEAVE, _LOST),
    MenuCommand.QUIT: (_LEAVE, _LOST),
}
"""The questions over a whole display, by their answers, each with its consequence."""
SIDE_MENU = frozenset(COMMAND_HINT)
"""The items of the side menu, among them the answers to a question."""

KIND = {
    RoundKind.NORMAL: None,
    # Room: a kind of round as a title, 60 dots.
    RoundKind.FIXED_FACE: pgettext("round", "PALIFICO"),
    RoundKind.FIXED_FACE_NO_WILDS: pgettext("round", "OBLIGING"),
    RoundKind.FIXED_FACE_NO_WILDS_OPEN: pgettext("round", "OPEN"),
    RoundKind.FIXED_FACE_NO_WILDS_CLOSED: pgettext("round", "CLOSED"),
    RoundKind.BLIND: pgettext("round", "BLIND"),
    RoundKind.OPEN: pgettext("round", "OPEN"),
}
KIND_IN_WORDS = {
    # Room: on a page: a kind of round in a sentence.
    RoundKind.NORMAL: N_("an ordinary round"),
    RoundKind.FIXED_FACE: N_("palifico"),
    RoundKind.FIXED_FACE_NO_WILDS: N_("an obliging round"),
    RoundKind.FIXED_FACE_NO_WILDS_OPEN: N_("an open palo fijo"),
    RoundKind.FIXED_FACE_NO_WILDS_CLOSED: N_("a closed palo fijo"),
    RoundKind.BLIND: N_("a blind round"),
    RoundKind.OPEN: N_("an open round"),
}
WAIVING = N_("NORMAL")
KIND_RULE = {
    # Room: what holds in such a round, beside its title, about 17 letters.
    RoundKind.FIXED_FACE: N_("one face, aces wild"),
    RoundKind.FIXED_FACE_NO_WILDS: N_("one face, no wilds"),
    RoundKind.FIXED_FACE_NO_WILDS_OPEN: N_("see all but yours"),
    RoundKind.FIXED_FACE_NO_WILDS_CLOSED: N_("look only with one die"),
    RoundKind.BLIND: N_("only {} may look"),
    RoundKind.OPEN: N_("see all but yours"),
}
# Room: a label and its text, such as a round's title and what holds in it, one line of 120 dots.
LABELLED = N_("{}: {}")
ONLY_YOU_LOOK = N_("only you may look")
# Room: the same to a player with one die where only such players may look, 120 dots of capitals.
ONE_DIE_LOOKS = N_("with one die you look")
CHOICE_HINT = {
    # Room: what the choice means to who chooses, one line, about 26 letters.
    RoundKind.NORMAL: N_("an ordinary round"),
    RoundKind.FIXED_FACE: N_("one face, aces wild"),
    RoundKind.FIXED_FACE_NO_WILDS: N_("one face, no wilds"),
    RoundKind.FIXED_FACE_NO_WILDS_OPEN: N_("you see all but your own"),
    RoundKind.FIXED_FACE_NO_WILDS_CLOSED: N_("one-die players may look"),
    RoundKind.BLIND: ONLY_YOU_LOOK,
    RoundKind.OPEN: N_("you see all but your own"),
}
ACES_WILD = N_("aces are wild")
ACES_PLAIN = N_("aces are not wild")

# Room: what OK says, with one of the following texts in its gap if the line has room for both.
OK_CLAIMS = N_("OK: {}")
# Room: what a call or a pass claims, two lines of about 20 letters.
FEWER = N_("Fewer than {}")
NOT_ONE = N_("Not even one")
BLUFF = N_("The pass is a bluff")
EXACTLY = {
    # Room: what an exact call claims, brings and costs, with a bid and the bidder's name, two lines of 20 letters.
    ("caller-gains", "caller-loses"): N_("Exactly {bid} wins a\u00a0die, else lose one"),
    ("nobody-loses", "caller-loses"): N_("Exactly {bid} or you lose a die"),
    ("bidder-loses", "caller-loses"): N_("Exactly {bid} and {name} loses a die, else you"),
    ("caller-gains", "bidder-gains"): N_("Exactly {bid} wins a\u00a0die, else {name} does"),
    ("bidder-loses", "bidder-gains"): N_("Exactly {bid} and {name} loses a die, else wins one"),
    ("nobody-loses", "bidder-gains"): N_("Exactly {bid} or {name} wins a die"),
}
HONEST = N_("5 alike or 5 different, or 3 + 2")

MISSING_HERE = {
    # Room: over the dice of the seat that has the fault, two lines of about 20 letters.
    Device.BUTTONS: N_("Your buttons do not answer"),
    Device.CUP: N_("Your cup does not answer"),
    Device.PANEL: N_("Your display does not answer"),
    Device.BOARD: N_("Your seat does not answer"),
    Device.PHONE: N_("Your seat does not answer"),
}
MISSING_THERE = {
    # Room: on the other displays, where a name has an exclamation mark, 50 dots.
    Device.BUTTONS: N_("no keys"),
    Device.CUP: N_("no cup"),
    Device.PANEL: N_("no display"),
    Device.BOARD: N_("no board"),
    Device.PHONE: N_("away"),
}
NO_CUP_TO_SHAKE = N_("No answer from your cup: OK rolls for it")
NO_CUP_TO_TILT = N_("No answer from your cup: hold OK to look")
# Room: over the dice of a seat whose cup can be another one, two lines of about 20 letters.
NEW_CUP = N_("No cup. A new one? Hold OK, shake it")
HELD_UP = {
    # Room: over the others' dice while the table waits for somebody who can do nothing, two lines of about 20 letters.
    Device.BUTTONS: N_("The table waits for {}: no keys"),
    Device.BOARD: N_("The table waits for {}: no board"),
    Device.PHONE: N_("{} is away"),
}
# Room: over the dice while the table waits for somebody who is away, two lines of about 20 letters.
AWAY = N_("{} is away")
AWAY_OUT = N_("{name} is away. Out\u00a0in {minutes}\u00a0min")
# Room: the same at the only player who is not away.
AWAY_YOU_WIN = N_("{name} is away. You\u00a0win in {minutes}\u00a0min")
AWAY_AND_YOU = N_("{} is away. Press any button")
AWAY_PLAY_ON = N_("{} is away. Play on?")
AWAY_AGREED = N_("{name} is away. {votes} of {needed} play on")
# Room: the same while a player asks to take the last bid, pass or choice back.
UNDO_ASKED = N_("{name} would take it back: {votes} of {needed} agree")
# Room: the same in a question to a player who agrees or not, 120 dots with the name.
ASKS_BACK = N_("{name} asks: {votes} of {needed} agree")
YOU_ARE_AWAY = N_("Still there? Press any button")
# Room: over the own dice of a player who presses buttons but does not play, two lines of about 20 letters.
YOU_ARE_STALLING = N_("All wait for you. Play, or you are out")
# Room: over the dice, why everybody shakes again, two lines of about 20 letters.
REPEATED = {
    RepeatReason.LEFT: N_("{} has left: shake again"),
    RepeatReason.LOST: N_("{}’s cup was lost: shake again"),
    RepeatReason.FAILED: N_("{}’s cup failed: shake again"),
    RepeatReason.LATE: N_("{} was too late: shake again"),
}
ALERT: Mapping[str, str] = {
    # Room: an alert about the table itself, two lines of about 20 letters.
    Alert.DISK_FULL: N_("Disk full: don’t cut the power"),
    Alert.DISK_FAILS: N_("Disk fails: don’t cut the power"),
    Alert.JOURNAL_RESET: N_("The last match can’t be read: start over"),
    Alert.DRIVER: N_("A part keeps failing: see the log"),
    Alert.LAYOUT: N_("Layout file wrong: the last one holds"),
    Alert.RULES: N_("Rules file wrong: the last ones hold"),
    Alert.BOARDS: N_("A board needs its program by the clip"),
}
ALERT_SHORT: Mapping[str, str] = {
    # Room: the same beside a seat's name, 50 dots.
    Alert.DISK_FULL: N_("disk full"),
    Alert.DISK_FAILS: N_("disk fails"),
    Alert.JOURNAL_RESET: N_("start over"),
    Alert.DRIVER: N_("see log"),
    Alert.LAYOUT: N_("layout?"),
    Alert.RULES: N_("rules?"),
    Alert.BOARDS: N_("by clip"),
}
# Room: on a seat board that belongs to no seat: what it is and whose it would be, lines of about 20 letters.
NEW_BOARD = N_("New seat board")
MEANT_FOR = N_("for {}")
# Room: what makes it that seat's, two lines of about 12 letters.
# Room: before the letters that prove a fair deal, which a player can note, 45 dots for it.
PROOF = N_("fair dice: {}")
HOLD_AND_SHAKE = N_("Hold OK and shake the cup")
# Room: on a page, in a sentence.
DEVICE: Mapping[str, str] = {
    Device.BUTTONS: N_("buttons"),
    Device.CUP: N_("cup"),
    Device.PANEL: N_("display"),
    Device.BOARD: N_("seat board"),
    Device.PHONE: N_("phone"),
}

NOTICE: dict[Reason | TableReason, str] = {
    # Room: why nothing happened, two lines of about 20 letters.
    Reason.NO_ACTION: N_("The table did not understand that."),
    Reason.NO_SEAT: N_("This seat is not in the match."),
    Reason.OUT: N_("You have no dice left."),
    Reason.NOT_IN_TURN: N_("It is not your go."),
    Reason.IN_TURN: N_("Only the others may call that."),
    Reason.NOT_THE_OWNER: N_("The choice is not yours."),
    Reason.OWN_BID: N_("You can’t call your own bid."),
    Reason.OWN_PASS: N_("You can’t call your own pass."),
    Reason.MATCH_OVER: N_("The match is over."),
    Reason.NOT_ROLLED: N_("The cups must be shaken first."),
    Reason.CHOICE_FIRST: N_("Choose the round first."),
    Reason.NOT_A_CHOICE: N_("That round can’t be chosen here."),
    Reason.NOTHING_TO_CHOOSE: N_("There is nothing to choose now."),
    Reason.NOT_IN_THESE_RULES: N_("These rules do not know that call."),
    Reason.NO_BID_YET: N_("There is no bid to call yet."),
    Reason.NO_SUCH_FACE: N_("A die has no such face."),
    Reason.NO_DICE: N_("Bid one die at least."),
    Reason.ACES_OPENING: N_("You may not open on aces."),
    Reason.FIXED_FACE: N_("The face is fixed in this round."),
    Reason.LOWER_FACE: N_("The face may not go down."),
    Reason.TOO_FEW: N_("That is too few dice."),
    Reason.TOO_MANY: N_("That is too many dice."),
    Reason.HALF: N_("Aces: half as many, rounded up."),
    Reason.DOUBLE: N_("From aces: twice as many and one."),
    Reason.OVER_THE_TABLE: N_("There are not so many dice."),
    Reason.TOO_FEW_DICE_LEFT: N_("Too few dice are left for calza."),
    Reason.NOT_IN_SPECIAL: N_("Not in a special round."),
    Reason.PASS_TWICE: N_("You have passed in this round."),
    Reason.PASS_AFTER_PASS: N_("No pass after a pass."),
    Reason.PASS_NEEDS_FIVE: N_("To pass you need five dice."),
    Reason.PASS_STANDS: N_("After a pass: DUDO or a raise."),
    TableReason.BID_CHANGED: N_("The bid has changed."),
    TableReason.MENU_CHANGED: N_("The choice has changed."),
    TableReason.LOOK_FIRST: N_("Not so fast: look at the count."),
    TableReason.CHOICE_FIRST: N_("Choose the round first."),
    TableReason.OTHERS_SHAKE: N_("Not yet: others still shake."),
    TableReason.NOT_PLAYING: N_("You can join in after this match."),
    TableReason.TAKEN_BACK: N_("It was taken back: see what stands."),
    TableReason.PERSON_FIRST: N_("A person has to join first."),
}
NOTICE_WITH_LEAST = {
    # Room: the same two, with the least number of dice that is legal in the gap, two lines of about 20 letters.
    Reason.HALF: N_("Aces: half as many, so {} or more."),
    Reason.DOUBLE: N_("Double the aces + 1, so {} or more."),
}
# Room: over the dice, a rule at the moment when it first matters to a new player, two lines of about 20 letters.
# The display draws an ace as a star where aces are wild.
ACES_COUNT = N_("A star is an ace: it counts as any face")
# Room: the same; the number of aces and the bid that they beat, as in “3 aces beat 6 sixes”.
HALF_IS_ENOUGH = ngettext("{aces} beats {bid}: half is enough", "{aces} beat {bid}: half is enough")
# Room: the same; {bid} is such as “4 trains”.
BID_MEANS = N_("{bid} or more, under all cups together")
TIP = {
    Tip.BID: BID_MEANS,
    Tip.SPECIAL: N_("{} is down to one die: a special round"),
    Tip.DOUBT: N_("Don’t believe it? Press DUDO"),
    Tip.WILD: ACES_COUNT,
    Tip.EXACT: N_("Exactly right? Left to {}, OK"),
    Tip.BIDDER_PAYS: N_("Too few dice: the bidder loses one"),
    Tip.DOUBTER_PAYS: N_("Enough dice: the doubter loses one"),
}
SPECIAL_IS_YOURS = N_("You are down to one die: a special round")
DOUBT_WITH_OK = N_("Don’t believe it? Left to DUDO, then OK")

# Room: the lesson at a free seat. Its title, 86 dots.
LESSON_TITLE = N_("Learn Dudo")
# Room: how to leave it, behind an arrow, 66 dots.
LESSON_LEAVE = N_("hold: leave")
# Room: over made-up dice, one line of 120 dots.
LESSON_HAND = N_("made-up dice, to learn with")
LESSON = {
    # Room: what to do or know, two lines of about 20 letters; {bid} is such as “4 trains”.
    LessonStep.SHAKE: N_("Shake your cup and put it down"),
    LessonStep.LOOK: N_("Tilt the cup to look: only you can"),
    LessonStep.BID: BID_MEANS,
    LessonStep.RAISE: N_("Bid more: the arrows choose, OK bids"),
    LessonStep.WILD: ACES_COUNT,
    LessonStep.DOUBT: N_("{bid}? Too many! Press DUDO"),
    LessonStep.COST: N_("Too few? The bidder loses a die, else you"),
    LessonStep.END: N_("The last one with dice wins. Have fun!"),
}
LESSON_NO_CUP = N_("Your cup is missing: OK goes on")
LESSON_HOLD = N_("Hold OK to look: only you can")
LESSON_PLAIN = N_("Aces are a face like any other here")
LESSON_DUDO = N_("{bid}? Too many! Left to DUDO, then OK")
LESSON_WAIT = N_("A match is on: join in after it")
RESUMED = N_("Picked up where it stopped")

# Room: staff have stopped the match for a while; a title of about 12 letters, and two lines of about 24 letters.
PAUSED = N_("Paused")
PAUSED_WHY = N_("Staff are here. Play goes on soon.")

# Room: the staff menu. Its title and the sections in a line of 60 dots, about 12 letters each.
STAFF_MENU = N_("Staff")
STAFF_SECTION = {
    StaffSection.NOW: N_("Now"),
    StaffSection.PLAY: N_("Play"),
    StaffSection.SOUND: N_("Sound, light"),
    StaffSection.TEST: N_("Test"),
    StaffSection.FIGURES: N_("Figures"),
    StaffSection.MACHINE: N_("Machine"),
}
# Room: its items, about 16 letters each.
STAFF_OWNER_PAGE = N_("Owner’s page")
STAFF_ITEM = {
    StaffItem.PAUSE: N_("Pause"),
    StaffItem.RESUME: N_("Go on"),
    StaffItem.UNDO: N_("Undo"),
    StaffItem.HAND_OVER: N_("Hand a seat over"),
    StaffItem.REMOVE: N_("Take a seat out"),
    StaffItem.END_MATCH: N_("End the match"),
    StaffItem.REOPEN: N_("Reopen match"),
    StaffItem.RULES: N_("Rules"),
    StaffItem.LANGUAGE: N_("Language"),
    StaffItem.TURN_CLOCK: N_("Turn clock"),
    StaffItem.ROBOT: N_("Robot"),
    StaffItem.NAMES_DAYS: N_("Keep names"),
    StaffItem.VOLUME: N_("Volume"),
    StaffItem.BRIGHTNESS: N_("Brightness"),
    StaffItem.TV: N_("TV"),
    StaffItem.GUESTS_MIN: N_("Guests: quietest"),
    StaffItem.GUESTS_MAX: N_("Guests: loudest"),
    StaffItem.INPUTS: N_("Buttons, cups"),
    StaffItem.OUTPUTS: N_("Displays, sound"),
    StaffItem.NEVER_MOVED: N_("Never moved"),
    StaffItem.MATCHES: N_("Matches"),
    StaffItem.CALLS: N_("Calls"),
    StaffItem.HOURS: N_("Hours"),
    StaffItem.STARTS: N_("Starts"),
    StaffItem.VERSION: N_("Version"),
    StaffItem.BOARDS: N_("Boards by clip"),
    StaffItem.OWNER_PAGE: STAFF_OWNER_PAGE,
    StaffItem.UPDATE: N_("Update"),
    StaffItem.EXPORT: N_("Copy to a stick"),
    StaffItem.POWER_OFF: N_("Power off"),
    StaffItem.DOCTOR: N_("Check the table"),
    StaffItem.BACK: _BACK,
}
STAFF_REFUSAL = {
    StaffRefusal.NO_MATCH: N_("No match is being played"),
    StaffRefusal.CALL: N_("Wait: a call is being read"),
    StaffRefusal.ALREADY_PAUSED: N_("Paused"),
    StaffRefusal.NOT_PAUSED: N_("The match is not paused"),
    StaffRefusal.NOTHING_TO_UNDO: N_("Nothing can be taken back"),
    StaffRefusal.NOTHING_TO_REOPEN: N_("No match has ended"),
    StaffRefusal.NOT_PLAYING: N_("That seat does not play"),
    StaffRefusal.NOT_FREE: N_("That seat is not free"),
    StaffRefusal.NO_SEAT_FREE: N_("No seat is free"),
    StaffRefusal.PERSON_FIRST: N_("A person has to join first."),
    StaffRefusal.IN_MATCH: N_("A match is being played"),
    StaffRefusal.ROBOTS_SEAT: N_("A robot plays there"),
    StaffRefusal.PAUSE_FIRST: N_("Pause the match first"),
}
# Room: how a job of the host stands, two lines of about 24 letters.
STAFF_AT_WORK = {
    Job.EXPORT: N_("Copying"),
    Job.UPDATE: N_("Looking for a newer version"),
    Job.POWER_OFF: N_("Powering off"),
    Job.DOCTOR: N_("Checking"),
    Job.SETUP: N_("Working"),
}
STAFF_OUTCOME = {
    JobOutcome.NO_STICK: N_("No stick DUDO-BACKUP is plugged in"),
    JobOutcome.STICK_FULL: N_("The stick is full"),
    JobOutcome.READ_ONLY: N_("The stick is read-only"),
    JobOutcome.PULLED_OUT: N_("The stick was pulled out, or is broken"),
    JobOutcome.NO_COPY: N_("No copy: use another stick"),
    JobOutcome.NOTHING_NEWER: N_("Nothing newer"),
    JobOutcome.MATCH_PLAYED: N_("A match is being played"),
    JobOutcome.NO_UPDATE: N_("Not updated. The log says why"),
    JobOutcome.WELL: N_("All is well"),
    JobOutcome.FAULTS: N_("Something needs attention"),
    JobOutcome.SET: N_("Done"),
    JobOutcome.NETWORKS: N_("Choose a network"),
    JobOutcome.NO_WIFI: N_("This computer has no Wi-Fi that the page can set"),
    JobOutcome.NOT_JOINED: N_("Not joined: check name and password"),
    JobOutcome.NOT_SET: N_("Nothing was changed"),
    JobOutcome.TOO_SOON: N_("Wait a moment, then try again"),
    JobOutcome.DAMAGED: N_("Unclear. The log says more"),
    JobOutcome.NOT_HERE: N_("This table can't do that"),
}
# Room: the same. The first gap is for the number of matches that were copied, the second one for megabytes.
STAFF_COPIED = ngettext("{} match, {} MB", "{} matches, {} MB")
# Room: on the owner's page, after a copy is back in the table, with the number of matches in it.
SETUP_RESTORED = ngettext("{} match is back", "{} matches are back")
# Room: the same. The gap is for the number of the version that is installed now.
STAFF_UPDATED = N_("Updated to {}")
# Room: the same. The gap is for the name of a unit of systemd in 24 letters, such as dudo-table-poweroff.path.
STAFF_NO_ANSWER = N_("No answer. Enable {}")
# Room: a line of about 24 letters.
STAFF_GOES_ON_LATER = N_("A match goes on later")
STAFF_CLOSED_BY = {
    ClosedBy.KEY: N_("Key back: close"),
    ClosedBy.DUDO: N_("DUDO: close"),
    ClosedBy.TIME: N_("Closes after a minute"),
}
STAFF_IN_FORCE = N_("set now")
STAFF_OK_TAKES = N_("OK takes this")
STAFF_OPENS = N_("OK: open")
STAFF_OK = {
    StaffKind.ACTION: (_DO := N_("OK: do it")),
    StaffKind.JOB: _DO,
    StaffKind.SETTING: N_("OK: change"),
    StaffKind.TEST: STAFF_OPENS,
    StaffKind.BACK: _DO,
}
STAFF_AGAIN = N_("OK: try again")
STAFF_OUT = N_("OK: out for good")
STAFF_NEXT_PLAYER = N_("The next one plays on")
STAFF_ROBOT = N_("OK: a robot sits down")
STAFF_NOBODY_WINS = N_("Nobody wins it")
STAFF_SHAKE_AGAIN = N_("Its last round again")
# Room: a count, and below it the day since which it counts, each a line of about 24 letters.
STAFF_SINCE = N_("since {}")
STAFF_OK_RESETS = N_("OK: back to 0")
STAFF_STARTS = N_("{starts}, {crashes} after a failure")
# Room: the question whether one of these counts begins again at 0, with its name in the gap, about 24 letters.
STAFF_RESET = N_("{}: back to 0")
STAFF_YES = N_("Yes")
STAFF_NO = N_("No")
STAFF_PRESS = N_("Press, tilt, shake")
STAFF_NO_CLOCK = N_("no clock")
STAFF_HOUSE_RULES = N_("house rules")
STAFF_AS_LAYOUT = N_("as in the layout")
STAFF_BRIGHTNESS = {"bright": N_("bright"), "dim": N_("dim")}
STAFF_TV = {"auto": N_("with play"), "on": N_("always on"), "off": N_("off")}
# Room: on a page: how long the names of players are kept.
STAFF_NAMES_EVENING = N_("for the evening")
STAFF_NAMES_DAYS = ngettext("{} day", "{} days")
STAFF_SILENT = N_("silent")
STAFF_NOT_ALLOWED = N_("not allowed")
# Room: on a page and in a terminal, after the id of a seat's board or cup: how its program stands.
BOARD_AWAY = N_("away")
BOARD_INSTALLING = N_("is being updated")
BOARD_UNKNOWN = N_("its release is not known yet")
BOARD_BY_CLIP = N_("update it once with the paper clip: hardware/README.md, “Newer firmware”")
BOARD_REJECTED = N_("this release did not start on it; dudo-table boards update tries again")
BOARD_SOON = N_("is updated by itself when nobody plays")
# Room: the parts of a seat's board, in a list.
BOARD_PARTS = (
    *(N_("a cup"), N_("buttons"), N_("a DUDO button"), N_("a display"), N_("a light")),
    N_("an input for the service key"),
)

# Room: a player is asked for a name: beside the name of the seat, about 11 letters.
NAME_ASKED = N_("Your name?")
# Room: in place of a name, about 12 letters: enter letters, or stay without a name.
NAME_ANSWER = {NameItem.SPELL: N_("Enter letters"), NameItem.SKIP: N_("No name")}
# Room: what OK does, a line of about 20 letters.
NAME_TAKE = N_("OK: this letter")
NAME_IS_MINE = N_("OK: this is me")
NAME_HELP = {
    NameItem.SPELL: N_("OK: three letters"),
    NameItem.BACK: N_("OK: one back"),
    NameItem.DONE: N_("OK: done"),
    NameItem.SKIP: N_("OK: no name"),
}

GAME = N_("DUDO")
# Room: where nobody is in, two lines of about 24 letters.
BROKEN_OFF = N_("Last match broken off: everybody had gone")
NEED_TWO = N_("Who else?")
WHO_IS_IN = N_("At the table")
# Room: in its place while somebody changes the volume of the loudspeaker.
VOLUME = N_("Volume {} %")
BEGINS_IN = ngettext("Begins in {} s", "Begins in {} s")

SHAKE_CUP = N_("Shake your cup")
ONE_DIE = N_("One die each: who begins?")
TIE_AGAIN = N_("A tie: roll again")
# Room: how many players still shake, or who if it is one, 120 dots in bold.
STILL_SHAKE = ngettext("{} still shakes", "{} still shake")
# Room: in its place for a moment before the dice can be seen, 60 dots.
ALL_HAVE_SHAKEN = N_("All have shaken")
# Room: where one comes in the order of play, 58 dots.
PLACE = N_("{} of {} to play")
CHOOSES = N_("{} chooses")
YOU_CHOOSE = N_("Choose your round")
OK_TAKES_ROUND = N_("OK: this round")

# Room: the own name among the others’, 15 dots.
YOU = N_("You")
# Room: read aloud by a screen reader.
YOUR_TURN = N_("Your turn")
# Room: whose turn it is, one line of 60 dots with the name, which is cut where it must be.
TURN_BRIEFLY = N_("turn: {}")
# Room: below a bid, 60 dots in bold capitals without accents.
OK_BIDS = N_("OK: BID")
# Room: the same below a call or a pass.
OK_CALLS = N_("OK: CALL")
# Room: who made the call below it, 60 dots with the name.
CALLER = N_("{}:")
PASSED = N_("{} passed")
YOU_PASSED = N_("You passed")
YOU_ARE_OUT = N_("You are out")
WATCHING = N_("Join in after this match")

# Room: what a doubted pass was, two lines of 58 dots in bold.
HONEST_PASS = N_("honest")
BLUFFED_PASS = N_("a bluff")
# Room: beside the number of dice counted in a reveal, 41 dots, capitals without accents: what OK does, and after
# the own OK how many players have yet to press it.
OK_GOES_ON = N_("OK: NEXT")
STILL_TO_GO_ON = ngettext("{} TO GO", "{} TO GO")
# Room: above it, behind two arrows that lead to the dice of each player, 31 dots of the smallest capitals.
ALL_HANDS = N_("DICE")
# Room: in the same place under the own dice, 55 dots of capitals without accents.
YOUR_DICE = N_("YOUR DICE")
# Room: in a reveal, whose cup goes up, one line of about 20 letters.
CUP_NOW = N_("Now: {}")
# Room: the same place: whether there are as many dice as were bid, or exactly as many.
TOO_FEW = N_("too few")
ENOUGH = N_("enough")
EXACT = N_("exactly")
NOT_EXACT = N_("not exactly")
# Room: who pays for a call, 60 dots with the name, which is cut where it must be; the second where the first is long.
# Pages show the same texts, and a voice speaks them as sentences.
LOSES = N_("{} loses a die")
LOSES_SHORT = N_("{} loses")
LOSES_LAST = N_("{} loses the last die")
GAINS = N_("{} wins a die")
GAINS_SHORT = N_("{} gains")
IS_OUT = N_("{} is out")
NOBODY = N_("nobody loses a die")
NOBODY_SHORT = N_("nobody loses")
# Room: the same for the player who pays, the largest on the display: about 10 letters, and about 18 below them.
YOU_LOSE = N_("You\nlose a die")
YOU_GAIN = N_("You\nwin a die")
# Room: a player’s dice in a reveal, one line: the name, how many count, of how many.
COUNTS = N_("{name}: {count} of {dice}")
WINS = N_("{} wins!")
# Room: the same, spoken.
WINS_MATCH = N_("{} wins the match!")
YOU_WIN = N_("You win!")

# Room: a display in words for a screen reader: the own dice, and another player’s.
HEARD_OWN_DICE = N_("Your dice: {dice}")
HEARD_DICE_OF = N_("{name}: {dice}")
# Room: on pages: a robot plays its round to the end before a person has its seat.
AFTER_THE_ROUND = N_("A robot has dice at {name}’s seat: it is yours after this round.")
# Room: on pages and spoken: who makes the first bid, what a doubted pass was, and news of a match.
OPENS = N_("{} opens")
PASS_WAS_HONEST = N_("The pass was honest")
PASS_WAS_BLUFF = N_("The pass was a bluff")
TIME_IS_UP = N_("{}: time is up")
MATCH_GOES_ON = N_("The match goes on")

# Room: why there are no dice under the cup, two lines of about 20 letters.
NO_LOOK = {
    RoundKind.BLIND: N_("Blind: only {} may look."),
    RoundKind.FIXED_FACE_NO_WILDS_CLOSED: N_("Closed: you look only with one die left."),
}
# Room: over the own dice, until the player has looked at them, 122 dots.
TILT_TO_LOOK = N_("Tilt the cup to look")
HOLD_TO_LOOK = N_("Hold to look")  # at a phone
HAND_OF = N_("{}’s dice")
# Room: over the count of all dice but the own, 50 dots in capitals.
OTHERS_DICE = N_("Others")
