"""Frames of the link survive whatever a cable does to them; PyPI's `cobs` is the oracle for the coding."""

import random
from itertools import pairwise

import pytest
from cobs import cobs
from hypothesis import given
from hypothesis import strategies as st

from hardware.link.framing import (
    LONGEST_BODY,
    LONGEST_FRAME,
    FrameParser,
    FramingError,
    cobs_decode,
    cobs_encode,
    frame,
)

# Runs around 254 bytes are where COBS changes its mind.
PIECES = st.one_of(st.binary(max_size=20), st.integers(250, 260).map(lambda count: b"x" * count), st.just(b"\0"))
DATA = st.lists(PIECES, max_size=6).map(b"".join)
BODIES = st.lists(DATA.filter(lambda data: len(data) <= LONGEST_BODY), max_size=8)


def cut(stream: bytes, places: list[int]) -> list[bytes]:
    edges = [0, *sorted(place % (len(stream) + 1) for place in places), len(stream)]
    return [stream[start:end] for start, end in pairwise(edges)]


@given(DATA)
def test_encoding_agrees_with_the_oracle(data: bytes) -> None:
    assert cobs_encode(data) == cobs.encode(data)


@given(DATA)
def test_decoding_undoes_encoding(data: bytes) -> None:
    assert cobs_decode(cobs_encode(data)) == data


@given(st.binary(max_size=300))
def test_decoding_agrees_with_the_oracle_on_anything(encoded: bytes) -> None:
    try:
        expected = cobs.decode(encoded)
    except cobs.DecodeError:
        with pytest.raises(FramingError):
            cobs_decode(encoded)
    else:
        assert cobs_decode(encoded) == expected


@given(BODIES, st.lists(st.integers(min_value=0), max_size=30))
def test_frames_cut_anywhere_come_out_whole_and_in_order(bodies: list[bytes], places: list[int]) -> None:
    parser = FrameParser()
    stream = b"".join(frame(body) for body in bodies)
    assert [body for chunk in cut(stream, places) for body in parser.feed(chunk)] == bodies
    assert parser.damaged == 0


@given(st.lists(st.sampled_from((0, 1, 255)), max_size=LONGEST_BODY), st.randoms(use_true_random=False))
def test_the_length_of_a_frame_tells_only_the_length_of_its_body(body: list[int], rng: random.Random) -> None:
    others = rng.choices((0, 1, 255), (1, 99, 200), k=len(body))
    assert len(frame(bytes(body))) == len(frame(bytes(others))) == len(frame(b"\x01" * len(body)))


@given(BODIES, st.binary(max_size=3000))
def test_frames_after_garbage_and_a_zero_are_found(bodies: list[bytes], garbage: bytes) -> None:
    parser = FrameParser()
    parser.feed(garbage + b"\0")
    assert parser.feed(b"".join(frame(body) for body in bodies)) == bodies


@given(DATA.filter(lambda data: len(data) <= LONGEST_BODY), st.integers(min_value=0), st.integers(1, 255))
def test_a_frame_with_a_damaged_byte_is_never_taken_for_another(body: bytes, place: int, flip: int) -> None:
    damaged = bytearray(frame(body))
    damaged[place % len(damaged)] ^= flip
    assert all(found == body for found in FrameParser().feed(bytes(damaged) + b"\0"))


@given(st.binary(max_size=50), st.binary(min_size=1, max_size=50), st.integers(min_value=1))
def test_a_frame_cut_short_costs_no_more_than_itself_when_the_next_begins_with_a_zero(
    lost: bytes, kept: bytes, length: int
) -> None:
    whole = frame(lost)
    assert FrameParser().feed(whole[: length % len(whole)] + b"\0" + frame(kept))[-1] == kept


@given(st.lists(st.binary(max_size=4000), max_size=10))
def test_a_parser_holds_no_more_than_one_frame(chunks: list[bytes]) -> None:
    parser = FrameParser()
    for chunk in chunks:
        parser.feed(chunk.replace(b"\0", b"x"))
        assert len(parser._held) <= LONGEST_FRAME


def test_a_body_longer_than_any_message_is_refused() -> None:
    with pytest.raises(ValueError, match="1101 bytes"):
        frame(bytes(LONGEST_BODY + 1))


def test_the_longest_body_comes_through() -> None:
    body = b"\x07" * LONGEST_BODY
    assert FrameParser().feed(frame(body)) == [body]


def test_a_run_without_a_zero_counts_as_damaged_once() -> None:
    parser = FrameParser()
    for _ in range(10):
        parser.feed(b"x" * 500)
    assert (parser.feed(b"\0"), parser.damaged) == ([], 1)
