"""The wires of a table or of a seat board as an SVG picture, to wire from: `dudo-table show --wiring` writes it."""

from firmware_host.drawing.wiring.board import of_board
from firmware_host.drawing.wiring.sheet import svg_of
from firmware_host.drawing.wiring.table import of_table

__all__ = ["of_board", "of_table", "svg_of"]
