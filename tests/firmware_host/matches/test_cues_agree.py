"""Displays, lights, page and caller take the same cues of the same events, at the same moments, over whole matches."""

import random
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import TypeGuard

import pytest
from support.table.harness import MS, TableHarness

from engine import RULESETS, Call
from firmware_host import wire
from firmware_host.clients.tv.picture import PageContent
from firmware_host.clients.voice import mix
from firmware_host.clients.voice.announcer import Announcer
from firmware_host.clients.voice.caller_queue import CallerQueue
from firmware_host.i18n.caller_phrases import CallerWords
from firmware_host.i18n.catalogues import translation_for
from firmware_host.public.encoder import LineEncoder
from firmware_host.table.cues import Cue, CueKind, reveal_cues
from firmware_host.table.effects import Announce, Effect, Publish, Show
from firmware_host.table.events import Revealed
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat.lamp import lamp_is_on
from firmware_host.table.seat.view import SceneName

Steps = list[tuple[int, CueKind]]
"""Cues of a reveal with the milliseconds after its begin at which an outlet took them."""
Reveals = dict[int, Steps]
"""Steps by the time at which a reveal began, in milliseconds."""
KIND_OF = {
    **{mix.step(count): CueKind.COUNT for count in range(1, mix.STEPS + 1)},
    "verdict": CueKind.VERDICT,
    "lost": CueKind.FALL,
    "out": CueKind.FALL,
}
"""Cues by their sounds."""
ONE_LIGHT = {CueKind.BID, CueKind.LIFT, CueKind.COUNT, CueKind.PAYS}
"""Cues at which the lights of their seats are on alone; at a fall it flashes, and for the verdict all are off."""


class CalmQueue(CallerQueue):
    """A queue with room for every cue, however busy the table is."""

    def in_a_minute(self, now_s: float) -> int:
        return 0


class TimedTable(TableHarness):
    """A table whose effects are kept with their times in milliseconds."""

    def __init__(self, rules: str, seats: int, seed: int) -> None:
        self.log: list[tuple[int, Effect]] = []
        super().__init__(RULESETS[rules], seats, seed=seed)

    def _carry_out(self, effects: list[Effect], before: Scene) -> list[Effect]:
        self.log += [(self.now_ns // MS, effect) for effect in effects]
        return super()._carry_out(effects, before)

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield the lines of the public socket."""
        encoder = LineEncoder([seat.name for seat in self.seat_infos])
        for at_ms, effect in self.log:
            match effect:
                case Announce(event):
                    yield at_ms, encoder.event(event)
                case Publish(state):
                    yield at_ms, encoder.state(state)


@pytest.fixture(
    scope="module", params=[("perudo", 3, (0, 1, 2)), ("kill-spot", 6, (5, 1, 3)), ("palo-fijo", 2, (0, 1))]
)
def table(request: pytest.FixtureRequest) -> TimedTable:
    """Return a table after a match, of whose reveals some were skipped and the others told to their end."""
    rules, seats, players = request.param
    rng, table = random.Random(seats), TimedTable(rules, seats, seed=seats)
    table.joined(*players)
    while table.scene is not SceneName.OVER:
        if table.scene is SceneName.REVEAL and rng.random() < 0.5:
            table.told()
        elif table.scene is SceneName.REVEAL:
            table.wait(rng.random() * 3)
        rng.choice([hand for hand in table if hand.awaited]).does_something(rng)
    table.wait(10)
    return table


def reached(show: Show) -> list[Cue]:
    """Return the cues that a display has reached."""
    position = show.view.position
    assert position is not None
    assert position.showdown is not None
    cues = reveal_cues(position.showdown, position.showdown.bid, position.order)
    return [cue for cue in cues if cue.at_ms <= (show.view.cue_ms or 0)]


def is_of_reveal(effect: Effect) -> TypeGuard[Show]:
    """Return whether a display goes through the cues."""
    return isinstance(effect, Show) and effect.view.scene is SceneName.REVEAL and effect.view.cue_ms is not None


def shown(table: TimedTable) -> dict[int, Reveals]:
    """Return what each seat's display took until a player went on."""
    taken: dict[int, Reveals] = defaultdict(lambda: defaultdict(list))
    began_ms = 0
    for at_ms, effect in table.log:
        if isinstance(effect, Announce) and isinstance(effect.event, Revealed):
            began_ms = at_ms
        elif is_of_reveal(effect):
            steps = taken[effect.seat][began_ms]
            steps += [(at_ms - began_ms, cue.kind) for cue in reached(effect)[len(steps) :]]
    return taken


def painted(table: TimedTable) -> Reveals:
    """Return what the page took until a player went on."""
    page, taken = PageContent("build"), Reveals()
    moment, began_ms = None, 0

    def end(at_ms: int) -> None:
        if moment is not None and moment.kind == "reveal":
            taken[began_ms] = [(cue.at_ms, cue.kind) for cue in moment.cues if cue.at_ms < at_ms - began_ms]

    for at_ms, line in table.lines():
        page.take(line, at_ms / 1000)
        if page.moment is not moment:
            end(at_ms)
            moment, began_ms = page.moment, at_ms
    return taken


def heard(table: TimedTable) -> list[tuple[int, str]]:
    """Return each sound of the caller, and "words" for a phrase, with its moment. A phrase takes no time here."""
    queue = CalmQueue()
    caller = Announcer(CallerWords(translation_for("en")), queue)
    taken: list[tuple[int, str]] = []

    def listen(now_ms: int) -> None:
        while (due_s := queue.next_s()) is not None and due_s <= now_ms / 1000:
            taken.extend((round(1000 * due_s), cue.sound or "words") for cue in queue.take(due_s))
            queue.finished()

    for at_ms, line in table.lines():
        listen(at_ms - 1)
        caller.read(wire.read(line), at_ms / 1000)
    listen(table.now_ns // MS)
    return taken


def test_every_display_and_the_page_take_the_same_cues_at_the_same_moments(table: TimedTable) -> None:
    on_page = painted(table)
    assert len(on_page) > 3
    for steps in shown(table).values():
        assert steps == on_page


def test_the_caller_takes_the_cues_of_the_page_at_the_same_moments(table: TimedTable) -> None:
    sounds = heard(table)
    for began_ms, steps in painted(table).items():
        first_lift = next((at_ms for at_ms, kind in steps if kind is CueKind.LIFT), None)
        due = [(began_ms + first_lift, "reveal")] if first_lift is not None else []
        at_once = dict.fromkeys(steps)  # cups that go up together have one note
        due += [(began_ms + at_ms, kind) for at_ms, kind in at_once if kind not in (CueKind.BID, CueKind.LIFT)]
        until_ms = began_ms + (steps[-1][0] if steps else 0)
        taken = [(at_ms, KIND_OF.get(sound, sound)) for at_ms, sound in sounds if began_ms < at_ms <= until_ms]
        assert [each for each in taken if each[1] not in ("words", "gain")] == [
            each for each in due if each[1] is not CueKind.PAYS
        ]
        words = [at_ms for at_ms, sound in taken if sound == "words"]
        assert words == [at_ms for at_ms, kind in due if kind in (CueKind.VERDICT, CueKind.PAYS)]


def test_the_light_is_on_at_the_seat_of_the_cue(table: TimedTable) -> None:
    lit = 0
    for show in [effect for _, effect in table.log if is_of_reveal(effect)]:
        cue = reached(show)[-1]
        at_once = {each.seat for each in reached(show) if (each.at_ms, each.kind) == (cue.at_ms, cue.kind)}
        if show.view.me is not None and cue.kind is not CueKind.FALL:
            assert lamp_is_on(show.view) == (cue.kind in ONE_LIGHT and show.view.me in at_once)
            lit += lamp_is_on(show.view)
    assert lit > 10


def test_a_call_and_the_winner_come_to_all_at_once_and_in_the_same_order(table: TimedTable) -> None:
    sounds = {**dict.fromkeys(map(str, Call), SceneName.CALLED), "win": SceneName.OVER}
    shows = [(at_ms, effect) for at_ms, effect in table.log if isinstance(effect, Show)]
    on_display = [(at_ms, show.view.scene) for at_ms, show in shows if show.view.me == 0]
    on_page = [(at_ms, effect.state.scene) for at_ms, effect in table.log if isinstance(effect, Publish)]
    by_caller = [(at_ms, sounds[sound]) for at_ms, sound in heard(table) if sound in sounds]
    assert begun(on_display) == begun(on_page) == by_caller
    assert by_caller[-1][1] is SceneName.OVER


def begun(seen: list[tuple[int, SceneName]]) -> list[tuple[int, SceneName]]:
    """Return when a call was shown and when the winner was."""
    return [
        (at_ms, scene)
        for (_, before), (at_ms, scene) in pairwise(seen)
        if scene is not before and scene in (SceneName.CALLED, SceneName.OVER)
    ]
