"""The public socket: states and events as lines of JSON (docs/events.md), with no die before its reveal."""
