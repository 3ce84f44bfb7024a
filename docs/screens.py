"""Pictures of screens: posters with a match from joining to the winner, and the moving picture of one round.

Titles are written in the displays' own font, pixel by pixel, and the captions below the displays in Pillow's.
`docs.pictures` writes the files.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont, ImageOps

from docs.gallery import NAMES, gallery
from docs.gallery.matches import at
from docs.gallery.stage import Stage
from drivers.messages import Button
from engine import PERUDO
from firmware_host.i18n.catalogues import translation_for
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.text import BIG, HUGE, Font, rasterise
from firmware_host.table.health import Alert
from firmware_host.table.seat.view import SceneName

DOT = 4  # poster pixels for a display pixel, one of them dark
DARK, LIT = (7, 10, 15), (202, 232, 255)
BACKGROUND, CASE, EDGE, TEXT, QUIET = (24, 52, 44), (14, 15, 16), (52, 60, 56), (240, 232, 214), (150, 176, 160)
DISPLAY = 128 * DOT, 64 * DOT
BEZEL, RIM = 12, 8  # the case around the display, and the display around its pixels
CASE_SIZE = DISPLAY[0] + 2 * (BEZEL + RIM), DISPLAY[1] + 2 * (BEZEL + RIM)
GAP = 40
MARGIN = 76
COLUMNS = 4
SEAM, UNLIT = 150, 9  # brightness, of 255, between lit pixels and of an unlit one
CAPTION = 28  # pixels
_COLORS = 64  # of the file


class PosterDisplay(NamedTuple):
    """One display on the poster: a gallery state, its caption, and its table's number of seats."""

    state: str
    caption: str
    seats: int = 4


class PosterRow(NamedTuple):
    """Displays beside each other, in one language."""

    title: str
    displays: tuple[PosterDisplay, ...]
    language: str = "en"


_IN_TRANSLATION = (
    PosterDisplay("shake/first round", "Shake the cup"),
    PosterDisplay("turn/dudo", "DUDO: fewer than four trains"),
    PosterDisplay("refused/half", "Refused: aces are half as many"),
    PosterDisplay("over/own, 3 dice", "The winner"),
)
ROWS = (
    PosterRow(
        "Sit down",
        (
            PosterDisplay("lobby/attract", "Nobody has joined: OK joins"),
            PosterDisplay("lobby/all are in", "All have joined: one starts", 8),
            PosterDisplay("order/own roll", "One die each for the order of play"),
            PosterDisplay("shake/first round", "Shake the cup, put it down"),
        ),
    ),
    PosterRow(
        "Bid",
        (
            PosterDisplay("peek/five dice, to open", "A look under your cup"),
            PosterDisplay("turn/least raise", "Your turn: lit, the likeliest bid first"),
            PosterDisplay("turn/dudo", "A call, and what it claims"),
            PosterDisplay("others/may call", "Another's turn, and what you may call", 8),
        ),
    ),
    PosterRow(
        "Call",
        (
            PosterDisplay("called/dudo, own", "A call, before the cups are lifted"),
            PosterDisplay("cues/dudo, 10 count", "Cup by cup, the count runs up", 8),
            PosterDisplay("cues/dudo, 17 frame", "Who pays, and the die falls", 8),
            PosterDisplay("reveal/calza, right, own", "Exactly right: a die is won", 8),
        ),
    ),
    PosterRow(
        "Special rounds",
        (
            PosterDisplay("choice/kill-spot, blind", "Down to one die: choose"),
            PosterDisplay("peek/blind", "BLIND: who may look"),
            PosterDisplay("peek/open, own", "OPEN: 35 dice, counted by face", 8),
            PosterDisplay("peek/open, leaf 3", "and hand by hand", 8),
        ),
    ),
    PosterRow(
        "To the end",
        (
            PosterDisplay("turn/pass", "A pass, if the rules allow it"),
            PosterDisplay("reveal/put out, own", "The last die is gone"),
            PosterDisplay("others/out", "Out of the match, watching"),
            PosterDisplay("over/own, 3 dice", "The winner's display is lit"),
        ),
    ),
    PosterRow(
        "When something is wrong",
        (
            PosterDisplay("refused/half", "Refused, with the reason"),
            PosterDisplay("missing/cup, own, in turn", "Your cup does not answer"),
            PosterDisplay("missing/board, another's", "Whom the table waits for"),
            PosterDisplay("picked up/bidding, seat 0", "After a power cut"),
        ),
    ),
    PosterRow("En español", _IN_TRANSLATION, "es"),
    PosterRow("En français", _IN_TRANSLATION, "fr"),
)


def _in_each_language(titles: tuple[str, str, str], *displays: PosterDisplay) -> tuple[PosterRow, ...]:
    """Return the same displays in English, Spanish and French, a row each."""
    return tuple(
        PosterRow(title, displays, language) for title, language in zip(titles, ("en", "es", "fr"), strict=True)
    )


STAFF_ROWS = (
    *_in_each_language(
        ("Staff", "En español", "En français"),
        PosterDisplay("staff/now, pause", "The first item: OK pauses", 2),
        PosterDisplay("staff/now, remove, asked", "Take a seat out", 2),
        PosterDisplay("staff/another rule set", "A rule set for the next match", 2),
        PosterDisplay("paused/a bid, another", "What the players see meanwhile", 4),
    ),
    *_in_each_language(
        ("Sound and light", "Sonido y luz", "Son et lumière"),
        PosterDisplay("staff/sound, volume, asked", "How loud, and heard at once", 2),
        PosterDisplay("staff/the TV off", "The TV: with play, on or off", 2),
        PosterDisplay("staff/outputs, seat 0", "A test of displays, lights, sound", 2),
        PosterDisplay("lobby/louder", "Guests, between two bounds", 2),
    ),
    *_in_each_language(
        ("Figures", "Cifras", "Chiffres"),
        PosterDisplay("staff/figures, calls", "A figure, and since when", 2),
        PosterDisplay("staff/figures, calls, asked", "OK asks whether it begins again at 0", 2),
        PosterDisplay("staff/figures, starts", "Starts, and power cuts among them", 2),
    ),
    *_in_each_language(
        ("The machine", "La máquina", "La machine"),
        PosterDisplay("staff/export, copied", "A copy on a stick, read back", 2),
        PosterDisplay("staff/export, no-stick", "What keeps a copy from being made", 2),
        PosterDisplay("staff/update, nothing-newer", "An update, between matches", 2),
        PosterDisplay("staff/machine, power-off, asked", "Powering off asks first", 2),
    ),
)
"""The rows of docs/pictures/staff.png."""
STAFF_LINES = "Behind a key, on the display of the service seat:", "what staff see, and what players do"

NAME_ROWS = _in_each_language(
    ("Names", "En español", "En français"),
    PosterDisplay("naming/first letter", "OK takes the letter, three make a name", 2),
    PosterDisplay("naming/a letter of French", "Every letter of three languages", 2),
    PosterDisplay("naming/three letters", "Done, or one back", 2),
    PosterDisplay("naming/a regular", "Or a regular's name from a list", 2),
)
"""The rows of docs/pictures/names.png."""
NAME_LINES = "A player who joins is asked once an evening,", "for 20 seconds, and may stay without a name"

LEARNING_ROWS = (
    PosterRow(
        "Learn",
        (
            PosterDisplay("lesson/perudo, shake", "Your own cup, made-up dice", 2),
            PosterDisplay("lesson/looking", "A look, as in a match", 2),
            PosterDisplay("lesson/perudo, bid", "What a bid says", 2),
            PosterDisplay("lesson/perudo, raise", "Raise it", 2),
        ),
    ),
    PosterRow(
        "",
        (
            PosterDisplay("lesson/perudo, wild", "Aces are wild", 2),
            PosterDisplay("lesson/perudo, half", "and half is enough", 2),
            PosterDisplay("lesson/perudo, doubt", "Doubt", 2),
            PosterDisplay("lesson/perudo, cost", "What it costs", 2),
        ),
    ),
    *_in_each_language(
        ("A first match", "En español", "En français"),
        PosterDisplay("tip/wild", "After the first look"),
        PosterDisplay("tip/doubt, button", "The first bid to doubt"),
        PosterDisplay("tip/half", "The choice jumps to aces"),
        PosterDisplay("tip/bidder-pays", "After the first doubt"),
    ),
)
"""The rows of docs/pictures/learning.png."""
LEARNING_LINES = "Two minutes at a free seat; who just joins in", "is told each rule once, when it first matters"

_PARTS = {"buttons": "No keys", "cup": "No cup", "panel": "No display", "board": "No board"}
_ALERTS = tuple(
    PosterDisplay(f"ailing/{alert}, now", f"{alert}, at the service seat" if alert.row.for_owner else alert)
    for alert in Alert
)
FAULT_ROWS = (
    PosterRow("At the seat", tuple(PosterDisplay(f"missing/{part}, own", title) for part, title in _PARTS.items())),
    PosterRow(
        "At the others", tuple(PosterDisplay(f"missing/{part}, another's", title) for part, title in _PARTS.items())
    ),
    *(PosterRow("" if at else "The table", _ALERTS[at : at + COLUMNS]) for at in range(0, len(_ALERTS), COLUMNS)),
    PosterRow(
        "The match",
        (
            PosterDisplay("missing/cup, a new one may come", "No cup: another one may take its place"),
            PosterDisplay("away/another", "Is away: the others decide"),
        ),
    ),
)
"""The rows of docs/pictures/faults.png."""
FAULT_LINES = "A fault costs no die, and the others play on;", "docs/faults.md has the remedy for each"


@cache
def poster(
    rows: tuple[PosterRow, ...] = ROWS,
    title: str = "DUDO",
    lines: tuple[str, str] = ("What each player sees, and nothing else:", "128 by 64 dots at every seat of the table"),
) -> Image.Image:
    """Draw rows under a title with two lines beside it, in 64 colours."""
    cell = CASE_SIZE[0] + GAP, CASE_SIZE[1] + 150
    top = 330
    size = 2 * MARGIN + COLUMNS * cell[0] - GAP, top + len(rows) * cell[1] + MARGIN - 60
    sheet = Image.new("RGB", size, BACKGROUND)
    _draw_dots(sheet, title, HUGE, (MARGIN, 84), 5, LIT)
    pen = ImageDraw.Draw(sheet)
    left = MARGIN + 5 * rasterise(title, HUGE).advance + 40
    pen.text((left, 118), lines[0], TEXT, ImageFont.load_default(44))
    pen.text((left, 174), lines[1], QUIET, ImageFont.load_default(44))
    for index, row in enumerate(rows):
        _draw_row(sheet, row, top + index * cell[1], cell[0])
    return sheet.quantize(_COLORS, dither=Image.Dither.NONE)


def _draw_row(sheet: Image.Image, row: PosterRow, top: int, pitch: int) -> None:
    _draw_dots(sheet, row.title, BIG, (MARGIN, top - 52), 2, TEXT)
    pen = ImageDraw.Draw(sheet)
    words = Words(translation_for(row.language))
    for column, shown in enumerate(row.displays):
        left = MARGIN + column * pitch
        state = next(exhibit for exhibit in gallery(shown.seats) if exhibit.name == shown.state)
        _draw_case(sheet, (left, top), state.picture(words))
        pen.text((left + 4, top + CASE_SIZE[1] + 14), shown.caption, TEXT, ImageFont.load_default(CAPTION))


def _draw_case(sheet: Image.Image, at: tuple[int, int], screen: Image.Image) -> None:
    """Draw a display in its case."""
    pen, (left, top) = ImageDraw.Draw(sheet), at
    right, bottom = left + CASE_SIZE[0], top + CASE_SIZE[1]
    pen.rounded_rectangle((left, top, right, bottom), 16, CASE, EDGE, 2)
    pen.rounded_rectangle((left + BEZEL, top + BEZEL, right - BEZEL, bottom - BEZEL), 5, DARK)
    sheet.paste(display(screen), (left + BEZEL + RIM, top + BEZEL + RIM))


def display(picture: Image.Image) -> Image.Image:
    """Draw a screen as on a display: square pixels in one colour on dark glass."""
    grid, unlit = _grid()
    mask = picture.convert("L").resize(DISPLAY, Image.Resampling.NEAREST)
    return ImageOps.colorize(Image.composite(grid, unlit, mask), DARK, LIT)


@cache
def _grid() -> tuple[Image.Image, Image.Image]:
    """Return the brightness, 0 to 255, of a fully lit display and of a dark one."""
    dot = Image.new("L", (DOT, DOT), SEAM)
    dot.paste(255, (0, 0, DOT - 1, DOT - 1))
    grid = Image.new("L", DISPLAY)
    for x in range(0, DISPLAY[0], DOT):
        for y in range(0, DISPLAY[1], DOT):
            grid.paste(dot, (x, y))
    return grid, grid.point([UNLIT if value == 255 else 0 for value in range(256)])


def _draw_dots(
    sheet: Image.Image, text: str, font: Font, at: tuple[int, int], size: int, color: tuple[int, int, int]
) -> None:
    """Write a text in a display font, each dot a square of `size` pixels."""
    mask = rasterise(text, font).mask
    sheet.paste(color, at, mask.resize((mask.width * size, mask.height * size), Image.Resampling.NEAREST))


# The moving picture: screens of a real table in real time, and below the display the events at the table

SEATS, ME = 4, 2
_STEP_S = 0.1
"""Seconds between two looks at the display: a shorter screen is not in the picture."""
_THINKING_S = 1.0
_READING_S = 2.0
_FRAME_MARGIN, _FRAME_CAPTION, _LETTERS = 16, 44, 26  # pixels
_FRAME_COLORS = 8
"""Colours of the file: the case, the display, and a few for the edges of letters."""


class FilmFrame(NamedTuple):
    """The screen, the events at the table, and the duration in seconds."""

    picture: Image.Image
    caption: str
    duration_s: float


@cache
def frames() -> tuple[tuple[Image.Image, int], ...]:
    """Return the pictures with their durations in milliseconds."""
    palette = _drawn(next(_round())).quantize(_FRAME_COLORS, dither=Image.Dither.NONE)
    return tuple(
        (_drawn(frame).quantize(palette=palette, dither=Image.Dither.NONE), round(1000 * frame.duration_s))
        for frame in _merged(_round())
    )


def _round() -> Iterator[FilmFrame]:
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


def _watched(stage: Stage, caption: str, duration_s: float, *, is_lifted: bool = False) -> Iterator[FilmFrame]:
    """Let time pass and yield the screens, with dice while the cup is lifted."""
    for _ in range(max(1, round(duration_s / _STEP_S))):
        yield FilmFrame(stage.seen(ME, is_lifted=is_lifted).picture(), caption, _STEP_S)
        stage.wait(_STEP_S)


def _merged(steps: Iterator[FilmFrame]) -> Iterator[FilmFrame]:
    """Join equal steps."""
    last = next(steps)
    for step in steps:
        if step.caption == last.caption and step.picture.tobytes() == last.picture.tobytes():
            last = last._replace(duration_s=last.duration_s + step.duration_s)
        else:
            yield last
            last = step
    yield last


def _drawn(frame: FilmFrame) -> Image.Image:
    """Draw a display in its case, with the caption below it."""
    width, height = CASE_SIZE
    size = width + 2 * _FRAME_MARGIN, height + 2 * _FRAME_MARGIN + _FRAME_CAPTION
    picture = Image.new("RGB", size, BACKGROUND)
    _draw_case(picture, (_FRAME_MARGIN, _FRAME_MARGIN), frame.picture)
    middle = picture.width / 2, height + 2 * _FRAME_MARGIN + _LETTERS / 2
    ImageDraw.Draw(picture).text(middle, frame.caption, TEXT, ImageFont.load_default(_LETTERS), anchor="mm")
    return picture
