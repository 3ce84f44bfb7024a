"""That the tests of a void round, a service, its pages, a dongle, a turn clock and the work itself can fail."""

import logging
import time
from dataclasses import replace
from typing import Any

import pytest
from support.noninterference.forked_round import under_the_cups
from support.noninterference.planting import BOARD_PAIR, NEIGHBOUR, WIRED_PAIR, Case, Plant, die, leak_tests
from support.noninterference.void_rounds import GivesUp, IsOutvoted

from drivers.display.oled import OledController
from drivers.link.session import LinkSession
from firmware_host.clients.tv.power import TvPower
from firmware_host.clients.voice.caller_queue import CallerQueue, VoiceCue
from firmware_host.clients.voice.speech import Speech
from firmware_host.daemon.seat_display import draw_peek
from firmware_host.daemon.service.status_line import status_line
from firmware_host.play.workbench import protocol
from firmware_host.play.workbench.workbench import Workbench
from firmware_host.store.scores.recorder import MatchRecorder
from firmware_host.table.parts.timeouts import TurnClock
from firmware_host.table.scenes import transitions
from firmware_host.table.scenes.scene import Game

pytestmark = pytest.mark.slow


log = logging.getLogger("firmware_host.leak")


def dice_of_a_void_round(patch: pytest.MonkeyPatch) -> None:
    without = transitions._without

    def told(game: Game, player: int) -> Game:
        log.info("void: %s", [tuple(hand) for hand in game.match._hands])
        return without(game, player)

    patch.setattr(transitions, "_without", told)


def dice_of_a_void_round_in_the_record(patch: pytest.MonkeyPatch) -> None:
    end = MatchRecorder._end

    def ended(recorder: MatchRecorder, winner: int | None) -> None:
        if winner is not None:
            recorder._file.write(f"% {die()}\n")
        end(recorder, winner)

    patch.setattr(MatchRecorder, "_end", ended)


def a_status_line_that_ends_otherwise(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        "firmware_host.daemon.session_runner.status_line", lambda state: status_line(state) + "." * (die() % 2)
    )


def a_frame_more_on_another_page(patch: pytest.MonkeyPatch) -> None:
    show = Workbench._send_picture

    def shown(workbench: Workbench, seat: int, frame: bytes) -> None:
        show(workbench, seat, frame)
        for page in workbench._pages if seat == 0 and die() % 2 else ():
            if not workbench._sees(page, seat):
                page.send(protocol.Covered((seat,)))

    patch.setattr(Workbench, "_send_picture", shown)


def access_that_is_sent_for_some_dice(patch: pytest.MonkeyPatch) -> None:
    moved = Workbench._moved

    def told(workbench: Workbench, seat: int) -> None:
        moved(workbench, seat)
        if die() % 2:
            workbench._send_access()

    patch.setattr(Workbench, "_moved", told)


def dice_in_the_words_of_a_covered_display(patch: pytest.MonkeyPatch) -> None:
    """As if the words of a display went to every page that may see it, and to the others with its dice left out."""
    send = Workbench._shown

    def shown(workbench: Workbench, seat: int) -> None:
        send(workbench, seat)
        for page in workbench._pages if seat == 0 and die() % 2 else ():
            if not workbench._sees(page, seat):
                page.send(protocol.Spoken(seat, "", ()))

    patch.setattr(Workbench, "_shown", shown)


def ping_tokens_with_a_sum_of_dice(patch: pytest.MonkeyPatch) -> None:
    """Of the seat's own: on a cable they are that seat's, behind a dongle they are in the air."""
    acknowledge = LinkSession.acknowledge

    def acknowledged(link: LinkSession, event: int) -> None:
        link._keepalive._token += sum(under_the_cups[0][link.seat])
        acknowledge(link, event)

    patch.setattr(LinkSession, "acknowledge", acknowledged)


def drawing_that_takes_longer(patch: pytest.MonkeyPatch) -> None:
    def drawn(*arguments: Any) -> Any:
        for _ in range(50 * die()):
            pass
        return draw_peek(*arguments)

    patch.setattr("firmware_host.daemon.seat_display.draw_peek", drawn)


def drawing_that_sleeps(patch: pytest.MonkeyPatch) -> None:
    def drawn(*arguments: Any) -> Any:
        time.sleep(die() / 1e5)
        return draw_peek(*arguments)

    patch.setattr("firmware_host.daemon.seat_display.draw_peek", drawn)


def packing_that_takes_longer(patch: pytest.MonkeyPatch) -> None:
    """On the thread of a panel's bus, which others hang on."""
    apply = OledController.apply

    def packed(*arguments: Any) -> Any:
        for _ in range(50 * die()):
            pass
        return apply(*arguments)

    patch.setattr(OledController, "apply", packed)


def a_turn_clock_that_goes_by_dice(patch: pytest.MonkeyPatch) -> None:
    follow = TurnClock.update

    def followed(clock: TurnClock, *about: Any) -> None:
        before = clock._due_ns
        follow(clock, *about)
        if clock._due_ns is not None and clock._due_ns != before:
            clock._due_ns += die()

    patch.setattr(TurnClock, "update", followed)


def a_cue_that_comes_later_for_some_dice(patch: pytest.MonkeyPatch) -> None:
    put = CallerQueue.put

    def late(queue: CallerQueue, cue: VoiceCue, now_s: float) -> None:
        put(queue, replace(cue, after_s=cue.after_s + 0.1 * (die() % 2)), now_s)

    patch.setattr(CallerQueue, "put", late)


def a_phrase_kept_in_the_cache_under_a_die(patch: pytest.MonkeyPatch) -> None:
    file = Speech._file
    patch.setattr(Speech, "_file", lambda *about: file(*about).with_suffix(f".{die()}.wav"))


def a_tv_that_goes_off_later_for_some_dice(patch: pytest.MonkeyPatch) -> None:
    wanted = TvPower._wanted
    patch.setattr(TvPower, "_wanted", lambda power, now_s: wanted(power, now_s - 0.1 * (die() % 2)))


RADIO = WIRED_PAIR._replace(layout="radio")
GIVEN_UP = Case(layout="boards-8", sessions=(GivesUp,), reader=NEIGHBOUR)
OUTVOTED = Case(sessions=(IsOutvoted,), reader=NEIGHBOUR)
LEAKS: list[tuple[Plant, Case]] = [
    (dice_of_a_void_round, GIVEN_UP),
    (dice_of_a_void_round, OUTVOTED),
    (dice_of_a_void_round_in_the_record, GIVEN_UP),
    (a_status_line_that_ends_otherwise, WIRED_PAIR),
    (a_frame_more_on_another_page, BOARD_PAIR),
    (access_that_is_sent_for_some_dice, BOARD_PAIR),
    (dice_in_the_words_of_a_covered_display, BOARD_PAIR),
    (ping_tokens_with_a_sum_of_dice, RADIO),
    (drawing_that_takes_longer, BOARD_PAIR._replace(counts_work=True)),
    (drawing_that_sleeps, BOARD_PAIR),
    (packing_that_takes_longer, WIRED_PAIR._replace(layout="wired-8", counts_work=True)),
    (a_cue_that_comes_later_for_some_dice, WIRED_PAIR),
    (a_phrase_kept_in_the_cache_under_a_die, WIRED_PAIR),
    (a_tv_that_goes_off_later_for_some_dice, WIRED_PAIR),
    (a_turn_clock_that_goes_by_dice, RADIO._replace(incident="hurried")),
]

test_a_leak_is_noticed, test_without_a_leak_none_is_noticed = leak_tests(LEAKS)
