"""A venue owner's password, stored as a hash."""

import hashlib
import hmac
import re
import secrets

from firmware_host.errors import UserError

COOKIE = "dudo-owner"
MIN_PASSWORD, MAX_PASSWORD = 8, 256
"""Characters of a password."""
_COST, _BLOCK, _PARALLEL = 2**15, 8, 1  # 32 MB, a tenth of a second
_LINE = re.compile(rf"scrypt\${_COST}\${_BLOCK}\${_PARALLEL}\$([0-9a-f]{{32}})\$([0-9a-f]{{64}})", re.ASCII)
_MEMORY = 64 * 1024 * 1024


def hash_of(password: str) -> str:
    """Return a line with a password's hash. Raises `UserError` for a password too short or too long."""
    if not MIN_PASSWORD <= len(password) <= MAX_PASSWORD:
        raise UserError(f"a password of {len(password)} characters: choose {MIN_PASSWORD} to {MAX_PASSWORD}")
    salt = secrets.token_bytes(16)
    return f"scrypt${_COST}${_BLOCK}${_PARALLEL}${salt.hex()}${_scrypt(password, salt).hex()}"


class Password:
    """A password's hash, from a line of `hash_of`. Raises `ValueError` for any other line."""

    def __init__(self, line: str) -> None:
        found = _LINE.fullmatch(line.strip())
        if found is None:
            raise ValueError("is no hash of a password")
        self._salt, self._key = bytes.fromhex(found[1]), bytes.fromhex(found[2])

    def __repr__(self) -> str:
        return "<Password>"

    def is_right(self, password: str) -> bool:
        """Return whether this is the password. It takes a tenth of a second on a core."""
        return hmac.compare_digest(_scrypt(password[:MAX_PASSWORD], self._salt), self._key)


def _scrypt(password: str, salt: bytes) -> bytes:
    secret = password.encode(errors="surrogatepass")
    return hashlib.scrypt(secret, salt=salt, n=_COST, r=_BLOCK, p=_PARALLEL, maxmem=_MEMORY, dklen=32)
