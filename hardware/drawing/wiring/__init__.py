"""Wiring diagrams as SVG, to wire a table or a seat board from: `dudo-table show --wiring` writes them.

`table` and `seat_board` turn a layout or a Pico's wiring into a `netlist.Diagram`. `sheet` draws it: `routing` gives
every terminal a position and every net a lane, `components` draws boards, modules and seats, `svg` writes the file.

Why not WireViz: its YAML for wired-4, boards-8 and a seat board was generated from the same netlist and rendered with
WireViz 0.4.1. Its picture of boards-8 is as clear as ours. The other two are harder to wire from. A connector is one
column of pins, so a Pi's header and a Pico are not drawn as they lie on the board, and a pin must be counted. Graphviz
leads the 29 wires from the Pi of wired-4 through one knot, where colour alone tells them apart, and on a black and
white print nothing does. A rail becomes one wire to each part from the same pin, five from one output of the
regulator. Nothing shows that buttons end at ground. The sheet of wired-4 is 105 × 79 cm (ours is 30 × 42), and every
Pi would need Graphviz.
"""

from hardware.drawing.wiring.seat_board import seat_board_diagram
from hardware.drawing.wiring.sheet import render_svg
from hardware.drawing.wiring.table import table_diagram

__all__ = ["render_svg", "seat_board_diagram", "table_diagram"]
