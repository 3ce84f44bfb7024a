"""A whole match of robots, as the announcer takes it: how much there is to hear."""

import asyncio
from collections.abc import Sequence

import pytest

from engine import PERUDO
from firmware_host import wire
from firmware_host.clients.voice import mix
from firmware_host.clients.voice.announcer import Announcer
from firmware_host.clients.voice.caller_queue import MINUTE_S, CallerQueue, VoiceCue
from firmware_host.i18n.caller_phrases import CallerWords
from firmware_host.i18n.catalogues import translation_for
from firmware_host.play.emulated_session import EmulatedSession
from firmware_host.public.encoder import LineEncoder
from hardware.config.layout import load_builtin
from hardware.emulated.virtual_loop import VirtualLoop

MAX_CUES_A_MINUTE = 40
SEATS = 3
Timed = list[tuple[float, bytes]]
LETTER_S = 0.06
"""Seconds that a letter takes to speak."""
STEP_S = 0.04


@pytest.fixture(scope="module")
def match() -> Timed:
    """Return the public lines of a match of robots, with their virtual times in seconds."""
    layout, loop = load_builtin("boards-8").first(SEATS), VirtualLoop()
    encoder, lines = LineEncoder([seat.name for seat in layout.seats]), Timed()
    session = EmulatedSession(layout, PERUDO, seed=1)

    async def play() -> None:
        await session.play(
            lambda event: lines.append((loop.time(), encoder.event(event))),
            publish=lambda state: lines.append((loop.time(), encoder.state(state))),
        )

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(play())
    return lines


def heard(match: Timed, *, only_results: bool = False) -> list[tuple[float, VoiceCue]]:
    """Return the cues of a match, with phrases that take their time."""
    queue, cues = CallerQueue(), list[tuple[float, VoiceCue]]()
    announcer = Announcer(CallerWords(translation_for("en")), queue, only_results=only_results)
    now_s, spoken_s, waiting = match[0][0], 0.0, [*match]
    while now_s < match[-1][0] + 5:
        while waiting and waiting[0][0] <= now_s:
            at_s, line = waiting.pop(0)
            announcer.read(wire.read(line), at_s)
        if now_s >= spoken_s:
            queue.finished()
        for cue in queue.take(now_s):
            cues.append((now_s, cue))
            if cue.phrase is not None:
                spoken_s = now_s + 0.3 + LETTER_S * len(cue.phrase.text)
        now_s += STEP_S
    return cues


def most_in_a_minute(cues: Sequence[tuple[float, VoiceCue]]) -> int:
    return max(sum(at_s <= other_s < at_s + MINUTE_S for other_s, _ in cues) for at_s, _ in cues)


def test_robots_make_at_most_forty_cues_in_any_minute(match: Timed) -> None:
    assert match[-1][0] - match[0][0] > 2 * MINUTE_S
    assert 20 < most_in_a_minute(heard(match)) <= MAX_CUES_A_MINUTE


def test_every_call_of_the_match_and_its_winner_are_heard(match: Timed) -> None:
    lines = [wire.read(line) for _, line in match]
    called = [line.action for line in lines if isinstance(line, wire.ActionLine) and line.action in ("dudo", "calza")]
    for only_results in (False, True):
        cues = [cue for _, cue in heard(match, only_results=only_results)]
        assert [cue.sound for cue in cues if cue.sound in ("dudo", "calza")] == called
        assert [cue.phrase.text for cue in cues if cue.phrase and "wins the match" in cue.phrase.text]


def test_a_quiet_match_has_calls_and_results_alone_and_half_the_cues(match: Timed) -> None:
    quiet = heard(match, only_results=True)
    assert len(quiet) < len(heard(match)) / 2
    assert all(mix.MIX[cue.sound].is_result for _, cue in quiet if cue.sound)
    assert not any(cue.phrase.parts[0].keys[0].startswith("bid") for _, cue in quiet if cue.phrase)
