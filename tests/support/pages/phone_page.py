"""The phone's end of an encrypted connection for tests without a page, written apart from the table's."""

import hashlib
import struct

from nacl.bindings import (
    crypto_box_beforenm,
    crypto_box_keypair,
    crypto_box_open,
    crypto_secretbox,
    crypto_secretbox_open,
)

TO_PHONE, TO_TABLE = 1120, 104
ENVELOPE = TO_PHONE + 16
"""Bytes of an envelope from the table."""


class PhoneEnd:
    """A page's keys and one connection; `door` is what `dudo-table phones` tells the daemon first."""

    def __init__(self) -> None:
        self.door, self._lasting = crypto_box_keypair()
        self.begin()

    def begin(self) -> None:
        """Begin another connection."""
        self.hello, self._own = crypto_box_keypair()
        self.received = b""
        self.keys: tuple[bytes, bytes] | None = None
        self._opened = self._sealed = 0

    def receive(self, data: bytes) -> bytes:
        """Return the plain bytes; once `keys` is set, the table waits for `hello`."""
        self.received += data
        if self.keys is None and len(self.received) >= 64:
            hello, self.received = self.received[:64], self.received[64:]
            lasting, own = hello[:32], hello[32:]
            shared = (
                crypto_box_beforenm(own, self._own)
                + crypto_box_beforenm(lasting, self._own)
                + crypto_box_beforenm(own, self._lasting)
            )
            both = hashlib.sha512(shared + hello + self.door + self.hello).digest()
            self.keys = both[:32], both[32:]
        plain = b""
        while self.keys is not None and len(self.received) >= ENVELOPE:
            envelope, self.received = self.received[:ENVELOPE], self.received[ENVELOPE:]
            self._opened += 1
            padded = crypto_secretbox_open(envelope, struct.pack("<Q16x", self._opened), self.keys[0])
            (length,) = struct.unpack_from("<H", padded)
            plain += padded[2 : 2 + length]
        return plain

    def open_sealed(self, sealed: bytes) -> bytes:
        """Return what `dudo-table phones` encrypted for this phone."""
        return crypto_box_open(sealed[56:], sealed[32:56], sealed[:32], self._lasting)

    def seal(self, data: bytes) -> bytes:
        """Return envelopes with bytes for the table."""
        assert self.keys is not None
        envelopes = b""
        for at in range(0, len(data), TO_TABLE - 2):
            part = data[at : at + TO_TABLE - 2]
            self._sealed += 1
            padded = (struct.pack("<H", len(part)) + part).ljust(TO_TABLE, b"\0")
            envelopes += crypto_secretbox(padded, struct.pack("<Q16x", self._sealed), self.keys[1])
        return envelopes
