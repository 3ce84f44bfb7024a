"""A stream escaping control characters, so printed names can't send commands to the terminal.

Names come from layouts, sockets, boards and other processes. `firmware_host.cli` wraps stdout and stderr in
`EscapingStream` for every print. Code with terminal codes writes to `raw_stdout` instead.
"""

import sys
from typing import Any, TextIO

from hardware.config.problems import escaped


class EscapingStream:
    """A text stream passing printable characters and newlines, and escaping all others."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def __repr__(self) -> str:
        return f"<EscapingStream {self.stream!r}>"

    def write(self, text: str) -> int:
        """Write text, escaping everything but printable characters and newlines."""
        self.stream.write("\n".join(map(escaped, text.split("\n"))))
        return len(text)

    def writelines(self, lines: "list[str]") -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)


def raw_stdout() -> TextIO:
    """Return stdout without escaping. Callers must escape all text from elsewhere."""
    return sys.stdout.stream if isinstance(sys.stdout, EscapingStream) else sys.stdout
