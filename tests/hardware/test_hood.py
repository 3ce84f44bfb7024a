"""The hood of hardware/README.md: by rays from every eye at the table to every corner of the glass."""

from collections.abc import Iterator
from itertools import product
from math import cos, hypot, radians, sin

import pytest

from docs.hood import EYES, GLASSES, LEAN, PANEL, STANDING, SWAY, TALLER, Glass, Hood, Place, hood_of, seen_from

STEPS = (-1, -0.5, 0, 0.5, 1)


def hidden(eye: Place, spot: tuple[float, float], glass: Glass, hood: Hood) -> bool:
    """Whether a wall, or the glass's own back, is between an eye and a spot of the glass."""
    right, up, out = seen_from(eye)
    if out <= 0:
        return True
    side, far = glass.width / 2 + hood.gap, glass.height / 2 + hood.gap
    for wall in (side, -side):
        way = (wall - spot[0]) / (right - spot[0]) if right != spot[0] else -1
        at_up = spot[1] + way * (up - spot[1])
        if 0 < way < 1 and way * out < hood.depth and -glass.height / 2 - hood.front < at_up < far:
            return True
    way = (far - spot[1]) / (up - spot[1]) if up != spot[1] else -1
    return 0 < way < 1 and way * out < hood.depth and abs(spot[0] + way * (right - spot[0])) < side


def spots(glass: Glass) -> Iterator[tuple[float, float]]:
    yield from product([x * glass.width / 2 for x in STEPS], [y * glass.height / 2 for y in STEPS])


def sitting() -> Iterator[Place]:
    """FrameListener of all the others, who lean in all directions and are tall or small."""
    for seat, direction, lean, up in product(range(1, 8), range(0, 360, 20), (0, LEAN / 2, LEAN), (-80, 0, TALLER)):
        angle = radians(45 * seat)
        x, y = EYES[0] * cos(angle), EYES[0] * sin(angle)
        yield x + lean * cos(radians(direction)), y + lean * sin(radians(direction)), EYES[1] + up


@pytest.mark.parametrize("glass", GLASSES, ids=lambda glass: glass.name)
def test_nobody_else_who_sits_sees_any_of_the_glass(glass: Glass) -> None:
    hood = hood_of(glass)
    seen = [(eye, spot) for eye in sitting() for spot in spots(glass) if not hidden(eye, spot, glass, hood)]
    assert seen == []


@pytest.mark.parametrize("glass", GLASSES, ids=lambda glass: glass.name)
def test_the_owner_sees_all_of_it_with_both_eyes(glass: Glass) -> None:
    eyes = [(EYES[0], side, EYES[1] + up) for side in (-SWAY, 0, SWAY) for up in (-80, 0, 80)]
    assert not any(hidden(eye, spot, glass, hood_of(glass)) for eye in eyes for spot in spots(glass))


@pytest.mark.parametrize("glass", GLASSES, ids=lambda glass: glass.name)
def test_who_gets_up_across_the_table_sees_none_of_it(glass: Glass) -> None:
    eyes = [(EYES[0] * cos(radians(a)), EYES[0] * sin(radians(a)), STANDING) for a in (90, 135, 180, 225, 270)]
    assert all(hidden(eye, spot, glass, hood_of(glass)) for eye in eyes for spot in spots(glass))


def test_without_a_hood_the_neighbours_see_it() -> None:
    bare = Hood(0, 0, 0)
    assert any(not hidden(eye, (0, 0), GLASSES[0], bare) for eye in sitting())


def test_the_owner_is_straight_before_the_glass() -> None:
    right, up, out = seen_from((EYES[0], 0, EYES[1]))
    assert (right, round(up, 6)) == (0, 0)
    assert out == pytest.approx(hypot(EYES[0] - PANEL[0], EYES[1] - PANEL[2]))
