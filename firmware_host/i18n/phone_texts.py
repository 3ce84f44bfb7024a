"""The texts of the page of `dudo-table phones` in English, and all of them in every language for its scripts."""

from firmware_host.i18n import phrases
from firmware_host.i18n.page_texts import TEXTS, Texts, all_texts
from firmware_host.i18n.phrases import N_

# Room: of all that follows: the page of a guest who plays at a real table on a phone. The TV or a display shows a code.
PHONE_TEXTS: Texts = {
    "language": N_("Language"),
    "phone-title": N_("Take a seat at the table"),
    "phone-ask": N_("Scan the code that the table shows, or type it here."),
    "phone-scanned": N_("Choose a name and a seat."),
    "phone-code": N_("Code"),
    "phone-name": N_("Your name"),
    "phone-name-why": N_("Everybody at the table sees it. Without one you go by your seat."),
    "phone-choose": N_("Your seat"),
    "phone-go": N_("Sit down"),
    "phone-wait": N_("One moment …"),
    "phone-unknown": N_("The table has no such code. Type the one that it shows now."),
    "phone-used": N_("This code has been used: each works for one phone. Type the one that the table shows now."),
    "phone-taken": N_("Somebody has just taken this seat. Choose another one."),
    "phone-full": N_("All seats for phones are taken. This page waits for a free one."),
    "phone-slow": N_("Too many codes were tried from here. Wait a few seconds, then try again."),
    "phone-silent": N_("The table does not answer. Is this phone on its Wi-Fi?"),
    "phone-open": N_("Your dice travel encrypted: nobody reads them by listening to this Wi-Fi."),
    # Room: below the display of the seat, at most two lines of 30 letters on a phone.
    "phone-gone": N_("No connection. Your dice are hidden."),
    "phone-off": N_("The table is off. This page waits for it."),
    "phone-running": N_("A match is on: watch it, and join the next one."),
    "phone-held": phrases.AFTER_THE_ROUND,
    "phone-turn": phrases.YOUR_TURN,
    # Room: below the one before or alone, one line of 30 letters: the player of the standing bid.
    "phone-bidder": N_("Bid by {name}"),
    "phone-elsewhere": N_("Your seat is open on another page. Touch here to have it back."),
    "phone-stranger": N_("This is not the table whose code you scanned. Scan the code that it shows now."),
    "phone-removed": N_("You have left this seat. Touch here to come back with a new code."),
    # Room: keys, and for a screen reader their names and the display's.
    "phone-display": N_("Your display"),
    "phone-shake": N_("Shake"),
    "phone-look": phrases.HOLD_TO_LOOK,
    "phone-left": N_("◀ left"),
    "phone-right": N_("▶ right"),
    "phone-leave": N_("Leave"),
    # Room: a key beside “Leave”, about 6 letters; the window behind it tells the match so far.
    "phone-story": N_("Story"),
    "so-far": N_("The story so far"),
    "phone-story-none": N_("There is nothing to tell yet."),
    "close": TEXTS["close"],
    "phone-stay": N_("Stay"),
    "phone-sure": N_("Leave the table? You come back with a new code alone."),
}


def all_phone_texts() -> str:
    """Return all languages' texts as JSON, by language code."""
    return all_texts(PHONE_TEXTS)
