"""The public socket: states and events as lines of JSON (docs/events.md), with no die before its reveal."""

VERSION = 1
"""The version of the lines, in every state."""
MAX_LINE_BYTES = 256 * 1024
"""Bytes of a line, which no table exceeds: it disconnects a client for which more than that is waiting."""
