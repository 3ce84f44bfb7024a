"""Lines that fit their boxes: the widest type that does, cut or broken where none does."""

from collections.abc import Iterable
from functools import lru_cache

from firmware_host.screens.graphics.text import Font, rasterise, width, without_accent

ELLIPSIS = "…"
_TALL = 11  # dots


@lru_cache(maxsize=2048)
def base_line(text: str, height: int, font: Font) -> int:
    """Rows from the top of a row `height` dots high to the base line: capitals centred where nothing is cut by that.

    A tall row gives way to an accent on a capital; in tight rows neighbours keep one base line but for a dot.
    """
    inked, free = rasterise(text, font), height - font.cap
    hanging = 0 if text == text.upper() else _drop(font)
    base = height - max(free // 2, min(hanging, free))
    give = height if height >= _TALL else 1
    lowest, highest = height - inked.top - inked.mask.height, -inked.top
    return max(base, min(highest, base + give)) if base < highest else min(base, max(lowest, base - give))


@lru_cache(maxsize=2048)
def fit(text: str, room: int, height: int, fonts: tuple[Font, ...]) -> tuple[str, Font]:
    """The text in the first of `fonts` in which it fits `room` × `height` dots; if in none, cut with an ellipsis.

    Where not even the last is low enough, letters lose their accents: a name is better read than beheaded.
    """
    for font in fonts:
        if fits(text, room, height, font):
            return text, font
    text = _lowered(text, height, fonts[-1])
    if width(text, fonts[-1]) > room:
        text = _cut(text, room, fonts[-1])
    return text, fonts[-1]


def fits(text: str, room: int, height: int, font: Font) -> bool:
    """Whether a line fits as it is."""
    return width(text, font) <= room and _low_enough(text, height, font)


@lru_cache(maxsize=1024)
def fit_name(sentence: str, name: str, room: int, height: int, fonts: tuple[Font, ...]) -> tuple[str, Font]:
    """`sentence` with `name` for its `{}`: it is the name that is cut where there is no room, not the sentence."""
    for font in fonts:
        text = sentence.format(name)
        if fits(text, room, height, font):
            return text, font
    last = fonts[-1]
    text = _lowered(sentence.format(name), height, last)
    for length in range(len(name) - 1, 0, -1):
        if width(text, last) <= room:
            break
        text = _lowered(sentence.format(name[:length].rstrip() + ELLIPSIS), height, last)
    return (text if width(text, last) <= room else _cut(text, room, last)), last


@lru_cache(maxsize=512)
def wrap(text: str, box: tuple[int, int], lines: int, fonts: tuple[Font, ...]) -> tuple[tuple[str, ...], Font]:
    """The text broken at spaces into at most `lines`, in the first of `fonts` in which all of it fits the box.

    A space that does not break (U+00A0) stays one: French has it before ! ? and :.
    """
    room, height = box
    rows: tuple[str, ...] = ()
    font = fonts[-1]
    for font in fonts:
        rows = tuple(_rows(text.split(" "), room, font))
        low = all(_low_enough(row, height // len(rows), font) for row in rows)
        if low and len(rows) <= lines and all(width(row, font) <= room for row in rows):
            return rows, font
    kept = rows if len(rows) <= lines else (*rows[: lines - 1], " ".join(rows[lines - 1 :]))
    return tuple(fit(row, room, height // len(kept), (font,))[0] for row in kept), font


def _rows(words: Iterable[str], room: int, font: Font) -> Iterable[str]:
    row = ""
    for word in words:
        longer = f"{row} {word}".strip()
        if row and width(longer, font) > room:
            yield row
            longer = word
        row = longer
    if row:
        yield row


@lru_cache
def _drop(font: Font) -> int:
    hanging = rasterise("gpqy", font)
    return hanging.top + hanging.mask.height


def _low_enough(text: str, height: int, font: Font) -> bool:
    inked = rasterise(text, font)
    top = base_line(text, height, font) + inked.top
    return top >= 0 and top + inked.mask.height <= height


@lru_cache(maxsize=512)
def shorten(name: str, room: int, height: int, font: Font) -> str:
    """As many letters of a name as fit, with nothing to say that some are gone: for cells of a few letters."""
    name = _lowered(name, height, font)
    return next((name[:end] for end in range(len(name), 0, -1) if width(name[:end], font) <= room), "")


def _lowered(text: str, height: int, font: Font) -> str:
    for lowered in (text, "".join(without_accent(letter) if letter.isupper() else letter for letter in text)):
        if _low_enough(lowered, height, font):
            return lowered
    return "".join(map(without_accent, text))


def _cut(text: str, room: int, font: Font) -> str:
    for length in range(len(text) - 1, -1, -1):
        if width(shorter := text[:length].rstrip() + ELLIPSIS, font) <= room:
            return shorter
    return ""
