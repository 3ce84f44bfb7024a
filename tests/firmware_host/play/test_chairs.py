"""Who sits where, and when a robot plays: the chairs alone, with players that do nothing."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from firmware_host.play.chairs import Chair, Chairs
from firmware_host.wire import Seat
from hardware.config.layout import load_builtin
from hardware.emulated.table import EmulatedTable
from hardware.emulated.virtual_loop import VirtualLoop


class Idler:
    """A player that only is there, or not."""

    def __init__(self) -> None:
        self.plays = False
        self.trouble: Exception | None = None

    async def run(self) -> None:
        self.plays = True
        try:
            await asyncio.sleep(5)
            if self.trouble is not None:
                raise self.trouble
            await asyncio.Event().wait()
        finally:
            self.plays = False


Test = Callable[[Chairs, list[Idler]], Awaitable[None]]


def with_chairs(people: int, test: Test) -> None:
    """Run a test with three chairs, whose robots play as they may."""

    async def run() -> None:
        with EmulatedTable(load_builtin("emulated").first(3), asyncio.get_running_loop(), seed=1) as table:
            idlers = [Idler() for _ in table.seats]
            chairs = Chairs(
                Chair(seat, idlers[number], for_people=number < people) for number, seat in enumerate(table.seats)
            )
            running = asyncio.create_task(chairs.run())
            await asyncio.sleep(0.1)
            try:
                await test(chairs, idlers)
            finally:
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)

    with asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=10)) as runner:
        runner.run(run())


def occupants(chairs: Chairs) -> list[str]:
    return [chairs[seat].occupant for seat in chairs.seats]


async def playing(idlers: list[Idler]) -> list[bool]:
    await asyncio.sleep(0.1)
    return [idler.plays for idler in idlers]


def test_robots_play_where_no_chair_is_kept() -> None:
    async def test(chairs: Chairs, idlers: list[Idler]) -> None:
        assert occupants(chairs) == ["free", "robot", "robot"]
        assert await playing(idlers) == [False, True, True]

    with_chairs(1, test)


def test_a_robot_gives_way_and_comes_back() -> None:
    async def test(chairs: Chairs, idlers: list[Idler]) -> None:
        chairs.sit("Ana", 1)
        assert await playing(idlers) == [True, False, True]
        chairs.stand("Ana")
        assert await playing(idlers) == [True, True, True]
        assert not chairs.has_people

    with_chairs(0, test)


def test_the_robots_hands_are_off_when_a_person_sits_down() -> None:
    async def test(chairs: Chairs, idlers: list[Idler]) -> None:
        seat = chairs[Seat(1)].seat
        seat.press("ok")
        seat.tilt()
        chairs.sit("Ana", 1)
        assert (seat.pressed, seat.cup) == ((), "down")

    with_chairs(0, test)


def test_who_goes_without_a_word_keeps_the_chair() -> None:
    async def test(chairs: Chairs, idlers: list[Idler]) -> None:
        chairs.sit("Ana", 0)
        chairs.leave("Ana")
        assert occupants(chairs) == ["free", "robot", "robot"]
        assert chairs.fill_unvisited() == ()
        assert chairs.next_free() == 0

    with_chairs(1, test)


def test_chairs_that_nobody_came_to_go_to_robots_and_to_whoever_comes_then() -> None:
    async def test(chairs: Chairs, idlers: list[Idler]) -> None:
        chairs.sit("Ana", 1)
        assert chairs.fill_unvisited() == (0,)
        assert occupants(chairs) == ["robot", "person", "robot"]
        assert chairs.next_free() == 0

    with_chairs(2, test)


def test_who_moves_to_another_chair_leaves_the_first_to_a_robot_and_finds_the_second_again() -> None:
    async def test(chairs: Chairs, idlers: list[Idler]) -> None:
        chairs.sit("Ana", 0)
        chairs.sit("Ana", 2)
        assert occupants(chairs) == ["robot", "robot", "person"]
        chairs.leave("Ana")
        assert chairs.next_free() == 2

    with_chairs(1, test)


def test_who_sits_down_on_somebody_hears_whom() -> None:
    async def test(chairs: Chairs, idlers: list[Idler]) -> None:
        assert chairs.sit("Ana", 0) is None
        assert chairs.sit("Ana", 0) is None
        assert chairs.sit("Ben", 0) == "Ana"
        assert chairs.seat_of("Ana") is None

    with_chairs(1, test)


def test_a_table_without_people_is_deserted_at_once() -> None:
    async def test(chairs: Chairs, idlers: list[Idler]) -> None:
        async with asyncio.timeout(0.001):
            await chairs.wait_until_deserted()

    with_chairs(1, test)


def test_a_table_is_deserted_when_people_have_gone_for_good() -> None:
    async def test(chairs: Chairs, idlers: list[Idler]) -> None:
        chairs.sit("Ana", 0)
        deserted = asyncio.create_task(chairs.wait_until_deserted())
        await asyncio.sleep(100)
        chairs.leave("Ana")
        await asyncio.sleep(10)
        chairs.sit("Ana", 0)
        await asyncio.sleep(100)
        assert not deserted.done()
        chairs.leave("Ana")
        await asyncio.sleep(21)
        assert deserted.done()

    with_chairs(1, test)


def test_a_robots_trouble_is_the_evenings() -> None:
    async def run() -> None:
        with EmulatedTable(load_builtin("emulated").first(2), asyncio.get_running_loop(), seed=1) as table:
            idlers = [Idler(), Idler()]
            idlers[1].trouble = RuntimeError("odd dice")
            await Chairs(Chair(seat, idler) for seat, idler in zip(table.seats, idlers, strict=True)).run()

    with (
        asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=10)) as runner,
        pytest.raises(RuntimeError, match="odd dice"),
    ):
        runner.run(run())
