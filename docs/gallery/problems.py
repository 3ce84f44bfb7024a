"""States on top of any other: a missing device, a refusal, a power cut, a long name."""

from collections.abc import Iterator

from docs.gallery.after import banked
from docs.gallery.before import SPECIAL, special
from docs.gallery.matches import at, dealt, said
from docs.gallery.play import turn_of, usual
from docs.gallery.stage import Exhibit, Stage
from drivers.messages import Device
from engine import DUDO, KILL_SPOT, PALO_FIJO, PYRUDO, Match, Reason, RoundKind
from firmware_host.table.health import Alert
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.view import SceneName, TableReason

LONG = ("Wilhelmina", "Montserrat", "Ñandújyç", "Ángel", "Maximilian", "Jo", "Zoë", "WWWWWWWWWW")
"""Names of the maximal length of a layout, with letters that reach high and low."""

_WARNED_S = 9
_REFUSALS = {
    "shake": Reason.NOT_ROLLED,
    "choice": TableReason.MENU_CHANGED,
    "bidding": TableReason.BID_CHANGED,
    "over": Reason.MATCH_OVER,
}


def missing(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield a seat with a silent cup, display, board or buttons."""
    bid = said(usual(len(names)), "4x3")
    me, bidder = turn_of(bid), bid.position.bidder or 0
    for device in Device:
        yield Stage(names, bid).lose(me, device).shot(f"missing/{device}, own, in turn", me)
        yield Stage(names, bid).lose(bidder, device).shot(f"missing/{device}, own", bidder)
        yield Stage(names, bid).lose(me, device).shot(f"missing/{device}, another's", bidder)
        yield Stage(names, bid).lose(bidder, device).shot(f"missing/{device}, the bidder's", me)
    for what, match in _parts(len(names)):
        stage = Stage(names, match).lose(0, Device.CUP).lose(1, Device.BOARD)
        yield stage.shot(f"missing/two, {what}, own", 0)
        for seat in range(1, len(names)):
            stage.lose(seat, Device.PANEL)
        yield stage.shot(f"missing/many, {what}", 1)
    yield Stage(names, bid).lose(me, Device.CUP).peek("missing/cup, peek", me)
    shake = Stage(names, at(PYRUDO, (4,) * len(names)), new_cups=True)
    yield shake.lose(0, Device.CUP).shot("missing/cup, a new one may come", 0)
    if len(names) > 2:
        shake.shake(*range(1, len(names)))
        yield shake.lose(0, Device.BUTTONS).shot("missing/buttons, all wait in the shake", 1)
        choice = Stage(names, at(KILL_SPOT, (1, *(3,) * (len(names) - 1)), last=0))
        yield choice.lose(0, Device.BOARD).shot("missing/board, all wait for the choice", 1)
        yield Stage((*names, "Moche"), bid).lose(me, Device.BOARD).shot("missing/board, not in the match", len(names))
    yield Stage(names).lose(0, Device.CUP).shot("missing/lobby", 0)
    yield Stage(names).pick(0, MenuCommand.JOIN).lose(1, Device.BUTTONS).shot("missing/lobby, another's", 0)


def alerts(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield machine alerts: the disk, the journal, the configuration."""
    bid = said(usual(len(names)), "4x3")
    me = turn_of(bid)
    for what in Alert:
        yield Stage(names).alert(what).shot(f"ailing/{what}, nobody is in", 0)
        yield Stage(names).pick(0, MenuCommand.JOIN).alert(what).wait(_WARNED_S).shot(f"ailing/{what}, lobby", 0)
        yield Stage(names, bid).alert(what).shot(f"ailing/{what}, now", 0)
    yield Stage(names).alert(*Alert).shot("ailing/all, nobody is in", 0)
    yield Stage(names).alert(*Alert).shot("ailing/all, nobody is in, no service seat", 1)
    for what, match in _parts(len(names)):
        yield Stage(names, match).alert(Alert.DISK_FULL).wait(_WARNED_S).shot(f"ailing/{what}, own", me)
        yield Stage(names, match).alert(*Alert).wait(_WARNED_S).shot(f"ailing/{what}", 0)
    yield Stage(names, bid).alert(Alert.DISK_FULL).peek("ailing/peek", me)


def refused(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield refused presses, with the reason."""
    bid = said(usual(len(names)), "4x3")
    for why in Reason:
        match = _refusing(len(names), why)
        seat = _refused_seat(match, why)
        yield Stage(names, match).notify(seat, why).shot(f"refused/{why}", seat)
    for why in (Reason.HALF, Reason.DOUBLE):
        yield Stage(names, usual(len(names))).notify(0, why).shot(f"refused/{why}, no bid", 0)
    bidding = set(TableReason) - {TableReason.LOOK_FIRST, TableReason.NOT_PLAYING, TableReason.PERSON_FIRST}
    scenes = {
        TableReason.OTHERS_SHAKE: at(PYRUDO, (4,) * len(names)),
        TableReason.CHOICE_FIRST: at(KILL_SPOT, (1, *(3,) * (len(names) - 1)), last=0),
    }
    for refusal in sorted(bidding):
        stage = Stage(names, scenes.get(refusal, bid))
        yield stage.notify(0, refusal).shot(f"refused/by the table, {refusal}", 0)
    for what, match in _parts(len(names)):
        yield Stage(names, match).notify(0, _REFUSALS[what]).shot(f"refused/{what}", 0)
    for refusal in (TableReason.MENU_CHANGED, TableReason.PERSON_FIRST):
        yield Stage(names).notify(0, refusal).shot(f"refused/lobby, {refusal}", 0)
    stage = Stage(names, bid, dudo_button=False).pick(turn_of(bid), DUDO).until(SceneName.REVEAL)
    yield stage.notify(0, TableReason.LOOK_FIRST).shot("refused/reveal", 0)
    yield (
        Stage((*names, "Moche"), bid)
        .notify(len(names), TableReason.NOT_PLAYING)
        .shot("refused/not playing", len(names))
    )


def _refusing(seats: int, why: Reason) -> Match:
    """Return a match with a press to refuse for a reason."""
    kind = RoundKind.FIXED_FACE
    match why:
        case Reason.NOT_IN_THESE_RULES:
            return said(dealt(Match.start(PYRUDO, seats)), "1x3", "4x3")
        case Reason.NO_BID_YET | Reason.ACES_OPENING | Reason.NOTHING_TO_CHOOSE:
            return usual(seats)
        case Reason.DOUBLE:
            return said(usual(seats), "4x1")
        case Reason.FIXED_FACE | Reason.LOWER_FACE | Reason.NOT_IN_SPECIAL if (
            seats > 2 or SPECIAL[kind].special_with_two
        ):
            return said(dealt(special(kind, seats)), "2x5")
        case Reason.PASS_TWICE | Reason.PASS_AFTER_PASS | Reason.PASS_STANDS | Reason.OWN_PASS:
            return said(dealt(at(PALO_FIJO, (5,) * seats)), "4x3", "pass")
        case Reason.PASS_NEEDS_FIVE:
            return said(dealt(at(PALO_FIJO, (4,) * seats)), "4x3")
        case Reason.NOT_THE_OWNER | Reason.CHOICE_FIRST | Reason.NOT_A_CHOICE:
            return at(KILL_SPOT, (1, *(3,) * (seats - 1)), last=0)
        case Reason.NOT_ROLLED:
            return at(PYRUDO, (4,) * seats)
        case Reason.MATCH_OVER:
            return at(PYRUDO, (3, *(0,) * (seats - 1)), last=1)
        case Reason.NO_ACTION | Reason.NO_SEAT | Reason.OUT | Reason.NOT_IN_TURN | Reason.IN_TURN | Reason.OWN_BID:
            return said(usual(seats), "4x3")
        case Reason.NO_SUCH_FACE | Reason.NO_DICE | Reason.FIXED_FACE | Reason.LOWER_FACE | Reason.NOT_IN_SPECIAL:
            return said(usual(seats), "4x3")
        case Reason.TOO_FEW | Reason.TOO_MANY | Reason.HALF | Reason.OVER_THE_TABLE | Reason.TOO_FEW_DICE_LEFT:
            return said(usual(seats), "4x3")
    raise NotImplementedError(f"no situation refuses a press as {why}; write one into _refusing")


def _refused_seat(match: Match, why: Reason) -> int:
    """Return the seat with a press to refuse for a reason: mostly the one in turn."""
    position = match.position
    match why:
        case Reason.OWN_BID:
            return position.bidder or 0
        case Reason.OWN_PASS:
            return position.passer or 0
        case Reason.NOT_THE_OWNER:
            return 1
        case Reason.NO_ACTION | Reason.NO_SEAT | Reason.OUT | Reason.NOT_IN_TURN:
            return 0
    return position.turn or 0


def resumed(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield the first screens after a power cut."""
    for what, match in _parts(len(names)):
        for seat in (0, 1):
            yield Stage(names, match).shot(f"picked up/{what}, seat {seat}", seat, resumed=True)
    yield Stage(names).shot("picked up/lobby", 0, resumed=True)


def long_names(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield the same states with the longest names."""
    long = LONG[: len(names)]
    stage = Stage(long)
    for seat in range(len(long)):
        stage.pick(seat, MenuCommand.JOIN)
    yield stage.shot("long names/lobby", 0)
    for what, match in _parts(len(names)):
        for seat in (0, 1):
            yield Stage(long, match).shot(f"long names/{what}, seat {seat}", seat)
    bid = said(usual(len(long)), "12x6")
    yield Stage(long, bid).peek("long names/peek", turn_of(bid))
    stage = Stage(long, bid, dudo_button=False).pick(turn_of(bid), DUDO).until_told()
    for seat in (0, 1):
        yield stage.shot(f"long names/reveal, seat {seat}", seat)
    yield Stage(long, dealt(special(RoundKind.BLIND, len(long)))).peek("long names/peek, blind", 0)
    aside = banked(PYRUDO, len(long))
    yield Stage(names, aside).shot("banked/in turn", 1)
    yield Stage(names, aside).shot("banked/others", 0)


def _parts(seats: int) -> Iterator[tuple[str, Match]]:
    """Yield a match in each scene."""
    bid = said(usual(seats), "4x3")
    yield "shake", at(PYRUDO, (4,) * seats)
    yield "choice", at(KILL_SPOT, (1, *(3,) * (seats - 1)), last=0)
    yield "bidding", bid
    yield "over", at(PYRUDO, (3, *(0,) * (seats - 1)), last=1)
