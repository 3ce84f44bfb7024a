"""A tournament in the database of a venue: matches at the tables begin and end its heats, and staff do the rest."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.venue.tables import VenueTable

from firmware_host.venue.database import database_at
from firmware_host.venue.heats import shown
from firmware_host.venue.messages import TableEvent, TableName, TableResult, read
from firmware_host.venue.store import Store
from firmware_host.venue.tournament import Format, Heat, Tournament, TournamentError, points_of

NAMES = ("Ana", "Bo", "Cy", "Di")
KEY = "bar/window"
LEVELS = st.one_of(st.none(), st.sampled_from(["easy", "middle", "hard"]))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(database_at(str(tmp_path / "venue.sqlite")))
    yield opened
    opened.close()


@pytest.fixture
def called(store: Store) -> Store:
    """Give a store with a tournament of four, whose only heat is called to a table."""
    store.start_tournament(Tournament.of(NAMES, Format(draws=1, final=0), seed=1))
    store.change_tournament(1, lambda before: before.drawn().called([KEY]))
    return store


def heat_of(store: Store) -> Heat:
    running = store.tournament()
    assert running is not None
    return running.tournament.heats[0]


def messages(
    table: VenueTable, reopenings: int = 0, robots: tuple[str | None, ...] = ()
) -> list[TableEvent | TableResult]:
    found = [read(topic, body) for topic, body, _ in table.match(reopenings=reopenings, robots=robots)]
    return [message for message in found if isinstance(message, TableEvent | TableResult)]


def take(store: Store, taken: list[TableEvent | TableResult]) -> None:
    store.take(taken, "2026-11-23", 1)


def test_a_match_at_its_table_begins_and_ends_a_heat(called: Store) -> None:
    table = VenueTable("bar", "window")
    match = messages(table)
    seated = heat_of(called).players
    take(called, match[:2])
    assert heat_of(called).is_running
    take(called, match)
    (order,) = table.standings
    assert heat_of(called).standings == tuple(seated[table.names.index(seat)] for seat in order)


def test_a_match_that_is_reported_late_and_twice_counts_once(called: Store) -> None:
    match = messages(VenueTable("bar", "window"))
    take(called, match)
    after = called.tournament()
    take(called, match)
    assert called.tournament() == after
    assert heat_of(called).is_over


def test_a_heat_whose_match_was_reopened_runs_again_and_has_the_last_result(called: Store) -> None:
    table = VenueTable("bar", "window")
    seated = heat_of(called).players
    match = messages(table, reopenings=2)
    reopened = [place for place, message in enumerate(match) if getattr(message, "type", "") == "match-reopened"]
    take(called, match[: reopened[0]])
    assert heat_of(called).is_over
    take(called, match[: reopened[0] + 1])
    assert heat_of(called).is_running
    assert not heat_of(called).is_over
    take(called, match)
    (order,) = table.standings
    assert heat_of(called).standings == tuple(seated[table.names.index(seat)] for seat in order)


def test_a_result_that_staff_wrote_stays_when_a_match_is_reopened(called: Store) -> None:
    match = messages(VenueTable("bar", "window"), reopenings=1)
    heat = heat_of(called)
    running = called.tournament()
    assert running is not None
    written = heat.players[::-1]
    called.change_tournament(running.revision, lambda before: before.reported(KEY, written))
    take(called, match)
    assert heat_of(called).standings == written


def test_a_match_at_another_table_changes_nothing(called: Store) -> None:
    before = called.tournament()
    take(called, messages(VenueTable("bar", "corner")))
    take(called, messages(VenueTable("club", "window")))
    assert called.tournament() == before


def test_a_match_that_began_before_the_heat_was_called_is_not_its_result(store: Store) -> None:
    match = messages(VenueTable("bar", "window"))
    take(store, match[:4])
    store.start_tournament(Tournament.of(NAMES, Format(draws=1, final=0), seed=1))
    store.change_tournament(1, lambda before: before.drawn().called([KEY]))
    take(store, match)
    assert heat_of(store).can_change


def test_a_match_of_fewer_players_than_the_heat_is_left_to_staff(called: Store) -> None:
    take(called, messages(VenueTable("bar", "window", seats=3)))
    heat = heat_of(called)
    assert heat.can_change
    called.change_tournament(2, lambda before: before.reported(KEY, heat.players[:3]))
    assert heat_of(called).standings == heat.players[:3]


@given(seed=st.integers(1, 1 << 16), robots=st.lists(LEVELS, min_size=4, max_size=6), reopenings=st.integers(0, 2))
def test_a_robot_wins_nothing_and_the_player_whose_seat_it_has_misses_the_heat(
    seed: int, robots: list[str | None], reopenings: int
) -> None:
    table = VenueTable("bar", "window", seats=len(robots), seed=seed)
    people = [seat for seat, level in enumerate(robots) if level is None]
    store = Store(database_at(":memory:"))
    store.start_tournament(Tournament.of(NAMES, Format(draws=1, final=0), seed=seed))
    store.change_tournament(1, lambda before: before.drawn().called([KEY]))
    take(store, messages(table, reopenings, tuple(robots)))
    heat, running = heat_of(store), store.tournament()
    store.close()
    assert running is not None
    if len(people) == len(NAMES):  # everybody plays, beside robots if there are any
        who = dict(zip(people, heat.players, strict=True))
    elif len(robots) == len(NAMES) and len(people) >= 2:
        who = {seat: name for seat, name in enumerate(heat.players) if seat in people}
    else:
        assert heat.can_change
        return
    order = [table.names.index(name) for name in table.standings[-1]]
    assert heat.standings == tuple(who[seat] for seat in order if seat in who)
    points = {rank.name: (rank.points, rank.heats) for rank in running.tournament.ranking()}
    assert points == dict.fromkeys(NAMES, (0, 0)) | {
        name: (points_of(place, len(who)), 1) for place, name in enumerate(heat.standings)
    }


@pytest.mark.parametrize("seats", [[9, 9, 9, 9], "nonsense", [0, 1, 2], None])
def test_a_made_up_beginning_of_a_match_harms_nothing(called: Store, seats: object) -> None:
    table = VenueTable("bar", "window")
    made_up = [table.event("match-began", match="x", rules="perudo", players=seats), *table.match()]
    found = [read(topic, body) for topic, body, _ in made_up]
    take(called, [message for message in found if isinstance(message, TableEvent | TableResult)])
    assert called.tables()[0].table == TableName("bar", "window")


def test_two_who_change_a_tournament_at_once_do_not_undo_each_other(called: Store) -> None:
    with pytest.raises(TournamentError, match="has changed meanwhile; look again"):
        called.change_tournament(1, lambda before: before.left("Ana"))


def test_there_is_one_tournament_at_a_time(called: Store) -> None:
    other = Tournament.of(NAMES, seed=2)
    with pytest.raises(TournamentError, match="close it first"):
        called.start_tournament(other)
    called.change_tournament(2, None)
    assert shown(called.tournament()) is None
    with pytest.raises(TournamentError, match="no tournament is being played"):
        called.change_tournament(3, None)
    called.start_tournament(other)
    found = shown(called.tournament())
    assert found is not None
    assert (found.number, found.can_draw) == (2, True)


def test_a_tournament_is_there_after_a_restart(called: Store, tmp_path: Path) -> None:
    other = Store(database_at(str(tmp_path / "venue.sqlite")))
    assert other.tournament() == called.tournament()
    other.close()
