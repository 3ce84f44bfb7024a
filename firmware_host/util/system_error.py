"""A system error's reason, as worded in messages for people.

It is separate from `firmware_host.errors`, because that is out of bounds for processes without hardware imports.
"""


def reason_of(error: Exception) -> str:
    """Return the system's reason for an error, to follow a colon: "no space left on device".

    SQLite errors lack `strerror`, as does Python's own for an overlong socket path.
    """
    return (getattr(error, "strerror", None) or str(error)).lower()
