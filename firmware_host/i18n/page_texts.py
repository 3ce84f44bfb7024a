"""The public page's texts in English, and all of them in every language for its scripts.

The scripts build sentences from public fields. An unnamed gap in a text from `phrases` is its sentence's one fact; here
each gap has a name. Comments that begin with "Room:" are for translators.
"""

import json
from collections.abc import Mapping
from gettext import NullTranslations

from firmware_host.i18n import phrases
from firmware_host.i18n.catalogues import LANGUAGES, translation_for
from firmware_host.i18n.phrases import N_, ngettext
from firmware_host.table.events import RepeatReason
from firmware_host.table.staff.items import StaffItem
from hardware.config.languages import LANGUAGE_NAMES

Text = str | tuple[str, str]
Texts = Mapping[str, "Text | Texts"]
"""Texts by key, some in groups."""

# Room: on a television and on phones; {name}, {caller} and {who} are players, each up to forty letters.
TEXTS: Texts = {
    "heading": N_("The table, live"),
    "looking": N_("Looking for the table …"),
    # Room: a title in large letters over the next sentence, when the table is off or restarts.
    "off": N_("Switched off"),
    "off-why": N_("This page waits for the table."),
    # Room: a title in large letters over the next sentence, when no seat of the table is plugged in.
    "bare": N_("Plug in the seats"),
    "bare-why": N_("No seat answers. Check the cables, and the hub’s power."),
    "reconnecting": N_("Connecting again …"),
    "watch": N_("On your phone"),
    # Room: beside the code for phones with which a guest takes a seat, two lines of ten letters.
    "play-by-phone": N_("Play by phone"),
    "check": N_("Check the dice"),
    "language": N_("Language"),
    "help": N_("How to play"),
    # Room: a button that has the page play the sounds of the table.
    "sound": N_("Sound"),
    "close": N_("Close"),
    # Room: a page with the figures of all matches: its title, on a TV and on phones, and its parts.
    "figures": N_("Hall of fame"),
    "figures-back": N_("The table"),
    "figures-tonight": N_("Tonight"),
    "figures-all": N_("All time"),
    "figures-working": N_("The figures are being made …"),
    "figures-gone": N_("There are no figures now. The page tries again."),
    "figures-none": N_("No match has been played to its end yet."),
    "figures-players": N_("Matches won"),
    "figures-told": N_("Worth telling again"),
    "figures-won": N_("won {won} of {of}"),
    "figures-matches": ngettext("{count} match", "{count} matches"),
    "figures-rounds": ngettext("{count} round", "{count} rounds"),
    "figures-bluff": N_("Boldest bluff"),
    "figures-bluff-why": N_("{bid}, too many by {count}, and nobody doubted"),
    "figures-caller": N_("Best caller"),
    "figures-caller-why": N_("{share} of {count} calls right"),
    "figures-streak": N_("Longest streak"),
    "figures-in-a-row": ngettext("{count} win in a row", "{count} wins in a row"),
    "figures-slayer": N_("King Slayer"),
    "figures-slain": ngettext("ended {count} streak", "ended {count} streaks"),
    "figures-rules": N_("Favourite rules"),
    "figures-length": N_("Length of a match"),
    "figures-length-why": N_("{shortest} to {longest} rounds"),
    "figures-race": N_("The race of the evening"),
    "figures-evenings": N_("Matches by evening"),
    # Room: a link from one table to the page of all tables of the bar.
    "all-tables": N_("All tables"),
    "seats": N_("The players"),
    "round": N_("Round {number}"),
    "wild": phrases.ACES_WILD,
    "plain": phrases.ACES_PLAIN,
    "dice": phrases.DICE,
    "turn": N_("{name}’s turn"),
    "opens": phrases.OPENS,
    "no-bid": N_("No bid yet"),
    "bid-by": N_("bid by {name}"),
    "passed": phrases.PASSED,
    "chooses": phrases.CHOOSES,
    "shake": N_("Shake the cups!"),
    "roll": phrases.ONE_DIE,
    "waiting": N_("Waiting for {names}"),
    "cups-down": N_("All cups are down"),
    "claim-dudo": N_("{caller} doubts {who}"),
    "claim-calza": N_("{caller} calls calza on {who}"),
    "claim-kill": N_("{caller} calls kill on {who}"),
    "claim-spot": N_("{caller} calls spot on {who}"),
    "claim-pass": N_("{caller} doubts {who}’s pass"),
    # Room: over the bid, and over the number of dice that are counted.
    "the-bid": N_("The bid"),
    "there": N_("Under the cups"),
    # Room: the verdict on a bid, in large letters.
    "too-few": N_("Too few!"),
    "enough": N_("Enough!"),
    "exact": N_("Exactly right!"),
    "not-exact": N_("Not exact!"),
    "bluff": phrases.PASS_WAS_BLUFF,
    "honest": phrases.PASS_WAS_HONEST,
    "loses": phrases.LOSES,
    "gains": phrases.GAINS,
    "is-out": N_("{name} is out"),
    "wins": phrases.WINS,
    "places": N_("The places"),
    "sealed": N_("Fairness letters"),
    # Room: beside the letters, about 10 letters.
    "sealed-why": N_("note them"),
    "join": N_("Press OK at a seat to join"),
    "who-else": phrases.NEED_TWO,
    "may-start": N_("OK starts the match"),
    "begins": phrases.BEGINS_IN,
    "broken-off": phrases.BROKEN_OFF,
    # Room: a title in large letters, over the sentence for a paused match.
    "paused": phrases.PAUSED,
    "paused-why": phrases.PAUSED_WHY,
    "ended": N_("Staff have ended the match"),
    # Room: below a player's name, about 12 letters.
    "out": N_("out"),
    "away": N_("away"),
    "robot": phrases.STAFF_ITEM[StaffItem.ROBOT],
    **{f"robot-{level}": text for level, text in phrases.ROBOT.items()},
    "aside": N_("+{count} aside"),
    "news-left": phrases.REPEATED[RepeatReason.LEFT],
    "news-gone": N_("{name} leaves the table"),
    "news-deal-repeated": phrases.REPEATED[RepeatReason.FAILED],
    "news-time-up": phrases.TIME_IS_UP,
    "news-seat-handed-over": N_("Another player goes on at {name}"),
    "news-match-reopened": phrases.MATCH_GOES_ON,
    "news-undone": N_("Taken back: {name}’s last move"),
    # Room: how the game goes, one sentence after the other on the television while nobody plays.
    "lesson-game": N_("A game of dice and lies"),
    "lesson-shake": N_("Everybody shakes five dice under a cup"),
    "lesson-look": N_("Look at your own dice. Show them to nobody!"),
    "lesson-bid": N_("Bid how many dice of one face lie under all the cups"),
    "lesson-raise": N_("The next player bids more, or doubts: “Dudo!”"),
    "lesson-reveal": N_("All cups go up. Too few: the bidder loses a die. Enough: the doubter does"),
    "lesson-wild": N_("Aces, the ones, count as every face"),
    "lesson-win": N_("The last player with dice wins"),
    # Room: at closing time: {name} is a player, {bid} a bid such as "9 fives", {dice} such as "4 dice".
    "recap-end": N_("Good night!"),
    "recap-matches": ngettext("One match tonight", "{count} matches tonight"),
    "recap-won": ngettext("{count} win", "{count} wins"),
    "recap-bluff": N_("Boldest bluff: {name} bid {bid}, {dice} too many, and nobody doubted"),
    "recap-caller": N_("Best caller: {name}, right {count} times in a hundred"),
    "recap-streak": N_("Longest streak: {name} won {count} matches one after the other"),
    "recap-slayer": ngettext("King Slayer: {name} ended {count} streak", "King Slayer: {name} ended {count} streaks"),
    "recap-rules": ngettext("Favourite rules: {name}, {count} match", "Favourite rules: {name}, {count} matches"),
    "recap-longest": ngettext("The longest match had {count} round", "The longest match had {count} rounds"),
}

# Room: on a guest's phone, which checks the record of a match. "The record" is the file of all that happened in it.
CHECK_TEXTS: Texts = {
    "check-working": N_("Every die is computed again on this phone …"),
    "check-right": N_("The dice are right"),
    "check-dice": ngettext(
        "{count} die was computed again on this phone, as it was shown.",
        "{count} dice were computed again on this phone. All are as they were shown.",
    ),
    "check-wrong": N_("The record is not right"),
    "check-line": N_("Line {line} of it does not fit."),
    # Room: beside the verdict on the dice: what the table's program says of bids, calls and lost dice.
    "check-word": N_("The table’s own word"),
    "check-word-working": N_("The program of the table is going through the match …"),
    "check-word-right": N_("The program of the table finds that every bid, call and lost die follows the rules."),
    "check-word-wrong": N_("The program of the table finds that line {line} of the record is wrong."),
    "check-word-unproven": N_("The program of the table finds no proven die in this match."),
    "check-word-none": N_("The program of the table says nothing about this match."),
    "check-word-why": N_(
        "This phone has checked the dice, not the rules. On your own computer dudo-table verify checks both."
    ),
    "check-reused": N_("The dice are not fair"),
    "check-reused-why": N_("Line {line} of the record opens random bytes a second time, so they were no secret."),
    "check-unproven": N_("Nothing is proven"),
    "check-unproven-why": N_("No roll of this match was opened, so none of its dice can be computed again."),
    "check-gone": N_("This match is not there any more"),
    "check-gone-why": N_("The table keeps its last matches. Scan the code on the screen when a match is over."),
    "check-offline": N_("The table can’t be reached"),
    "check-offline-why": N_("Stay in its Wi-Fi, and load this page again."),
    "check-letters": N_("Your letters"),
    "check-letters-why": N_("Only letters that you noted from a display show that nobody rewrote this record later."),
    "check-compare": N_("Compare"),
    "check-unknown": N_("“{letter}” is on no display. There is no U; I and L are 1, O is 0."),
    "check-few": N_("{count} of at least 8 letters"),
    "check-many": N_("A display has no more than 52 letters. These are {count}."),
    "check-last": N_("Found: these are the last letters of the match. Nothing in it has changed since you saw them."),
    "check-found": N_("Found: nothing before them has changed since you saw them. What came later they do not cover."),
    "check-found-deal": N_("Found: all that the dice of roll {number} come from was bound when you saw them."),
    "check-found-late": N_("Found, but in roll {number} a cup committed only after them."),
    "check-found-wrong": N_("Found, but the record is not right."),
    "check-missing": N_(
        "Not in this record. Look again at what you noted. If it is right, this is another match, or it was changed."
    ),
    "check-near": N_("Not in this record, but these are: {letters}. Compare them with what you noted."),
    "check-sources": N_("Who rolled"),
    # Room: after a player's name and a colon; how the dice of so many rolls came about.
    "check-cup": ngettext("own cup committed once", "own cup committed {count} times"),
    "check-switch": ngettext("shaken by a switch once", "shaken by a switch {count} times"),
    "check-button": ngettext("rolled by button once", "rolled by button {count} times"),
    "check-alone": ngettext(
        "In one roll no cup committed: there the word of the table is all there is.",
        "In {count} rolls no cup committed: there the word of the table is all there is.",
    ),
    "check-repeated": ngettext("One roll was repeated.", "{count} rolls were repeated."),
    "check-void": ngettext("The dice of one void round stay secret.", "The dice of {count} void rounds stay secret."),
    "check-undone": ngettext("One action was taken back.", "{count} actions were taken back."),
    "check-handed-over": ngettext(
        "A seat was handed over to another person.", "Seats were handed over to another person {count} times."
    ),
    "check-reopened": ngettext(
        "The match went on once after its end, with a new roll.",
        "The match went on {count} times after its end, with new rolls.",
    ),
    "check-cut": N_("The record ends before the match does."),
    "check-old": N_("The proofs are of an older version, which an up-to-date table does not write."),
    "check-rounds": N_("The dice of every round"),
    "check-details": N_("In detail"),
    "check-save": N_("Save the record"),
}


def page_texts(translation: NullTranslations, texts: Texts = TEXTS) -> dict[str, object]:
    """Return every text in one language: a string, a pair of singular and plural, or a group of them by code."""

    def said(text: Text | Texts) -> object:
        if isinstance(text, str):
            return translation.gettext(text)
        if isinstance(text, Mapping):
            return {key: said(each) for key, each in text.items()}
        return [translation.ngettext(*text, number) for number in (1, 2)]

    kinds = {kind: title and translation.pgettext(*title) for kind, title in phrases.KIND.items()}
    return {
        **{key: said(text) for key, text in texts.items()},
        "nobody": translation.gettext(phrases.NOBODY).capitalize(),
        "faces": {face: said(names) for face, names in phrases.FACE_NAMES.items()},
        "calls": {call: said(text) for call, text in phrases.CALLED.items()},
        "kinds": kinds,
        "kind-rules": {kind: said(rule) for kind, rule in phrases.KIND_RULE.items()},
        "missing": {device: said(text) for device, text in phrases.MISSING_THERE.items()},
    }


def all_texts(texts: Texts = TEXTS) -> str:
    """Return all languages' texts as JSON, by language code."""
    translated = {
        language: {"language-name": LANGUAGE_NAMES[language], **page_texts(translation_for(language), texts)}
        for language in LANGUAGES
    }
    return json.dumps(translated, ensure_ascii=False, separators=(",", ":"))
