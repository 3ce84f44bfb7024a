"""The daemon's queue when more comes than the table takes: what it keeps, what it gives up, and that it has an end."""

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.messages import Button, Device, Found, Levelled, Lost, Message, Pressed, Released, Settled, Shaken, Tilted
from firmware_host.daemon import inbox
from firmware_host.daemon.inbox import BoundedInbox
from firmware_host.table.effects import Seeded

SEATS = 3
ENDS = SEATS * (len(Button) + 2 * len(Device) + 2)
"""Kinds of what ends something, as drawn here."""

seats = st.integers(0, SEATS - 1)
numbers = st.integers(1, 10**6)
begins = st.one_of(
    st.builds(Pressed, seats, st.sampled_from(Button), numbers),
    st.builds(Shaken, seats, numbers),
    st.builds(Tilted, seats, numbers),
)
ends = st.one_of(
    st.builds(Released, seats, st.sampled_from(Button), numbers),
    st.builds(Settled, seats, numbers, st.just(b"")),
    st.builds(Levelled, seats, numbers),
    st.builds(Lost, seats, st.sampled_from(Device), st.just("")),
    st.builds(Found, seats, st.sampled_from(Device)),
)


def drained(queue: BoundedInbox) -> list[Any]:
    async def drain() -> list[Any]:
        return [await queue.get() for _ in range(len(queue))]

    return asyncio.run(drain())


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox, "MAX_IN_ORDER", 5)


def is_subsequence(some: list[Any], every: list[Any]) -> bool:
    rest = iter(every)
    return all(any(one is other for other in rest) for one in some)


@given(st.lists(st.one_of(begins, ends), max_size=120))
def test_it_has_an_end_keeps_the_order_and_gives_up_nothing_unsaid(messages: list[Message]) -> None:
    queue = BoundedInbox()
    given_up = [gone for message in messages if (gone := queue.put(message)) is not None]
    assert len(queue) <= inbox.MAX_IN_ORDER + ENDS
    got = drained(queue)
    assert is_subsequence(got, messages)
    assert sorted(map(id, [*got, *given_up])) == sorted(map(id, messages))


@given(st.lists(st.one_of(begins, ends), max_size=120))
def test_the_last_end_of_each_kind_always_waits(messages: list[Message]) -> None:
    queue = BoundedInbox()
    for message in messages:
        queue.put(message)
    got = drained(queue)
    last = {(type(m), m.seat, getattr(m, "button", None), getattr(m, "device", None)): m for m in messages}
    for message in last.values():
        if not isinstance(message, Pressed | Shaken | Tilted):
            assert any(message is one for one in got)


@given(st.lists(st.one_of(begins, ends), max_size=120), st.lists(st.booleans(), max_size=200))
def test_the_order_is_kept_while_some_is_taken(messages: list[Message], turns: list[bool]) -> None:
    async def play() -> list[Any]:
        queue, got, rest = BoundedInbox(), [], list(messages)
        for puts in turns:
            if puts and rest:
                queue.put(rest.pop(0))
            elif queue:
                got.append(await queue.get())
        return got

    assert is_subsequence(asyncio.run(play()), messages)


def test_seeds_and_looks_at_the_clock_wait_once_each_when_there_is_no_room() -> None:
    queue = BoundedInbox()
    for _ in range(50):
        queue.put(Seeded(b""))
        queue.put(None)
    assert len(queue) <= inbox.MAX_IN_ORDER + 2


def test_it_waits_for_what_comes() -> None:
    async def come() -> object:
        queue = BoundedInbox()
        asyncio.get_running_loop().call_later(0.01, queue.put, Tilted(1, 2))
        return await queue.get()

    assert asyncio.run(come()) == Tilted(1, 2)


def test_a_full_queue_says_so_once_and_how_much_it_gave_up(caplog: pytest.LogCaptureFixture) -> None:
    queue = BoundedInbox()
    for at_ns in range(20):
        queue.put(Pressed(0, Button.OK, at_ns))
    queue.put(Levelled(0, 99))
    assert [record.message.split(";")[0] for record in caplog.records] == ["5 messages wait for the table"]
    drained(queue)
    assert caplog.records[-1].message == "the table has caught up; 15 messages were dropped"
