"""No press is lost or counted twice when it comes 60 ms after another, of the same button or of another one.

A press lasts 30 ms here and so does the gap after it; contacts bounce for up to 5 ms. First what drivers and boards do
with the edges of one contact, then the whole way from a hand to the cursor on the display.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import rest_slow
from support.table.harness import lay_out
from support.wires.table_at_wires import AtWires, at_wires

from drivers.messages import Button, Pressed, Released
from engine import PALO_FIJO, Bid
from firmware_host.table.scenes.scene import MatchScene
from firmware_host.table.seat.key_input import Confirm, Key, KeyInterpreter, Step
from hardware.emulated.hand import BOUNCE_S
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.link.debounce import BoardDebounce, Debounce

MS = 1_000_000
PRESS_NS = GAP_NS = 30 * MS
BOUNCE_NS = round(BOUNCE_S * 1e9)
LAYOUTS = ["wired-4", "wired-8", "boards-8"]
WORD = {Button.LEFT: Step(-1), Button.RIGHT: Step(+1)}


class Edge(NamedTuple):
    """A contact closes or opens."""

    at_ns: int
    button: Button
    closed: bool


@st.composite
def bounced(draw: st.DrawFn, at_ns: int, button: Button, *, closed: bool) -> list[Edge]:
    """Return one motion of a finger: an odd number of edges within the time a contact bounces, the first at once."""
    later = draw(st.lists(st.integers(1, BOUNCE_NS), max_size=6, unique=True).filter(lambda times: len(times) % 2 == 0))
    return [
        Edge(at_ns + after, button, closed == (number % 2 == 0)) for number, after in enumerate([0, *sorted(later)])
    ]


@st.composite
def rows(draw: st.DrawFn) -> tuple[list[Button], list[Edge]]:
    """Some buttons pressed one after the other, and all edges that come of it."""
    buttons = draw(st.lists(st.sampled_from(Button), min_size=1, max_size=12))
    edges: list[Edge] = []
    for number, button in enumerate(buttons):
        down_ns = number * (PRESS_NS + GAP_NS)
        edges += draw(bounced(down_ns, button, closed=True)) + draw(bounced(down_ns + PRESS_NS, button, closed=False))
    return buttons, edges


Changes = list[tuple[bool, int]]
Follow = Callable[[Sequence[Edge]], Changes]


def by_driver(edges: Sequence[Edge]) -> Changes:
    """Return the changes that a wired button's driver makes of its edges, asked again at the end of every lock-out."""
    contact, changes = Debounce(closed=False), []
    for edge, following in zip(edges, [*edges[1:], None], strict=True):
        changes += contact.edge(edge.closed, edge.at_ns)
        while contact.due_ns is not None and (following is None or contact.due_ns < following.at_ns):
            changes += contact.settle(edge.closed, contact.due_ns)
    return [(closed, at_ns) for closed, at_ns in changes]


def by_board(edges: Sequence[Edge]) -> Changes:
    """Return the changes that a seat board makes of them."""
    contact, changes = BoardDebounce(), []
    for edge, following in zip(edges, [*edges[1:], None], strict=True):
        changes += contact.edge(edge.closed, edge.at_ns)
        while contact.due_ns is not None and (following is None or contact.due_ns < following.at_ns):
            changes += contact.tick(contact.due_ns)
    return changes


def meant(changes: Iterable[tuple[int, Button, bool]]) -> list[Key]:
    """Return the keys that the table makes of that."""
    keys, found = KeyInterpreter(), []
    for at_ns, button, closed in sorted(changes):
        found += keys.tick(at_ns)
        found += keys.handle((Pressed if closed else Released)(0, button, at_ns))
    return found


in_both_ways = pytest.mark.parametrize("follow", [by_driver, by_board])


@in_both_ways
@given(row=rows())
def test_every_press_means_one_thing(follow: Follow, row: tuple[list[Button], list[Edge]]) -> None:
    buttons, edges = row
    changes = [
        (at_ns, button, closed)
        for button in set(buttons)
        for closed, at_ns in follow([edge for edge in edges if edge.button == button])
    ]
    found = [key if isinstance(key, Step) else key.dudo for key in meant(changes) if isinstance(key, Step | Confirm)]
    assert found == [WORD.get(button, button is Button.DUDO) for button in buttons]


@in_both_ways
@given(row=rows())
def test_a_press_has_the_moment_of_its_first_edge(follow: Follow, row: tuple[list[Button], list[Edge]]) -> None:
    buttons, edges = row
    for button in set(buttons):
        changes = follow([edge for edge in edges if edge.button == button])
        presses = [at_ns for closed, at_ns in changes if closed]
        assert presses == [n * (PRESS_NS + GAP_NS) for n, each in enumerate(buttons) if each == button]


# From the hand to the display


def a_round() -> MatchScene:
    scene = lay_out(PALO_FIJO, [(2, 3, 4, 5, 6)] * 2, Bid(2, 3)).table.scene
    assert isinstance(scene, MatchScene)
    return scene


async def press(table: AtWires, seat: int, buttons: Iterable[Button]) -> None:
    for button in buttons:
        table.seats[seat].tap(button, PRESS_NS / 1e9)
        await asyncio.sleep((PRESS_NS + GAP_NS) / 1e9)


L, R, OK = Button.LEFT, Button.RIGHT, Button.OK
ROWS = [[R] * 5, [R] * 9 + [L] * 4, [R, L] * 6 + [R], [R, R, L, R, R, R, L, L, R, R], [L] * 2 + [R] * 7]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("seed", rest_slow(0, 1, 2))
@pytest.mark.parametrize("row", ROWS, ids=lambda row: "".join(button.value[0] for button in row))
def test_so_many_taps_are_so_many_steps(
    loop: VirtualLoop, tmp_path: Path, layout: str, seed: int, row: list[Button]
) -> None:
    async def scenario() -> None:
        async with at_wires(layout, a_round(), tmp_path, seed=seed) as table:
            wanted = table.menu(1)
            for button in row:
                wanted = wanted.step(WORD[button].by)
            await press(table, 1, row)
            await asyncio.sleep(0.3)
            assert table.menu(1) == wanted

    loop.run_until_complete(scenario())


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("disk_takes_s", [0.0, 1.0])
def test_ok_right_after_the_arrows_bids_what_they_chose(
    loop: VirtualLoop, tmp_path: Path, layout: str, disk_takes_s: float
) -> None:
    async def scenario() -> None:
        async with at_wires(layout, a_round(), tmp_path) as table:
            table.journal.takes_s = disk_takes_s
            wanted = table.menu(1).step(3).chosen
            await press(table, 1, [R, R, R, OK])
            await asyncio.sleep(0.3 + disk_takes_s)
            assert table.table.scene.game is not None
            assert table.table.scene.game.position.standing == wanted

    loop.run_until_complete(scenario())


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_second_ok_right_after_the_first_bids_nothing_more(loop: VirtualLoop, tmp_path: Path, layout: str) -> None:
    async def scenario() -> None:
        async with at_wires(layout, a_round(), tmp_path) as table:
            least = table.menu(1).chosen
            await press(table, 1, [OK, OK, OK])
            await asyncio.sleep(0.3)
            assert table.table.scene.game is not None
            assert table.table.scene.game.position.standing == least
            assert table.seen[1][-1][0].notice is not None

    loop.run_until_complete(scenario())


@pytest.mark.parametrize("layout", LAYOUTS)
def test_all_seats_may_be_at_it_at_once(loop: VirtualLoop, tmp_path: Path, layout: str) -> None:
    async def scenario() -> None:
        scene = lay_out(PALO_FIJO, [(2, 3, 4, 5, 6)] * 4, Bid(2, 3)).table.scene
        assert isinstance(scene, MatchScene)
        async with at_wires(layout, scene, tmp_path) as table:
            wanted = table.menu(1).step(7)
            await asyncio.gather(*(press(table, seat, [R] * 7) for seat in range(4)))
            await asyncio.sleep(0.3)
            assert table.menu(1) == wanted

    loop.run_until_complete(scenario())
