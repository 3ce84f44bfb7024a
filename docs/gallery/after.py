"""States after a call: the call itself, the cues of the reveal, its outcome and its hands, and the winner."""

from collections.abc import Iterator
from dataclasses import replace

from docs.gallery.matches import FULL_HOUSE, HANDS, at, dealt, said, there
from docs.gallery.play import NOBODY, turn_of, usual
from docs.gallery.stage import SECOND, Exhibit, Stage
from drivers.messages import Button
from engine import CALZA, DUDO, KILL, KILL_SPOT, OBLIGING, PALO_FIJO, PERUDO, PYRUDO, SPOT, Call, Match, Rules
from firmware_host.table.cues import Cue, CueKind, moments_ms, reveal_cues
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.view import SceneName

_FACE = 5


def called(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield the moment between a call and the reveal."""
    seats = len(names)
    for rules, call in ((PERUDO, DUDO), (PERUDO, CALZA), (KILL_SPOT, KILL), (KILL_SPOT, SPOT)):
        stage = _called(names, dealt(Match.start(rules, seats)), 4, call)
        yield stage.shot(f"called/{call}, own", 1)
        yield stage.shot(f"called/{call}, on the own bid", 0)
        if seats > 2:
            yield stage.shot(f"called/{call}, another's", 2)
    passer, caller, stage = _doubted_pass(names, HANDS)
    yield stage.shot("called/the pass, own", caller)
    yield stage.shot("called/the pass, on the own", passer)


def reveal(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield the reveal: its cues, and when all is told the count, the die it cost, and all hands."""
    yield from _cues(names)
    match = usual(len(names))
    number = there(match, _FACE)
    for call, more, what in ((DUDO, 1, "dudo, right"), (DUDO, 0, "dudo, wrong"), (CALZA, 0, "calza, right")):
        yield from _sides(names, match, number + more, call, what)
    yield from _sides(names, match, number + 1, CALZA, "calza, wrong")
    full = dealt(Match.start(KILL_SPOT, len(names)))
    number = there(full, _FACE)
    for call in (KILL, SPOT):
        yield from _sides(names, full, number, call, f"{call}, right")
        yield from _sides(names, full, number + 1, call, f"{call}, wrong")
    gentle = dealt(at(OBLIGING, (5,) * len(names)))
    yield from _sides(names, gentle, there(gentle, _FACE), CALZA, "calza, nobody loses")
    yield from _sides(names, dealt(Match.start(PERUDO, len(names)), ((2,) * 5,) * 8), 7, DUDO, "dudo, none there")
    yield from _passes(names)
    yield from _leaves(names)
    yield from _put_out(names)


def over(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield the winner, and the offer to play again."""
    seats = len(names)
    for dice in (1, 2, 3, 4, 5):
        won = at(PYRUDO, (dice, *(0,) * (seats - 1)), last=1)
        yield Stage(names, won).shot(f"over/own, {dice} dice", 0)
    yield Stage(names, won).shot("over/another's", 1)
    yield Stage((*names, NOBODY), won).shot("over/not in the match", seats)


def robot(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield the displays of a losing robot and of a winning one."""
    match = usual(len(names))
    opener = turn_of(match)
    bid = said(match, f"{there(match, _FACE) + 1}x{_FACE}")
    stage = Stage(names, bid, dudo_button=False, robots=((opener, RobotLevel.HARD),))
    stage.pick((opener + 1) % len(names), DUDO)
    yield stage.until(SceneName.REVEAL).wait(1).shot("robot/counts", opener)
    yield stage.until_told().shot("robot/loses", opener)
    won = at(PYRUDO, (2, *(0,) * (len(names) - 1)), last=1)
    yield Stage(names, won, robots=((0, RobotLevel.HARD),)).shot("robot/wins", 0)


def banked(rules: Rules, seats: int) -> Match:
    """Return a round with a die banked by seat 1."""
    match = dealt(Match.start(replace(rules, name="banked", banked_lives=True), seats))
    return dealt(said(match, f"{there(match, _FACE)}x{_FACE}", "calza"))


def _called(names: tuple[str, ...], match: Match, quantity: int, call: Call) -> Stage:
    """Let the opener bid and the next seat call."""
    opener = turn_of(match)
    stage = Stage(names, said(match, f"{quantity}x{_FACE}"), dudo_button=False)
    return stage.pick((opener + 1) % match.position.seats, call)


def _revealed(names: tuple[str, ...], match: Match, quantity: int, call: Call) -> Stage:
    return _called(names, match, quantity, call).until_told()


def _cues_of(stage: Stage) -> tuple[Cue, ...]:
    game = stage.table.scene.game
    assert game is not None
    showdown = game.position.showdown
    assert showdown is not None
    return reveal_cues(showdown, showdown.bid, game.position.order)


def _cues(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield the steps of reveals: every change at the display of the paying bidder, and some at others'."""
    match = usual(len(names))
    opener, number = turn_of(match), there(match, _FACE)
    yield from _steps(_called(names, match, number + 1, DUDO), "dudo", opener)
    third = (opener + 2) % len(names)
    yield from _steps(_called(names, match, number, DUDO), "dudo, another's", third, brief=True)
    yield from _steps(_called(names, match, number + 1, CALZA), "calza", (opener + 1) % len(names), brief=True)
    won = dealt(at(PERUDO, (3,) * len(names)))
    yield from _steps(_called(names, won, there(won, _FACE), CALZA), "calza, won", 1, brief=True)
    for what, hands in (("pass", HANDS), ("honest pass", (FULL_HOUSE,) * len(HANDS))):
        passer, _, stage = _doubted_pass(names, hands)
        yield from _steps(stage, what, passer, brief=True)
    out = _called((*names, NOBODY), match, 4, DUDO)
    yield from _steps(out, "not in the match", len(names), brief=True)


def _steps(stage: Stage, what: str, seat: int, *, brief: bool = False) -> Iterator[Exhibit]:
    """Yield a seat's display at each cue and frame; `brief` at the second cup, the verdict and who pays."""
    stage.until(SceneName.REVEAL)
    cues, began_ns = _cues_of(stage), stage.now_ns
    kinds = {cue.at_ms: cue for cue in cues}
    second = [cue.at_ms for cue in cues if cue.kind is CueKind.LIFT][1]
    for number, at_ms in enumerate(moments_ms(cues)):
        stage.wait(at_ms / 1000 - (stage.now_ns - began_ns) / SECOND)
        cue = kinds.get(at_ms)
        if brief and (cue is None or (at_ms != second and cue.kind not in (CueKind.VERDICT, CueKind.PAYS))):
            continue
        yield stage.shot(f"cues/{what}, {number} {'frame' if cue is None else cue.kind}", seat)


def _sides(names: tuple[str, ...], match: Match, quantity: int, call: Call, what: str) -> Iterator[Exhibit]:
    """Yield one showdown as the bidder, the caller and a third seat, if there is one, see it."""
    seats = match.position.seats
    opener = turn_of(match)
    stage = _revealed(names, match, quantity, call)
    yield stage.shot(f"reveal/{what}, on the own bid", opener)
    yield stage.shot(f"reveal/{what}, own", (opener + 1) % seats)
    if seats > 2:
        yield stage.shot(f"reveal/{what}, another's", (opener + 2) % seats)


def _passes(names: tuple[str, ...]) -> Iterator[Exhibit]:
    for what, hand in (("honest", FULL_HOUSE), ("bluff", (1, 2, 3, 3, 6))):
        passer, caller, stage = _doubted_pass(names, (hand,) * 8)
        stage.until_told()
        yield stage.shot(f"reveal/pass, {what}, own", caller)
        yield stage.shot(f"reveal/pass, {what}, on the own", passer)
        if len(names) > 2:
            yield stage.shot(f"reveal/pass, {what}, another's", (caller + 1) % len(names))


def _doubted_pass(names: tuple[str, ...], hands: tuple[tuple[int, ...], ...]) -> tuple[int, int, Stage]:
    match = said(dealt(at(PALO_FIJO, (5,) * len(names)), hands), "4x3", "pass")
    passer, caller = match.position.passer, turn_of(match)
    assert passer is not None
    return passer, caller, Stage(names, match, dudo_button=False).pick(caller, DUDO)


def _leaves(names: tuple[str, ...]) -> Iterator[Exhibit]:
    match = usual(len(names))
    stage = _revealed(names, match, there(match, _FACE) + 1, DUDO)
    for leaf in range(1, len(names) + 1):
        yield stage.tap(0, Button.RIGHT).shot(f"reveal/leaf {leaf}", 0)
    seen = _revealed(names, match, there(match, _FACE) + 1, DUDO).wait(5)
    yield seen.pick(0, MenuCommand.GO_ON).shot("reveal/waiting for the others", 0)
    yield _revealed((*names, NOBODY), match, 4, DUDO).shot("reveal/not in the match", len(names))


def _put_out(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield the reveal with the opener's last die lost."""
    seats = len(names)
    match = dealt(at(PERUDO, (1, *(3,) * (seats - 1)), last=0))
    stage = _revealed(names, match, 40, DUDO)
    yield stage.shot("reveal/put out, own", 0)
    yield stage.shot("reveal/put out, another", 1)
    if seats > 2:
        before = at(PERUDO, (0, *(3,) * (seats - 1)), last=0)
        match = dealt(before)
        yield _revealed(names, match, 40, DUDO).shot("reveal/watching", 0)
