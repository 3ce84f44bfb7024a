"""The public socket: states and events as lines of JSON (docs/events.md), with dice only from their reveal on."""
