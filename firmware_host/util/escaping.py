"""What every command prints, with nothing in it that a terminal would obey.

Names in a layout, lines from a socket, what a board or another process calls itself: `cli` puts stdout and stderr
behind `Escaping`, so that no print can forget it. What draws with a terminal's codes takes `bare_stdout`.
"""

import sys
from typing import Any, TextIO

from hardware.config.problems import escaped


class Escaping:
    """A text stream that takes lines of printable characters; all others it writes as escapes."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def __repr__(self) -> str:
        return f"<Escaping {self.stream!r}>"

    def write(self, text: str) -> int:
        """Write text; only the newline stays what it is."""
        self.stream.write("\n".join(map(escaped, text.split("\n"))))
        return len(text)

    def writelines(self, lines: "list[str]") -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)


def bare_stdout() -> TextIO:
    """Return stdout for what draws in a terminal, and escapes by itself what it has not made itself."""
    return sys.stdout.stream if isinstance(sys.stdout, Escaping) else sys.stdout
