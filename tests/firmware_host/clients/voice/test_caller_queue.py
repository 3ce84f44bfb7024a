"""The caller's queue: nothing stale, nothing twice, one phrase late at most, and a call before everything."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.clients.voice.caller_queue import (
    MAX_REMEMBERED,
    MAX_SCHEDULED,
    SOUND_KEEP_S,
    CallerQueue,
    Topic,
    VoiceCue,
)
from firmware_host.i18n.caller_phrases import Phrase, PhrasePart


def phrase(text: str) -> Phrase:
    return Phrase(text, (PhrasePart((text,), text),))


def says(text: str, topic: Topic = Topic.BID, **more: object) -> VoiceCue:
    return VoiceCue(topic, phrase=phrase(text), **more)  # type: ignore[arg-type]


def texts(cues: list[VoiceCue]) -> list[str]:
    return [cue.sound if cue.phrase is None else cue.phrase.text for cue in cues]


@pytest.fixture
def queue() -> CallerQueue:
    return CallerQueue()


def test_a_phrase_starts_at_its_moment(queue: CallerQueue) -> None:
    queue.put(says("five", after_s=0.5), 10.0)
    assert queue.next_s() == 10.5
    assert queue.take(10.4) == []
    assert texts(queue.take(10.5)) == ["five"]


def test_one_phrase_plays_at_a_time(queue: CallerQueue) -> None:
    queue.put(says("one", Topic.ROUND), 0.0)
    assert texts(queue.take(0.0)) == ["one"]
    queue.put(says("two", Topic.ROUND), 0.1)
    assert queue.take(0.2) == []
    queue.finished()
    assert texts(queue.take(0.3)) == ["two"]


def test_of_the_phrases_that_wait_the_newest_is_kept(queue: CallerQueue) -> None:
    for at, text in enumerate(("one", "two", "three")):
        queue.put(says(text, Topic.ROUND), at / 10)
        queue.take(at / 10)
    queue.finished()
    assert texts(queue.take(0.4)) == ["three"]
    queue.finished()
    assert queue.take(0.5) == []


def test_what_matters_more_is_kept_although_it_is_older(queue: CallerQueue) -> None:
    queue.put(says("playing"), 0.0)
    queue.take(0.0)
    queue.put(says("East wins", Topic.END), 0.1)
    queue.put(says("East opens", Topic.TURN), 0.2)
    queue.take(0.2)
    queue.finished()
    assert texts(queue.take(0.3)) == ["East wins"]


def test_a_phrase_that_waited_too_long_is_never_heard(queue: CallerQueue) -> None:
    queue.put(says("playing"), 0.0)
    queue.take(0.0)
    queue.put(says("late", keep_s=1.0), 0.1)
    queue.take(0.2)
    queue.finished()
    assert queue.take(1.2) == []
    assert queue.playing is None


def test_sounds_play_beside_a_phrase_unless_they_are_late(queue: CallerQueue) -> None:
    queue.put(says("playing"), 0.0)
    queue.put(VoiceCue(Topic.TURN, sound="turn"), 0.0)
    assert texts(queue.take(0.0)) == ["turn", "playing"]
    queue.put(VoiceCue(Topic.ROUND, sound="slam"), 0.1)
    queue.put(VoiceCue(Topic.ROUND, sound="old"), 0.1 - 2 * SOUND_KEEP_S)
    assert texts(queue.take(0.2)) == ["slam"]


def test_a_bid_that_no_longer_stands_is_dropped_where_it_waits_and_where_it_plays(queue: CallerQueue) -> None:
    queue.put(says("five"), 0.0)
    queue.take(0.0)
    queue.put(says("six"), 0.1)
    queue.take(0.1)
    queue.drop(Topic.BID, cut=True)
    assert queue.playing is None
    assert queue.take(0.2) == []


def test_without_a_cut_what_plays_is_spoken_to_its_end(queue: CallerQueue) -> None:
    queue.put(says("East loses a die", Topic.REVEAL), 0.0)
    (playing,) = queue.take(0.0)
    queue.put(says("East is out", Topic.REVEAL, after_s=1.0), 0.0)
    queue.drop(Topic.REVEAL)
    assert queue.playing is playing
    queue.finished()
    assert queue.take(5.0) == []


def test_a_call_pre_empts_everything(queue: CallerQueue) -> None:
    queue.put(says("five"), 0.0)
    queue.put(says("later", Topic.END, after_s=9.0), 0.0)
    queue.take(0.0)
    queue.put(says("waiting"), 0.1)
    queue.take(0.1)
    queue.put(VoiceCue(Topic.CALL, sound="dudo"), 0.2)
    queue.put(says("Dudo!", Topic.CALL, after_s=0.25), 0.2)
    assert queue.playing is None
    assert texts(queue.take(0.2)) == ["dudo"]
    assert texts(queue.take(0.5)) == ["Dudo!"]
    assert queue.next_s() is None


def test_nothing_is_queued_twice_until_another_match(queue: CallerQueue) -> None:
    for _ in range(2):
        queue.put(says("East wins", Topic.END, once="won"), 0.0)
    assert texts(queue.take(0.0)) == ["East wins"]
    queue.finished()
    assert queue.take(0.1) == []
    queue.forget()
    queue.put(says("East wins", Topic.END, once="won"), 1.0)
    assert texts(queue.take(1.0)) == ["East wins"]


def test_everything_has_a_bound(queue: CallerQueue) -> None:
    for at in range(10_000):
        queue.put(says("x", after_s=60.0, once=at), 0.0)
    assert len(queue._scheduled) == MAX_SCHEDULED
    assert len(queue._said) == MAX_REMEMBERED


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["put", "drop", "finish", "pass"]),
        st.sampled_from([*Topic]),
        st.floats(0, 3, allow_nan=False),
    ),
    max_size=60,
)


@given(STEPS)
def test_whatever_happens_at_most_one_phrase_plays_and_none_late(steps: list[tuple[str, Topic, float]]) -> None:
    queue, now_s, put_s = CallerQueue(), 100.0, dict[str, float]()
    for number, (step, topic, length) in enumerate(steps):
        if step == "put":
            put_s[str(number)] = now_s + length
            queue.put(says(str(number), topic, after_s=length, keep_s=1.0), now_s)
        elif step == "drop":
            queue.drop(topic, cut=True)
            assert queue.playing is None or queue.playing.topic is not topic
        elif step == "finish":
            queue.finished()
        now_s += length
        before = queue.playing
        started = queue.take(now_s)
        assert len(started) <= (before is None)
        for text in texts(started):
            assert put_s[text] <= now_s <= put_s[text] + 1.0
        assert all(before is None or each.due_s > now_s for each in queue._scheduled)
