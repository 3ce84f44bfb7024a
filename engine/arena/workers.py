"""Matches on all cores: each worker process plays one match at a time and is killed if it does not return.
A match depends on its seed alone, so results are the same for any number and order of workers.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import TYPE_CHECKING

from engine.arena.play import Fault, Lineup, Outcome, play

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from multiprocessing.process import BaseProcess

    from engine.opponents import Opponent

POLL_S = 0.2
_FORK = multiprocessing.get_context("fork")
"""Forking passes the opponents on: another process need not be able to import them by name."""


@dataclass(frozen=True, slots=True)
class Task:
    """One match to play: the `number` of a lineup."""

    lineup: Lineup
    number: int


class Workers:
    """Worker processes; `play` yields each task's outcome as it arrives, in any order."""

    def __init__(self, opponents: dict[str, Opponent], seed: str, *, jobs: int, limit_s: float) -> None:
        self._opponents = opponents
        self._names = list(opponents)
        self._seed = seed
        self._limit_s = limit_s
        self._workers: list[_Worker] = []
        for _ in range(jobs):
            self._workers.append(self._start())

    def play(self, tasks: Iterable[Task], tick: Callable[[], None] = lambda: None) -> Iterator[tuple[Task, Outcome]]:
        """Play all tasks, calling `tick` a few times a second."""
        coming = iter(tasks)
        for worker in self._workers:
            worker.give(next(coming, None))
        while busy := {worker.pipe: place for place, worker in enumerate(self._workers) if worker.task is not None}:
            for pipe in wait([*busy], POLL_S):
                assert isinstance(pipe, Connection)
                worker = self._workers[busy[pipe]]
                try:
                    finished = worker.task, pipe.recv()
                except (EOFError, ConnectionError):
                    finished = worker.task, self._lost(worker, "ended its process")
                    worker = self._replace(busy[pipe])
                worker.give(next(coming, None))
                assert finished[0] is not None
                yield finished[0], finished[1]
            for place in busy.values():
                worker = self._workers[place]
                if worker.task is not None and worker.overdue():
                    task, outcome = worker.task, self._lost(worker, f"did not return within {self._limit_s:g} s")
                    self._replace(place).give(next(coming, None))
                    yield task, outcome
            tick()

    def close(self) -> None:
        """Kill the workers."""
        for worker in self._workers:
            worker.kill()

    def _start(self) -> _Worker:
        ours, theirs = _FORK.Pipe()
        deciding = _FORK.Array("d", [0.0, -1.0], lock=False)  # the deadline and the name's index
        inherited = [ours, *(worker.pipe for worker in self._workers if not worker.pipe.closed)]
        settings = (self._opponents, self._seed, self._limit_s)
        process = _FORK.Process(target=_work, args=(theirs, inherited, deciding, *settings), daemon=True)
        process.start()
        theirs.close()
        return _Worker(process, ours, deciding)

    def _replace(self, place: int) -> _Worker:
        self._workers[place].kill()
        self._workers[place] = self._start()
        return self._workers[place]

    def _lost(self, worker: _Worker, problem: str) -> Outcome:
        """Return the outcome of a worker's unfinished match: the deciding opponent loses."""
        assert worker.task is not None
        lineup, place = worker.task.lineup, int(worker.deciding[1])
        if place < 0:
            raise RuntimeError(f"a worker of the arena {problem} while no opponent was deciding")
        name = self._names[place]
        return Outcome(lineup.opponent_of(name), fault=Fault(name, problem))


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    pipe: Connection
    deciding: list[float]  # shared with the process
    task: Task | None = None

    def give(self, task: Task | None) -> None:
        self.task = task
        if task is not None:
            self.deciding[:] = [0.0, -1.0]
            with suppress(ConnectionError):  # the process has ended, as the next read shows
                self.pipe.send(task)

    def overdue(self) -> bool:
        is_deciding = self.deciding[1] >= 0  # read before the deadline, which is written first
        return is_deciding and monotonic() > self.deciding[0]

    def kill(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _work(
    pipe: Connection,
    inherited: Iterable[Connection],
    deciding: list[float],
    opponents: dict[str, Opponent],
    seed: str,
    limit_s: float,
) -> None:
    for other in inherited:
        other.close()  # otherwise this process would never notice that the arena is gone
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the arena ends its workers
    sys.stdout = sys.stderr  # an opponent's prints must not mix with the results
    places = {name: float(place) for place, name in enumerate(opponents)}

    def decides(name: str | None) -> None:
        if name is not None:
            deciding[0] = monotonic() + limit_s
        deciding[1] = -1.0 if name is None else places[name]

    while True:
        try:
            task: Task = pipe.recv()
        except EOFError:
            return
        pipe.send(play(task.lineup, task.number, seed, opponents, decides))
