"""A board that sits at MicroPython's prompt instead of running its program: `SerialLine` recognises it.

A byte 0x03 that reaches a Pico in the moment before the program takes it for an ordinary byte leaves it there, and so
do a program that fails and a grounded service pin.
"""

import re

RESTART = b"\x03\x02\x03\x04"
"""Clears the line, leaves the raw prompt, clears the line again and restarts the program with a soft reset."""

_MARKS = (b">>> ", b"raw REPL; CTRL-B")
_ERROR = re.compile(rb"\n([A-Z]\w{0,40}(?:Error|Exception|Interrupt)(?::[\x20-\x7e]{0,120})?)")
_KEPT_BYTES = 1024


class Prompt:
    """The text that a line has carried since its last sound frame."""

    def __init__(self) -> None:
        self._text = b""

    def __repr__(self) -> str:
        return f"<Prompt {'seen' if self.is_seen else 'not seen'}>"

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes of the line."""
        self._text = (self._text + chunk)[-_KEPT_BYTES:]

    def clear(self) -> None:
        """Forget them: a frame has come, or the board was told to start its program."""
        self._text = b""

    @property
    def is_seen(self) -> bool:
        """Whether the board sits at the prompt."""
        return any(mark in self._text for mark in _MARKS)

    @property
    def error(self) -> str | None:
        """The last error that MicroPython printed, printable and at most 160 characters long."""
        found = _ERROR.findall(self._text)
        return found[-1].decode().rstrip(": ") if found else None

    @property
    def fault(self) -> str | None:
        """A sentence about the board that continues "the board"; None while no prompt was seen."""
        if not self.is_seen:
            return None
        at_prompt = "sits at MicroPython's prompt: its program"
        return f"{at_prompt} failed with {self.error}" if self.error else f"{at_prompt} does not start"
