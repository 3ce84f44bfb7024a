"""Drawings of a layout, to wire a table from: in a terminal's characters (`dudo-table show`), as SVG in `wiring`."""

from hardware.drawing.compose import render

__all__ = ["render"]
