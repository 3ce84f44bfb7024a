"""A layout drawn in a terminal's characters, for whoever wires the table: what `dudo-table show` prints."""

from firmware_host.drawing.sheet import drawn

__all__ = ["drawn"]
