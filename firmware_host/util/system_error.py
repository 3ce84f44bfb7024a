"""The reason of a system's error in the words of the messages that a person reads.

It is not in `firmware_host.errors`, which the processes that may not import the hardware cannot import.
"""


def reason_of(error: Exception) -> str:
    """Return why the system refused something, to follow a colon: "no space left on device".

    Errors of SQLite have no `strerror`, nor has Python's own for a socket's path that is too long.
    """
    return (getattr(error, "strerror", None) or str(error)).lower()
