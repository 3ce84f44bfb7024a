"""Dice are seen while a cup is tilted or OK is held, in the bidding, by who may see them."""

import pytest
from support.table.harness import TableHarness, lay_out

from drivers.messages import Button, Device, Settled
from engine import KILL_SPOT, PALO_FIJO, PYRUDO, RULESETS, Bid, Hand, RoundKind, Rules
from firmware_host.table.effects import Announce, Record, SetPeek
from firmware_host.table.events import ActionTaken
from firmware_host.table.seat.view import SceneName

HANDS = [(1, 2, 3), (4,), (5, 6)]
every_rule_set = pytest.mark.parametrize("rules", RULESETS.values(), ids=str)


def seen(harness: TableHarness, seat: int) -> list[int]:
    """Return whose dice a seat sees."""
    look = harness[seat].peeked
    return [] if look is None else [other for other, hand in enumerate(look.hands) if hand is not None]


@every_rule_set
def test_a_tilted_cup_shows_the_own_dice(rules: Rules) -> None:
    harness = lay_out(rules, HANDS)
    harness[2].tilt()
    assert harness[2].peeked is not None
    assert harness[2].peeked.hands == (None, None, Hand((5, 6)))


def test_a_held_ok_shows_the_own_dice_after_400_ms() -> None:
    harness = lay_out(PYRUDO, HANDS)
    harness[1].press()
    harness.wait(0.39)
    assert harness[1].peeked is None
    harness.wait(0.01)
    assert seen(harness, 1) == [1]


def test_a_peek_opens_one_gate_alone() -> None:
    harness = lay_out(PYRUDO, HANDS)
    harness[1].tilt()  # the first look takes the words away that say how to look
    harness[1].level()
    assert harness[1].tilt() == [SetPeek(1, True)]


@pytest.mark.parametrize("how", ["level", "lose cup", "lose board"])
def test_a_tilted_cups_gate_closes(how: str) -> None:
    harness = lay_out(PYRUDO, HANDS)
    harness[1].tilt()
    hand = harness[1]
    effects = {
        "level": hand.level,
        "lose cup": lambda: hand.lose(Device.CUP),
        "lose board": lambda: hand.lose(Device.BOARD),
    }[how]()
    assert effects[0] == SetPeek(1, False)
    assert not hand.is_peeking


@pytest.mark.parametrize("how", ["release", "lose buttons", "lose board"])
def test_a_held_oks_gate_closes(how: str) -> None:
    harness = lay_out(PYRUDO, HANDS)
    hand = harness[1]
    hand.press()
    harness.wait(1)
    assert hand.is_peeking
    effects = {
        "release": hand.release,
        "lose buttons": lambda: hand.lose(Device.BUTTONS),
        "lose board": lambda: hand.lose(Device.BOARD),
    }[how]()
    assert effects[0] == SetPeek(1, False)
    assert not hand.is_peeking


def test_a_lost_panel_does_not_end_a_peek_for_the_table() -> None:
    harness = lay_out(PYRUDO, HANDS)
    harness[1].tilt()
    harness[1].lose(Device.PANEL)
    assert harness[1].is_peeking


def test_the_end_of_the_round_closes_every_gate_first_of_all() -> None:
    harness = lay_out(PYRUDO, HANDS, Bid(2, 3))
    harness[0].tilt()
    harness[2].tilt()
    effects = harness[1].press(Button.DUDO)
    assert effects[:2] == [SetPeek(0, False), SetPeek(2, False)]
    assert isinstance(effects[2], Record)
    assert harness.open == set()


def test_a_cup_that_stays_tilted_over_the_reveal_shows_nothing_of_the_next_round() -> None:
    harness = lay_out(PYRUDO, HANDS, Bid(2, 3))
    harness[0].tilt()
    harness[1].press(Button.DUDO)
    harness.wait(40)
    harness.dealt()
    assert harness.scene is SceneName.BIDDING
    assert not harness[0].is_peeking
    harness[0].level()
    harness[0].tilt()
    assert harness[0].is_peeking


def test_a_bid_does_not_close_a_gate() -> None:
    harness = lay_out(PYRUDO, HANDS)
    harness[2].tilt()
    harness[0].tap()
    assert harness[2].is_peeking


def test_there_is_no_peeking_outside_the_bidding() -> None:
    harness = TableHarness(PYRUDO, 2)
    for _ in range(2):
        harness[0].tilt()
        harness[0].level()
        harness[1].hold(for_s=1)
        assert harness.open == set()
        if harness.scene is SceneName.LOBBY:
            harness.joined()
    assert harness.scene is SceneName.SHAKING
    harness.dealt()
    harness.turn.tap()
    harness.turn.press(Button.DUDO)
    assert harness.scene is SceneName.CALLED
    harness[0].tilt()
    assert harness.open == set()
    harness.revealed()
    harness[0].level()
    harness[0].tilt()
    assert harness.open == set()


def test_dice_are_recorded_before_a_gate_can_show_them() -> None:
    harness = TableHarness(PYRUDO, 2).joined()
    harness.dealt()
    harness[0].tilt()
    effects = harness.effects
    opened = effects.index(SetPeek(0, True))
    assert harness.records[-1] == harness.table.scene
    assert max(place for place, effect in enumerate(effects) if isinstance(effect, Record)) < opened


def test_who_is_out_sees_nothing_even_in_an_open_round() -> None:
    harness = lay_out(KILL_SPOT, [(1, 2), (), (3, 4)], kind=RoundKind.OPEN, owner=0, fallen=(1,))
    harness[1].tilt()
    harness[1].hold(for_s=1)
    assert not harness[1].is_peeking
    assert harness[1].show.look is None


def test_who_does_not_play_sees_nothing() -> None:
    harness = TableHarness(KILL_SPOT, 3).joined(0, 1).dealt()
    harness[2].tilt()
    assert not harness[2].is_peeking
    assert harness[2].show.look is None


CLOSED, OPEN = RoundKind.FIXED_FACE_NO_WILDS_CLOSED, RoundKind.FIXED_FACE_NO_WILDS_OPEN
SIGHT = [
    (KILL_SPOT, RoundKind.BLIND, [[0], [], []]),
    (KILL_SPOT, RoundKind.OPEN, [[1, 2], [0, 2], [0, 1]]),
    (PALO_FIJO, OPEN, [[1, 2], [0, 2], [0, 1]]),
    (PALO_FIJO, CLOSED, [[], [1], []]),
    (PYRUDO, RoundKind.FIXED_FACE, [[0], [1], [2]]),
]


@pytest.mark.parametrize(("rules", "kind", "whose"), SIGHT, ids=lambda value: str(value))
def test_the_same_gate_shows_what_the_round_allows(rules: Rules, kind: RoundKind, whose: list[list[int]]) -> None:
    harness = lay_out(rules, HANDS, kind=kind, owner=0)
    for hand in harness:
        hand.tilt()
        assert hand.is_peeking  # with nothing to see the panel says so
    assert [seen(harness, seat) for seat in range(3)] == whose


def test_a_call_while_peeking_is_told_after_the_gate_is_shut() -> None:
    harness = lay_out(PYRUDO, HANDS, Bid(2, 3))
    harness[1].tilt()
    effects = harness[1].press(Button.DUDO)
    assert effects[0] == SetPeek(1, False)
    assert ActionTaken in {type(effect.event) for effect in effects if isinstance(effect, Announce)}


def test_a_table_that_comes_up_has_all_gates_shut() -> None:
    assert lay_out(PYRUDO, HANDS).open == set()


# Lifted before the dice have fallen


def shaken(*seats: int) -> TableHarness:
    """These seats of three have shaken for the first round."""
    harness = TableHarness(PYRUDO, 3).joined()
    for seat in seats:
        harness[seat].shake()
    return harness


def test_a_cup_that_is_lifted_when_the_last_one_goes_down_shows_its_dice_at_once() -> None:
    harness = shaken(0, 1)
    harness[1].tilt()
    assert not harness[1].is_peeking
    harness[2].shake()
    assert seen(harness, 1) == [1]
    assert harness.open == {1}


def test_an_ok_that_is_held_when_the_last_cup_goes_down_shows_the_dice_at_once() -> None:
    harness = shaken(0, 1)
    harness[0].press()
    harness.wait(1)
    harness[2].shake()
    assert seen(harness, 0) == [0]


def test_a_cup_that_is_put_down_before_the_dice_fall_shows_nothing() -> None:
    harness = shaken(0, 1)
    harness[1].tilt()
    harness[1].level()
    harness[2].shake()
    assert harness.open == set()


@pytest.mark.parametrize("device", [Device.CUP, Device.BOARD])
def test_a_lifted_cup_that_is_lost_before_the_dice_fall_shows_nothing(device: Device) -> None:
    harness = shaken(0, 1)
    harness[1].tilt()
    harness[1].lose(device)
    harness[1].find(device)
    harness[2].shake()
    assert harness.open == set()


def test_a_cup_that_lay_on_its_side_before_its_own_shake_shows_nothing() -> None:
    harness = shaken(0)
    harness[1].lose(Device.CUP)
    harness[1].find(Device.CUP)
    harness[1].tilt()
    harness.send(Settled(1, harness.now_ns, b"shake"))
    harness[2].shake()
    assert harness.open == set()
    harness[1].level()
    harness[1].tilt()
    assert seen(harness, 1) == [1]


def test_who_watches_with_the_cup_lifted_sees_nothing_when_the_dice_fall() -> None:
    harness = TableHarness(PYRUDO, 3).joined(0, 1)
    harness[2].tilt()
    harness[0].shake()
    harness[1].shake()
    assert harness.open == set()


def test_a_lift_of_the_round_before_opens_nothing_in_the_next() -> None:
    harness = shaken(0, 1, 2)
    harness[2].tilt()
    harness.turn.tap()
    harness.turn.tap(Button.DUDO)
    harness.told()
    harness.wait(31)
    assert harness.scene is SceneName.SHAKING
    for seat in (0, 1):
        harness[seat].shake()
    harness.send(Settled(2, harness.now_ns, b"shake"))
    assert harness.scene is SceneName.BIDDING
    assert harness.open == set()
