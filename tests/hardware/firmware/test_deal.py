"""A cup's part in a fair deal: what it commits to, and when it gives it."""

import hashlib

import pytest
from support.firmware.cup_bench import BOARD, CUP, Bench

from hardware.firmware.deal import CupEntropy
from hardware.firmware.device_config import DeviceConfig
from hardware.link import messages as link

ONE, TWO, HEAD = b"1" * 32, b"2" * 32, b"h" * 32


def drawn(bench: Bench, deal: bytes) -> bytes:
    (answer,) = bench.send(link.Draw(deal))
    assert isinstance(answer, link.Drawn)
    assert answer.deal == deal
    return answer.commitment


def opened(bench: Bench, deal: bytes) -> bytes | None:
    answers = [m for m in bench.send(link.Open(deal, HEAD)) if isinstance(m, link.Opened)]
    assert all(answer.deal == deal for answer in answers)
    return answers[0].entropy if answers else None


def test_what_is_opened_is_what_was_committed_to() -> None:
    bench = Bench(CUP)
    commitment = drawn(bench, ONE)
    bench.shake()
    entropy = opened(bench, ONE)
    assert entropy is not None
    assert hashlib.sha256(b"dudo cup\0" + ONE + entropy).digest() == commitment


def test_a_deal_that_is_asked_for_again_is_the_same() -> None:
    bench = Bench(CUP)
    assert drawn(bench, ONE) == drawn(bench, ONE)


def test_another_deal_is_drawn_again_and_the_former_is_forgotten() -> None:
    bench = Bench(CUP)
    first = drawn(bench, ONE)
    drawn(bench, TWO)
    bench.shake()
    assert opened(bench, ONE) is None
    assert opened(bench, TWO) is not None
    assert drawn(bench, ONE) != first


def test_a_deal_that_was_opened_is_drawn_again() -> None:
    bench = Bench(CUP)
    first = drawn(bench, ONE)
    bench.shake()
    known = opened(bench, ONE)
    assert drawn(bench, ONE) != first
    assert opened(bench, ONE) is None
    bench.shake()
    assert opened(bench, ONE) not in (None, known)


def test_a_deal_may_be_opened_as_often_as_it_is_asked_for() -> None:
    bench = Bench(CUP)
    drawn(bench, ONE)
    bench.shake()
    assert opened(bench, ONE) == opened(bench, ONE) is not None


def test_a_cup_that_was_not_shaken_since_it_drew_opens_nothing() -> None:
    bench = Bench(CUP)
    bench.shake()
    drawn(bench, ONE)
    assert opened(bench, ONE) is None


def test_a_shake_that_began_before_the_draw_and_settles_after_it_counts() -> None:
    bench = Bench(CUP)
    for number in range(8):
        bench.edge("tilt", number % 2 == 0)
        bench.let_pass(90)
    assert (1, link.SHAKEN) in bench.events()
    drawn(bench, ONE)
    assert opened(bench, ONE) is None
    bench.let_pass(700)
    assert opened(bench, ONE) is not None


def test_a_deal_can_be_opened_again_until_the_next_is_drawn() -> None:
    bench = Bench(CUP)
    drawn(bench, ONE)
    bench.shake()
    assert opened(bench, ONE) == opened(bench, ONE) is not None


def test_a_deal_that_was_never_drawn_is_not_opened() -> None:
    bench = Bench(CUP)
    bench.shake()
    assert (opened(bench, ONE), opened(bench, bytes(32))) == (None, None)


def test_entropy_rests_on_the_cups_own_chance_and_on_the_shake_before() -> None:
    def entropy(random: bytes, stamps: bytes) -> bytes | None:
        deal = CupEntropy(lambda count: random * count)
        deal.settle(stamps)
        deal.draw(ONE)
        deal.settle(b"")
        return deal.open(ONE)

    assert len({entropy(b"a", b"x"), entropy(b"b", b"x"), entropy(b"a", b"y")}) == 3
    assert entropy(b"a", b"x") == hashlib.sha256(b"a" * 32 + b"x").digest()


@pytest.mark.parametrize("message", [link.Draw(ONE), link.Open(ONE, HEAD)])
def test_a_board_without_a_cup_has_no_part_in_a_deal(message: link.LinkMessage) -> None:
    bench = Bench(DeviceConfig("B", tilt=False, buttons=BOARD.buttons, panel=BOARD.panel))
    assert bench.send(message) == []


def test_no_repr_shows_entropy() -> None:
    bench = Bench(CUP)
    drawn(bench, ONE)
    bench.shake()
    entropy = opened(bench, ONE)
    assert entropy is not None
    assert entropy.hex() not in repr(bench.cup._deal) + repr(link.Opened(ONE, entropy))
