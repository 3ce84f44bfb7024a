"""That the tests notice what is seen from across the room, in `ps`, on a spare board, or in a pattern of dice."""

import logging
import threading
from array import array
from collections.abc import Callable
from typing import Any

import pytest
from support.noninterference.forked_round import under_the_cups
from support.noninterference.planting import BOARD_PAIR, NEIGHBOUR, WIRED_PAIR, Case, Plant, die, leak_tests

from drivers.display.bus import Display, DisplayBus
from drivers.display.frame import DeviceFrame, FrameUpdate
from drivers.display.oled import OledController
from drivers.link.devices import UnassignedDevice
from drivers.link.seat_board import SeatBoard
from engine import KILL_SPOT, Match, RoundKind
from firmware_host.clients.bridge.topics import Topics
from firmware_host.clients.tv import picture
from firmware_host.clients.tv.power import TvPower
from firmware_host.clients.tv.sounds import PageCaller, PageCue
from firmware_host.clients.voice.output import Mixer
from firmware_host.daemon.answers import HouseFigures, LastVerdict
from firmware_host.daemon.daemon import Daemon
from firmware_host.daemon.robots import players
from firmware_host.store.journal.store import JournalFile
from firmware_host.store.scores.last_record import LastRecord
from firmware_host.table.events import UndoneBy
from firmware_host.table.parts.names import Names
from firmware_host.table.parts.volume import Volume
from firmware_host.table.robots import RobotTurn
from firmware_host.table.scenes import bidding
from firmware_host.table.scenes.scene import Game, Scene, SceneContext
from firmware_host.venue import board
from firmware_host.wire import FiguresAnswer, RecordAnswer, VerdictAnswer
from hardware.link.messages import Picture

pytestmark = pytest.mark.slow


OPEN = Case("looks", "boards-8", KILL_SPOT, 4, kind=RoundKind.OPEN, reader=NEIGHBOUR)
UNDO, ROBOT = WIRED_PAIR._replace(incident="takes_back"), WIRED_PAIR._replace(incident="a_robot")
SPARE = BOARD_PAIR._replace(incident="a_spare")


def at_each_message(patch: pytest.MonkeyPatch, tell: Callable[[], object]) -> None:
    take = Daemon._handle

    async def taken(daemon: Daemon, message: Any) -> None:
        tell()
        await take(daemon, message)

    patch.setattr(Daemon, "_handle", taken)


def a_lamp(patch: pytest.MonkeyPatch) -> None:
    """A board's light shines by its own dice: bytes to that seat alone, but everybody sees it."""
    send = SeatBoard._send

    def sent(board: SeatBoard, message: Any) -> None:
        if isinstance(message, Picture) and message.peek and board.seat == 0 and die() % 2:
            message.lamp = not message.lamp
        send(board, message)

    patch.setattr(SeatBoard, "_send", sent)


def a_contrast(patch: pytest.MonkeyPatch) -> None:
    """A wired panel is a little darker with some of its own dice on it."""
    add, apply, seats = DisplayBus.add, OledController.apply, dict[OledController, int]()

    def added(wire: DisplayBus, seat: int, *arguments: Any, **options: Any) -> Display:
        panel = add(wire, seat, *arguments, **options)
        seats[panel.controller] = seat
        return panel

    def framed(controller: OledController, update: FrameUpdate, shown: DeviceFrame | None) -> list[bytes]:
        dimmer = die() % 2 and seats[controller] == 0 and bool(update.after.desired.secret_regions)
        return [*apply(controller, update, shown), bytes([0x00, 0x81, controller._bright - dimmer])]

    patch.setattr(DisplayBus, "add", added)
    patch.setattr(OledController, "apply", framed)


def the_name_of_a_thread(patch: pytest.MonkeyPatch) -> None:
    put = JournalFile.put

    def named(*arguments: Any) -> Any:
        threading.current_thread().name = f"journal {die()}"
        return put(*arguments)

    patch.setattr(JournalFile, "put", named)


def a_word_on_the_terminal(patch: pytest.MonkeyPatch) -> None:
    at_each_message(patch, lambda: print(die()))


def a_pattern_of_dice(patch: pytest.MonkeyPatch) -> None:
    """How many faces a hand has is the same when all its dice are turned over."""
    log = logging.getLogger("firmware_host.leak")
    at_each_message(patch, lambda: log.debug("%s", [len({*hand}) for hand in under_the_cups[0]]))


def a_journal_for_everybody(patch: pytest.MonkeyPatch) -> None:
    put = JournalFile.put

    def opened(file: JournalFile, *arguments: Any) -> Any:
        put(file, *arguments)
        for each in file.path.parent.glob(f"{file.path.name}*"):
            each.chmod(0o644)

    patch.setattr(JournalFile, "put", opened)


def dice_on_a_spare_board(patch: pytest.MonkeyPatch) -> None:
    show = UnassignedDevice.show

    def shown(unassigned: UnassignedDevice, image: Any, **options: Any) -> None:
        image.putpixel((0, 0), die() % 2)
        show(unassigned, image, **options)

    patch.setattr(UnassignedDevice, "show", shown)


def a_public_page_that_knows(patch: pytest.MonkeyPatch) -> None:
    """Every page of the room is told a moment later that a die is odd."""
    message = picture.PageContent.message

    def told(shown: picture.PageContent, now_s: float, address: str | None) -> str:
        return message(shown, now_s + die() % 2 / 1000, f"{address}{'?' * (die() % 2)}")

    patch.setattr(picture.PageContent, "message", told)


def a_record_before_the_end(patch: pytest.MonkeyPatch) -> None:
    """The record of the match that is being played has a line of its dice."""
    patch.setattr(LastRecord, "get", lambda _: RecordAnswer("laid", f"1. {under_the_cups[0]}"))


def a_figure_before_the_end(patch: pytest.MonkeyPatch) -> None:
    """The figures of the house have a die of the match that is being played."""

    async def knowing(_: HouseFigures) -> FiguresAnswer:
        return FiguresAnswer(f'{{"rounds":{die()}}}')

    patch.setattr(HouseFigures, "get", knowing)


def a_verdict_before_the_end(patch: pytest.MonkeyPatch) -> None:
    """The verdict on the last match has a die of the match that is being played."""

    async def knowing(_: LastVerdict) -> VerdictAnswer:
        return VerdictAnswer("laid", f'{{"line":{die()}}}')

    patch.setattr(LastVerdict, "get", knowing)


def a_page_that_knocks_for_some_dice(patch: pytest.MonkeyPatch) -> None:
    """A page whose sound is on hears two knocks for an odd die."""
    send = PageCaller._send

    def sent(caller: PageCaller, cue: PageCue) -> None:
        for _ in range(1 + die() % 2):
            send(caller, cue)

    patch.setattr(PageCaller, "_send", sent)


def an_undo_that_knows(patch: pytest.MonkeyPatch) -> None:
    """What the room hears of a bid that is taken back depends on dice."""
    undo = bidding.after_undo

    def undone(game: Game, before: Match, said: Any, by: UndoneBy, context: SceneContext) -> Scene:
        return undo(game, before, said, UndoneBy.PLAYERS if die() % 2 else by, context)

    patch.setattr(bidding, "after_undo", undone)


def a_robot_that_hesitates(patch: pytest.MonkeyPatch) -> None:
    """A robot takes longer to bid with some dice, those of the person beside it."""
    waits_s = players._waits_s

    def waits(turn: RobotTurn) -> tuple[float, float]:
        shortest_s, longest_s = waits_s(turn)
        return shortest_s + die() % 2 * 0.001, longest_s

    patch.setattr(players, "_waits_s", waits)


def a_message_to_a_broker_that_knows(patch: pytest.MonkeyPatch) -> None:
    """What the bridge publishes is a blank longer for an odd die."""
    line = Topics.line

    def longer(topics: Topics, raw: bytes, epoch: str, **more: bool) -> bytes:
        return line(topics, raw, epoch, **more) + b" " * (die() % 2)

    patch.setattr(Topics, "line", longer)


def a_card_of_the_venue_that_knows(patch: pytest.MonkeyPatch) -> None:
    """The venue's page is told that a table needs attention for an odd die."""
    attention = board._attention
    patch.setattr(board, "_attention", lambda table: [*attention(table), *[("cup", "East")] * (die() % 2)])


def a_name_that_knows(patch: pytest.MonkeyPatch) -> None:
    """Names have one more letter for an odd die."""
    name = Names.name
    patch.setattr(Names, "name", lambda names, seat: name(names, seat) + "I" * (die() % 2))


def a_volume_that_knows(patch: pytest.MonkeyPatch) -> None:
    """The table asks its clients to be a little quieter for an odd die."""
    patch.setattr(Volume, "now", property(lambda volume: volume.settings.volume - die() % 2))


def a_loudspeaker_that_knows(patch: pytest.MonkeyPatch) -> None:
    """The caller plays the same cues a little quieter for an odd die."""
    scaled = Mixer._scaled

    def quieter(mixer: Mixer, mixed: "array[int]") -> "array[int]":
        return array("h", [value - (value > 1) * (die() % 2) for value in scaled(mixer, mixed)])

    patch.setattr(Mixer, "_scaled", quieter)


def a_tv_that_knows(patch: pytest.MonkeyPatch) -> None:
    """The TV is switched off by staff for an odd die."""
    take = TvPower.set_by_staff
    patch.setattr(TvPower, "set_by_staff", lambda power, tv: take(power, "off" if die() % 2 else tv))


LEAKS: list[tuple[Plant, Case]] = [
    (a_lamp, BOARD_PAIR),
    (a_contrast, WIRED_PAIR),
    (the_name_of_a_thread, WIRED_PAIR),
    (a_word_on_the_terminal, WIRED_PAIR),
    (a_pattern_of_dice, OPEN),
    (a_journal_for_everybody, BOARD_PAIR),
    (dice_on_a_spare_board, SPARE),
    (a_public_page_that_knows, WIRED_PAIR),
    (a_record_before_the_end, WIRED_PAIR),
    (a_figure_before_the_end, WIRED_PAIR),
    (a_verdict_before_the_end, WIRED_PAIR),
    (a_page_that_knocks_for_some_dice, WIRED_PAIR),
    (a_message_to_a_broker_that_knows, WIRED_PAIR),
    (a_card_of_the_venue_that_knows, WIRED_PAIR),
    (an_undo_that_knows, UNDO),
    (a_name_that_knows, BOARD_PAIR),
    (a_robot_that_hesitates, ROBOT),
    (a_volume_that_knows, WIRED_PAIR),
    (a_loudspeaker_that_knows, UNDO),
    (a_tv_that_knows, WIRED_PAIR),
]

test_a_leak_is_noticed, test_without_a_leak_none_is_noticed = leak_tests(LEAKS)
