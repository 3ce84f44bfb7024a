"""Text lines fitted to their boxes: in the largest form that fits, parted into rows, or cut with an ellipsis."""

from collections.abc import Iterable
from functools import lru_cache

from msgspec.structs import replace

from firmware_host.screens.graphics.text import (
    CAPITALS,
    HUGE,
    SMALL,
    SMALL_CLOSE,
    SMALL_TIGHT,
    Font,
    bare,
    rasterise,
    width,
    without_accent,
)

ELLIPSIS = "…"

_TIGHTER = {
    SMALL: (SMALL, SMALL_CLOSE, SMALL_TIGHT),
    CAPITALS: (CAPITALS, *(replace(form, below=0) for form in (SMALL_CLOSE, SMALL_TIGHT))),
    HUGE: (HUGE, replace(HUGE, apart=-1)),
}
"""The forms of a strike, for lines too short for the columns between words, then for those between letters."""
_SIGNS = (".", ",", ":", "?", "!")
"""Signs after which a sentence parts."""
_TALL = 11  # pixels


@lru_cache(maxsize=2048)
def base_line(text: str, height: int, font: Font) -> int:
    """Return the rows from the top of a row `height` pixels high to the base line: capitals centred if all fits.

    A tall row gives way to an accent on a capital; in tight rows neighbours keep one base line, give or take a pixel.
    """
    raster, free = rasterise(text, font), height - font.cap
    hanging = 0 if text.isupper() else _descent(font)
    base = height - max(free // 2, min(hanging, free))
    give = height if height >= _TALL else 1
    lowest, highest = height - raster.top - raster.mask.height, -raster.top
    return max(base, min(highest, base + give)) if base < highest else min(base, max(lowest, base - give))


@lru_cache(maxsize=2048)
def fit(text: str, room: int, height: int, fonts: tuple[Font, ...]) -> tuple[str, Font]:
    """Return the text in the first font fitting `room` × `height` pixels; else cut with an ellipsis.

    Where even the last font is too high, letters lose their accents: a name without them is better than a cut one.
    """
    for font in _forms(fonts):
        if _fits(text, room, height, font):
            return text, font
    text = _low_form(text, height, font)
    if width(text, font) > room:
        text = _cut(text, room, font)
    return text, font


def fits(text: str, room: int, height: int, font: Font) -> bool:
    """Return whether a line fits as it is, with the strike's own word gaps."""
    return any(_fits(text, room, height, form) for form in _forms((font,)))


def _fits(text: str, room: int, height: int, font: Font) -> bool:
    return width(text, font) <= room and _is_low_enough(text, height, font)


def _forms(fonts: tuple[Font, ...]) -> tuple[Font, ...]:
    return tuple(form for font in fonts for form in _TIGHTER.get(font, (font,)))


@lru_cache(maxsize=1024)
def fit_name(sentence: str, name: str, room: int, height: int, fonts: tuple[Font, ...]) -> tuple[str, Font]:
    """Return `sentence` with `name` for its `{}`; without room the name is cut instead of the sentence."""
    for last in _forms(fonts):
        text = sentence.format(name)
        if _fits(text, room, height, last):
            return text, last
    text = _low_form(sentence.format(name), height, last)
    for length in range(len(name) - 1, 0, -1):
        if width(text, last) <= room:
            break
        text = _low_form(sentence.format(name[:length].rstrip() + ELLIPSIS), height, last)
    return (text if width(text, last) <= room else _cut(text, room, last)), last


@lru_cache(maxsize=512)
def wrap(text: str, box: tuple[int, int], lines: int, fonts: tuple[Font, ...]) -> tuple[tuple[str, ...], Font]:
    """Break the text at spaces into at most `lines`, in the first font fitting all of it into the box.

    Two lines part where the sentence does, if both fit; else lines are about equally long, because a last word alone on
    a line looks lost. A line that ends in a sentence's first word is worse than a smaller font. A non-breaking space
    (U+00A0) stays one: French has it before ! ? and :. An empty text is one empty line.
    """
    room, height = box
    rows: tuple[str, ...] = ()
    torn: tuple[tuple[str, ...], Font] | None = None
    font = fonts[-1]
    for font in _forms(fonts):
        rows = tuple(_rows(text.split(" "), room, font))
        low = all(_is_low_enough(row, height // len(rows), font) for row in rows)
        if low and len(rows) <= lines and all(width(row, font) <= room for row in rows):
            balanced = _balanced(rows, room, height // len(rows), font)
            if not _is_torn(balanced):
                return balanced, font
            torn = torn or (balanced, font)
    if torn is not None:
        return torn
    kept = rows if len(rows) <= lines else (*rows[: lines - 1], " ".join(rows[lines - 1 :]))
    return tuple(fit(row, room, height // len(kept), (font,))[0] for row in kept), font


@lru_cache(maxsize=512)
def shorten(name: str, room: int, height: int, font: Font) -> str:
    """Return as many letters of a name as fit, without an ellipsis: for cells with a few letters."""
    name = _low_form(name, height, font)
    return next((name[:end] for end in range(len(name), 0, -1) if width(name[:end], font) <= room), "")


def _rows(words: Iterable[str], room: int, font: Font) -> Iterable[str]:
    row = ""
    for word in words:
        longer = f"{row} {word}".strip()
        if row and width(longer, font) > room:
            yield row
            longer = word
        row = longer
    yield row


def _balanced(rows: tuple[str, ...], room: int, height: int, font: Font) -> tuple[str, ...]:
    """Return the words in as many rows: two parted behind a sign, else with the longest row as short as possible."""
    words = " ".join(rows).split(" ")
    parted = [
        (" ".join(words[:place]), " ".join(words[place:]))
        for place in range(1, len(words))
        if words[place - 1].endswith(_SIGNS) and len(rows) == 2
    ]
    if fitting := [pair for pair in parted if all(_fits(row, room, height, font) for row in pair)]:
        return min(fitting, key=lambda pair: max(width(row, font) for row in pair))
    widest = max(width(row, font) for row in rows)
    longest_word = max(width(word, font) for word in words)
    choices = (tuple(_rows(words, narrower, font)) for narrower in range(longest_word, widest))
    fit_in = [
        lines
        for lines in choices
        if len(lines) == len(rows) and all(_is_low_enough(line, height, font) for line in lines)
    ] or [rows]
    return next((lines for lines in fit_in if not _is_torn(lines)), fit_in[0])


def _is_torn(rows: tuple[str, ...]) -> bool:
    """Return whether a row but the last ends in the first word behind a sign."""
    ends = (row.split(" ")[-2:] for row in rows[:-1])
    return any(len(end) == 2 and end[0].endswith(_SIGNS) and not end[1].endswith(_SIGNS) for end in ends)


@lru_cache
def _descent(font: Font) -> int:
    hanging = rasterise("gpqy", font)
    return hanging.top + hanging.mask.height


def _is_low_enough(text: str, height: int, font: Font) -> bool:
    raster = rasterise(text, font)
    top = base_line(text, height, font) + raster.top
    return top >= 0 and top + raster.mask.height <= height


def _low_form(text: str, height: int, font: Font) -> str:
    """Return the text without its too high accents, on capitals or on all letters; or without tall signs."""
    for low in (text, "".join(without_accent(letter) if letter.isupper() else letter for letter in text)):
        if _is_low_enough(low, height, font):
            return low
    beside = "E"  # on whose base line a comma hangs
    return "".join(each for each in bare(text) if each == " " or _is_low_enough(beside + each, height, font)).strip()


def _cut(text: str, room: int, font: Font) -> str:
    for length in range(len(text) - 1, -1, -1):
        if width(shorter := text[:length].rstrip() + ELLIPSIS, font) <= room:
            return shorter
    return ""
