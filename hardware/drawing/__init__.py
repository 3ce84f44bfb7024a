"""Drawings for wiring a table from its layout: as terminal text (`dudo-table show`), as SVG in `wiring`."""

from hardware.drawing.compose import render

__all__ = ["render"]
