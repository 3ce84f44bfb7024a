"""Wiring diagrams as SVG, to wire a table or a seat board from: `dudo-table show --wiring` writes them.

`table` and `seat_board` turn a layout or a Pico's wiring into a `netlist.Diagram`. `sheet` draws it: `routing` gives
every terminal a position and every net a lane, `components` draws boards, modules and seats, `svg` writes the file.
`strip_board` lays a seat board's diagram out on strip-board, and `strip_board_sheet` draws that.

WireViz 0.4.1 was tried on the same netlists. It draws a connector as one column, so a pin of a Pi or a Pico must be
counted; it leads the 29 wires of wired-4 through one knot, on a sheet of 105 × 79 cm (ours is 30 × 42); and every Pi
would need Graphviz.
"""

from hardware.drawing.wiring.seat_board import seat_board_diagram
from hardware.drawing.wiring.sheet import render_svg
from hardware.drawing.wiring.strip_board_sheet import render_strip_board
from hardware.drawing.wiring.table import table_diagram

__all__ = ["render_strip_board", "render_svg", "seat_board_diagram", "table_diagram"]
