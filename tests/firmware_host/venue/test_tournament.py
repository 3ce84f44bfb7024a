"""A tournament: what holds however people come, leave and win, and the evenings that staff know."""

import random
from collections import Counter
from itertools import combinations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from firmware_host.venue.seating import seating, sizes_of
from firmware_host.venue.tournament import MIN_HEAT, Entrant, Format, Heat, Tournament, TournamentError, points_of

TABLES = ("window", "bar", "door")
THREE_HEATS = Format()


def people(count: int) -> tuple[str, ...]:
    return tuple(f"p{number}" for number in range(count))


def played(tournament: Tournament, by: random.Random) -> Tournament:
    """Play all heats that wait, at three tables."""
    while tournament.open_heats:
        tournament = tournament.called(TABLES)
        for heat in tournament.open_heats:
            if heat.table:
                order = by.sample(heat.players, len(heat.players))
                tournament = tournament.began(heat.table).reported(heat.table, order)
    return tournament


def whole(count: int, format: Format = THREE_HEATS, seed: int = 1) -> Tournament:
    tournament, by = Tournament.of(people(count), format, seed=seed), random.Random(seed)
    while not tournament.is_over:
        tournament = played(tournament.drawn(), by)
    return tournament


class TestAWholeTournament:
    @settings(max_examples=60, deadline=None)
    @given(st.integers(2, 45), st.integers(1, 4), st.integers(4, 8), st.data())
    def test_everybody_plays_the_same_number_of_heats(
        self, count: int, draws: int, seats: int, data: st.DataObject
    ) -> None:
        final = data.draw(st.sampled_from([0, *range(2, seats + 1)]))
        tournament = whole(count, Format(draws, seats, final), seed=data.draw(st.integers(0, 99)))
        heats = Counter(name for heat in tournament.heats if heat.draw for name in heat.standings)
        assert heats == dict.fromkeys(people(count), draws)
        assert [rank.heats for rank in tournament.ranking()] == [draws] * count
        assert len(tournament.final.standings if tournament.final else ()) == min(final, count)

    @given(st.integers(1, 300), st.integers(4, 8))
    def test_heats_are_as_few_as_hold_everybody_and_equal_but_for_one(self, count: int, seats: int) -> None:
        sizes = sizes_of(count, seats)
        assert sum(sizes) == count
        assert max(sizes) <= seats < max(sizes) + seats * (len(sizes) > 1) + seats
        assert max(sizes) - min(sizes) <= 1
        assert (len(sizes) - 1) * seats < count

    @given(st.integers(4, 300).filter(lambda count: count != 7))
    def test_heats_have_four_to_six_players_whatever_their_number_but_seven(self, count: int) -> None:
        assert all(MIN_HEAT <= size <= 6 for size in sizes_of(count, 6))

    @settings(deadline=None)
    @given(st.integers(2, 30), st.integers(0, 9))
    def test_the_ranking_is_a_total_order_led_by_the_final(self, count: int, seed: int) -> None:
        tournament = whole(count, seed=seed)
        ranking = tournament.ranking()
        assert sorted(rank.name for rank in ranking) == sorted(people(count))
        assert tournament.final is not None
        assert tuple(rank.name for rank in ranking[: len(tournament.final.standings)]) == tournament.final.standings
        figures = [(rank.points, rank.places, rank.lot) for rank in ranking[len(tournament.final.standings) :]]
        assert figures == sorted(figures, reverse=True)
        assert len({rank.lot for rank in ranking}) == count

    def test_the_final_is_of_the_best_of_the_heats(self) -> None:
        tournament = played(Tournament.of(people(15), Format(draws=1), seed=3).drawn(), random.Random(3))
        best = tuple(rank.name for rank in tournament.ranking()[:6])
        final = tournament.drawn().final
        assert final is not None
        assert final.players == best

    def test_the_same_seed_gives_the_same_evening(self) -> None:
        assert whole(23, seed=5) == whole(23, seed=5)
        assert whole(23, seed=5) != whole(23, seed=6)

    def test_it_is_written_and_read_as_json(self) -> None:
        tournament = whole(13)
        assert msgspec.json.decode(msgspec.json.encode(tournament), type=Tournament) == tournament


class TestCompany:
    @settings(max_examples=40, deadline=None)
    @given(st.integers(2, 26), st.integers(2, 6), st.randoms(use_true_random=False), st.data())
    def test_no_exchange_of_two_players_makes_fewer_repeated_meetings(
        self, count: int, seats: int, shuffle: random.Random, data: st.DataObject
    ) -> None:
        names = people(count)
        pairs = st.sampled_from([frozenset(pair) for pair in combinations(names, 2)])
        met = Counter(data.draw(st.lists(pairs, max_size=60)))
        heats = seating(names, seats, met, shuffle)
        assert sorted(name for heat in heats for name in heat) == sorted(names)

        def cost(one: list[str], two: list[str]) -> int:
            return sum(met[frozenset(pair)] for heat in (one, two) for pair in combinations(heat, 2))

        for one, two in combinations(heats, 2):
            before = cost(one, two)
            for here in one:
                for there in two:
                    other = [there if name == here else name for name in one]
                    another = [here if name == there else name for name in two]
                    assert cost(other, another) >= before

    @pytest.mark.parametrize(("count", "draws"), [(16, 2), (25, 3), (36, 3), (30, 2)])
    def test_nobody_meets_twice_where_the_number_of_heats_allows_it(self, count: int, draws: int) -> None:
        seats = {16: 4, 25: 5, 36: 6, 30: 5}[count]
        assert max(whole(count, Format(draws, seats, 0)).meetings().values()) == 1

    def test_a_small_evening_spreads_its_meetings(self) -> None:
        meetings = whole(12, Format(draws=4, seats=4, final=0)).meetings()
        assert max(meetings.values()) <= 2

    def test_the_largest_tournament_is_seated(self) -> None:
        tournament = whole(240, Format(draws=2, final=0))
        assert max(tournament.meetings().values()) == 1


class TestPoints:
    @given(st.integers(2, 8))
    def test_the_winner_has_ten_and_the_last_none_at_any_table(self, players: int) -> None:
        points = [points_of(place, players) for place in range(players)]
        assert (points[0], points[-1]) == (10, 0)
        assert points == sorted(set(points), reverse=True)

    def test_more_wins_decide_between_equal_points(self) -> None:
        heats = (
            Heat(1, 1, ("A", "B", "C"), standings=("A", "B", "C")),
            Heat(2, 2, ("A", "B", "C"), standings=("C", "B", "A")),
        )
        tournament = Tournament(Format(2, 4, 0), 1, tuple(Entrant(name) for name in "ABC"), heats)
        assert [rank.points for rank in tournament.ranking()] == [10, 10, 10]
        assert tournament.ranking()[2].name == "B"


class TestPeopleComeAndGo:
    def test_a_late_player_takes_a_free_seat_of_a_heat_that_waits(self) -> None:
        tournament = Tournament.of(people(9), seed=1).drawn().called(TABLES).began("window").entered("Zoe")
        running, waiting = tournament.heats
        assert "Zoe" in waiting.players
        assert "Zoe" not in running.players

    def test_a_late_player_plays_from_the_next_draw_where_all_heats_run(self) -> None:
        tournament = Tournament.of(people(9), seed=1).drawn().called(TABLES).began("window").began("bar")
        late = tournament.entered("Zoe")
        assert late.heats == tournament.heats
        assert any("Zoe" in heat.players for heat in played(late, random.Random(1)).drawn().open_heats)

    def test_a_player_who_comes_back_is_the_same_player(self) -> None:
        tournament = Tournament.of(people(6), seed=1).left("p2").entered("P2")
        assert tournament.present == people(6)

    def test_a_heat_that_loses_a_player_takes_one_from_a_larger_one(self) -> None:
        tournament = Tournament.of(people(9), seed=1).drawn()  # 5 and 4
        gone = tournament.heats[1].players[0]
        assert sorted(len(heat.players) for heat in tournament.left(gone).heats) == [4, 4]

    def test_two_heats_that_became_small_are_one(self) -> None:
        tournament = Tournament.of(people(8), seed=1).drawn()
        for heat in tournament.heats:
            tournament = tournament.left(heat.players[0])
        assert [len(heat.players) for heat in tournament.heats] == [6]

    def test_a_heat_that_runs_is_left_alone(self) -> None:
        tournament = Tournament.of(people(8), seed=1).drawn().called(TABLES).began("window")
        gone = tournament.heats[0].players[0]
        assert tournament.left(gone).heats == tournament.heats

    def test_an_absent_player_misses_one_heat_alone(self) -> None:
        tournament = Tournament.of(people(10), seed=1).drawn().absent("p3")
        assert not any("p3" in heat.players for heat in tournament.heats)
        assert any("p3" in heat.players for heat in played(tournament, random.Random(1)).drawn().open_heats)

    def test_the_next_of_the_ranking_moves_up_into_the_final(self) -> None:
        tournament = played(Tournament.of(people(12), Format(draws=1), seed=3).drawn(), random.Random(3)).drawn()
        ranking = [rank.name for rank in tournament.ranking()]
        final = tournament.left(ranking[0]).final
        assert final is not None
        assert final.players == tuple(ranking[1:7])

    def test_who_is_left_alone_in_the_final_has_won(self) -> None:
        tournament = played(Tournament.of("AB", Format(draws=1), seed=3).drawn(), random.Random(3)).drawn().left("A")
        assert tournament.is_over
        assert tournament.ranking()[0].name == "B"

    def test_a_heat_with_nobody_to_play_against_is_not_played(self) -> None:
        tournament = Tournament.of("AB", Format(draws=2), seed=3).drawn().left("A")
        assert tournament.heats == ()

    def test_a_heat_at_a_table_that_fails_waits_for_another_table(self) -> None:
        tournament = Tournament.of(people(5), seed=1).drawn().called(["bar"]).began("bar").released("bar")
        assert tournament.called(["window"]).at("window") == Heat(1, 1, tournament.heats[0].players, "window")

    def test_a_result_of_the_latest_draw_can_be_corrected(self) -> None:
        cup = Tournament.of("ABCD", Format(draws=2, final=0), seed=1).drawn().called(["bar"]).reported("bar", "ABCD")
        assert cup.corrected(1, "DCBA").ranking()[0].name == "D"
        with pytest.raises(TournamentError, match="heat 7: has no result that can be corrected"):
            cup.corrected(7, "DCBA")
        with pytest.raises(TournamentError, match="A, A can't be the result of heat 1"):
            cup.corrected(1, "AA")
        with pytest.raises(
            TournamentError, match="heat 1: has no result that can be corrected; choose one of the latest"
        ):
            cup.drawn().corrected(1, "DCBA")

    def test_a_player_whom_the_result_leaves_out_has_not_played(self) -> None:
        tournament = Tournament.of("ABCD", Format(draws=1), seed=1).drawn().called(["bar"]).reported("bar", "BCA")
        assert {rank.name: rank.heats for rank in tournament.ranking()} == {"A": 1, "B": 1, "C": 1, "D": 0}


class TestRequestsThatMakeNoSense:
    @pytest.mark.parametrize(
        ("request_", "why"),
        [
            (lambda cup: cup.entered("p1"), "p1: is in the tournament already; give one of the two another name"),
            (lambda cup: cup.entered("P1"), "P1: is in the tournament already; give one of the two another name"),
            (lambda cup: cup.entered("\x1b[2J"), r"'\x1b[2J' is no name: write 1 to 32 letters"),
            (lambda cup: cup.left("Zoe"), "Zoe: is not in the tournament"),
            (lambda cup: cup.drawn(), "2 heats are not over yet"),
            (lambda cup: cup.began("bar"), "table bar: no heat is called there"),
            (
                lambda cup: cup.called(["bar"]).reported("bar", ("p1", "Zoe")),
                "table bar: p1, Zoe can't be the result of heat 1; name at least two of its players once each: ",
            ),
        ],
    )
    def test_it_says_who_or_what_and_what_to_do(self, request_, why: str) -> None:  # type: ignore[no-untyped-def]
        with pytest.raises(TournamentError) as error:
            request_(Tournament.of(people(8), seed=1).drawn())
        assert str(error.value).startswith(why)

    @pytest.mark.parametrize("format", [(0, 6, 6), (13, 6, 6), (3, 9, 6), (3, 3, 3), (3, 4, 5), (3, 4, 1)])
    def test_a_format_nobody_can_play_is_refused(self, format: tuple[int, int, int]) -> None:
        with pytest.raises(TournamentError, match="choose"):
            Format(*format)


class Evening(RuleBasedStateMachine):
    """People come, leave, miss heats and win in any order, and tables fail."""

    @initialize(count=st.integers(2, 20), seed=st.integers(0, 5), seats=st.integers(4, 6), draws=st.integers(1, 3))
    def begin(self, count: int, seed: int, seats: int, draws: int) -> None:
        self.by, self.next, self.failed = random.Random(seed), count, 0
        self.now = self.before = Tournament.of(people(count), Format(draws, seats, seats), seed=seed)

    def step(self, after: Tournament, failed: int = 0) -> None:
        self.before, self.now, self.failed = self.now, after, failed

    @precondition(lambda self: self.now.final is None)
    @rule()
    def a_late_player_enters(self) -> None:
        self.next += 1
        self.step(self.now.entered(f"late{self.next}"))

    @precondition(lambda self: self.now.present)
    @rule(data=st.data())
    def a_player_leaves(self, data: st.DataObject) -> None:
        self.step(self.now.left(data.draw(st.sampled_from(self.now.present))))

    @precondition(lambda self: self.now.final is None and any(heat.can_change for heat in self.now.heats))
    @rule(data=st.data())
    def a_player_misses_a_heat(self, data: st.DataObject) -> None:
        waiting = [name for heat in self.now.heats if heat.can_change for name in heat.players]
        self.step(self.now.absent(data.draw(st.sampled_from(waiting))))

    @precondition(lambda self: not self.now.open_heats and not self.now.is_over and len(self.now.present) > 1)
    @rule()
    def staff_draw(self) -> None:
        self.step(self.now.drawn())

    @rule()
    def tables_are_free(self) -> None:
        self.step(self.now.called(TABLES))

    @precondition(lambda self: any(heat.table for heat in self.now.open_heats))
    @rule(data=st.data(), what=st.sampled_from(["begins", "is over", "fails"]))
    def something_happens_at_a_table(self, data: st.DataObject, what: str) -> None:
        heat = data.draw(st.sampled_from([heat for heat in self.now.open_heats if heat.table]))
        if what == "fails":
            self.step(self.now.released(heat.table), heat.number)
        elif what == "begins":
            self.step(self.now.began(heat.table))
        else:
            self.step(self.now.reported(heat.table, self.by.sample(heat.players, len(heat.players))))

    @invariant()
    def nobody_disturbs_a_heat_that_runs_or_is_over(self) -> None:
        after = {heat.number: heat for heat in self.now.heats}
        for heat in self.before.heats:
            if not heat.can_change and heat.number != self.failed:
                assert after[heat.number].players == heat.players
                assert not heat.is_over or after[heat.number] == heat

    @invariant()
    def everybody_sits_once_in_a_draw(self) -> None:
        for draw in range(self.now.draw + 1):
            seated = Counter(name for heat in self.now.heats if heat.draw == draw for name in heat.players)
            assert not seated or max(seated.values()) == 1

    @invariant()
    def heats_that_wait_fit_at_a_table_and_hold_four_where_there_are_enough(self) -> None:
        waiting = sorted(len(heat.players) for heat in self.now.heats if heat.can_change and heat.draw)
        assert all(2 <= size <= self.now.format.seats for size in waiting)
        if waiting and waiting[0] < MIN_HEAT:
            assert waiting[-1] <= waiting[0] + 1
            assert sum(waiting) > (len(waiting) - 1) * self.now.format.seats

    @invariant()
    def whoever_waits_for_a_heat_is_present(self) -> None:
        assert {name for heat in self.now.heats if heat.can_change for name in heat.players} <= set(self.now.present)

    @invariant()
    def no_table_has_two_heats_and_no_heat_two_numbers(self) -> None:
        assert len({heat.number for heat in self.now.heats}) == len(self.now.heats)
        tables = [heat.table for heat in self.now.open_heats if heat.table]
        assert len(set(tables)) == len(tables)

    @invariant()
    def whoever_is_present_is_ranked(self) -> None:
        names = [rank.name for rank in self.now.ranking()]
        assert len(set(names)) == len(names)
        assert set(self.now.present) <= set(names)


def test_an_evening_in_any_order_keeps_all_of_it() -> None:
    run_state_machine_as_test(Evening, settings=settings(max_examples=60, stateful_step_count=30, deadline=None))
