"""English texts for `dudo-table voice`, and `CallerWords`, which makes phrases from them in any language.

A phrase is a sentence for espeak-ng, and the keys of recorded clips that may replace it (docs/voice.md). Names come
from the public socket, so they are reduced to speakable characters.
"""

from dataclasses import dataclass
from gettext import NullTranslations

from engine import CALZA, DUDO, KILL, SPOT, Call, RoundKind, Rules
from firmware_host.i18n.phrases import N_, as_sentence, ngettext

MAX_NAME_LETTERS = 24
MAX_SPOKEN_NUMBER = 999

# Room: of all that follows: these sentences are spoken, not shown. They are short, as a referee calls them.
BIDS = {
    1: ngettext("one ace", "{count} aces"),
    2: ngettext("one duck", "{count} ducks"),
    3: ngettext("one train", "{count} trains"),
    4: ngettext("one quad", "{count} quads"),
    5: ngettext("one quint", "{count} quints"),
    6: ngettext("one six", "{count} sixes"),
}
NONE_THERE = N_("None at all.")
CALLS: dict[Call, str] = {DUDO: N_("Dudo!"), CALZA: N_("Calza!"), KILL: N_("Kill!"), SPOT: N_("Spot on!")}
PASS = N_("Pass.")
MATCH_BEGINS = N_("The match begins.")
TAKEN_BACK = N_("Taken back.")
SHAKE_AGAIN = N_("Everybody shakes again.")
CHOOSES_ROUND = N_("{} chooses the round.")
ROUNDS = {
    RoundKind.FIXED_FACE: N_("{}: palifico."),
    RoundKind.FIXED_FACE_NO_WILDS: N_("{}: an obliging round."),
    RoundKind.FIXED_FACE_NO_WILDS_OPEN: N_("{}: an open palo fijo."),
    RoundKind.FIXED_FACE_NO_WILDS_CLOSED: N_("{}: a closed palo fijo."),
    RoundKind.BLIND: N_("{}: a blind round."),
    RoundKind.OPEN: N_("{}: an open round."),
}
ACES_PLAIN = N_("Aces are not wild.")
LEAVES = N_("{} has left the match.")
WAITS_FOR = N_("The table waits for {}.")
SOUND_TEST = N_("Sound test.")
# Room: in place of a name that cannot be spoken.
NAMELESS = N_("player {number}")


@dataclass(frozen=True, slots=True)
class PhrasePart:
    """A phrase part: its clip keys, the best first, and its words, empty for a name."""

    keys: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence, and its parts in playing order for recorded clips."""

    text: str
    parts: tuple[PhrasePart, ...]


class CallerWords:
    """Phrases in one language."""

    def __init__(self, translation: NullTranslations) -> None:
        self._translation = translation

    def bid(self, quantity: int, face: int) -> Phrase:
        """Return a bid as announced."""
        return _recorded(self._dice(quantity, face), f"bid_{quantity}_{face}", f"bid_{quantity}")

    def count(self, matching: int, face: int) -> Phrase:
        """Return the number of dice found for a face."""
        text = self._dice(matching, face) if matching else self._translation.gettext(NONE_THERE)
        return _recorded(text, f"count_{matching}_{face}", f"count_{matching}")

    def call(self, call: Call) -> Phrase:
        """Return a call."""
        return self.sentence(CALLS[call], f"call_{call}")

    def round(self, kind: RoundKind, name: str, rules: Rules | None = None) -> Phrase:
        """Return a special round's title, as players of `rules` call it, and its owner."""
        title = ROUNDS[kind if rules is None else rules.called_like(kind)]
        phrase = self.about(title, name, f"round_{str(kind).replace('-', '_')}", "round")
        if kind is not RoundKind.FIXED_FACE_NO_WILDS:
            return phrase
        plain = self._translation.gettext(ACES_PLAIN)
        parts = (PhrasePart(part.keys, part.text and f"{part.text}. {plain}") for part in phrase.parts)
        return Phrase(f"{phrase.text} {plain}", tuple(parts))

    def sentence(self, text: str, *keys: str) -> Phrase:
        """Return a marked text without a gap."""
        return _recorded(as_sentence(self._translation.gettext(text)), *keys)

    def about(self, text: str, name: str, *keys: str) -> Phrase:
        """Return a marked text with a name in its gap. In recordings, the name is a separate clip, or left out."""
        translated = as_sentence(self._translation.gettext(text))
        before, _, after = translated.partition("{}")
        named = PhrasePart((f"name_{key(name)}",), "")
        told = PhrasePart(keys, f"{before}{after}".strip(" :,"))
        leads = any(letter.isalpha() for letter in before)
        return Phrase(translated.format(name), (told, named) if leads else (named, told))

    def name(self, written: str, number: int) -> str:
        """Return a name with letters, digits and spaces only, cut if long; `number` replaces a name without letters."""
        spoken = "".join(letter if letter.isalnum() else " " for letter in written[: 4 * MAX_NAME_LETTERS])
        spoken = " ".join(spoken.split())[:MAX_NAME_LETTERS].strip()
        return spoken or self._translation.gettext(NAMELESS).format(number=number)

    def _dice(self, count: int, face: int) -> str:
        return self._translation.ngettext(*BIDS[face], count).format(count=min(count, MAX_SPOKEN_NUMBER))


def key(name: str) -> str:
    """Return a name as part of a key: small letters and digits, and a line for everything else."""
    return "".join(letter if letter.isalnum() else "_" for letter in name.casefold())


def _recorded(text: str, *keys: str) -> Phrase:
    return Phrase(text, (PhrasePart(keys, text),))
