"""The texts of the owner's page in English, and those for its scripts in every language."""

import re
from collections.abc import Mapping

from firmware_host.i18n import phrases
from firmware_host.i18n.page_texts import TEXTS, Texts, all_texts
from firmware_host.i18n.phrases import N_
from firmware_host.i18n.venue_texts import VENUE_TEXTS
from firmware_host.table.staff.machine import JobOutcome

# Room: on the page on which the owner of a table cares for it.
OWNER_TEXTS: Texts = {
    "owner-heading": phrases.STAFF_OWNER_PAGE,
    "owner-code": N_("Code"),
    "owner-log-in": VENUE_TEXTS["venue-log-in"],
    "owner-log-out": VENUE_TEXTS["venue-log-out"],
    # Room: where the code is; Machine is a section of a menu on a small display, Owner's page an item in it.
    "owner-where": N_("A display at the table shows the code: turn the key, then Machine, then Owner’s page."),
    "owner-wrong": N_("That is not the code. A code is good for one login."),
    "owner-wait": VENUE_TEXTS["venue-wait"],
    "owner-failed": VENUE_TEXTS["venue-failed"],
    "owner-away": N_("The table does not answer. This page waits for it."),
    "owner-well": N_("Everything at the table answers"),
    "owner-findings": VENUE_TEXTS["venue-attention"],
    # Room: a link beside something wrong, to the page that says what to do about it, in English.
    "owner-help": N_("What to do"),
    # Room: a link to all documents, in English.
    "owner-documents": N_("Documents"),
    "owner-seat": N_("Seat"),
    # Room: a dialog in which the owner answers questions, such as whether aces are wild, and makes own rules.
    "owner-rules": N_("House rules"),
    "owner-rules-name": N_("Name"),
    "owner-rules-base": N_("Begin with"),
    "owner-rules-play": N_("Play by these rules"),
    "owner-rules-none": N_("There are no special rounds."),
    "owner-rules-asked": {
        "special": N_("The player who falls to one die owns the next round, and chooses it among these:"),
        "special_unchosen": N_("If a clock runs out before the owner has chosen, it is:"),
    },
    "close": TEXTS["close"],
    "owner-boards": N_("Boards and cups"),
    "owner-release": N_("release {release}"),
    # Room: why a board was away the last time, in English.
    "owner-lost": N_("last lost: {why}"),
    # Room: a panel and a dialog in which the owner says which board belongs to which seat, and names the seats.
    "owner-seats": N_("Seats"),
    "owner-seats-note": N_("Enter found boards in the layout, and name and order the seats."),
    "owner-seats-open": N_("Name the seats …"),
    # Room: OK is a button at each seat.
    "owner-seats-press": N_("Press OK at a seat: it is marked here. The order is clockwise."),
    # Room: beside a board that the table does not reach.
    "owner-seats-missing": N_("no answer"),
    "owner-seats-loose": N_("Boards without a seat"),
    "owner-seats-none": N_("None yet. Plug one in."),
    "owner-seats-for": N_("Seat of board {board}"),
    "owner-seats-new": N_("a new seat"),
    "owner-seats-enter": N_("Assign"),
    # Room: beside a seat: a guest plays there on a phone, without a board.
    "owner-seats-phone": N_("a guest’s phone"),
    "owner-seats-phone-add": N_("Add a seat for a phone"),
    "owner-seats-up": N_("Move up"),
    "owner-seats-out": N_("Take out"),
    "owner-seats-keep": N_("Write into the layout"),
    # Room: the time at which the table shows the evening's recap and switches the TV off.
    "owner-closing": N_("Closing time"),
    "owner-closing-on": N_("The evening ends by itself"),
    "owner-closing-time": N_("Time"),
    "owner-closing-late": N_("After Friday and Saturday"),
    "owner-closing-own": N_("Your own file has other times, which Keep replaces: {times}"),
    "owner-keep": N_("Keep"),
    # Room: a panel for the loudspeaker, whose voice calls the bids.
    "owner-voice": N_("Announcer"),
    "owner-layout": phrases.STAFF_AS_LAYOUT,
    "owner-voice-on": N_("Sounds and spoken bids"),
    "owner-voice-quiet": N_("Calls and results only"),
    "owner-voice-card": N_("Sound card"),
    # Room: aplay -l is a command.
    "owner-voice-cards": N_("A name from aplay -l; empty: a USB one, if there is any."),
    # Room: recordings of one's own in place of the voice.
    "owner-voice-clips": N_("Your recordings, in {folder}"),
    "owner-wifi": N_("Wi-Fi"),
    "owner-wifi-look": N_("Look for networks"),
    "owner-wifi-name": N_("Network"),
    "owner-wifi-password": VENUE_TEXTS["venue-password"],
    "owner-wifi-join": N_("Join"),
    # Room: a question before the computer joins a network; the gap has the network's name.
    "owner-wifi-asks": N_("Join {name}? This page may get another address, which the display shows."),
    "owner-zone": N_("Time zone"),
    # Room: a file with the table's data, to keep and to put back.
    "owner-copy": N_("A copy of the table"),
    "owner-copy-note": N_("Matches, settings, figures, layout and rules; no dice and no names."),
    "owner-copy-make": N_("Make a copy"),
    "owner-copy-save": N_("Save the copy"),
    "owner-copy-back": N_("Put a copy back"),
    "owner-copy-layouts": N_("Layout and rules, too"),
    "owner-copy-asks": N_("Put {name} back? The table starts again."),
    "owner-copy-large": N_("The file is too large for a copy of a table."),
    # Room: a button that sets a count to 0.
    "owner-reset": N_("Back to 0"),
    **{key: TEXTS[key] for key in ("language", "reconnecting")},
}

SCENE = {
    # Room: what goes on at the table, in a line of its own.
    "free": N_("Free"),
    "waits": N_("Waiting for players"),
    "playing": phrases.STAFF_OUTCOME[JobOutcome.MATCH_PLAYED],
    "paused": phrases.PAUSED,
    "over": N_("The match is over"),
    # Room: an answer, after the owner has changed something.
    "done": N_("Done"),
    "later": N_("From the next match on"),
}
MISSING_FINDING: Mapping[str, str] = {
    str(device): text for device in phrases.DEVICE if isinstance(text := VENUE_TEXTS[f"venue-{device}"], str)
}
"""A sentence for each missing device, with a gap for the seat's name."""
_SHORT = {str(fault): short for each in (phrases.ALERT_SHORT, phrases.MISSING_THERE) for fault, short in each.items()}
_SAID = {str(fault): said for each in (phrases.ALERT, phrases.MISSING_HERE) for fault, said in each.items()}
HEADING: Mapping[str, str] = {
    fault: said if _SHORT[fault].rstrip("?") in said.lower() else f"{said} ({_SHORT[fault]})"
    for fault, said in _SAID.items()
}
"""The heading of each fault's section in docs/faults.md: the display's sentence, and its short text if that differs."""
ANCHOR: Mapping[str, str] = {
    fault: re.sub("[^a-z -]", "", heading.lower()).replace(" ", "-") for fault, heading in HEADING.items()
}
"""The address of that section."""


def all_owner_texts() -> str:
    """Return all languages' texts as JSON, by language code."""
    return all_texts(OWNER_TEXTS)
