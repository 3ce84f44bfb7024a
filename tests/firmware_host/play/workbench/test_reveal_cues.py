"""The steps of a reveal in the middle of the page: at the moments of the displays, and ended as theirs are."""

import asyncio
import json
from collections.abc import Awaitable, Callable

import pytest
from support.pages.public_pages import Line, revealed, showdown, state

from firmware_host.play.workbench.reveal_cues import RevealCues
from firmware_host.table.cues import CueKind
from hardware.emulated.virtual_loop import VirtualLoop

Seen = list[tuple[float, CueKind | None, int]]


def seen(play: Callable[[Callable[..., None]], Awaitable[None]]) -> Seen:
    """Return when which cue was reached last, and how many there were, for lines that `play` publishes."""

    async def scenario() -> Seen:
        began_s = asyncio.get_running_loop().time()
        steps: Seen = []

        def changed() -> None:
            at_s = asyncio.get_running_loop().time() - began_s
            reached = cues.reached
            steps.append((round(at_s, 3), reached[-1].kind if reached else None, len(reached or ())))

        def publish(*lines: Line | bytes) -> None:
            for line in lines:
                cues.read(line if isinstance(line, bytes) else json.dumps(line).encode())

        cues = RevealCues(changed)
        await play(publish)
        cues.end()
        await asyncio.sleep(20)
        return steps

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(scenario())


def test_each_cue_is_reached_at_its_moment_and_all_are_told_at_the_next_scene() -> None:
    async def play(publish: Callable[..., None]) -> None:
        publish(state("called", 2), *revealed(2))
        await asyncio.sleep(12)
        publish(state("shaking", 2))

    steps = seen(play)
    assert [kind for _, kind, _ in steps][-4:] == [CueKind.VERDICT, CueKind.PAYS, CueKind.FALL, None]
    assert steps[0] == (0.0, CueKind.BID, 1)
    assert steps[1][:2] == (0.6, CueKind.LIFT)
    assert [count for *_, count in steps[:-1]] == [*range(1, len(steps))]


def test_a_player_who_goes_on_ends_the_cues() -> None:
    async def play(publish: Callable[..., None]) -> None:
        publish(*revealed(8))
        await asyncio.sleep(1)
        publish(state("reveal", 8, showdown=showdown(8), waiting_for=[1]))
        await asyncio.sleep(12)

    assert seen(play)[-1] == (1.0, None, 0)


@pytest.mark.parametrize("line", [b"", b"[]", b'{"type":"revealed"}', b'{"type":"new"}'])
def test_a_line_that_it_does_not_know_changes_nothing(line: bytes) -> None:
    async def play(publish: Callable[..., None]) -> None:
        publish(state("called", 2), *revealed(2), line)
        await asyncio.sleep(1)

    assert seen(play)[1][1] is CueKind.LIFT
