"""That the tests of a void round, a service, its pages, a dongle, a turn clock and the work itself can fail."""

import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from forked_round import Round, under_the_cups
from forks import LAYOUTS, Fork, dealt
from incidents import INCIDENTS
from void_rounds import GivesUp, IsOutvoted

from drivers.panel_chips import PanelChip
from drivers.serial_link import SerialLink
from engine import PERUDO, RoundKind
from firmware_host.glass import draw_peek
from firmware_host.scores.scorekeeper import Scorekeeper
from firmware_host.service.status_line import status_line
from firmware_host.table import leaving
from firmware_host.table.scene import Game
from firmware_host.table.turn_clock import TurnClock
from firmware_host.workbench import protocol
from firmware_host.workbench.workbench import Workbench

log = logging.getLogger("firmware_host.leak")
Plant = Callable[[pytest.MonkeyPatch], None]


def die() -> int:
    """Of seat 0, which no other seat may see; in the fork it is odd where it was even."""
    return under_the_cups[0][0][0]


def dice_of_a_void_round(patch: pytest.MonkeyPatch) -> None:
    without = leaving._without

    def told(game: Game, player: int) -> Game:
        log.info("void: %s", [tuple(hand) for hand in game.match._hands])
        return without(game, player)

    patch.setattr(leaving, "_without", told)


def dice_of_a_void_round_in_the_record(patch: pytest.MonkeyPatch) -> None:
    end = Scorekeeper._end

    def ended(keeper: Scorekeeper, winner: int | None) -> None:
        if winner is not None:
            keeper._file.write(f"% {die()}\n")
        end(keeper, winner)

    patch.setattr(Scorekeeper, "_end", ended)


def a_status_line_that_ends_otherwise(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("firmware_host.sittings.status_line", lambda state: status_line(state) + "." * (die() % 2))


def a_frame_more_on_another_page(patch: pytest.MonkeyPatch) -> None:
    show = Workbench._show

    def shown(workbench: Workbench, seat: int, frame: bytes) -> None:
        show(workbench, seat, frame)
        for page in workbench._pages if seat == 0 and die() % 2 else ():
            if not workbench._sees(page, seat):
                page.hear(protocol.Covered((seat,)))

    patch.setattr(Workbench, "_show", shown)


def ping_tokens_with_a_sum_of_dice(patch: pytest.MonkeyPatch) -> None:
    """Of the seat's own: on a cable they are that seat's, behind a dongle they are in the air."""
    acknowledge = SerialLink.acknowledge

    def acknowledged(link: SerialLink, event: int) -> None:
        link._heart._token += sum(under_the_cups[0][link.seat])
        acknowledge(link, event)

    patch.setattr(SerialLink, "acknowledge", acknowledged)


def drawing_that_takes_longer(patch: pytest.MonkeyPatch) -> None:
    def drawn(*arguments: Any) -> Any:
        for _ in range(50 * die()):
            pass
        return draw_peek(*arguments)

    patch.setattr("firmware_host.glass.draw_peek", drawn)


def drawing_that_sleeps(patch: pytest.MonkeyPatch) -> None:
    def drawn(*arguments: Any) -> Any:
        time.sleep(die() / 1e5)
        return draw_peek(*arguments)

    patch.setattr("firmware_host.glass.draw_peek", drawn)


def packing_that_takes_longer(patch: pytest.MonkeyPatch) -> None:
    """On the thread of a panel's bus, which others hang on."""
    frame = PanelChip.frame

    def packed(*arguments: Any) -> Any:
        for _ in range(50 * die()):
            pass
        return frame(*arguments)

    patch.setattr(PanelChip, "frame", packed)


def a_turn_clock_that_goes_by_dice(patch: pytest.MonkeyPatch) -> None:
    follow = TurnClock.follow

    def followed(clock: TurnClock, *about: Any) -> None:
        before = clock._due_ns
        follow(clock, *about)
        if clock._due_ns is not None and clock._due_ns != before:
            clock._due_ns += die()

    patch.setattr(TurnClock, "follow", followed)


LEAKS: list[tuple[Plant, str, type[Round], dict[str, Any]]] = [
    (dice_of_a_void_round, "boards-8", GivesUp, {}),
    (dice_of_a_void_round, "wired-4", IsOutvoted, {}),
    (dice_of_a_void_round_in_the_record, "boards-8", GivesUp, {}),
    (a_status_line_that_ends_otherwise, "wired-4", Round, {}),
    (a_frame_more_on_another_page, "boards-8", Round, {}),
    (ping_tokens_with_a_sum_of_dice, "radio", Round, {}),
    (drawing_that_takes_longer, "boards-8", Round, {"counts_work": True}),
    (drawing_that_sleeps, "boards-8", Round, {}),
    (packing_that_takes_longer, "wired-8", Round, {"counts_work": True}),
    (a_turn_clock_that_goes_by_dice, "radio", Round, {}),
]


def fork(folder: Path, layout: str, evening: type[Round], **options: Any) -> Fork:
    """A round with looks in it at three seats, or two where nobody leaves."""
    seats = 2 if evening is Round else 3
    deal, looks = dealt(PERUDO, RoundKind.NORMAL, seats), [INCIDENTS["looks"]]
    return Fork(folder, LAYOUTS[layout].first(seats), deal, evenings=[evening], incidents=looks, **options)


@pytest.mark.parametrize(
    ("plant", "layout", "evening", "options"), LEAKS, ids=lambda value: getattr(value, "__name__", "")
)
def test_a_leak_is_noticed(
    plant: Plant,
    layout: str,
    evening: type[Round],
    options: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plant(monkeypatch)
    assert fork(tmp_path, layout, evening, **options).tells(1)


@pytest.mark.parametrize(
    ("layout", "evening", "options"),
    sorted({(layout, evening, tuple(options)) for _, layout, evening, options in LEAKS}, key=str),
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_without_a_leak_none_is_noticed(
    layout: str, evening: type[Round], options: tuple[str, ...], tmp_path: Path
) -> None:
    assert fork(tmp_path, layout, evening, **dict.fromkeys(options, True)).tells(1) == ""
