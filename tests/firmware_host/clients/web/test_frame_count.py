"""How many WebSocket frames are in what a connection sends, however it is cut into pieces."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.clients.web.frame_count import FrameCount

PING = b"\x89\x80\0\0\0\0"
UPGRADE = b"GET /live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n\r\n"
PAYLOADS = st.sampled_from([0, 1, 125, 126, 400, 65_535, 65_536])


def frame(length: int, *, is_masked: bool = True) -> bytes:
    """Return a text frame whose payload looks like pings."""
    small, long = (
        (length, b"") if length < 126 else (126, length.to_bytes(2)) if length < 65_536 else (127, length.to_bytes(8))
    )
    mask = b"\0\0\0\0" if is_masked else b""
    return bytes([0x81, small | (0x80 if is_masked else 0)]) + long + mask + (PING * length)[:length]


def counted(*pieces: bytes) -> int:
    count = FrameCount()
    return sum(count.count(piece, 10_000)[0] for piece in pieces)


@given(st.lists(PAYLOADS, max_size=4), st.booleans(), st.data())
def test_frames_are_counted_by_their_headers_wherever_a_piece_ends(
    lengths: list[int], is_masked: bool, data: st.DataObject
) -> None:
    sent = UPGRADE + b"".join(frame(length, is_masked=is_masked) for length in lengths)
    cuts = data.draw(st.lists(st.integers(0, len(sent)), max_size=8).map(sorted))
    pieces = [sent[start:end] for start, end in pairwise([0, *cuts, len(sent)])]
    assert counted(*pieces) == len(lengths)


def test_frames_are_counted_byte_by_byte() -> None:
    sent = UPGRADE + frame(130) + PING * 3 + frame(0)
    assert counted(*(bytes([each]) for each in sent)) == 5


@pytest.mark.parametrize(
    ("request_", "frames"),
    [
        (b"POST /join HTTP/1.1\r\nContent-Length: 60\r\n\r\n", 0),
        (b"GET / HTTP/1.1\r\n\r\n", 0),
        (UPGRADE, 10),
        (b"\r\n\r\n" + UPGRADE, 10),
        (UPGRADE.replace(b"\r\n", b"\n"), 10),
        (UPGRADE.replace(b"Upgrade: websocket", b"X: " + b"x" * 20_000 + b"\r\nuPGRADE: WebSocket"), 10),
    ],
)
def test_frames_begin_after_the_request_for_an_upgrade(request_: bytes, frames: int) -> None:
    assert counted(request_ + PING * 10) == frames
    assert counted(request_, PING * 10) == frames


def test_the_count_ends_one_above_the_most_and_says_where() -> None:
    count = FrameCount()
    frames, end = count.count(UPGRADE + PING * 10_000, 300)
    assert (frames, end) == (301, len(UPGRADE) + 300 * len(PING))


def test_where_the_count_ends_is_a_place_in_the_piece_though_a_header_began_before() -> None:
    count = FrameCount()
    count.count(UPGRADE + PING[:1], 2)
    assert count.count(PING[1:] + PING * 5, 2) == (3, 2 * len(PING) - 1)
