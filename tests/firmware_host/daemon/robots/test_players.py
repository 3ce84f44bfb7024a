"""The players of the robots' seats: when they act, that a new turn replaces the last, and what faults come to."""

import asyncio
import random
from collections.abc import Awaitable, Callable

from support.table.harness import lay_out

from engine import DUDO, PERUDO, Action, Bid, View
from firmware_host.daemon.robots.players import BID_S, HURRIED_S, RETRY_S, REVEAL_S, RobotPlayers
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.robots import RobotAction, RobotTurn
from firmware_host.table.seat.menu import MenuCommand
from hardware.emulated.virtual_loop import VirtualLoop

VIEW = lay_out(PERUDO, [(1, 2, 3, 4, 5), (1, 2, 3, 4, 5)], Bid(2, 3)).game.match.view(1)
TO_BID = RobotTurn(RobotLevel.HARD, "a bid", view=VIEW)
TO_GO_ON = RobotTurn(RobotLevel.HARD, "a reveal", MenuCommand.GO_ON)


async def doubts(seat: int, level: RobotLevel, view: View, seed: int) -> Action | None:
    return DUDO


async def raises(seat: int, level: RobotLevel, view: View, seed: int) -> Action | None:
    raise RuntimeError(str(view.own))


async def hangs(seat: int, level: RobotLevel, view: View, seed: int) -> Action | None:
    return await asyncio.get_running_loop().create_future()


async def waits(seat: int, level: RobotLevel, view: View, seed: int) -> Action | None:
    return None


def acts(
    script: Callable[[RobotPlayers], Awaitable[None]],
    decide: Callable[[int, RobotLevel, View, int], Awaitable[Action | None]] = doubts,
) -> list[tuple[float, RobotAction]]:
    """Return what robots do during a script, and when."""
    done: list[tuple[float, RobotAction]] = []

    async def play() -> None:
        loop = asyncio.get_running_loop()
        begun_s = loop.time()
        players = RobotPlayers(decide, random.Random(1), post=lambda act: done.append((loop.time() - begun_s, act)))
        await script(players)
        players.close()

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(play())
    return done


def asked(turn: RobotTurn, for_s: float) -> Callable[[RobotPlayers], Awaitable[None]]:
    async def script(players: RobotPlayers) -> None:
        players.ask(1, turn)
        await asyncio.sleep(for_s)

    return script


def test_it_acts_after_the_time_that_people_need_to_follow() -> None:
    ((at_s, action),) = acts(asked(TO_BID, 5))
    assert BID_S[0] <= at_s <= BID_S[1]
    assert (action.seat, action.item, action.subject) == (1, DUDO, "a bid")


def test_it_hurries_when_all_people_wait_for_robots() -> None:
    ((slow_s, _),) = acts(asked(TO_GO_ON, 4))
    ((fast_s, _),) = acts(asked(RobotTurn(RobotLevel.HARD, "a reveal", MenuCommand.GO_ON, is_hurried=True), 4))
    assert HURRIED_S[0] <= fast_s <= HURRIED_S[1] < REVEAL_S[0] <= slow_s


def test_another_turn_replaces_the_last_and_none_ends_it() -> None:
    async def script(players: RobotPlayers) -> None:
        players.ask(1, TO_BID)
        await asyncio.sleep(1)
        players.ask(1, TO_GO_ON)
        await asyncio.sleep(1)
        players.ask(1, None)
        await asyncio.sleep(60)

    assert acts(script) == []


def test_an_action_without_effect_is_tried_again() -> None:
    assert len(acts(asked(TO_BID, BID_S[1] + 2 * RETRY_S))) in (2, 3)


def test_it_may_decide_to_call_nothing() -> None:
    assert acts(asked(TO_BID, 60), waits) == []


def test_a_decision_that_raises_becomes_a_legal_action() -> None:
    (_, action), *_ = acts(asked(TO_BID, 5), raises)
    assert action.item in VIEW.legal


def test_a_decision_that_hangs_holds_nobody_up_but_its_own_seat() -> None:
    async def script(players: RobotPlayers) -> None:
        players.ask(0, TO_BID)
        players.ask(1, TO_GO_ON)
        await asyncio.sleep(4)

    assert [action.seat for _, action in acts(script, hangs)] == [1]
