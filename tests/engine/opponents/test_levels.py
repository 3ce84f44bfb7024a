"""Every opponent plays every rule set legally and knows no hidden die; the levels differ in strength."""

import random
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import CALZA, DUDO, PALO_FIJO, PASS, PERUDO, RULESETS, Action, Bid, Match, Phase, View
from engine.arena.play import Lineup, play
from engine.opponents import CHARACTERS, LEVELS, OPPONENTS, find, middle
from engine.opponents.chances import HONEST_HAND_CHANCE, Chances
from engine.opponents.easy import DOUBT_CHANCE
from engine.rules import FACES

SEEDS = st.integers(0, 2**32)
FIVE = ("kill-spot", "pyrudo", "obliging", "perudo", "palo-fijo")
Put = Callable[..., Match]


def share(one: str, others: str, rules: str, matches: int = 150) -> float:
    lineup, opponents = Lineup(RULESETS[rules], 2, one, others), {name: find(name) for name in (one, others)}
    return sum(play(lineup, number, "1", opponents).winner == one for number in range(matches)) / matches


def test_every_level_and_character_is_an_opponent() -> None:
    assert {*LEVELS, *CHARACTERS} <= OPPONENTS.keys()


@pytest.mark.parametrize("name", OPPONENTS)
@given(seed=SEEDS)
@settings(max_examples=15, deadline=None)
def test_in_turn_there_is_a_legal_action_and_out_of_turn_a_call_or_none(
    name: str, seed: int, decide_legally: Callable[..., None]
) -> None:
    decide_legally(find(name).choose, seed, 30)


@pytest.mark.parametrize("name", OPPONENTS)
@given(seed=SEEDS)
@settings(max_examples=10, deadline=None)
def test_no_opponent_knows_a_hidden_die(name: str, seed: int) -> None:
    """Fork a round at the roll: other dice where a seat may not look, and the seat acts as before."""
    opponent, rng = find(name), random.Random(seed)
    match = Match.start(rng.choice([*RULESETS.values()]), 4)
    if match.position.phase is Phase.SEATING:
        match = match.roll(dict(enumerate((6, 5, 4, 3)[seat : seat + 1] for seat in range(4))))
    deal = {seat: rng.choices(FACES, k=5) for seat in range(4)}
    match = match.roll(deal)
    for step in range(8):
        for seat in match.position.living:
            other = {who: dice if who == seat else rng.choices(FACES, k=5) for who, dice in deal.items()}
            fork = Match(match.position.replace(), tuple(map(type(match._hands[0]), other.values())), match.history)
            decide = opponent.explain or (lambda view, dice: (opponent.choose(view, dice), ""))
            here, there = match.view(seat), fork.view(seat)
            assert decide(here, random.Random(step)) == decide(there, random.Random(step))
        turn = match.position.turn
        action = turn is not None and opponent.choose(match.view(turn), rng)
        if turn is None or not isinstance(action, Bid):
            return
        match = match.play(turn, action)


@pytest.mark.parametrize("name", [name for name in OPPONENTS if find(name).explain])
def test_an_explanation_is_of_the_action_that_is_chosen(name: str, put: Put) -> None:
    opponent, view = find(name), put(PERUDO, [(1, 2, 3, 4, 5), 5, 5], bid=Bid(4, 2)).view(1)
    assert opponent.explain is not None
    for seed in range(20):
        action, belief = opponent.explain(view, random.Random(seed))
        assert action == opponent.choose(view, random.Random(seed))
        assert belief.isprintable()


@pytest.mark.slow
@pytest.mark.parametrize("rules", FIVE)
def test_middle_beats_the_honest_threshold(rules: str) -> None:
    assert share("middle", "honest", rules) > 0.5


@pytest.mark.slow
@pytest.mark.parametrize("rules", FIVE)
def test_middle_beats_easy(rules: str) -> None:
    assert share("middle", "easy", rules) > 0.5


def test_easy_calls_nothing_out_of_turn(put: Put) -> None:
    easy, view = find("easy").choose, put(RULESETS["kill-spot"], [5, 5, 5], bid=Bid(15, 2)).view(2)
    assert {easy(view, random.Random(seed)) for seed in range(20)} == {None}


def test_easy_doubts_only_what_hardly_holds_and_lets_some_of_it_pass(put: Put) -> None:
    easy = find("easy").choose
    likely, unlikely = (put(PERUDO, [5, (2, 4, 4, 5, 6)], bid=bid).view(1) for bid in (Bid(4, 2), Bid(5, 2)))
    assert 0.5 < Chances(likely).is_right(DUDO) < DOUBT_CHANCE < Chances(unlikely).is_right(DUDO)
    assert DUDO not in {easy(likely, random.Random(seed)) for seed in range(20)}
    answers = Counter(easy(unlikely, random.Random(seed)) for seed in range(60))
    assert 0 < answers[DUDO] < 60


@pytest.mark.parametrize("name", ["easy", "middle", "hard", "odds", *CHARACTERS])
def test_nobody_bids_more_dice_than_there_are(name: str, put: Put) -> None:
    views = [put(PERUDO, [1, 1], bid=bid).view(1) for bid in (Bid(1, 1), Bid(2, 4), Bid(2, 6))]
    views += [put(PERUDO, [2, 1]).view(0), put(RULESETS["kill-spot"], [1, 1], bid=Bid(2, 6)).view(1)]
    for view in views:
        actions = [find(name).choose(view, random.Random(seed)) for seed in range(300)]
        assert all(action.quantity <= view.position.in_play for action in actions if isinstance(action, Bid))


def test_easy_lets_no_bid_pass_that_its_own_dice_rule_out(put: Put) -> None:
    view = put(PERUDO, [2, (2, 2, 3)], bid=Bid(3, 4)).view(1)
    assert Chances(view).is_right(DUDO) == 1
    assert {find("easy").choose(view, random.Random(seed)) for seed in range(40)} == {DUDO}


def test_easy_doubts_where_its_own_dice_rule_out_each_raise(put: Put) -> None:
    view = put(PERUDO, [1, (2, 3, 4, 5, 6)], bid=Bid(1, 1)).view(1)
    assert 0.8 < Chances(view).is_right(DUDO) < DOUBT_CHANCE
    assert {find("easy").choose(view, random.Random(seed)) for seed in range(40)} == {DUDO}


@pytest.mark.parametrize("seats", [2, 4, 8])
def test_easy_makes_no_absurd_bid(seats: int, put: Put) -> None:
    view = put(PERUDO, [5] * seats, bid=Bid(4 * seats, 6)).view(1)
    assert {find("easy").choose(view, random.Random(seed)) for seed in range(20)} == {DUDO}


def test_middle_is_cautious_with_calza(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(5)
    bids = [Bid(2, face) for face in FACES] * 3
    views = [put(PERUDO, [4, tuple(rng.choices(FACES, k=1))], bid=bid).view(1) for bid in bids]

    def calls() -> int:
        return sum(find("middle").choose(view, random.Random(seed)) is CALZA for seed, view in enumerate(views))

    cautious = calls()
    monkeypatch.setattr(middle, "GAINED_WORTH", 1.0)
    assert cautious < calls()


def test_middle_takes_no_bid_for_surely_undoubted(put: Put) -> None:
    view, explain = put(PERUDO, [(2, 2, 3, 3, 4), 5]).view(0), find("middle").explain
    assert explain is not None
    beliefs = {explain(view, random.Random(seed))[1] for seed in range(100)}
    assert not any("doubted at 0%" in belief for belief in beliefs)


def test_easy_raises_badly(put: Put) -> None:
    view = put(PERUDO, [5, (2, 4, 4, 5, 6)], bid=Bid(2, 2)).view(1)
    bids = {find("easy").choose(view, random.Random(seed)) for seed in range(60)}
    assert any(isinstance(bid, Bid) and Chances(view).holds(bid) < 0.5 for bid in bids)


@pytest.mark.parametrize("name", ["easy", "middle"])  # test_strong.py has the bluffs of hard
def test_every_level_bluffs(name: str, put: Put) -> None:
    match = put(PERUDO, [(2, 2, 3, 3, 4), 5, 5])
    bids = [find(name).choose(match.view(0), random.Random(seed)) for seed in range(300)]
    assert any(isinstance(bid, Bid) and bid.face in (1, 5, 6) for bid in bids)


def test_the_honest_yardstick_doubts_below_a_half(put: Put) -> None:
    honest = find("honest").choose
    likely, unlikely = (put(PERUDO, [5, (3, 4, 4, 5, 6)], bid=bid).view(1) for bid in (Bid(1, 2), Bid(3, 2)))
    assert honest(unlikely, random.Random(0)) is DUDO
    assert honest(likely, random.Random(0)) is not DUDO


def test_the_honest_yardstick_opens_with_what_it_holds(put: Put) -> None:
    view = put(PERUDO, [(2, 2, 2, 5, 6), 5]).view(0)
    assert find("honest").choose(view, random.Random(0)) == Bid(3, 2)


def test_the_bayes_yardstick_believes_a_bidder_more_than_the_odds(put: Put) -> None:
    view = put(PERUDO, [4, (3, 4, 4, 5, 6)], bid=Bid(2, 2)).view(1)
    assert find("honest").choose(view, random.Random(0)) is DUDO
    assert find("bayes").choose(view, random.Random(0)) is not DUDO


def yardstick_answers(name: str, view: View) -> set[Action | None]:
    return {find(name).choose(view, random.Random(seed)) for seed in range(40)}


def test_the_threshold_yardstick_makes_the_largest_safe_bid(put: Put) -> None:
    (bid,) = yardstick_answers("threshold", put(PERUDO, [(2, 2, 2, 5, 6), 5]).view(0))
    assert bid == Bid(4, 2)


def test_the_expected_yardstick_weighs_a_doubt_against_its_surest_raise(put: Put) -> None:
    assert yardstick_answers("expected", put(PERUDO, [5, (3, 3, 4, 5, 6)], bid=Bid(5, 2)).view(1)) == {DUDO}
    assert yardstick_answers("expected", put(PERUDO, [5, (3, 3, 3, 5, 6)], bid=Bid(2, 3)).view(1)) == {Bid(3, 3)}


def test_the_one_more_yardstick_raises_by_one_and_calls_at_random(put: Put) -> None:
    view = put(PERUDO, [4, (3, 3, 4, 5)], bid=Bid(3, 2)).view(1)
    assert yardstick_answers("one_more", view) == {Bid(4, 2), DUDO, CALZA}


def test_the_aggressive_yardstick_bids_on_faces_that_it_does_not_hold(put: Put) -> None:
    bids = yardstick_answers("aggressive", put(PERUDO, [(2, 2, 3, 4, 6), 5]).view(0))
    assert len({bid.face for bid in bids if isinstance(bid, Bid)}) > 2


def test_the_least_safe_yardstick_bids_low(put: Put) -> None:
    assert yardstick_answers("least_safe", put(PERUDO, [(2, 2, 2, 5, 6), 5]).view(0)) == {Bid(1, 1)}


def test_the_truthful_yardstick_bids_on_a_face_that_it_holds(put: Put) -> None:
    assert yardstick_answers("truthful", put(PERUDO, [(3, 3, 3, 5, 6), 5]).view(0)) == {Bid(5, 3)}


def test_the_truthful_yardstick_trusts_a_bidder_by_the_hand_that_it_showed(put: Put) -> None:
    match = put(PERUDO, [(2, 2, 2, 2, 3), (3, 4, 5, 5, 6), 5]).play(0, Bid(4, 2)).play(1, DUDO)
    shown = match.position.showdown
    view = put(PERUDO, [5, (3, 4, 4, 5, 6)], bid=Bid(3, 2)).view(1)
    assert yardstick_answers("truthful", view) == {DUDO}
    trusting = View(view.position.replace(showdown=shown), 1, view.hands, view.history)
    assert DUDO not in yardstick_answers("truthful", trusting)


def test_sixty_deals_doubt_what_hardly_any_of_them_holds(put: Put) -> None:
    assert yardstick_answers("sixty_deals", put(PERUDO, [5, (3, 4, 4, 5, 6)], bid=Bid(5, 2)).view(1)) == {DUDO}
    assert DUDO not in yardstick_answers("sixty_deals", put(PERUDO, [5, (2, 2, 2, 5, 6)], bid=Bid(3, 2)).view(1))


def test_an_honest_hand_passes_where_the_rules_have_the_pass(put: Put) -> None:
    match = put(PALO_FIJO, [5, (2, 3, 4, 5, 6)], bid=Bid(5, 2))
    assert Chances(match.view(1)).is_honest_pass(1) == 1.0
    assert Chances(match.view(1)).is_honest_pass(0) == HONEST_HAND_CHANCE
    assert PASS in {find("middle").choose(match.view(1), random.Random(seed)) for seed in range(50)}


def test_the_fox_bluffs_more_and_the_mouse_less_than_middle(put: Put) -> None:
    view = put(PERUDO, [(2, 2, 3, 3, 4), 5, 5]).view(0)

    def bluffs(name: str) -> int:
        explain = find(name).explain
        assert explain is not None
        return sum("bluffs" in explain(view, random.Random(seed))[1] for seed in range(100))

    assert bluffs("fox") > 2 * bluffs("middle") > bluffs("mouse") == 0


def test_the_owl_doubts_more_and_the_mouse_less_than_middle(put: Put) -> None:
    rng = random.Random(5)
    views = [
        put(PERUDO, [5, tuple(rng.choices(FACES, k=5))], bid=Bid(4, rng.randint(2, 6))).view(1) for _ in range(100)
    ]

    def doubts(name: str) -> int:
        return sum(find(name).choose(view, random.Random(seed)) is DUDO for seed, view in enumerate(views))

    assert doubts("owl") > doubts("middle") > doubts("mouse")
