"""A newcomer's screens: the lesson at a free seat, and the tips of a first match."""

from collections.abc import Iterator

from msgspec.structs import replace

from docs.gallery.before import SPECIAL, special
from docs.gallery.matches import at, dealt, said, there
from docs.gallery.play import turn_of, usual
from docs.gallery.stage import Exhibit, Stage
from drivers.messages import Button, Device
from engine import CALZA, DUDO, KILL_SPOT, PERUDO, Bid, Match, RoundKind
from firmware_host.table.seat.lesson import Lesson, LessonStep
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.tips import Tip, TipView

_ACES, _SIXES = Bid(3, 1), Bid(6, 6)


def lesson(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield each step of the lesson; the same at every table, so at the smallest one."""
    if len(names) > 2:
        return
    yield Stage(names).point(0, MenuCommand.LEARN).shot("lesson/offered", 0)
    yield Stage(names).pick(1, MenuCommand.JOIN).point(0, MenuCommand.LEARN).shot("lesson/offered beside a player", 0)
    for rules in (PERUDO, KILL_SPOT):
        stage = Stage(names, rules=rules).pick(0, MenuCommand.LEARN)
        for step in Lesson(rules).steps:
            yield stage.shot(f"lesson/{rules}, {step}", 0)
            if step is LessonStep.RAISE:
                yield stage.tap(0, Button.RIGHT, 3).shot(f"lesson/{rules}, {step}, further on", 0)
            stage.tap(0)
    looking = Stage(names).pick(0, MenuCommand.LEARN).tap(0).tilt(0)
    yield looking.shot("lesson/looking", 0)
    lost = Stage(names).lose(0, Device.CUP).pick(0, MenuCommand.LEARN)
    yield lost.shot("lesson/no cup to shake", 0)
    yield lost.tap(0).shot("lesson/no cup to tilt", 0)
    ok = [*Lesson(PERUDO).steps].index(LessonStep.DOUBT)
    yield Stage(names, dudo_button=False).pick(0, MenuCommand.LEARN).tap(0, times=ok).shot("lesson/no button", 0)
    end = Stage(names).pick(0, MenuCommand.LEARN).tap(0, times=len(Lesson(PERUDO).steps) - 1).shot("", 0)
    assert end.view.lesson is not None
    late = replace(end.view, lesson=replace(end.view.lesson, may_join=False))
    yield Exhibit("lesson/beside a match", late, end.menu)


def tips(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield each tip at the moment when it comes."""
    match = said(usual(len(names)), "6x6")
    me = turn_of(match)
    other = (me + 1) % len(names)
    aces = Stage(names, match).point(me, _ACES).shot("", me)
    yield _with(aces, "tip/half", TipView(Tip.HALF, _ACES, _SIXES))
    yield _with(aces, "tip/half of two", TipView(Tip.HALF, Bid(1, 1), Bid(2, 6)))
    after_aces = said(usual(len(names)), "3x1")
    double = Stage(names, after_aces).shot("", turn_of(after_aces))
    yield _with(double, "tip/double", TipView(Tip.DOUBLE, Bid(7, 2), _ACES))
    yield _with(Stage(names, match).shot("", other), "tip/bid", TipView(Tip.BID, standing=_SIXES))
    for has_button in (True, False):
        stage = Stage(names, match, dudo_button=has_button).shot("", me)
        how = "button" if has_button else "no button"
        yield _with(stage, f"tip/doubt, {how}", TipView(Tip.DOUBT, has_dudo_button=has_button))
    yield _with(Stage(names, usual(len(names))).shot("", other), "tip/wild", TipView(Tip.WILD))
    yield _with(Stage(names, match).shot("", other), "tip/exact", TipView(Tip.EXACT, call=CALZA))
    kind = RoundKind.FIXED_FACE_NO_WILDS_OPEN
    if len(names) > 2 or SPECIAL[kind].special_with_two:
        for seat in (0, 1):
            stage = Stage(names, dealt(special(kind, len(names)))).shot("", seat)
            yield _with(stage, f"tip/special, seat {seat}", TipView(Tip.SPECIAL))
    full = dealt(at(PERUDO, (5,) * len(names)))
    for tip, more in ((Tip.BIDDER_PAYS, 1), (Tip.DOUBTER_PAYS, 0)):
        seat = 0 if more == 0 else 1  # who does not pay
        yield _with(_told(names, full, there(full, 5) + more).shot("", seat), f"tip/{tip}", TipView(tip))


def _told(names: tuple[str, ...], match: Match, number: int) -> Stage:
    bid = said(match, f"{number}x5")
    return Stage(names, bid, dudo_button=False).pick(turn_of(bid), DUDO).until_told()


def _with(state: Exhibit, name: str, tip: TipView) -> Exhibit:
    return Exhibit(name, replace(state.view, tip=tip), state.menu)
