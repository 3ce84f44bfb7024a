"""What a venue makes of the messages on a broker: those of bridges mean something, everything else is ignored."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.venue.tables import VenueTable

from firmware_host.clients.bridge.topics import Seen
from firmware_host.venue.board import MAX_TABLES, TableBoard
from firmware_host.venue.messages import (
    MAX_BYTES,
    MAX_STATE_BYTES,
    NonsenseError,
    TableEvent,
    TableName,
    TableResult,
    TableState,
    TableStatus,
    read,
)
from firmware_host.venue.store import TableRecord, points_of

TABLE = VenueTable("bar", "window")
BAR = TableName("bar", "window")


def changed(**more: Any) -> bytes:
    """Return a state in which some fields are others."""
    return json.dumps({**json.loads(TABLE.state()[1]), **more}).encode()


@pytest.mark.parametrize("name", ["", "a/b", "a+b", "#", "é", "x" * 33, "<b>", "a b", "..", "a\n"])
def test_a_hostile_name_of_a_table_is_no_table(name: str) -> None:
    with pytest.raises(NonsenseError):
        read(f"dudo/v1/bar/{name}/status", TABLE.status()[1])


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[" * 100_000,
        b"\xff\xfe",
        b"x" * (MAX_BYTES + 1),
        changed(site="other"),
        changed(table="corner"),
        changed(seq=-1),
        changed(seq=2**63),
        changed(seq="1"),
        changed(epoch="a" * 65),
        changed(epoch="../.."),
        changed(turn=9),
        changed(winner=4),
        changed(seats=[]),
        changed(seats=json.loads(TABLE.state()[1])["seats"] * 9),
        changed(standing={"quantity": 10**9, "face": 5, "seat": 0}),
        changed(standing={"quantity": 3, "face": 7, "seat": 0}),
    ],
)
def test_nonsense_is_no_state(body: bytes) -> None:
    with pytest.raises(NonsenseError):
        read(TABLE.topic("state"), body)


@given(st.sampled_from(["status", "state", "event", "result"]), st.binary(max_size=200))
def test_any_bytes_are_a_message_or_nonsense(kind: str, body: bytes) -> None:
    with suppress(NonsenseError):
        assert read(TABLE.topic(kind), body).table == BAR


@pytest.mark.parametrize(
    "more", [{"type": "x\0y"}, {"type": "x y"}, {"type": ""}, {"epoch": "e\n"}, {"epoch": ""}, {"more": "\udcff"}]
)
def test_an_event_with_text_that_a_database_or_a_browser_refuses_is_none(more: dict[str, str]) -> None:
    topic, body, _ = TABLE.event("said")
    line = json.dumps({**json.loads(body), **more}, ensure_ascii=False).encode(errors="surrogateescape")
    with pytest.raises(NonsenseError):
        read(topic, line)


def state(board: TableBoard, **more: Any) -> None:
    found = read(TABLE.topic("state"), changed(**more))
    assert isinstance(found, TableState)
    board.take_state(found)


def status(board: TableBoard, **more: Any) -> None:
    found = read(*TABLE.status(**more)[:2])
    assert isinstance(found, TableStatus)
    board.take_status(found)


def test_a_table_that_does_not_report_needs_attention() -> None:
    board = TableBoard()
    status(board, online=False)
    assert [card.attention for card in board.cards()] == [(("offline", ""),)]
    status(board, playing=False)
    assert [card.attention for card in board.cards()] == [(("silent", ""),)]
    status(board)
    assert [card.attention for card in board.cards()] == [()]


def test_troubles_missing_devices_and_players_away_need_attention() -> None:
    board = TableBoard()
    status(board)
    seats = json.loads(TABLE.state()[1])["seats"]
    seats[1] |= {"missing": ["cup"], "away": True}
    state(board, troubles=["disk-full"], seats=seats)
    assert board.cards()[0].attention == (("disk-full", ""), ("cup", "East"), ("away", "East"))


def test_a_card_says_where_a_robot_plays() -> None:
    board = TableBoard()
    status(board)
    seats = json.loads(TABLE.state()[1])["seats"]
    seats[1] |= {"playing": True, "robot": "hard"}
    state(board, seats=seats)
    (card,) = board.cards()
    assert [chair.name for chair in card.chairs if chair.robot] == ["East"]


def test_cards_that_have_not_changed_are_not_sent_again() -> None:
    board = TableBoard()
    status(board)
    version = board.version
    status(board)
    assert board.cards(version) == []
    state(board)
    assert len(board.cards(version)) == 1


def test_a_state_that_is_longer_than_any_table_has_it_is_none() -> None:
    assert len(TABLE.state()[1]) < MAX_STATE_BYTES / 4
    with pytest.raises(NonsenseError, match="a state that is too long"):
        read(TABLE.topic("state"), changed(position="x" * MAX_STATE_BYTES))


def test_an_older_state_is_left_out() -> None:
    board = TableBoard()
    state(board, seq=5, rules="perudo")
    state(board, seq=4, rules="dudo")
    assert board.cards()[0].rules == "perudo"
    state(board, seq=0, epoch="other", rules="dudo")
    assert board.cards()[0].rules == "dudo"


def test_followers_get_each_new_line_once_and_no_late_one() -> None:
    board, lines = TableBoard(), list[bytes]()
    state(board)
    end = board.follow(BAR, lines.append)
    event = read(*VenueTable("bar", "window").event("joined", seat=1)[:2])
    assert isinstance(event, TableEvent)
    for sent in (event, event, event._replace(seq=2, late=True)):
        board.take_event(sent)
    assert lines == [changed(), event.body]
    end()
    state(board)
    assert len(lines) == 2


def test_there_is_room_for_so_many_tables_and_no_more() -> None:
    board = TableBoard()
    for number in range(MAX_TABLES):
        board.take_status(TableStatus(TableName("bar", f"t{number}"), TABLE_STATUS))
    assert not board.has_room_for(TableName("bar", "one-more"))
    assert board.has_room_for(TableName("bar", "t0"))
    assert board.ignored["a table more than there may be"] == 1
    assert board.is_full
    version = board.version
    board.remove(TableName("bar", "t0"))
    assert board.removed(version) == [TableName("bar", "t0")]
    assert board.has_room_for(TableName("bar", "one-more"))
    assert not board.is_full


def test_a_table_that_another_process_has_deleted_is_gone() -> None:
    board, record = TableBoard(), TableRecord(BAR, Seen("e", 1), 0, "", hidden=False)
    status(board)
    board.update([])
    assert BAR in board  # the database has nothing of it yet
    board.update([record])
    version = board.version
    board.update([])
    assert board.removed(version) == [BAR]


TABLE_STATUS = read(*TABLE.status()[:2]).status  # type: ignore[union-attr]


def result_of(**more: Any) -> bytes:
    """Return the result of a match."""
    body = {"site": "bar", "table": "window", "epoch": "e", "seq": 1, "match": "m", "rules": "perudo", **more}
    return json.dumps(body).encode()


def test_a_robot_in_a_result_has_no_name_and_gets_no_points() -> None:
    body = result_of(standings=["East", "South", "North"], robots=["hard", None, None])
    result = read("dudo/v1/bar/window/result", body)
    assert isinstance(result, TableResult)
    assert result.standings == (None, "South", "North")
    assert points_of(result.standings) == [("North", 0, 0), ("South", 1, 0)]


@pytest.mark.parametrize("robots", [[None], [1, None], ["x" * 65, None], "hard"])
def test_nonsense_about_robots_is_no_result(robots: object) -> None:
    with pytest.raises(NonsenseError):
        read("dudo/v1/bar/window/result", result_of(standings=["East", "South"], robots=robots))
