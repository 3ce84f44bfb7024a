"""The outbox: what waits, what is confirmed, and what becomes of it when the file or its process fails."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.clients.bridge import outbox as outbox_module
from firmware_host.clients.bridge.outbox import EventOutbox
from firmware_host.clients.bridge.topics import (
    BridgeStatus,
    MatchResult,
    Published,
    PublishedState,
    Seen,
    Topics,
    read_seen,
    read_status,
)
from firmware_host.public.reader import ReadPosition
from firmware_host.wire import AnyLine


@pytest.fixture
def outbox(tmp_path: Path) -> Iterator[EventOutbox]:
    """Return an outbox with the events 1 to 3 of journal a, all acknowledged by a broker."""
    outbox = EventOutbox(tmp_path / "outbox.sqlite")
    for seq in (1, 2, 3):
        outbox.add(ReadPosition("a", seq), [("event", b"{}")])
    outbox.note_sending(3)
    outbox.ack(3)
    yield outbox
    outbox.close()


def seqs(outbox: EventOutbox) -> list[int]:
    """Return the numbers of the events that wait."""
    return [row.seq for row in outbox.after(0, 100)]


def test_a_word_of_the_venue_deletes_what_it_has(outbox: EventOutbox) -> None:
    assert outbox.confirm(Seen("a", 2))
    assert seqs(outbox) == [3]


@pytest.mark.parametrize("word", [("a", 0), ("a", 4), ("b", 1), ("", -1)])
def test_a_word_about_something_else_deletes_nothing(outbox: EventOutbox, word: tuple[str, int]) -> None:
    assert not outbox.confirm(Seen(*word))
    assert seqs(outbox) == [1, 2, 3]


def test_a_word_about_what_was_never_sent_deletes_nothing(outbox: EventOutbox) -> None:
    outbox.add(ReadPosition("a", 4), [("event", b"{}")])
    assert not outbox.confirm(Seen("a", 4))
    assert len(outbox) == 4


def test_a_word_of_the_venue_may_overtake_the_acknowledgement_of_the_broker(outbox: EventOutbox) -> None:
    outbox.add(ReadPosition("a", 4), [("event", b"{}")])
    outbox.note_sending(4)
    assert outbox.confirm(Seen("a", 4))
    assert len(outbox) == 0


def test_a_result_goes_with_its_event(outbox: EventOutbox) -> None:
    outbox.add(ReadPosition("a", 4), [("result", b"{}"), ("event", b"{}")])
    outbox.note_sending(5)
    assert outbox.confirm(Seen("a", 4))
    assert len(outbox) == 0


def test_a_new_process_has_everything_and_sends_it_again_before_it_is_confirmed(
    outbox: EventOutbox, tmp_path: Path
) -> None:
    outbox.add(ReadPosition("a", 4), [("event", b"{}")])
    outbox.match = b"kept"
    again = EventOutbox(tmp_path / "outbox.sqlite")
    assert (again.position, again.instance, again.match) == (ReadPosition("a", 4), outbox.instance, b"kept")
    assert not again.confirm(Seen("a", 4))  # which may be about another event, before the table was restored
    again.note_sending(4)
    assert again.confirm(Seen("a", 4))


def test_an_event_is_the_first_once_all_before_it_are_confirmed(outbox: EventOutbox) -> None:
    outbox.add(ReadPosition("old", 1), [("event", b"1")])
    outbox.add(ReadPosition("new", 1), [("result", b"2"), ("event", b"3")])
    *_, result, event = outbox.after(0, 100)
    assert [outbox.is_first(row) for row in (result, event)] == [False, False]
    outbox.note_sending(event.number)
    outbox.confirm(Seen("old", 1))
    assert [outbox.is_first(row) for row in (result, event)] == [True, True]


def test_a_gap_is_noted_where_events_are_missing(outbox: EventOutbox) -> None:
    outbox.add(ReadPosition("a", 5), [("event", b"{}")])
    outbox.add(ReadPosition("a", 6), [("event", b"{}")])
    outbox.add(ReadPosition("b", 1), [("event", b"{}")])
    assert [row.gap for row in outbox.after(0, 100)] == [1, 0, 0, 1, 0, 1]


def test_the_oldest_events_go_when_there_are_too_many_and_results_stay(
    outbox: EventOutbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox_module, "MAX_EVENTS", 10)
    monkeypatch.setattr(outbox_module, "_SLACK", 5)
    outbox.add(ReadPosition("a", 4), [("result", b"{}"), ("event", b"{}")])
    for seq in range(5, 30):
        outbox.add(ReadPosition("a", seq), [("event", b"{}")])
    rows = outbox.after(0, 100)
    assert len(outbox) == len(rows) <= 16
    assert rows[0].topic == "result"
    assert rows[1].gap
    assert rows[-1].seq == 29


@pytest.mark.parametrize("content", [b"no database", b"SQLite format 3\0" + bytes(4000)])
def test_a_damaged_file_is_set_aside(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "outbox.sqlite").write_bytes(content)
    outbox = EventOutbox(tmp_path / "outbox.sqlite")
    assert (outbox.position, len(outbox)) == (None, 0)
    assert (tmp_path / "outbox.damaged.sqlite").read_bytes() == content


def test_a_file_of_another_version_is_set_aside(outbox: EventOutbox, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "outbox.sqlite") as file:
        file.execute("PRAGMA user_version = 99")
    assert len(EventOutbox(tmp_path / "outbox.sqlite")) == 0


# Messages


@given(
    st.binary(max_size=2000) | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(repr).map(str.encode)
)
def test_no_message_of_a_broker_raises(payload: bytes) -> None:
    read_seen(payload)
    read_status(payload)


def test_numbers_that_no_database_holds_are_no_message() -> None:
    assert read_seen(b'{"epoch": "a", "seq": 99999999999999999999}') is None
    assert read_status(b'{"instance": "x", "online": true, "version": 99999999999999999999}') is None


@pytest.mark.parametrize("kind", [Seen, BridgeStatus, AnyLine, Published, PublishedState, MatchResult])
def test_every_number_from_outside_is_bounded(kind: type) -> None:
    unbounded = [number for number in numbers_of(msgspec.inspect.type_info(kind)) if None in (number.ge, number.le)]
    assert not unbounded


def numbers_of(found: object) -> Iterator[msgspec.inspect.IntType]:
    """Yield the types of all numbers in a type."""
    if isinstance(found, msgspec.inspect.IntType):
        yield found
    for part in getattr(found, "__struct_fields__", ()):
        value = getattr(found, part)
        for each in value if isinstance(value, tuple) else (value,):
            yield from numbers_of(each) if isinstance(each, msgspec.inspect.Type | msgspec.inspect.Field) else ()


def test_what_a_venue_and_a_bridge_say_is_read() -> None:
    assert read_seen(b'{"epoch": "a", "seq": 7, "more": 1}') == Seen("a", 7)
    assert read_status(b'{"instance": "x", "online": true}') == BridgeStatus("x", online=True)


def test_a_line_keeps_all_its_fields() -> None:
    line = json.loads(Topics("bar", "one").line(b'{"type":"away","seq":3,"seat":1}', "a", late=True))
    assert line == {"type": "away", "seq": 3, "seat": 1, "site": "bar", "table": "one", "epoch": "a", "late": True}
