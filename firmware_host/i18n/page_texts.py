"""The texts of the public page in English, and all of them in every language for its scripts.

The scripts build sentences from the fields of public lines. A gap that has no name in a text of `phrases` is the one
fact of its sentence; here each has a name. Comments that begin with "Room:" are for translators.
"""

import json
from gettext import NullTranslations

from firmware_host.i18n import phrases
from firmware_host.i18n.catalogues import LANGUAGES, translation_for
from firmware_host.i18n.phrases import N_
from firmware_host.table.events import RepeatReason

Text = str | tuple[str, str]

# Room: on a television and on phones; {name}, {caller} and {who} are players, each up to forty letters.
TEXTS: dict[str, Text] = {
    "heading": N_("The table, live"),
    "looking": N_("Looking for the table …"),
    "gone": N_("The table is switched off. This page waits for it."),
    "reconnecting": N_("Connecting again …"),
    "watch": N_("On your phone"),
    "language": N_("Language"),
    "help": N_("How to play"),
    "close": N_("Close"),
    "seats": N_("The players"),
    "round": N_("Round {number}"),
    "wild": phrases.ACES_WILD,
    "plain": phrases.ACES_PLAIN,
    "dice": phrases.DICE,
    "turn": N_("{name}’s turn"),
    "opens": N_("{} opens"),
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
    "bluff": N_("The pass was a bluff"),
    "honest": N_("The pass was honest"),
    "loses": N_("{name} loses a die"),
    "gains": N_("{name} wins a die"),
    "is-out": phrases.IS_OUT,
    "nobody": N_("Nobody loses a die"),
    "wins": phrases.WINS,
    "places": N_("The places"),
    "sealed": N_("Fairness letters"),
    "sealed-why": N_("Note them, and check later that no die was changed."),
    "join": N_("Press OK at a seat to join"),
    "who-else": phrases.NEED_TWO,
    "may-start": N_("OK starts the match"),
    "begins": phrases.BEGINS_IN,
    "broken-off": phrases.BROKEN_OFF,
    "paused": phrases.PAUSED_WHY,
    "ended": N_("Staff have ended the match"),
    # Room: below a player's name, about 12 letters.
    "out": N_("out"),
    "away": N_("away"),
    "aside": N_("+{count} aside"),
    "news-left": phrases.REPEATED[RepeatReason.LEFT],
    "news-gone": N_("{name} leaves the table"),
    "news-deal-repeated": phrases.REPEATED[RepeatReason.FAILED],
    "news-time-up": N_("{name}: time is up"),
    # Room: how the game goes, one sentence after the other on the television while nobody plays.
    "lesson-game": N_("A game of dice and lies"),
    "lesson-shake": N_("Everybody shakes five dice under a cup"),
    "lesson-look": N_("Look at your own dice. Show them to nobody!"),
    "lesson-bid": N_("Bid how many dice of one face lie under all the cups"),
    "lesson-raise": N_("The next player bids more, or doubts: “Dudo!”"),
    "lesson-reveal": N_("All cups go up. Too few: the bidder loses a die. Enough: the doubter does"),
    "lesson-wild": N_("Aces, the ones, count as every face"),
    "lesson-win": N_("The last player with dice wins"),
}


def page_texts(translation: NullTranslations) -> dict[str, object]:
    """Return every text in one language: a string, a pair of singular and plural, or a group of them by code."""

    def said(text: Text) -> object:
        if isinstance(text, str):
            return translation.gettext(text)
        return [translation.ngettext(*text, number) for number in (1, 2)]

    kinds = {kind: title and translation.pgettext(*title) for kind, title in phrases.KIND.items()}
    return {
        **{key: said(text) for key, text in TEXTS.items()},
        "faces": {face: said(names) for face, names in phrases.FACE_NAMES.items()},
        "calls": {call: said(text) for call, text in phrases.CALLED.items()},
        "kinds": kinds,
        "kind-rules": {kind: said(rule) for kind, rule in phrases.KIND_RULE.items()},
        "missing": {device: said(text) for device, text in phrases.MISSING_THERE.items()},
    }


def all_texts() -> str:
    """Return the texts of all languages as JSON, by the code of the language."""
    texts = {language: page_texts(translation_for(language)) for language in LANGUAGES}
    return json.dumps(texts, ensure_ascii=False, separators=(",", ":"))
