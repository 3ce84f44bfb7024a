"""The public socket: states and events as lines of JSON (docs/events.md), with dice only from their reveal on."""

from typing import Annotated

from msgspec import Meta

VERSION = 1
"""The version of the lines, in every state."""
MAX_LINE_BYTES = 256 * 1024
"""Bytes of a line, which no table exceeds: it disconnects a client for which more than that is waiting."""
MAX_NUMBER = 2**53 - 1
"""The highest number in a message from outside: one that a browser can count to, and a database can hold."""

Number = Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
"""A number that another process has sent. Every reader of lines and of messages on a broker bounds its numbers so."""
