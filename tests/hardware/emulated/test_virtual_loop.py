import asyncio
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from hardware.emulated.virtual_loop import START_S, DeadlockError, VirtualLoop


def test_an_hour_of_sleep_takes_no_time(loop: VirtualLoop) -> None:
    began_s = time.monotonic()
    loop.run_until_complete(asyncio.sleep(3600))
    assert loop.time() == pytest.approx(START_S + 3600)
    assert time.monotonic() - began_s < 1.0


def test_timers_come_in_their_order_and_at_their_moment(loop: VirtualLoop) -> None:
    seen: list[tuple[str, float]] = []
    for name, delay_s in (("late", 0.3), ("early", 0.001), ("middle", 0.2)):
        loop.call_later(delay_s, lambda name=name: seen.append((name, loop.time() - START_S)))
    loop.run_until_complete(asyncio.sleep(1))
    assert [name for name, _ in seen] == ["early", "middle", "late"]
    assert [at for _, at in seen] == pytest.approx([0.001, 0.2, 0.3])


def test_time_stands_still_while_callbacks_are_ready(loop: VirtualLoop) -> None:
    async def busy() -> float:
        for _ in range(1000):
            await asyncio.sleep(0)
        return loop.time()

    loop.call_later(0.5, lambda: None)
    assert loop.run_until_complete(busy()) == START_S


def test_a_readable_descriptor_comes_before_the_next_timer(loop: VirtualLoop) -> None:
    near, far = socket.socketpair()
    read_at: list[float] = []
    loop.add_reader(near.fileno(), lambda: (near.recv(16), read_at.append(loop.time())))
    loop.call_later(0.25, far.send, b"x")
    loop.call_later(0.2500001, lambda: None)
    loop.run_until_complete(asyncio.sleep(1))
    loop.remove_reader(near.fileno())
    near.close(), far.close()
    assert read_at == pytest.approx([START_S + 0.25], abs=1e-9)


def test_time_stands_still_while_a_thread_works(loop: VirtualLoop) -> None:
    async def work() -> float:
        await loop.run_in_executor(None, time.sleep, 0.02)
        return loop.time()

    loop.call_later(0.001, lambda: None)
    assert loop.run_until_complete(work()) == START_S


def test_work_on_a_thread_may_take_virtual_time(loop: VirtualLoop) -> None:
    ticks: list[float] = []

    async def work() -> float:
        loop.call_later(0.5, lambda: ticks.append(loop.time()))
        await loop.run_in_executor(None, loop.elapse, 2.0)
        return loop.time()

    assert loop.run_until_complete(work()) == pytest.approx(START_S + 2.0)
    assert ticks == pytest.approx([START_S + 0.5])


def test_two_executors_wait_out_their_time_side_by_side(loop: VirtualLoop) -> None:
    with ThreadPoolExecutor(1) as left, ThreadPoolExecutor(1) as right:

        async def both() -> float:
            await asyncio.gather(
                loop.run_in_executor(left, loop.elapse, 1.0), loop.run_in_executor(right, loop.elapse, 1.5)
            )
            return loop.time()

        assert loop.run_until_complete(both()) == pytest.approx(START_S + 1.5)


def test_work_of_one_executor_waits_for_its_thread(loop: VirtualLoop) -> None:
    with ThreadPoolExecutor(1) as thread:

        async def both() -> float:
            await asyncio.gather(*(loop.run_in_executor(thread, loop.elapse, 1.0) for _ in range(2)))
            return loop.time()

        assert loop.run_until_complete(both()) == pytest.approx(START_S + 2.0)


def test_threads_and_loop_interleave_the_same_every_time() -> None:
    def scenario() -> list[str]:
        loop = VirtualLoop(patience_s=5.0)
        seen: list[str] = []
        threads = [ThreadPoolExecutor(1) for _ in range(4)]

        def frame(name: str) -> None:
            for step in range(5):
                seen.append(f"{name}{step}")
                loop.elapse(0.01)

        async def play() -> None:
            jobs = [loop.run_in_executor(t, frame, name) for t, name in zip(threads, "abcd", strict=True)]
            for step in range(20):
                await asyncio.sleep(0.003)
                seen.append(f"loop{step}")
            await asyncio.gather(*jobs)

        loop.run_until_complete(play())
        loop.close()
        for thread in threads:
            thread.shutdown()
        return seen

    first = scenario()
    assert all(scenario() == first for _ in range(5))


def test_an_error_on_a_thread_reaches_who_waits(loop: VirtualLoop) -> None:
    def fail() -> None:
        raise OSError(5, "broken")

    with pytest.raises(OSError, match="broken"):
        loop.run_until_complete(loop.run_in_executor(None, fail))


def test_work_for_an_executor_that_is_gone_is_an_error_for_who_waits(loop: VirtualLoop) -> None:
    thread = ThreadPoolExecutor(1)
    thread.shutdown()
    with pytest.raises(RuntimeError, match="shutdown"):
        loop.run_until_complete(loop.run_in_executor(thread, int))


def test_work_cancelled_before_its_turn_never_runs(loop: VirtualLoop) -> None:
    ran: list[int] = []

    async def cancel() -> None:
        loop.run_in_executor(None, ran.append, 1).cancel()
        await loop.run_in_executor(None, ran.append, 2)

    loop.run_until_complete(cancel())
    assert ran == [2]


def test_a_time_out_gives_up_work_that_takes_too_long_in_virtual_time(loop: VirtualLoop) -> None:
    async def give_up() -> float:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(loop.run_in_executor(None, loop.elapse, 10.0), 1.0)
        return loop.time()

    assert loop.run_until_complete(give_up()) == pytest.approx(START_S + 1.0)


def test_a_callback_from_a_foreign_thread_wakes_a_loop_that_has_nothing_to_do(loop: VirtualLoop) -> None:
    async def wait() -> str:
        heard: asyncio.Future[str] = loop.create_future()
        threading.Timer(0.02, loop.call_soon_threadsafe, (heard.set_result, "knock")).start()
        return await heard

    assert loop.run_until_complete(wait()) == "knock"
    assert loop.time() == START_S


def test_nothing_to_wait_for_does_not_spin() -> None:
    loop = VirtualLoop()
    used_s = time.process_time()
    threading.Timer(0.3, loop.call_soon_threadsafe, (loop.stop,)).start()
    loop.run_forever()
    loop.close()
    assert time.process_time() - used_s < 0.1


def test_a_deadlock_is_told_when_asked_for() -> None:
    loop = VirtualLoop(patience_s=0.02)
    with pytest.raises(DeadlockError, match="nothing left to wait for at 1000"):
        loop.run_until_complete(loop.create_future())
    loop.close()


def test_elapse_on_the_loop_thread_returns_at_once(loop: VirtualLoop) -> None:
    loop.elapse(100.0)
    assert loop.time() == START_S


def test_closing_the_loop_frees_a_thread_that_waits_for_virtual_time() -> None:
    loop = VirtualLoop(patience_s=5.0)
    thread = ThreadPoolExecutor(1)
    work = loop.run_in_executor(thread, loop.elapse, 100.0)
    loop.run_until_complete(asyncio.sleep(1))
    loop.close()
    thread.shutdown(wait=True)
    assert not work.done()


def test_pacing_takes_its_share_of_real_time() -> None:
    loop = VirtualLoop(speed=20.0)
    began_s = time.monotonic()
    loop.run_until_complete(asyncio.sleep(2.0))
    loop.close()
    assert 0.095 < time.monotonic() - began_s < 0.5


def test_pacing_is_interrupted_by_another_thread() -> None:
    loop = VirtualLoop(speed=1.0)
    threading.Timer(0.05, loop.call_soon_threadsafe, (loop.stop,)).start()
    loop.call_later(60.0, lambda: None)
    loop.run_forever()
    loop.close()
    assert START_S + 0.04 < loop.time() < START_S + 5.0


def test_a_speed_of_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="greater than 0"):
        VirtualLoop(speed=0.0)


def test_asyncio_runner_can_own_it() -> None:
    async def main() -> int:
        return await asyncio.to_thread(int, "7")

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        assert runner.run(main()) == 7
