"""The moving picture of one round on one display, `docs/pictures/round.gif`: the screens of a real table, in real time.

`docs.pictures` writes the file. Below the display stands what happens at the table.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from docs.gallery import NAMES
from docs.gallery.matches import at
from docs.gallery.stage import Stage
from docs.poster import BACKGROUND, BEZEL, CASE, CASE_SIZE, DARK, EDGE, RIM, TEXT, display
from drivers.messages import Button
from engine import PERUDO
from firmware_host.table.seat_view import SceneName

SEATS, ME = 4, 2
_STEP_S = 0.1
"""Seconds between two looks at the display: what is shown for less is not in the picture."""
_THINKING_S = 1.0
_READING_S = 2.0
_MARGIN, _CAPTION, _LETTERS = 16, 44, 26  # pixels
_COLORS = 8
"""Colours of the file: the case, the display, and a few for the edges of letters."""


class Frame(NamedTuple):
    """What the display shows, what happens at the table, and for how many seconds."""

    picture: Image.Image
    caption: str
    duration_s: float


@cache
def frames() -> tuple[tuple[Image.Image, int], ...]:
    """Return the pictures with the milliseconds for which each is shown."""
    palette = _drawn(next(_round())).quantize(_COLORS, dither=Image.Dither.NONE)
    return tuple(
        (_drawn(frame).quantize(palette=palette, dither=Image.Dither.NONE), round(1000 * frame.duration_s))
        for frame in _merged(_round())
    )


def _round() -> Iterator[Frame]:
    """Play a round as seat `ME` sees it, from the shake to the end of the reveal."""
    stage = Stage(NAMES[:SEATS], at(PERUDO, (4, 5, 4, 5), last=0))
    others = [seat for seat in range(SEATS) if seat != ME]
    yield from _watched(stage, "Everybody shakes", _READING_S)
    yield from _watched(stage.shake(ME), "You put your cup down", _THINKING_S)
    for seat in others:
        yield from _watched(stage.shake(seat), "The others follow", _THINKING_S)
    yield from _watched(stage.tilt(ME), "A look under your cup", _READING_S, is_lifted=True)
    while (turn := stage.turn) != ME:
        yield from _watched(stage, f"{NAMES[turn]} thinks", _THINKING_S)
        stage.tap(turn)
    yield from _watched(stage, "Your turn: the display lights up", _READING_S)
    for _ in range(3):
        yield from _watched(stage.tap(ME, Button.RIGHT), "An arrow: another bid", _THINKING_S)
    yield from _watched(stage.tap(ME), "OK: it is your bid", _THINKING_S)
    while (turn := stage.turn) != ME:
        yield from _watched(stage, f"{NAMES[turn]} thinks", _THINKING_S)
        stage.tap(turn)
    yield from _watched(stage, "Your turn again: too many?", _READING_S)
    stage.tap(ME, Button.DUDO)
    yield from _watched(stage, "DUDO: you doubt it", 0.0)
    while stage.table.scene.name is SceneName.CALLED:
        yield from _watched(stage, "DUDO: you doubt it", _STEP_S)
    yield from _watched(stage, "The dice are counted", 3 * _READING_S)


def _watched(stage: Stage, caption: str, duration_s: float, *, is_lifted: bool = False) -> Iterator[Frame]:
    """Let time pass and yield what the display shows, with dice while the cup is lifted."""
    for _ in range(max(1, round(duration_s / _STEP_S))):
        yield Frame(stage.seen(ME, is_lifted=is_lifted).picture(), caption, _STEP_S)
        stage.wait(_STEP_S)


def _merged(steps: Iterator[Frame]) -> Iterator[Frame]:
    """Join steps in which nothing changes."""
    last = next(steps)
    for step in steps:
        if step.caption == last.caption and step.picture.tobytes() == last.picture.tobytes():
            last = last._replace(duration_s=last.duration_s + step.duration_s)
        else:
            yield last
            last = step
    yield last


def _drawn(frame: Frame) -> Image.Image:
    """Draw a display in its case, with the caption below it."""
    width, height = CASE_SIZE
    picture = Image.new("RGB", (width + 2 * _MARGIN, height + 2 * _MARGIN + _CAPTION), BACKGROUND)
    pen = ImageDraw.Draw(picture)
    case = (_MARGIN, _MARGIN, _MARGIN + width, _MARGIN + height)
    pen.rounded_rectangle(case, 16, CASE, EDGE, 2)
    pen.rounded_rectangle([edge + (BEZEL, BEZEL, -BEZEL, -BEZEL)[side] for side, edge in enumerate(case)], 5, DARK)
    picture.paste(display(frame.picture), (_MARGIN + BEZEL + RIM, _MARGIN + BEZEL + RIM))
    middle = picture.width / 2, case[3] + _MARGIN + _LETTERS / 2
    pen.text(middle, frame.caption, TEXT, ImageFont.load_default(_LETTERS), anchor="mm")
    return picture
