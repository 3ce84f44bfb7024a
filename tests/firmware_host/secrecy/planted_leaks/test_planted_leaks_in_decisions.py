"""That the tests notice a decision that goes by dice: of the turn clock, competing calls, a vote, staff, a robot."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from support.noninterference.planting import READER, Case, Plant, is_odd, leak_tests
from support.noninterference.restarts import EndsWhileAllLook, GoesOn
from support.noninterference.tapes.tape import Output
from support.noninterference.variants import differing

from engine import KILL_SPOT, Action, Bid, Position, View
from firmware_host.daemon import staff
from firmware_host.daemon.control import ControlSocket
from firmware_host.daemon.robots import opponents
from firmware_host.daemon.robots.players import RobotPlayers
from firmware_host.daemon.staff import StaffRequests
from firmware_host.table.events import UndoneBy
from firmware_host.table.parts import tips
from firmware_host.table.parts.names import Names
from firmware_host.table.parts.timeouts import Presence, Timeouts
from firmware_host.table.parts.undo_vote import UndoVote
from firmware_host.table.robots import RobotTurn
from firmware_host.table.scenes import bidding, called
from firmware_host.table.scenes.bidding import CallWindow
from firmware_host.table.seat.menu import ladder
from firmware_host.table.seat.view import SeatView
from firmware_host.table.seat_state import SeatState
from firmware_host.table.staff.actions import StaffRefusal, StaffView
from firmware_host.table.staff.items import StaffItem
from firmware_host.table.staff.menu import StaffFacts, StaffMenu
from firmware_host.table.staff.requests import Reply
from firmware_host.table.staff_control import StaffControl
from firmware_host.table.table import Table
from firmware_host.wire import MatchPaused

pytestmark = pytest.mark.slow


def a_clock_that_bids_for_some_dice(patch: pytest.MonkeyPatch) -> None:
    """Time that is up over a bid says dudo, and for an odd die raises."""
    default = bidding._default_action

    def decided(position: Position, player: int) -> Action:
        return ladder(position, player)[0] if is_odd() else default(position, player)

    patch.setattr(bidding, "_default_action", decided)


def a_later_call_that_wins_for_some_dice(patch: pytest.MonkeyPatch) -> None:
    result = CallWindow.result
    patch.setattr(CallWindow, "result", lambda *given: result(*given)[:: -1 if is_odd() else 1])


def equal_calls_in_another_order_for_some_dice(patch: pytest.MonkeyPatch) -> None:
    """Only calls of the very same moment are put in another order."""
    result = CallWindow.result

    def ranked(window: CallWindow, position: Position) -> Any:
        timed = result(window, position)
        return timed[::-1] if len({each.at_ns for each in timed}) == 1 and is_odd() else timed

    patch.setattr(CallWindow, "result", ranked)


def a_no_that_counts_for_some_dice(patch: pytest.MonkeyPatch) -> None:
    refuse = UndoVote.refuse
    patch.setattr(UndoVote, "refuse", lambda vote, seat: None if is_odd() else refuse(vote, seat))


def a_no_that_ends_the_pause_for_some_dice(patch: pytest.MonkeyPatch) -> None:
    """Who is refused may ask again at once, for an odd die."""
    refuse = UndoVote.refuse

    def refused(vote: UndoVote, seat: int) -> None:
        refuse(vote, seat)
        if is_odd():
            vote._until_ns = None

    patch.setattr(UndoVote, "refuse", refused)


def a_call_that_players_take_back_for_some_dice(patch: pytest.MonkeyPatch) -> None:
    """Who took a call back is told by a die."""
    undo = called.after_undo

    def undone(game: Any, before: Any, said: Any, by: UndoneBy, context: Any) -> Any:
        return undo(game, before, said, UndoneBy.PLAYERS if is_odd() else by, context)

    patch.setattr(called, "after_undo", undone)


def a_seed_of_a_robot(patch: pytest.MonkeyPatch) -> None:
    item = RobotPlayers._item

    def seeded(players: RobotPlayers, seat: int, level: Any, turn: RobotTurn, seed: int) -> Any:
        return item(players, seat, level, turn, seed ^ is_odd())

    patch.setattr(RobotPlayers, "_item", seeded)


def a_robot_that_knows_the_dice(patch: pytest.MonkeyPatch) -> None:
    """A robot makes another bid for an odd die of the person beside it."""
    decision = opponents._decision

    def decided(name: str, view: View, seed: int) -> Any:
        action, *more = decision(name, view, seed)
        bids = [bid for bid in view.legal if isinstance(bid, Bid) and bid != action]
        return (bids[0] if is_odd() else action, *more)

    patch.setattr(opponents, "_decision", decided)


def a_robot_that_plays_at_another_level(patch: pytest.MonkeyPatch) -> None:
    item = RobotPlayers._item

    def leveled(players: RobotPlayers, seat: int, level: Any, turn: RobotTurn, seed: int) -> Any:
        return item(players, seat, "easy" if is_odd() else level, turn, seed)

    patch.setattr(RobotPlayers, "_item", leveled)


def a_tip_that_comes_for_some_dice(patch: pytest.MonkeyPatch) -> None:
    """Only those at the reader's display: the others' wires would tell by the length of a frame."""
    in_bidding = tips.tips_in_bidding

    def offered(position: Position, me: Any, *given: Any, **options: Any) -> Any:
        return iter(()) if me == READER and is_odd() else in_bidding(position, me, *given, **options)

    patch.setattr(tips, "tips_in_bidding", offered)


def a_reply_to_staff(patch: pytest.MonkeyPatch) -> None:
    reply = ControlSocket.reply

    async def longer(socket: ControlSocket, line: bytes) -> Reply:
        told = await reply(socket, line)
        return Reply(told.done, (*told.lines, *["!"] * is_odd()))

    patch.setattr(ControlSocket, "reply", longer)


def a_setting_that_takes_effect_later_for_some_dice(patch: pytest.MonkeyPatch) -> None:
    change = StaffRequests.change

    async def changed(requests: StaffRequests, setting: str, value: Any) -> Reply:
        await asyncio.sleep(is_odd() / 1000)
        return await change(requests, setting, value)

    patch.setattr(StaffRequests, "change", changed)


def figures_in_json(patch: pytest.MonkeyPatch) -> None:
    shown = staff._figures_json
    patch.setattr(staff, "_figures_json", lambda read: tuple(line + " " * is_odd() for line in shown(read)))


def a_die_at_every_item(patch: pytest.MonkeyPatch) -> None:
    """Staff are shown a reason that goes by a die, at each item of their menu."""
    view = StaffMenu.view

    def shown(menu: StaffMenu, facts: StaffFacts) -> StaffView | None:
        seen = view(menu, facts)
        return replace(seen, refusal=StaffRefusal.NO_MATCH) if seen and is_odd() else seen

    patch.setattr(StaffMenu, "view", shown)


def a_value_that_staff_can_pick_for_some_dice(patch: pytest.MonkeyPatch) -> None:
    ring = StaffMenu._ring

    def shorter(menu: StaffMenu, facts: Any) -> Any:
        values = ring(menu, facts)
        return values[: len(values) - is_odd()] if menu._level == 2 and len(values) > 2 else values

    patch.setattr(StaffMenu, "_ring", shorter)


def an_undo_of_staff_that_is_refused_for_some_dice(patch: pytest.MonkeyPatch) -> None:
    refusal = StaffControl._refusal

    def refused(control: StaffControl, action: Any, scene: Any) -> StaffRefusal | None:
        why = refusal(control, action, scene)
        return StaffRefusal.CALL if why is StaffRefusal.NOTHING_TO_UNDO and is_odd() else why

    patch.setattr(StaffControl, "_refusal", refused)


def a_name_that_stays_for_some_dice(patch: pytest.MonkeyPatch) -> None:
    """A seat that is handed over keeps its name for an odd die."""
    forget = Names.forget
    patch.setattr(Names, "forget", lambda names, seat: None if is_odd() else forget(names, seat))


def a_pause_that_is_announced_twice(patch: pytest.MonkeyPatch) -> None:
    act = StaffControl._do

    def done(control: StaffControl, action: Any, scene: Any) -> Any:
        after = act(control, action, scene)
        if control.is_paused and is_odd():
            control._context.announce(MatchPaused("the-same"))
        return after

    patch.setattr(StaffControl, "_do", done)


def a_pause_that_ends_a_peek_for_some_dice(patch: pytest.MonkeyPatch) -> None:
    """After a pause the cups that are still up show dice again, for an odd die."""
    release = SeatState.release_all

    def released(seat: SeatState, **how: Any) -> None:
        wanted = seat.wants_peek
        release(seat, **how)
        seat.wants_peek = wanted and bool(is_odd())

    patch.setattr(SeatState, "release_all", released)


def a_player_who_is_away_sooner(patch: pytest.MonkeyPatch) -> None:
    away = Presence._away_ns
    patch.setattr(Presence, "_away_ns", lambda presence, seat: away(presence, seat) - is_odd())


def a_return_that_is_forgotten_for_some_dice(patch: pytest.MonkeyPatch) -> None:
    on_message = Timeouts.on_message

    def heard(timeouts: Timeouts, *given: Any) -> None:
        if not (is_odd() and timeouts.presence.away):
            on_message(timeouts, *given)

    patch.setattr(Timeouts, "on_message", heard)


def a_resume_that_is_told_for_some_dice(patch: pytest.MonkeyPatch) -> None:
    """After a restart some displays do not say that the match was resumed."""
    begin = Table.begin

    def begun(table: Table, now_ns: int) -> Any:
        table._outputs.resumed &= not is_odd()
        return begin(table, now_ns)

    patch.setattr(Table, "begin", begun)


TIME_UP = Case("time_up", "radio", seats=2)
CALLS = Case("two_calls", rules=KILL_SPOT)
RIVALS = Case("bid_against_call", "boards-8", KILL_SPOT)
NO = Case("a_no", "boards-8")
ROBOTS = Case("robots_decide")
SOCKET = Case("staff_by_socket")
ITEMS = Case("staff_items", "boards-8")
HAND_OVER = Case("hand_over_named", "boards-8")
AWAY = Case("is_away")
RESTART = Case(sessions=(EndsWhileAllLook, GoesOn))

SEEN_ITEMS = [
    item
    for item in StaffItem
    if item.row.section and not item.row.needs_key and item not in (StaffItem.REOPEN, StaffItem.EXPORT)
]
"""The items of a match at a table that is no service, where arrows are held. The others are offered in the lobby, with
the key, or by jobs of root.
"""

NEWCOMERS = Case("newcomers")
LEAKS: list[tuple[Plant, Case]] = [
    (a_tip_that_comes_for_some_dice, NEWCOMERS),
    (a_clock_that_bids_for_some_dice, TIME_UP),
    (a_later_call_that_wins_for_some_dice, CALLS),
    (a_later_call_that_wins_for_some_dice, RIVALS),
    (equal_calls_in_another_order_for_some_dice, CALLS),
    (a_call_that_players_take_back_for_some_dice, CALLS),
    (a_no_that_counts_for_some_dice, NO),
    (a_no_that_ends_the_pause_for_some_dice, NO),
    (a_seed_of_a_robot, ROBOTS),
    (a_robot_that_knows_the_dice, ROBOTS),
    (a_robot_that_plays_at_another_level, ROBOTS),
    (a_reply_to_staff, SOCKET),
    (a_setting_that_takes_effect_later_for_some_dice, SOCKET),
    (figures_in_json, SOCKET),
    (an_undo_of_staff_that_is_refused_for_some_dice, SOCKET),
    (a_pause_that_is_announced_twice, SOCKET),
    (a_pause_that_ends_a_peek_for_some_dice, SOCKET),
    (a_value_that_staff_can_pick_for_some_dice, ITEMS),
    (a_name_that_stays_for_some_dice, HAND_OVER),
    (a_player_who_is_away_sooner, AWAY),
    (a_return_that_is_forgotten_for_some_dice, AWAY),
    (a_resume_that_is_told_for_some_dice, RESTART),
]

test_a_leak_is_noticed, test_without_a_leak_none_is_noticed = leak_tests(LEAKS)


def test_a_leak_at_any_item_of_the_staff_menu_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a_die_at_every_item(monkeypatch)
    tapes = ITEMS.family(tmp_path).heard(READER)
    assert differing(*tapes)
    ours, theirs = ({*_refusals(heard)} for heard in tapes)
    assert {item for item, _ in ours ^ theirs} >= {*SEEN_ITEMS}


def _refusals(heard: list[Output]) -> Iterator[tuple[StaffItem | None, StaffRefusal | None]]:
    for output in heard:
        match output:
            case Output(channel="eyes", what=(SeatView(staff=StaffView(item=item, refusal=refusal)), *_)):
                yield item, refusal
