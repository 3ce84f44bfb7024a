"""Dice are seen while a cup is tilted or OK is held, in the bidding, by who may see them."""

import pytest
from support.table.harness import Evening, laid

from drivers.messages import Button, Device, Settled
from engine import KILL_SPOT, PALO_FIJO, PYRUDO, RULESETS, Bid, Hand, RoundKind, Rules
from firmware_host.table.effects import Announce, Record, SetPeek
from firmware_host.table.events import ActionTaken
from firmware_host.table.seat_view import SceneName

HANDS = [(1, 2, 3), (4,), (5, 6)]
every_rule_set = pytest.mark.parametrize("rules", RULESETS.values(), ids=str)


def seen(evening: Evening, seat: int) -> list[int]:
    """Whose dice a seat sees."""
    look = evening[seat].sees
    return [] if look is None else [other for other, hand in enumerate(look.hands) if hand is not None]


@every_rule_set
def test_a_tilted_cup_shows_the_own_dice(rules: Rules) -> None:
    evening = laid(rules, HANDS)
    evening[2].tilt()
    assert evening[2].sees is not None
    assert evening[2].sees.hands == (None, None, Hand((5, 6)))


def test_a_held_ok_shows_the_own_dice_after_400_ms() -> None:
    evening = laid(PYRUDO, HANDS)
    evening[1].press()
    evening.wait(0.39)
    assert evening[1].sees is None
    evening.wait(0.01)
    assert seen(evening, 1) == [1]


def test_a_peek_opens_one_gate_alone() -> None:
    evening = laid(PYRUDO, HANDS)
    evening[1].tilt()  # the first look takes the words away that say how to look
    evening[1].level()
    assert evening[1].tilt() == [SetPeek(1, True)]


@pytest.mark.parametrize("how", ["level", "lose cup", "lose board"])
def test_a_tilted_cups_gate_closes(how: str) -> None:
    evening = laid(PYRUDO, HANDS)
    evening[1].tilt()
    hand = evening[1]
    effects = {
        "level": hand.level,
        "lose cup": lambda: hand.lose(Device.CUP),
        "lose board": lambda: hand.lose(Device.BOARD),
    }[how]()
    assert effects[0] == SetPeek(1, False)
    assert not hand.looks


@pytest.mark.parametrize("how", ["release", "lose buttons", "lose board"])
def test_a_held_oks_gate_closes(how: str) -> None:
    evening = laid(PYRUDO, HANDS)
    hand = evening[1]
    hand.press()
    evening.wait(1)
    assert hand.looks
    effects = {
        "release": hand.release,
        "lose buttons": lambda: hand.lose(Device.BUTTONS),
        "lose board": lambda: hand.lose(Device.BOARD),
    }[how]()
    assert effects[0] == SetPeek(1, False)
    assert not hand.looks


def test_a_lost_panel_does_not_end_a_peek_for_the_table() -> None:
    evening = laid(PYRUDO, HANDS)
    evening[1].tilt()
    evening[1].lose(Device.PANEL)
    assert evening[1].looks


def test_the_end_of_the_round_closes_every_gate_first_of_all() -> None:
    evening = laid(PYRUDO, HANDS, Bid(2, 3))
    evening[0].tilt()
    evening[2].tilt()
    effects = evening[1].press(Button.DUDO)
    assert effects[:2] == [SetPeek(0, False), SetPeek(2, False)]
    assert isinstance(effects[2], Record)
    assert evening.open == set()


def test_a_cup_that_stays_tilted_over_the_reveal_shows_nothing_of_the_next_round() -> None:
    evening = laid(PYRUDO, HANDS, Bid(2, 3))
    evening[0].tilt()
    evening[1].press(Button.DUDO)
    evening.wait(40)
    evening.dealt()
    assert evening.scene is SceneName.BIDDING
    assert not evening[0].looks
    evening[0].level()
    evening[0].tilt()
    assert evening[0].looks


def test_a_bid_does_not_close_a_gate() -> None:
    evening = laid(PYRUDO, HANDS)
    evening[2].tilt()
    evening[0].tap()
    assert evening[2].looks


def test_there_is_no_peeking_outside_the_bidding() -> None:
    evening = Evening(PYRUDO, 2)
    for _ in range(2):
        evening[0].tilt()
        evening[0].level()
        evening[1].hold(for_s=1)
        assert evening.open == set()
        if evening.scene is SceneName.LOBBY:
            evening.joined()
    assert evening.scene is SceneName.SHAKING
    evening.dealt()
    evening.turn.tap()
    evening.turn.press(Button.DUDO)
    assert evening.scene is SceneName.CALLED
    evening[0].tilt()
    assert evening.open == set()
    evening.revealed()
    evening[0].level()
    evening[0].tilt()
    assert evening.open == set()


def test_dice_are_recorded_before_a_gate_can_show_them() -> None:
    evening = Evening(PYRUDO, 2).joined()
    evening.dealt()
    evening[0].tilt()
    effects = evening.effects
    opened = effects.index(SetPeek(0, True))
    assert evening.records[-1] == evening.table.scene
    assert max(place for place, effect in enumerate(effects) if isinstance(effect, Record)) < opened


def test_who_is_out_sees_nothing_even_in_an_open_round() -> None:
    evening = laid(KILL_SPOT, [(1, 2), (), (3, 4)], kind=RoundKind.OPEN, owner=0, fallen=(1,))
    evening[1].tilt()
    evening[1].hold(for_s=1)
    assert not evening[1].looks
    assert evening[1].show.look is None


def test_who_does_not_play_sees_nothing() -> None:
    evening = Evening(KILL_SPOT, 3).joined(0, 1).dealt()
    evening[2].tilt()
    assert not evening[2].looks
    assert evening[2].show.look is None


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
    evening = laid(rules, HANDS, kind=kind, owner=0)
    for hand in evening:
        hand.tilt()
        assert hand.looks  # with nothing to see the panel says so
    assert [seen(evening, seat) for seat in range(3)] == whose


def test_a_call_while_peeking_is_told_after_the_gate_is_shut() -> None:
    evening = laid(PYRUDO, HANDS, Bid(2, 3))
    evening[1].tilt()
    effects = evening[1].press(Button.DUDO)
    assert effects[0] == SetPeek(1, False)
    assert ActionTaken in {type(effect.event) for effect in effects if isinstance(effect, Announce)}


def test_a_table_that_comes_up_has_all_gates_shut() -> None:
    assert laid(PYRUDO, HANDS).open == set()


# Lifted before the dice have fallen


def shaken(*seats: int) -> Evening:
    """These seats of three have shaken for the first round."""
    evening = Evening(PYRUDO, 3).joined()
    for seat in seats:
        evening[seat].shake()
    return evening


def test_a_cup_that_is_lifted_when_the_last_one_goes_down_shows_its_dice_at_once() -> None:
    evening = shaken(0, 1)
    evening[1].tilt()
    assert not evening[1].looks
    evening[2].shake()
    assert seen(evening, 1) == [1]
    assert evening.open == {1}


def test_an_ok_that_is_held_when_the_last_cup_goes_down_shows_the_dice_at_once() -> None:
    evening = shaken(0, 1)
    evening[0].press()
    evening.wait(1)
    evening[2].shake()
    assert seen(evening, 0) == [0]


def test_a_cup_that_is_put_down_before_the_dice_fall_shows_nothing() -> None:
    evening = shaken(0, 1)
    evening[1].tilt()
    evening[1].level()
    evening[2].shake()
    assert evening.open == set()


@pytest.mark.parametrize("device", [Device.CUP, Device.BOARD])
def test_a_lifted_cup_that_is_lost_before_the_dice_fall_shows_nothing(device: Device) -> None:
    evening = shaken(0, 1)
    evening[1].tilt()
    evening[1].lose(device)
    evening[1].find(device)
    evening[2].shake()
    assert evening.open == set()


def test_a_cup_that_lay_on_its_side_before_its_own_shake_shows_nothing() -> None:
    evening = shaken(0)
    evening[1].lose(Device.CUP)
    evening[1].find(Device.CUP)
    evening[1].tilt()
    evening.send(Settled(1, evening.now_ns, b"shake"))
    evening[2].shake()
    assert evening.open == set()
    evening[1].level()
    evening[1].tilt()
    assert seen(evening, 1) == [1]


def test_who_watches_with_the_cup_lifted_sees_nothing_when_the_dice_fall() -> None:
    evening = Evening(PYRUDO, 3).joined(0, 1)
    evening[2].tilt()
    evening[0].shake()
    evening[1].shake()
    assert evening.open == set()


def test_a_lift_of_the_round_before_opens_nothing_in_the_next() -> None:
    evening = shaken(0, 1, 2)
    evening[2].tilt()
    evening.turn.tap()
    evening.turn.tap(Button.DUDO)
    evening.revealed()
    evening.wait(31)
    assert evening.scene is SceneName.SHAKING
    for seat in (0, 1):
        evening[seat].shake()
    evening.send(Settled(2, evening.now_ns, b"shake"))
    assert evening.scene is SceneName.BIDDING
    assert evening.open == set()
