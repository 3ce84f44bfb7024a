"""What a display shows at each cue of a reveal, and what stays as it is."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from PIL import Image, ImageChops

from docs.gallery import NAMES, gallery
from docs.gallery.matches import dealt, said, there
from docs.gallery.stage import SECOND, Exhibit, Stage
from engine import DUDO, PERUDO, Match, Position, Showdown
from firmware_host.i18n.catalogues import LANGUAGES, translation_for
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import Canvas
from firmware_host.screens.graphics.glyphs import LOW
from firmware_host.screens.reveal import HANDS, LOST_DIE
from firmware_host.screens.widgets import draw_covered
from firmware_host.table.cues import Cue, CueKind, reveal_cues
from firmware_host.table.seat.view import SceneName

FACE = 5
every_table = pytest.mark.parametrize("seats", range(2, 9))


class Shown:
    """A dudo that is right, so that seat 0 pays, and the displays at each change of its reveal."""

    def __init__(self, seats: int) -> None:
        match = dealt(Match.start(PERUDO, seats))
        match = said(match, f"{there(match, FACE) + 1}x{FACE}")
        self.seats = range(seats)
        self.stage = Stage(NAMES[:seats], match, dudo_button=False).pick(1, DUDO)

    def until_the_reveal(self) -> "Shown":
        self.stage.until(SceneName.REVEAL)
        return self

    def at(self, seat: int) -> Exhibit:
        return self.stage.shot("now", seat)

    @property
    def cue_ms(self) -> int | None:
        return self.at(0).view.cue_ms

    @property
    def position(self) -> Position:
        position = self.at(0).view.position
        assert position is not None
        return position

    @property
    def showdown(self) -> Showdown:
        assert self.position.showdown is not None
        return self.position.showdown

    @property
    def cues(self) -> tuple[Cue, ...]:
        return reveal_cues(self.showdown, self.showdown.bid, self.position.order)

    def changes(self) -> Iterator[Cue]:
        """Go to each change of the displays and yield the last cue then."""
        while self.cue_ms is not None:
            yield [cue for cue in self.cues if cue.at_ms <= self.cue_ms][-1]
            due_ns = self.stage.table.deadline_ns
            assert due_ns is not None
            self.stage.wait((due_ns - self.stage.now_ns) / SECOND)


def dots(state: Exhibit) -> bytes:
    return state.painted().image.tobytes()


def count_on(canvas: Canvas) -> str:
    """Return the number at the right end of the first row."""
    numbers = [piece for piece in canvas.pieces if piece.what.isdigit() and piece.box.height == LOW.height]
    return max(numbers, key=lambda piece: piece.box.right).what


@every_table
def test_the_first_picture_of_a_reveal_is_that_of_its_call(seats: int) -> None:
    shown = Shown(seats)
    before = [dots(shown.at(seat)) for seat in shown.seats]
    shown.until_the_reveal()
    assert shown.cue_ms == 0
    assert [dots(shown.at(seat)) for seat in shown.seats] == before


@every_table
def test_the_count_runs_up_on_every_display(seats: int) -> None:
    shown = Shown(seats).until_the_reveal()
    for cue in shown.changes():
        if cue.kind is not CueKind.BID:
            assert {count_on(shown.at(seat).painted()) for seat in shown.seats} == {str(cue.count)}
    assert count_on(shown.at(0).painted()) == str(shown.showdown.matching)


@every_table
def test_a_slot_of_the_meter_fills_for_each_matching_die(seats: int) -> None:
    shown = Shown(seats).until_the_reveal()
    for cue in shown.changes():
        canvas = shown.at(0).painted()
        for meter in (piece.box for piece in canvas.pieces if piece.what == "meter"):
            ink = canvas.image.crop((meter.left, meter.top, meter.right, meter.bottom))
            hollow = Canvas()
            hollow.meter(0, shown.showdown.bid.quantity, meter)
            before = hollow.image.crop((meter.left, meter.top, meter.right, meter.bottom))
            assert bool(ImageChops.difference(ink, before).getbbox()) == bool(cue.count)
    assert "meter" in [piece.what for piece in canvas.pieces]


@every_table
def test_the_verdict_and_who_pays_are_larger_than_anything_else_on_the_display(seats: int) -> None:
    shown = Shown(seats).until_the_reveal()
    for cue in shown.changes():
        if cue.kind in (CueKind.VERDICT, CueKind.PAYS):
            for seat in shown.seats[1:]:
                said = " ".join(piece.what for piece in shown.at(seat).painted().pieces if piece.box.top >= 20)
                assert said == ("too few" if cue.kind is CueKind.VERDICT else "Lima loses a die")


@every_table
def test_each_display_opens_its_dice_in_its_turn(seats: int) -> None:
    shown = Shown(seats).until_the_reveal()
    opened: list[int] = []
    for cue in shown.changes():
        if cue.kind is CueKind.LIFT:
            opened += [seat for seat in shown.seats if seat not in opened and _is_open(shown.at(seat).painted().image)]
    lifts = sorted((cue.at_ms, cue.seat) for cue in shown.cues if cue.kind is CueKind.LIFT)  # together, by seat
    assert opened == [seat for _, seat in lifts]


def _is_open(picture: Image.Image) -> bool:
    covered = Canvas()
    draw_covered(covered, 5, HANDS)
    below = (HANDS.left, HANDS.top, HANDS.right, HANDS.bottom)
    return picture.crop(below).tobytes() != covered.image.crop(below).tobytes()


@every_table
def test_the_die_falls_at_the_display_of_whoever_pays_and_nothing_else_moves(seats: int) -> None:
    shown = Shown(seats).until_the_reveal()
    frames = [[shown.at(seat).painted() for seat in shown.seats] for cue in shown.changes() if cue.kind is CueKind.FALL]
    assert len(frames) == 4
    for before, after in pairwise(frames):
        moved = [ImageChops.difference(was.image, now.image).getbbox() for was, now in zip(before, after, strict=True)]
        left, top, right, bottom = moved[0] or (0, 0, 0, 0)
        assert LOST_DIE.left <= left < right <= LOST_DIE.right
        assert LOST_DIE.top <= top < bottom <= LOST_DIE.bottom
        assert moved[1:] == [None] * (seats - 1)


@every_table
def test_who_is_to_press_ok_is_lit_only_when_all_is_told(seats: int) -> None:
    shown = Shown(seats).until_the_reveal()
    for _ in shown.changes():
        assert not any(shown.at(seat).painted().image.getpixel((0, 63)) for seat in shown.seats)
    assert all(shown.at(seat).painted().image.getpixel((0, 63)) for seat in shown.seats)


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_pays_is_said_in_words(language: str) -> None:
    words = Words(translation_for(language))
    for state in gallery(8):
        if state.view.scene is SceneName.REVEAL:
            texts = [piece.what for piece in state.painted(words).pieces]
            assert not [text for text in texts if "−" in text or "+" in text], state.name
