"""A system error's reason, as worded in messages for people.

It is separate from `firmware_host.errors`, because that is out of bounds for processes without hardware imports.
"""


def reason_of(error: Exception) -> str:
    """Return the system's reason for an error, to follow a colon: "no space left on device".

    SQLite errors lack `strerror`, as does Python's own for an overlong socket path.
    """
    return (getattr(error, "strerror", None) or str(error)).lower()


def sqlite_code(error: Exception) -> int:
    """Return SQLite's primary error code, without the extended one; 0 for an error of Python's own."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
