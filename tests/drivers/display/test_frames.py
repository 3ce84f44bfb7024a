"""From any picture to any other: what is sent makes the one of the other, and tells nothing of the dice."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from drivers.display.frame import (
    SHIFT_COLUMNS,
    SHIFT_INTERVAL_S,
    SHIFT_ROWS,
    WINDOW_OVERHEAD_BYTES,
    DesiredFrame,
    DeviceFrame,
    FrameUpdate,
    Offset,
    Regions,
    diff,
    diff_from_either,
    dirty_windows,
    offset_at,
)
from drivers.display.oled import OledController
from drivers.messages import Brightness
from hardware.chips import CHIPS
from hardware.emulated.chips.controllers import CONTROLLERS

SIZE = (128, 64)
WHOLE_FRAME_BYTES = 8 * (7 + 128)

BOXES = st.lists(
    st.builds(
        lambda left, top, width, height: (left, top, min(width, 128 - left), min(height, 64 - top)),
        *[st.integers(0, 127), st.integers(0, 63), st.integers(1, 128), st.integers(1, 64)],
    ),
    max_size=6,
).map(tuple)
OFFSETS = st.builds(Offset, st.integers(0, SHIFT_COLUMNS - 1), st.integers(0, SHIFT_ROWS - 1))
LIGHTS = st.sampled_from([Brightness.BRIGHT, Brightness.DIM])


@st.composite
def pictures(draw: st.DrawFn) -> Image.Image:
    """Return a few filled boxes, as words and dice are, lit or not."""
    picture = Image.new("1", SIZE)
    for left, top, width, height in draw(BOXES):
        picture.paste(draw(st.sampled_from([0, 255])), (left, top, left + width, top + height))
    return ImageChops.invert(picture) if draw(st.booleans()) else picture


STEPS = st.lists(st.tuples(pictures(), BOXES, LIGHTS, OFFSETS), min_size=1, max_size=5)


@pytest.mark.slow
@pytest.mark.parametrize("rotate", [0, 180])
@pytest.mark.parametrize("name", CHIPS)
@given(steps=STEPS)
def test_the_display_shows_every_picture_for_at_most_the_bytes_of_a_frame(
    name: str, rotate: int, steps: list[tuple[Image.Image, Regions, Brightness, Offset]]
) -> None:
    chip, controller = OledController(name, rotate), CONTROLLERS[name](1)
    shown: DeviceFrame | None = None
    for picture, boxes, light, to in steps:
        update = diff(DesiredFrame(chip.dots(picture), chip.regions(boxes), light, chip.offset(to)), shown)
        payloads = chip.apply(update, shown)
        for payload in payloads:
            controller.write(payload)
        shapes = 8 if shown else 40  # contrast, offset and inversion; before the first picture the set-up
        assert sum(1 + len(payload) for payload in payloads) <= WHOLE_FRAME_BYTES + shapes
        shown = update.after
        seen = controller.picture().rotate(rotate)
        assert ImageChops.offset(seen, -to.column, -to.row).tobytes() == picture.tobytes()
    assert controller.unknown == []


@pytest.mark.slow
@given(pictures(), pictures(), pictures(), pictures(), BOXES, BOXES)
def test_how_much_is_sent_is_the_same_whatever_stands_in_the_boxes_of_dice(
    before: Image.Image, after: Image.Image, dice: Image.Image, others: Image.Image, shown: Regions, wanted: Regions
) -> None:
    def sizes(dice: Image.Image) -> list[tuple[bool, list[tuple[int, int, int]]]]:
        first = diff(DesiredFrame(_dots(_with(before, dice, shown)), tuple(shown)), DeviceFrame(DesiredFrame()))
        then = diff(DesiredFrame(_dots(_with(after, dice, wanted)), tuple(wanted)), first.after)
        return [_size(update) for update in (first, then, diff(DesiredFrame(_dots(after)), then.after))]

    assert sizes(dice) == sizes(others)


@pytest.mark.slow
@given(pictures(), pictures(), pictures(), BOXES, BOXES, OFFSETS)
def test_what_hides_is_right_whichever_of_two_pictures_the_board_holds(
    covered: Image.Image, peek: Image.Image, after: Image.Image, boxes: Regions, others: Regions, to: Offset
) -> None:
    one = diff(DesiredFrame(_dots(covered), tuple(others)), None).after
    other = diff(DesiredFrame(_dots(peek), tuple(boxes)), one).after
    update = diff_from_either(DesiredFrame(_dots(after), offset=to), one, other)
    for held in (one, other):
        memory = bytearray(held.memory)
        for window in dirty_windows(update.memory, update.dirty):
            start = window.page * 128 + window.column
            memory[start : start + len(window.columns)] = window.columns
        assert bytes(memory) == update.memory == update.after.memory


@pytest.mark.slow
@given(pictures(), pictures(), pictures(), pictures(), BOXES)
def test_how_much_hides_is_the_same_whatever_stands_in_the_boxes_of_dice(
    covered: Image.Image, after: Image.Image, dice: Image.Image, others: Image.Image, boxes: Regions
) -> None:
    def size(dice: Image.Image) -> tuple[bool, list[tuple[int, int, int]]]:
        one = diff(DesiredFrame(_dots(_with(covered, others, boxes)), tuple(boxes)), None).after
        other = diff(DesiredFrame(_dots(_with(covered, dice, boxes)), tuple(boxes)), one).after
        return _size(diff_from_either(DesiredFrame(_dots(after)), one, other))

    assert size(dice) == size(others)


@given(pictures(), pictures())
def test_no_byte_is_sent_that_is_there_but_in_gaps(before: Image.Image, after: Image.Image) -> None:
    first = diff(DesiredFrame(_dots(before)), None).after
    update = diff(DesiredFrame(_dots(after)), first)
    cut = dirty_windows(update.memory, update.dirty)
    for window in cut:
        start = window.page * 128 + window.column
        marks = update.dirty[start : start + len(window.columns)]
        assert marks[0]
        assert marks[-1]
        assert bytes(WINDOW_OVERHEAD_BYTES + 1) not in marks
    assert sum(len(window.columns) for window in cut) >= 1024 - update.dirty.count(0)


def test_a_step_to_the_same_frame_is_none_unless_there_are_dice() -> None:
    desired = DesiredFrame(bytes(range(256)) * 4)
    assert dirty_windows(b"", diff(desired, DeviceFrame(desired)).dirty) == []
    dicey = DesiredFrame(desired.dots, ((0, 0, 16, 16),))
    assert [len(window.columns) for window in dirty_windows(desired.dots, diff(dicey, DeviceFrame(dicey)).dirty)] == [
        16,
        16,
    ]


def test_a_picture_is_shifted_a_dot_at_a_time_over_every_offset_and_back() -> None:
    way = [offset_at(step * SHIFT_INTERVAL_S) for step in range(33)]
    assert way[0] == way[32] == Offset(0, 0)
    assert set(way) == {Offset(column, row) for column in range(SHIFT_COLUMNS) for row in range(SHIFT_ROWS)}
    assert {abs(a.column - b.column) + abs(a.row - b.row) for a, b in pairwise(way)} == {0, 1}


def test_a_picture_stays_where_it_is_between_two_steps() -> None:
    assert {offset_at(3 * SHIFT_INTERVAL_S + late_s) for late_s in (0.0, 1.0, SHIFT_INTERVAL_S - 1)} == {Offset(0, 3)}


def _with(picture: Image.Image, dice: Image.Image, boxes: Regions) -> Image.Image:
    """Return the picture with dice in its boxes."""
    drawn = picture.copy()
    for left, top, width, height in boxes:
        area = (left, top, left + width, top + height)
        drawn.paste(dice.crop(area), area)
    return drawn


def _size(update: FrameUpdate) -> tuple[bool, list[tuple[int, int, int]]]:
    """Return whether it inverts, and the windows it takes."""
    cut = dirty_windows(update.memory, update.dirty)
    return update.after.is_inverted, [(window.page, window.column, len(window.columns)) for window in cut]


def _dots(picture: Image.Image) -> bytes:
    return OledController("ssd1306").dots(picture)
