"""The database of a venue: each event once, in order, and rankings that follow from the matches taken."""

import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.venue.postgres import Postgres
from support.venue.tables import VenueTable

from firmware_host.clients.bridge.topics import Place, Seen
from firmware_host.errors import UserError
from firmware_host.venue.database import DatabaseAwayError, database_at
from firmware_host.venue.follower import REPEATS, Holes
from firmware_host.venue.messages import TableEvent, TableName, TableResult, read
from firmware_host.venue.store import Season, Store, Taken, points_of

BAR = TableName("bar", "window")
NIGHT, NOW_MS = "2026-11-23", 1_795_000_000_000


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(database_at(str(tmp_path / "venue.sqlite")))
    yield opened
    opened.close()


def match_of(table: VenueTable, reopenings: int = 0) -> list[TableEvent | TableResult]:
    """Return what a venue keeps of one match of a table."""
    read_all = [read(topic, body) for topic, body, _ in table.match(reopenings=reopenings)]
    return [message for message in read_all if isinstance(message, TableEvent | TableResult)]


def take(store: Store, messages: list[TableEvent | TableResult], **more: object) -> Taken:
    return store.take(messages, NIGHT, NOW_MS, **more)  # type: ignore[arg-type]


def place_of(taken: Taken) -> tuple[str, int]:
    """Return how far the venue is at the table."""
    return taken.seen[BAR].epoch, taken.seen[BAR].seq


def test_a_match_is_taken_and_its_points_with_it(store: Store) -> None:
    table = VenueTable("bar", "window")
    taken = take(store, match_of(table))
    assert (taken.events, taken.results, place_of(taken)) == (table.seq, 1, (table.epoch, table.seq))
    (standings,) = table.standings
    assert [(score.player, score.points, score.wins) for score in store.ranking(night=NIGHT)] == [
        (player, 3 - place, int(place == 0)) for place, player in enumerate(standings)
    ]


def test_what_comes_twice_counts_once(store: Store) -> None:
    messages = match_of(VenueTable("bar", "window"))
    take(store, messages)
    ranking = store.ranking()
    again = take(store, messages)
    assert (again.events, again.results, again.duplicates) == (0, 0, len(messages) - 1)
    assert store.ranking() == ranking


@pytest.mark.parametrize("at_once", [True, False])
def test_of_a_match_that_was_reopened_only_the_last_result_counts(store: Store, at_once: bool) -> None:
    table = VenueTable("bar", "window")
    messages = [*match_of(table), *match_of(table, reopenings=3)]
    for some in [messages] if at_once else [[message] for message in messages]:
        take(store, some)
    (score, *_), last = store.ranking(night=NIGHT), table.standings[-1]
    points = {name: 3 - table.standings[0].index(name) + 3 - last.index(name) for name in table.names}
    assert {each.player: (each.points, each.matches) for each in store.ranking()} == {
        name: (each, 2) for name, each in points.items()
    }
    assert score.points == max(points.values())


def test_a_result_that_does_not_stand_brings_nothing_and_counts_no_second_time(store: Store) -> None:
    messages = match_of(VenueTable("bar", "window"), reopenings=1)
    reopened = next(place for place, message in enumerate(messages) if getattr(message, "type", "") == "match-reopened")
    result = next(message for message in messages if isinstance(message, TableResult))
    take(store, messages[: reopened + 1])
    assert store.ranking() == []
    assert take(store, [result]).results == 0
    assert store.ranking() == []


def test_a_winner_whom_a_table_tells_again_after_a_restart_counts_once(store: Store) -> None:
    table = VenueTable("bar", "window")
    messages = match_of(table)
    take(store, messages)
    ranking = store.ranking()
    result = next(message for message in messages if isinstance(message, TableResult))
    take(store, [result._replace(seq=table.seq + 1)])
    assert store.ranking() == ranking


def test_of_two_results_of_a_match_the_later_one_counts_whichever_comes_first(store: Store) -> None:
    table = VenueTable("bar", "window")
    messages = match_of(table, reopenings=1)
    first, last = (message for message in messages if isinstance(message, TableResult))
    take(store, [last])
    ranking = store.ranking()
    take(store, [first, *messages])
    assert store.ranking() == ranking
    assert take(store, messages).seen[BAR].seq == table.seq


def test_two_processes_count_a_match_once(store: Store, tmp_path: Path) -> None:
    other = Store(database_at(str(tmp_path / "venue.sqlite")))
    messages = match_of(VenueTable("bar", "window"))
    take(store, messages[:5])
    take(other, messages)
    assert take(store, messages).events == 0
    assert store.ranking() == other.ranking()
    other.close()


def test_nothing_behind_a_lost_event_is_taken_before_it(store: Store) -> None:
    messages = match_of(VenueTable("bar", "window"))
    taken = take(store, [*messages[:3], *messages[4:]])
    assert taken.seen[BAR].seq == 3
    assert taken.refused[0] == (BAR, "e0001", 5)
    assert take(store, messages).seen[BAR].seq == messages[-1].seq


def test_a_win_waits_for_its_result(store: Store) -> None:
    messages = match_of(VenueTable("bar", "window"))
    events = [message for message in messages if isinstance(message, TableEvent)]
    assert take(store, list(events)).seen[BAR].seq == events[-1].seq - 1
    assert take(store, messages).seen[BAR].seq == events[-1].seq


def test_an_event_with_a_gap_goes_on_behind_it_and_the_table_is_marked(store: Store) -> None:
    messages = [each for each in match_of(VenueTable("bar", "window")) if isinstance(each, TableEvent)]
    assert take(store, [messages[0], messages[2]._replace(gap=True)]).seen[BAR].seq == 3
    assert store.tables()[0].gaps == 1


def test_an_event_with_a_gap_that_comes_again_moves_nothing_back(store: Store) -> None:
    messages = match_of(VenueTable("bar", "window"))
    take(store, messages)
    other = match_of(VenueTable("bar", "window", seed=2))
    take(store, other)
    assert place_of(take(store, messages)) == ("e0002", other[-1].seq)


def test_an_event_that_nobody_has_the_ones_before_is_taken_when_it_is_accepted(store: Store) -> None:
    event = match_of(VenueTable("bar", "window"))[5]
    assert take(store, [event]).seen[BAR] == Seen()
    assert take(store, [event], accept={(BAR, event.epoch, event.seq)}).seen[BAR].seq == event.seq


def test_a_table_that_begins_a_third_time_with_the_same_event_has_none_before_it(store: Store) -> None:
    holes, events = Holes(), match_of(VenueTable("bar", "window"))[5:8]
    for _ in range(REPEATS):
        taken = take(store, events, accept=holes.known)
        assert taken.seen[BAR] == Seen()
        holes.take(taken)
    taken = take(store, events, accept=holes.known)
    assert (taken.events, taken.seen[BAR].seq) == (3, events[-1].seq)


def test_an_event_under_a_strange_epoch_hides_no_hole(store: Store) -> None:
    holes, events = Holes(), match_of(VenueTable("bar", "window"))[5:8]
    for epoch in ("0", "zzz"):
        holes.take(take(store, [each._replace(epoch=epoch, seq=900) for each in events[:1]], accept=holes.known))
    for _ in range(REPEATS):
        holes.take(take(store, events, accept=holes.known))
    assert take(store, events, accept=holes.known).events == 3


def test_holes_of_the_epochs_that_were_heard_last_are_known(store: Store) -> None:
    holes, events = Holes(), match_of(VenueTable("bar", "window"))[5:6]
    for _ in range(REPEATS):
        holes.take(take(store, [each._replace(epoch=f"e{number}") for number in range(100) for each in events]))
    assert not holes.known
    for _ in range(REPEATS):
        holes.take(take(store, events))
    assert len(holes.known) == 1


def test_three_tables_of_one_name_that_begin_with_the_same_event_count_as_one(store: Store) -> None:
    for _ in range(3):  # one card copied twice: the same journal, so the same events
        messages = match_of(VenueTable("bar", "window"))
        taken = take(store, messages)
    assert (taken.events, taken.duplicates, taken.refused) == (0, len(messages) - 1, [])
    assert sum(score.matches for score in store.ranking()) == 4


def test_two_tables_of_one_name_are_both_kept_and_marked(store: Store) -> None:
    holes = Holes()
    one, other = (match_of(VenueTable("bar", "window", seed=seed)) for seed in (1, 2))
    for messages in (one[:4], other[:4], *[one[4:]] * (REPEATS + 1), *[other[4:]] * (REPEATS + 1)):
        holes.take(take(store, messages, accept=holes.known))
    assert sum(score.matches for score in store.ranking()) == 8
    assert store.tables()[0].gaps > 0


def restored(messages: list[TableEvent | TableResult], count: int) -> list[TableEvent | TableResult]:
    """Return the messages of a table that was restored to the state after so many events and played on."""
    other = match_of(VenueTable("bar", "window", seed=2))
    body = other[0].body if isinstance(other[0], TableEvent) else b""
    return [*messages[:count], *(each._replace(epoch="e0001", body=body.replace(b"e0002", b"e0001"))
            for each in messages[count:] if isinstance(each, TableEvent))]  # fmt: skip


def test_another_event_under_the_number_of_a_stored_one_is_a_conflict_and_is_reported(store: Store) -> None:
    messages = match_of(VenueTable("bar", "window"))
    before = take(store, messages)
    taken = take(store, restored(messages, 3))
    assert taken.conflicts == [(BAR, "e0001", 4)]
    assert taken.seen[BAR] == Seen("e0001", before.seen[BAR].seq, before.seen[BAR].digest, Place("e0001", 4))
    assert store.tables()[0].in_conflict


def test_nothing_behind_a_conflict_is_taken_under_its_epoch(store: Store) -> None:
    messages = [each for each in match_of(VenueTable("bar", "window")) if isinstance(each, TableEvent)]
    take(store, list(messages[:6]))
    taken = take(store, restored(list(messages), 3))
    assert (taken.events, taken.refused, place_of(taken)) == (0, [], ("e0001", 6))


def test_a_restored_table_goes_on_under_an_epoch_of_its_own_and_lacks_nothing(store: Store) -> None:
    messages = [each for each in match_of(VenueTable("bar", "window")) if isinstance(each, TableEvent)]
    take(store, list(messages))
    other = [each._replace(epoch="e0001-5f0c", gap=number == 3) for number, each in enumerate(messages) if number >= 3]
    take(store, restored(list(messages), 3))
    assert take(store, list(other[:5])).seen[BAR].conflict is None
    (record,) = store.tables()
    assert (record.seen, record.gaps, record.in_conflict) == (Seen("e0001-5f0c", 8), 0, False)


def test_events_of_a_restored_table_that_were_taken_before_are_not_stored_again(store: Store) -> None:
    messages = [each for each in match_of(VenueTable("bar", "window")) if isinstance(each, TableEvent)]
    take(store, list(messages[:6]))
    again = [each._replace(epoch="e0001-5f0c", gap=number == 3) for number, each in enumerate(messages) if number >= 3]
    taken = take(store, list(again[:5]))
    assert (taken.events, taken.duplicates, place_of(taken)) == (2, 3, ("e0001-5f0c", 8))
    assert store.tables()[0].gaps == 0


def test_events_of_a_restored_table_that_come_again_move_nothing_back(store: Store) -> None:
    messages = [each for each in match_of(VenueTable("bar", "window")) if isinstance(each, TableEvent)]
    take(store, list(messages[:6]))
    again = [each._replace(epoch="e0001-5f0c", gap=number == 3) for number, each in enumerate(messages) if number >= 3]
    take(store, list(again[:5]))
    taken = take(store, list(again[:2]))
    assert (taken.events, taken.duplicates, taken.refused) == (0, 2, [])
    (record,) = store.tables()
    assert (record.seen, record.gaps) == (Seen("e0001-5f0c", 8), 0)


@pytest.mark.parametrize("epochs", [["e0001-a", "e0001-b"], ["e0001-a", "e0001-b", "e0001-c"]], ids=["twice", "thrice"])
def test_a_venue_that_begins_again_knows_what_a_table_restored_so_often_told_before(
    tmp_path: Path, epochs: list[str]
) -> None:
    restored_under(str(tmp_path / "venue.sqlite"), epochs)


@pytest.mark.slow
def test_a_venue_with_postgresql_that_begins_again_knows_what_a_restored_table_told_before() -> None:
    pytest.importorskip("psycopg")
    with closing(Postgres()) as postgres:
        postgres.start()
        restored_under(postgres.url, ["e0001-a", "e0001-b", "e0001-c"])


def restored_under(place: str, epochs: list[str]) -> None:
    """Have a table tell the same five events under each of these epochs, while the venue begins again and again."""
    messages = [each for each in match_of(VenueTable("bar", "window")) if isinstance(each, TableEvent)]
    with closing(Store(database_at(place))) as store:
        take(store, list(messages[:3]))
    taken = []
    for epoch in epochs:
        again = [each._replace(epoch=epoch, gap=number == 3) for number, each in enumerate(messages) if number >= 3]
        for count in (2, 5):
            with closing(Store(database_at(place))) as store:
                taken.append(take(store, list(again[:count])))
                assert (place_of(taken[-1]), taken[-1].refused) == ((epoch, 3 + count), [])
    assert [each.events for each in taken] == [2, 3, *[0] * (len(taken) - 2)]


def test_an_event_that_comes_again_as_late_is_no_conflict(store: Store) -> None:
    messages = match_of(VenueTable("bar", "window"))
    take(store, messages)
    late = [each._replace(body=each.body[:-1] + b', "late": true}') if isinstance(each, TableEvent) else each
            for each in messages]  # fmt: skip
    assert take(store, late).conflicts == []


def test_a_table_that_another_process_has_deleted_is_a_new_one(store: Store, tmp_path: Path) -> None:
    messages = match_of(VenueTable("bar", "window"))
    take(store, messages[:3])
    other = Store(database_at(str(tmp_path / "venue.sqlite")))
    assert other.delete(BAR)
    other.close()
    assert take(store, messages[3:]).seen[BAR] == Seen()
    assert take(store, messages).events == len(messages) - 1


@pytest.mark.parametrize("wanted", [{"night": NIGHT}, {"season": 1}])
def test_a_ranking_searches_its_scores_by_an_index(store: Store, wanted: dict[str, Any]) -> None:
    statements = list[tuple[str, Sequence[object]]]()
    store.season()
    run = store._database.run
    store._database.run = lambda *statement: statements.append(statement) or run(*statement)  # type: ignore
    store.ranking(**wanted)
    ((statement, values),) = statements
    plan = [str(row[3]) for row in run(f"EXPLAIN QUERY PLAN {statement}", values)]
    assert any(re.match(r"SEARCH scores USING (COVERING )?INDEX .*(night|season)=\?", step) for step in plan), plan
    assert not any(step.startswith("SCAN scores") for step in plan), plan


def test_nothing_of_a_batch_is_there_if_it_fails(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    messages = match_of(VenueTable("bar", "window"))
    take(store, messages[:2])
    monkeypatch.setattr(store, "_add_events", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        take(store, match_of(VenueTable("bar", "corner")))
    monkeypatch.undo()
    assert [record.table.name for record in store.tables()] == ["window"]
    assert take(store, messages).seen[BAR].seq == messages[-1].seq


def test_a_season_begins_with_no_points_and_the_old_one_stays(store: Store) -> None:
    table = VenueTable("bar", "window")
    take(store, match_of(table))
    assert store.end_season(1, "Winter", NOW_MS)
    assert not store.end_season(1, "Winter", NOW_MS)  # a second click
    assert store.season() == Season(2, "Winter")
    assert store.ranking(season=2) == []
    assert len(store.ranking(season=1)) == 4
    take(store, match_of(table))
    assert len(store.ranking(season=2)) == 4


def test_a_hidden_table_is_in_no_ranking(store: Store) -> None:
    take(store, match_of(VenueTable("bar", "window")))
    assert store.hide(BAR, hidden=True)
    assert store.ranking() == []
    assert not store.hide(TableName("bar", "attic"), hidden=True)


@pytest.mark.parametrize("name", ["'; DROP TABLE events; --", "<script>alert(1)</script>", "‮evil", "a\0b", "𝕬" * 16])
def test_hostile_names_are_names(store: Store, name: str) -> None:
    messages = match_of(VenueTable("bar", "window", names=(name, "East", "South", "West")))
    take(store, messages)
    assert name.replace("\0", "\ufffd") in {score.player for score in store.ranking()}
    assert store.set_title(BAR, name.replace("\0", ""))


def test_one_name_twice_in_a_match_gets_the_points_of_both() -> None:
    assert points_of(("Ana", "Luis", "Ana")) == [("Ana", 2, 1), ("Luis", 1, 0)]


def test_a_database_of_a_newer_version_is_refused_with_what_to_do(store: Store, tmp_path: Path) -> None:
    store.tables()
    store._database.run("UPDATE venue SET version = 9")
    with pytest.raises(UserError, match=r"venue\.sqlite: was made by a newer dudo-table \(version 9.*update"):
        Store(database_at(str(tmp_path / "venue.sqlite"))).tables()


def test_a_file_that_is_no_database_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "venue.sqlite").write_text("not a database " * 100)
    with pytest.raises(UserError, match=r"venue\.sqlite: file is not a database; move it away"):
        Store(database_at(str(tmp_path / "venue.sqlite"))).tables()


def test_a_folder_that_cannot_be_made_is_tried_again(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DatabaseAwayError, match="file"):
        Store(database_at(str(tmp_path / "file" / "venue.sqlite"))).tables()


def test_a_wrong_address_of_postgresql_is_refused() -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(UserError, match="--database: is no address of PostgreSQL"):
        database_at("postgresql://[")
