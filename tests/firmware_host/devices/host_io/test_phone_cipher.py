"""The encryption between table and phone: whatever is not the other end's next envelope ends the connection."""

import errno
import socket
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl.public import PrivateKey
from support.pages.phone_page import ENVELOPE, TO_PHONE, PhoneEnd

from firmware_host.devices.host_io import phone_cipher
from firmware_host.devices.host_io.phone_cipher import KEY_FILE, CipherError, PhoneCipher, fingerprint, load_key
from firmware_host.devices.host_io.phone_port import PhonePort
from hardware.link import messages as link
from hardware.link.framing import frame
from hardware.link.messages import to_body
from hardware.link.phone_messages import Words

KEY = PrivateKey.generate()
FRAMES = st.lists(st.binary(min_size=1, max_size=1200), max_size=5)
CUTS = st.lists(st.integers(1, 300), min_size=1, max_size=8)


def agreed() -> tuple[PhoneCipher, PhoneEnd]:
    """Both ends of a connection, with their keys."""
    table, phone = PhoneCipher(KEY), PhoneEnd()
    assert phone.receive(table.hello) == b""
    assert table.receive(phone.door + phone.hello) == b""
    return table, phone


def pieces(data: bytes, cuts: list[int]) -> Iterator[bytes]:
    """Cut bytes again and again at these lengths."""
    at = 0
    while at < len(data):
        for cut in cuts:
            yield data[at : at + cut]
            at += cut


@given(FRAMES, FRAMES, CUTS)
def test_all_bytes_arrive_in_order_however_they_are_cut(down: list[bytes], up: list[bytes], cuts: list[int]) -> None:
    table, phone = PhoneCipher(KEY), PhoneEnd()
    phone.receive(table.hello)
    sent = phone.door + phone.hello + b"".join(map(phone.seal, up))
    assert b"".join(map(table.receive, pieces(sent, cuts))) == b"".join(up)
    sealed = b"".join(map(table.seal, down))
    assert b"".join(map(phone.receive, pieces(sealed, cuts))) == b"".join(down)


@given(st.binary(max_size=TO_PHONE - 2), st.binary(max_size=TO_PHONE - 2))
def test_an_envelope_is_as_long_whatever_is_in_it(one: bytes, other: bytes) -> None:
    table, _ = agreed()
    assert {len(table.seal(each)) for each in (one, other) if each} <= {ENVELOPE}


def changed(envelopes: list[bytes], at: int) -> bytes:
    whole = bytearray(b"".join(envelopes))
    whole[at % len(whole)] ^= 1 << at % 8
    return bytes(whole)


def shortened(envelopes: list[bytes], at: int) -> bytes:
    cut = at % len(envelopes)
    other = bytes([envelopes[cut][-1] ^ 1])  # behind the last one, the missing byte itself would mend it
    return b"".join([*envelopes[:cut], envelopes[cut][:-1], *envelopes[cut + 1 :], other])


TAMPERINGS: dict[str, Callable[[list[bytes], int], bytes]] = {
    "a bit is flipped": changed,
    "one is shorter": shortened,
    "one is repeated": lambda envelopes, at: b"".join(
        envelopes[: at % len(envelopes) + 1] + envelopes[at % len(envelopes) :]
    ),
    "one is left out": lambda envelopes, at: b"".join(envelopes[: at % 2] + envelopes[at % 2 + 1 :]),
    "two change places": lambda envelopes, at: b"".join([envelopes[1], envelopes[0], *envelopes[2:]]),
    "another is added": lambda envelopes, at: b"".join([*envelopes, bytes(len(envelopes[0]))]),
}


@pytest.mark.parametrize("tamper", TAMPERINGS.values(), ids=TAMPERINGS)
@given(st.lists(st.binary(min_size=1, max_size=100), min_size=3, max_size=5), st.integers(0, 1 << 16), CUTS)
def test_what_was_changed_on_its_way_is_refused(
    tamper: Callable[[list[bytes], int], bytes], said: list[bytes], at: int, cuts: list[int]
) -> None:
    table, phone = agreed()
    envelopes = [phone.seal(each) for each in said]
    tampered = pieces(tamper(envelopes, at), cuts)
    with pytest.raises(CipherError, match=r"^a message was changed, repeated, left out or made up on its way$"):
        deque(map(table.receive, tampered))


@given(st.binary(max_size=400), CUTS)
def test_nonsense_in_place_of_a_page_is_refused_and_raises_nothing_else(sent: bytes, cuts: list[int]) -> None:
    table = PhoneCipher(KEY)
    try:
        assert b"".join(map(table.receive, pieces(sent, cuts))) == b""
    except CipherError:
        assert len(sent) >= 64


def test_a_page_with_an_unfit_key_is_refused() -> None:
    with pytest.raises(CipherError, match="unfit key"):
        PhoneCipher(KEY).receive(bytes(64))


def test_the_envelopes_of_one_connection_open_in_no_other() -> None:
    table, phone = agreed()
    envelope = phone.seal(b"press")
    another, _ = agreed()
    with pytest.raises(CipherError):
        another.receive(envelope)
    assert table.receive(envelope) == b"press"


def test_a_copied_cookie_is_worth_nothing_without_the_phones_secret_key() -> None:
    table, thief, owner = PhoneCipher(KEY), PhoneEnd(), PhoneEnd()
    thief.receive(table.hello)
    table.receive(owner.door + thief.hello)  # the door knows the owner's key
    with pytest.raises(CipherError):
        table.receive(thief.seal(b"press"))
    with pytest.raises(Exception, match="Decryption failed"):
        thief.receive(table.seal(b"dice"))


@contextmanager
def a_port() -> Iterator[tuple[PhonePort, socket.socket]]:
    """Give a port whose far end a test holds; nothing has been said."""
    near, far = socket.socketpair()
    near.setblocking(False)
    with far:
        port = PhonePort(near, KEY)
        port.flush()
        yield port, far
        port.close()


def test_a_port_sends_nothing_before_the_page_has_said_its_keys_and_one_envelope_a_frame_then() -> None:
    with a_port() as (port, far):
        ask = frame(to_body(0, link.Ask()))
        assert port.write(ask) == len(ask)
        phone = PhoneEnd()
        phone.receive(far.recv(4096))
        far.send(phone.door + phone.hello)
        assert port.read(1024) == b""
        picture = frame(bytes(range(256)) * 4)
        wire = b"\0" + ask + picture + frame(to_body(0, Words("OK: join in")))
        assert port.write(wire) == len(wire)
        received = far.recv(1 << 16)
        assert len(received) == 3 * ENVELOPE
        assert phone.receive(received) == wire


def test_a_port_takes_the_rest_of_an_envelope_before_the_next_frame() -> None:
    with a_port() as (port, far):
        phone = PhoneEnd()
        phone.receive(far.recv(4096))
        far.send(phone.door + phone.hello)
        port.read(1024)
        one = frame(bytes(range(1, 200)))
        wire, plain = one * 1000, b""
        left = wire
        while left:
            taken = port.write(left)
            assert taken % len(one) == 0
            left = left[taken:]
            plain += phone.receive(far.recv(1 << 16))
        far.setblocking(False)
        plain += phone.receive(far.recv(1 << 20)) if len(plain) < len(wire) else b""
        assert plain == wire


def test_a_port_ends_with_one_reason_when_its_page_encrypts_for_nobody() -> None:
    with a_port() as (port, far):
        far.send(bytes(range(200)))
        with pytest.raises(OSError, match="a message was changed") as refused:
            port.read(1024)
        assert refused.value.errno == errno.EPROTO


def test_the_tables_key_is_kept_for_its_user_alone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    key = load_key(tmp_path)
    file = tmp_path / KEY_FILE
    assert file.stat().st_mode & 0o777 == 0o600
    assert load_key(tmp_path) == key
    assert caplog.text == ""
    file.write_text("damaged")
    assert load_key(tmp_path) != key
    assert caplog.text.count(f"{file}: is damaged; guests need to scan a new code") == 1
    file.unlink()
    file.mkdir()
    load_key(tmp_path)
    assert "can't be written" in caplog.text


def test_a_fingerprint_is_the_public_keys() -> None:
    assert len(fingerprint(KEY)) == phone_cipher.FINGERPRINT_DIGITS
    assert fingerprint(KEY) == fingerprint(PrivateKey(bytes(KEY))) != fingerprint(PrivateKey.generate())
