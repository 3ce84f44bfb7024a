"""What would you do? The answer is for the person in the chair, and depends on nothing that their seat may not see."""

import asyncio
import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from support.pages.page_clients import Browser, TableWithPages, at_a_table, plays_on

from engine import KILL_SPOT, PALO_FIJO, PERUDO, Bid, Hand, Match, RoundKind, Rules, View
from engine.rules import FACES
from firmware_host.play.memory import Memory
from firmware_host.play.workbench.advice import advice
from firmware_host.play.workbench.protocol import ADVICE_CHARACTERS, Advice, encode
from firmware_host.table.seat.view import SceneName, SeatView

Put = Callable[..., Match]
ME = 1


def advised(match: Match, look: View | None) -> Advice:
    view, memory = SeatView(SceneName.BIDDING, "Lima", ("a", "b", "c"), ME, match.position), Memory()
    memory.see(view, look)
    return advice(5, view, memory)


def answered(browser: Browser) -> list[dict[str, Any]]:
    return [message for message in browser.messages if message["type"] == "advice"]


def forks(put: Put, rules: Rules, kind: RoundKind) -> Iterable[Match]:
    """Rounds that differ only in what seat 1 may not see."""
    rng, owner = random.Random(3), None if kind is RoundKind.NORMAL else 0
    for _ in range(30):
        other = [tuple(sorted(rng.choices(FACES, k=5))) for _ in range(3)]
        hands = [(2, 2, 3, 5, 6)] * 3
        for seat in range(3):
            if seat not in ([0, 2] if kind is RoundKind.OPEN else [ME] if kind is RoundKind.NORMAL else []):
                hands[seat] = other[seat]
        yield put(rules, hands, bid=Bid(4, 2), kind=kind, owner=owner)


CASES = [(PERUDO, RoundKind.NORMAL), (PALO_FIJO, RoundKind.NORMAL), (KILL_SPOT, RoundKind.OPEN)]


@pytest.mark.parametrize(("rules", "kind"), [*CASES, (KILL_SPOT, RoundKind.BLIND)], ids=str)
def test_the_advice_depends_on_nothing_that_the_seat_may_not_see(rules: Rules, kind: RoundKind, put: Put) -> None:
    assert len({advised(match, match.view(ME)) for match in forks(put, rules, kind)}) == 1


def test_the_length_of_its_frame_tells_nothing() -> None:
    """Whoever listens to the Wi-Fi can measure frames."""
    longest = max((str(kind) for kind in RoundKind), key=len)
    answers = [Advice(1, "bid", 5, 1, 6), Advice(1, "bid", 100, 40, 6), Advice(1, "dudo", 50), Advice(7, longest, 100)]
    lengths = {len(encode(answer)) for answer in (*answers, Advice(1, "wait"), Advice(1, "nothing"))}
    assert lengths == {ADVICE_CHARACTERS}


@pytest.mark.parametrize(("rules", "kind"), CASES, ids=str)
def test_a_planted_leak_is_seen(rules: Rules, kind: RoundKind, put: Put) -> None:
    leaking = (View(match.position, ME, match._hands) for match in forks(put, rules, kind))
    assert len({advised(look_at, look) for look_at, look in zip(forks(put, rules, kind), leaking, strict=True)}) > 1


def test_before_the_first_look_the_advice_is_to_look(put: Put) -> None:
    assert advised(put(PERUDO, [5, 5, 5], bid=Bid(4, 2)), None) == Advice(5, "look")
    assert advised(put(KILL_SPOT, [5, 5, 5], kind=RoundKind.BLIND, owner=1, first=1), None) == Advice(5, "look")


def test_where_there_is_nothing_to_see_the_advice_needs_no_look(put: Put) -> None:
    blind = put(KILL_SPOT, [5, 5, 5], bid=Bid(14, 2), kind=RoundKind.BLIND, owner=0)
    assert advised(blind, None).action == "dudo"


def test_the_advice_has_the_odds_behind_it(put: Put) -> None:
    match = put(PERUDO, [5, (3, 4, 4, 5, 6), 5], bid=Bid(12, 2))
    assert advised(match, match.view(ME)) == Advice(5, "dudo", 100)


def test_out_of_turn_the_advice_is_to_wait(put: Put) -> None:
    match = put(PERUDO, [5, 5, 5], bid=Bid(4, 2), by=2)
    assert advised(match, match.view(ME)) == Advice(5, "wait")


def test_a_hand_of_another_round_is_forgotten() -> None:
    memory = Memory()
    memory.hands = (None, Hand((1, 2, 3)))
    memory.see(SeatView(SceneName.SHAKING, "Lima", ("a", "b"), 1), None)
    assert memory.hands == ()


@at_a_table(seats=2)
async def test_a_person_gets_advice_about_their_own_seat_and_no_other(table: TableWithPages) -> None:
    async with table.browser() as browser:
        await browser.do("advise", seat=0)
        await browser.until(answered)
        assert answered(browser)[-1]["action"] == "nothing"
        await plays_on(browser, lambda b: b.state["scene"] == "bidding" and b.state["turn"] == 0)
        await asyncio.sleep(1)
        await browser.do("advise", seat=0)
        await browser.until(lambda b: len(answered(b)) == 2)
        assert answered(browser)[-1]["action"] == "look"
        await browser.do("tilt", seat=0)
        await browser.until(lambda b: any(m["type"] == "spoken" and m["hands"] for m in b.messages))
        await browser.do("level", seat=0)
        await asyncio.sleep(2)
        await browser.do("advise", seat=0)
        await browser.until(lambda b: len(answered(b)) == 3)
        assert answered(browser)[-1]["action"] in ("bid", "dudo", "calza")
        await browser.do("advise", seat=1)
        await browser.until(lambda b: any(m["type"] == "told" for m in b.messages))
        assert len(answered(browser)) == 3
