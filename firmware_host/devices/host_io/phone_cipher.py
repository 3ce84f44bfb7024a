"""Encryption between the table and a guest's phone: on the bytes of one connection, below the link's frames.

`phone_port` has a `PhoneCipher` for each connection, the page has its counterpart in `cipher.js`. Between them,
`dudo-table phones` and the Wi-Fi see two public keys from each end, and then envelopes of one length in each direction.

Each end has a lasting X25519 key pair and one for the connection, and both take part in the two keys of the connection.
So a recorded evening stays secret even from somebody who steals the table's key later, and only the two ends with these
lasting keys can talk. The page knows the table's by the fingerprint in the QR code, the table a phone's from the door,
which got it with the guest's code.
"""

import hashlib
import logging
from pathlib import Path

from nacl.exceptions import CryptoError
from nacl.public import Box, PrivateKey, PublicKey
from nacl.secret import SecretBox

from firmware_host.util.atomic_file import write_atomic
from firmware_host.util.system_error import reason_of
from hardware.config import regular_file

KEY_BYTES = 32
HELLO_BYTES = 2 * KEY_BYTES
"""Bytes before an end's first envelope: its lasting public key, and the connection's."""
TO_PHONE_BYTES, TO_TABLE_BYTES = 1120, 104
"""Bytes in an envelope without its authenticator. The first has room for any picture, the second for any event."""
_LENGTH_BYTES = 2
KEY_FILE = "phones.key"
FINGERPRINT_DIGITS = 24
"""Hexadecimal digits of a fingerprint, in capitals: an impostor needs 2**96 key pairs, and the QR code stays small."""

log = logging.getLogger("dudo-table")


class CipherError(ValueError):
    """Bytes that the phone's page did not encrypt for this connection, or not in this order."""


class PhoneCipher:
    """The table's end of one connection, with the table's lasting key pair."""

    def __init__(self, lasting: PrivateKey) -> None:
        self._lasting = lasting
        self._own = PrivateKey.generate()
        self._received = bytearray()
        self._from_phone: _Envelopes | None = None
        self._to_phone: _Envelopes | None = None

    def __repr__(self) -> str:
        return f"<PhoneCipher {'agreed' if self.is_agreed else 'waiting for the page'}>"

    @property
    def hello(self) -> bytes:
        """The bytes with which the table begins."""
        return bytes(self._lasting.public_key) + bytes(self._own.public_key)

    @property
    def is_agreed(self) -> bool:
        """Whether the page's keys have come, so that frames can be sent."""
        return self._to_phone is not None

    def receive(self, data: bytes) -> bytes:
        """Return the plain bytes that the connection's next bytes complete. Raises `CipherError`; then end it."""
        self._received += data
        if self._from_phone is None and len(self._received) >= HELLO_BYTES:
            self._agree(self._take(HELLO_BYTES))
        plain = b""
        while self._from_phone is not None and len(self._received) >= self._from_phone.size:
            plain += self._from_phone.open(self._take(self._from_phone.size))
        return plain

    def seal(self, frame: bytes) -> bytes:
        """Return envelopes with a frame. They have as many bytes for any frame that fits one."""
        assert self._to_phone is not None
        return self._to_phone.seal(frame)

    def _agree(self, hello: bytes) -> None:
        lasting, own = PublicKey(hello[:KEY_BYTES]), PublicKey(hello[KEY_BYTES:])
        try:
            pairs = (self._own, own), (self._lasting, own), (self._own, lasting)
            shared = b"".join(Box(secret, public).shared_key() for secret, public in pairs)
        except CryptoError as error:  # a key of small order
            raise CipherError("the page has an unfit key") from error
        keys = hashlib.sha512(shared + self.hello + hello).digest()
        self._to_phone = _Envelopes(keys[:KEY_BYTES], TO_PHONE_BYTES)
        self._from_phone = _Envelopes(keys[KEY_BYTES:], TO_TABLE_BYTES)

    def _take(self, size: int) -> bytes:
        taken = bytes(self._received[:size])
        del self._received[:size]
        return taken


class _Envelopes:
    """One direction: its key, and the number of envelopes so far, which is the next one's nonce."""

    def __init__(self, key: bytes, plain_bytes: int) -> None:
        self._box = SecretBox(key)
        self._plain_bytes = plain_bytes
        self._count = 0
        self.size = plain_bytes + SecretBox.MACBYTES
        """An envelope's bytes."""

    def seal(self, data: bytes) -> bytes:
        room = self._plain_bytes - _LENGTH_BYTES
        parts = [data[at : at + room] for at in range(0, len(data), room)]
        return b"".join(self._seal_part(part) for part in parts)

    def _seal_part(self, part: bytes) -> bytes:
        padded = (len(part).to_bytes(_LENGTH_BYTES, "little") + part).ljust(self._plain_bytes, b"\0")
        return bytes(self._box.encrypt(padded, self._next_nonce()).ciphertext)

    def open(self, envelope: bytes) -> bytes:
        try:
            padded = self._box.decrypt(envelope, self._next_nonce())
        except CryptoError as error:
            raise CipherError("a message was changed, repeated, left out or made up on its way") from error
        length = int.from_bytes(padded[:_LENGTH_BYTES], "little")
        if length > self._plain_bytes - _LENGTH_BYTES:
            raise CipherError("a message is longer than itself")
        return padded[_LENGTH_BYTES : _LENGTH_BYTES + length]

    def _next_nonce(self) -> bytes:
        self._count += 1
        return self._count.to_bytes(SecretBox.NONCE_SIZE, "little")


def load_key(folder: Path) -> PrivateKey:
    """Return the table's lasting key, kept in the state folder: phones know the table again after a restart. Blocks."""
    file = folder / KEY_FILE
    try:
        return PrivateKey(bytes.fromhex(regular_file.read(file, 4 * KEY_BYTES).decode()))
    except FileNotFoundError:
        pass
    except (OSError, ValueError, CryptoError):
        log.warning("%s: is damaged; guests need to scan a new code", file)
    key = PrivateKey.generate()
    try:
        write_atomic(file, f"{bytes(key).hex()}\n")
    except OSError as error:
        log.warning("%s: can't be written: %s; after a restart guests need to scan a new code", file, reason_of(error))
    return key


def fingerprint(key: PrivateKey) -> str:
    """Return the digits by which a phone knows the table's key."""
    return hashlib.sha256(bytes(key.public_key)).hexdigest()[:FINGERPRINT_DIGITS].upper()
