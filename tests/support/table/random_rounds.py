"""Hypothesis's strategies for rounds of every kind, and for what a seat may see of one."""

from dataclasses import replace

from hypothesis import strategies as st

from drivers.messages import Device
from engine import PASS, PYRUDO, RULESETS, Bid, Match, Phase, Position, Reason, Round, RoundKind
from firmware_host.screens.graphics.text import missing_glyphs
from firmware_host.table.seat.view import Missing, SceneName, SeatView, TableReason
from hardware.config.layout_schema import NAME_CHARACTERS

RULES = (*RULESETS.values(), replace(PYRUDO, name="banked", banked_lives=True))
LETTERS = "".join(
    chr(point) for point in range(0x21, 0x180) if chr(point).isprintable() and not missing_glyphs(chr(point))
)
"""What a name can be written with."""
names = st.lists(st.text(LETTERS, min_size=1, max_size=NAME_CHARACTERS), min_size=8, max_size=8, unique=True).map(tuple)
bids = st.builds(Bid, st.integers(1, 40), st.integers(1, 6))


@st.composite
def rounds(draw: st.DrawFn) -> Match:
    """Return a round of any kind at any table that has just been dealt, or with a bid and perhaps a pass on it."""
    position = draw(to_be_rolled())
    faces = st.integers(1, 6)
    match = Match(position).roll(
        {seat: draw(st.lists(faces, min_size=held, max_size=held)) for seat, held in enumerate(position.dice) if held}
    )
    for said in (draw(bids), PASS):
        turn = match.position.turn
        if turn is not None and said in match.legal(turn) and draw(st.booleans()):
            match = match.play(turn, said)
    return match


@st.composite
def to_be_rolled(draw: st.DrawFn) -> Position:
    """Return a round whose cups are to be shaken, whoever still holds dice."""
    rules = draw(st.sampled_from(RULES))
    seats = draw(st.integers(2, 8))
    held = draw(st.lists(st.integers(0, 5), min_size=seats, max_size=seats).filter(_is_a_round))
    living = [seat for seat, dice in enumerate(held) if dice]
    kind = draw(st.sampled_from((RoundKind.NORMAL, *rules.special)))
    coming = Round(
        rules=rules,
        order=tuple(draw(st.permutations(range(seats)))),
        dice=tuple(held),
        starting_dice=5 * seats,
        first=draw(st.sampled_from(living)),
        number=draw(st.integers(1, 60)),
        kind=kind,
        owner=None if kind is RoundKind.NORMAL else draw(st.sampled_from(living)),
        banked=tuple(draw(st.lists(st.integers(0, 9), min_size=seats, max_size=seats))) if rules.banked_lives else (),
    )
    return Position(coming, Phase.ROLLING, rolling=tuple(living))


@st.composite
def views(draw: st.DrawFn, scene: SceneName, position: Position) -> SeatView:
    """Return a position as one seat sees it, or who does not play, with what else may be on the display."""
    called = draw(names)[: position.seats]
    me = draw(st.sampled_from((*range(position.seats), None)))
    lost = st.builds(Missing, st.sampled_from(called), st.sampled_from(Device))
    return SeatView(
        scene,
        name="Nobody" if me is None else called[me],
        names=called,
        me=me,
        position=position,
        waiting_for=() if position.turn is None else (position.turn,),
        missing=tuple(draw(st.one_of(st.just([]), st.lists(lost, max_size=9, unique=True)))),
        notice=draw(st.sampled_from((None, None, None, *Reason, *TableReason))),
        resumed=draw(st.booleans()),
        has_peeked=draw(st.booleans()),
        page=draw(st.integers(0, position.seats)),
    )


def _is_a_round(dice: list[int]) -> bool:
    return sum(map(bool, dice)) > 1
