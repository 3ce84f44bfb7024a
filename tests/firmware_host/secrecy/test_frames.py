"""What a picture with dice in it costs, in bytes and transfers, is the same whatever the dice are.

Held to it are the drawing, which keeps dice to their boxes, the two drivers that send the difference between pictures,
the link's frames, and the board's own writes to its panel.
"""

import binascii
import inspect
import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from PIL import Image, ImageChops
from support.noninterference.variants import HELD, ROUNDS, dealt

from drivers.display.bus_worker import DisplayWrite, StatusPoll
from drivers.display.frame import ALL_DIRTY, BLACK, DesiredFrame, DeviceFrame, FrameUpdate, Offset, diff, to_page_format
from drivers.display.oled import OledController
from drivers.link.seat_board import picture_of
from drivers.messages import Brightness, Device
from engine import Bid, Hand, Match, Position, Reason, View
from firmware_host.i18n.catalogues import LANGUAGES, translation_for
from firmware_host.i18n.words import Words
from firmware_host.screens import dice_boxes, draw, draw_peek
from firmware_host.table.seat.menu import bidding_menu
from firmware_host.table.seat.view import Missing, SceneName, SeatView, TableReason
from hardware.chips import CHIPS
from hardware.firmware.oled_panel import OledPanel
from hardware.link.framing import frame
from hardware.link.messages import NO_BASE, to_body

BOXES = [(0, 40, 16, 16), (4, 40, 16, 16), (29, 40, 16, 16), (54, 40, 16, 16), (104, 40, 16, 16), (20, 36, 20, 12)]


def test_a_picture_is_drawn_without_dice_from_what_cannot_hold_any() -> None:
    given = inspect.signature(draw, eval_str=True).parameters.values()
    assert {parameter.annotation for parameter in given} & {View, Match, Hand} == set()


@given(seed=st.integers(0, 2**32))
@settings(max_examples=200)
def test_what_dice_change_in_a_peek_lies_in_their_boxes(seed: int) -> None:
    rng = random.Random(seed)
    match = _bid_on(_rolled(dealt(*rng.choice(ROUNDS), rng.choice([*HELD])).game.position, rng), rng)
    view = _view(match, rng)
    assert view.me is not None
    ours, theirs = (each.view(view.me) for each in (match, Match(match.position, _hands(match.position, rng))))
    boxes = dice_boxes(view, ours)
    assert boxes == dice_boxes(view, theirs)
    menu, words = (
        bidding_menu(match.position, view.me, dudo_button=False),
        Words(translation_for(rng.choice(LANGUAGES))),
    )
    differing = ImageChops.logical_xor(*(draw_peek(view, menu, look, words) for look in (ours, theirs)))
    for left, top, width, height in boxes:
        differing.paste(0, (left, top, left + width, top + height))
    assert differing.getbbox() is None


def _hands(position: Position, rng: random.Random) -> tuple[Hand, ...]:
    return tuple(Hand(rng.randint(1, 6) for _ in range(held)) for held in position.dice)


def _rolled(position: Position, rng: random.Random) -> Match:
    return Match(position).roll({seat: hand for seat, hand in enumerate(_hands(position, rng)) if hand})


def _bid_on(match: Match, rng: random.Random) -> Match:
    bid = Bid(rng.choice((1, 2, 9, 10, 40)), rng.randint(1, 6))
    turn = match.position.turn
    return match.play(turn, bid) if turn is not None and bid in match.legal(turn) else match


def _view(match: Match, rng: random.Random) -> SeatView:
    """Return a seat's view of it, with any notice and any fault."""
    position = match.position
    names = tuple(f"Seat {seat}" for seat in range(position.seats))
    me = rng.randrange(position.seats)
    return SeatView(
        SceneName.BIDDING,
        names[me],
        names,
        me=me,
        position=position,
        waiting_for=() if position.turn is None else (position.turn,),
        missing=tuple(Missing(name, rng.choice([*Device])) for name in names if rng.random() < 0.2),
        notice=rng.choice((None, None, *Reason, *TableReason)),
        resumed=rng.random() < 0.3,
        page=rng.randrange(position.seats + 1),
        brightness=rng.choice([*Brightness]),
    )


# From picture to picture


class Step(NamedTuple):
    """A picture that a panel is to show; dice stand in `boxes` alone."""

    image: Image.Image
    boxes: tuple[tuple[int, int, int, int], ...]
    brightness: Brightness
    offset: Offset


def step_sequences(seed: int) -> tuple[list[Step], list[Step]]:
    """Pictures full and empty, lit and unlit, that wander and are dimmed; and the same with other dice in them."""
    rng = random.Random(seed)
    ours, theirs = list[Step](), list[Step]()
    paper, offset, brightness = _paper(rng), Offset(), Brightness.BRIGHT
    for _ in range(rng.randrange(2, 7)):
        paper = _paper(rng) if rng.random() < 0.3 else paper
        offset = Offset(rng.randrange(4), rng.randrange(4)) if rng.random() < 0.2 else offset
        brightness = rng.choice([*Brightness]) if rng.random() < 0.2 else brightness
        boxes = tuple(rng.sample(BOXES, rng.randrange(len(BOXES) + 1)))
        is_lit = rng.random() < 0.5
        for steps in (ours, theirs):
            image = paper.copy()
            for box in boxes:
                image.paste(_dice(rng, box), box[:2])
            steps.append(Step(ImageChops.invert(image) if is_lit else image, boxes, brightness, offset))
    return ours, theirs


def _paper(rng: random.Random) -> Image.Image:
    """Something to read, or next to nothing, or noise."""
    image = Image.new("1", (128, 64), rng.choice((0, 0, 1)))
    for _ in range(rng.choice((0, 3, 40))):
        left, top = rng.randrange(124), rng.randrange(60)
        image.paste(rng.randrange(2), (left, top, left + rng.randrange(1, 60), top + rng.randrange(1, 30)))
    return image


def _dice(rng: random.Random, box: tuple[int, int, int, int]) -> Image.Image:
    _, _, width, height = box
    if rng.random() < 0.3:
        return Image.new("1", (width, height), rng.randrange(2))
    return Image.frombytes("1", (width, height), rng.randbytes((width + 7) // 8 * height))


class Chip:
    """A panel on a wire of the host."""

    def __init__(self, chip: str, rotate: int) -> None:
        self._chip = OledController(chip, rotate)
        self._shown: DeviceFrame | None = None

    def show(self, step: Step) -> list[bytes]:
        """Return what goes over the wire."""
        chip, shown = self._chip, self._shown
        dots, boxes = chip.dots(step.image), chip.regions(step.boxes)
        desired = DesiredFrame(dots, boxes, step.brightness, chip.offset(step.offset))
        if shown is not None and desired.is_same(shown.desired):
            return []
        update = diff(desired, shown)
        self._shown = update.after
        return chip.apply(update, shown)


class Board:
    """A board on a link, and the panel on its own wire."""

    def __init__(self, chip: str) -> None:
        self._written = list[bytes]()
        self._display = OledPanel(chip, self._written.append)
        list(self._display.tick(0))
        self._shown: DeviceFrame | None = None

    def show(self, step: Step) -> list[bytes]:
        """Return the frame on the link and what goes over the board's wire."""
        shown = self._shown
        desired = DesiredFrame(to_page_format(step.image), step.boxes, step.brightness, step.offset)
        if shown is not None and desired.is_same(shown.desired):
            return []
        update = diff(desired, shown)
        self._shown = update.after
        picture = picture_of(update, 7, NO_BASE if shown is None else binascii.crc32(shown.memory))
        self._written.clear()
        assert self._display.apply(picture)
        list(self._display.show(picture, False, 0))
        return [frame(to_body(0, picture)), *self._written]


FAR_ENDS: dict[str, Callable[[], Chip | Board]] = {
    **{f"{chip}-{rotate}": partial(Chip, chip, rotate) for chip in CHIPS for rotate in (0, 180)},
    **{f"board-{chip}": partial(Board, chip) for chip in CHIPS},
}


def lengths(far_end: Chip | Board, steps: Sequence[Step]) -> list[list[int]]:
    return [[len(payload) for payload in far_end.show(step)] for step in steps]


@pytest.mark.parametrize("far_end", FAR_ENDS)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=60)
def test_no_number_of_bytes_or_transfers_depends_on_dice(far_end: str, seed: int) -> None:
    ours, theirs = step_sequences(seed)
    assert lengths(FAR_ENDS[far_end](), ours) == lengths(FAR_ENDS[far_end](), theirs)


def test_no_way_to_write_what_goes_to_a_panel_shows_it() -> None:
    def written(die: int) -> list[str]:
        desired = DesiredFrame(bytes([die]) * len(BLACK), ((0, 40, 16, 16),))
        update = diff(desired, None)
        payloads = OledController("sh1106").apply(update, None)
        picture = picture_of(update, 7, NO_BASE)
        asked = DisplayWrite(1, 0x3C, payloads), StatusPoll(1, 0x3C, payloads, stays_on=True)
        things: list[object] = [desired, update, update.after, picture, *picture.windows, *asked]
        return [text for thing in things for text in (repr(thing), str(thing), f"{thing}")]

    assert written(1) == written(6)


# That this can fail


def _differs(far_end: str) -> bool:
    pairs = map(step_sequences, range(3000))
    return any(lengths(FAR_ENDS[far_end](), ours) != lengths(FAR_ENDS[far_end](), theirs) for ours, theirs in pairs)


@pytest.mark.parametrize("far_end", ["ssd1306-0", "sh1106-180", "board-ssd1309"])
def test_an_inversion_that_is_decided_over_dice_is_noticed(far_end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = diff

    def decided(desired: DesiredFrame, shown: DeviceFrame | None) -> FrameUpdate:
        update = honest(desired, shown)
        if shown is None or shown.desired.offset != desired.offset:
            return update
        old, new = (int.from_bytes(memory, "big") for memory in (shown.memory, update.memory))
        if 2 * (old ^ new).bit_count() <= 8 * len(BLACK):
            return update
        after = replace(update.after, is_inverted=not update.after.is_inverted)
        return FrameUpdate(after, after.memory, ALL_DIRTY)

    monkeypatch.setitem(globals(), "diff", decided)
    assert _differs(far_end)


@pytest.mark.parametrize("far_end", ["ssd1309-0", "sh1106-0", "board-sh1106"])
def test_a_box_of_dice_that_is_sent_only_where_it_differs_is_noticed(
    far_end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("drivers.display.frame._region_mask", lambda regions, columns: 0)
    assert _differs(far_end)


def test_a_frame_as_long_as_its_coding_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    padded = frame
    monkeypatch.setitem(globals(), "frame", lambda body: padded(body).rstrip(b"\0"))
    assert _differs("board-ssd1306")
