"""Templates as SVG in true millimetres, to print, glue on board, and cut a seat's box and a cup's base from.

`paper` draws a sheet with its check of scale, `seat_box` and `cup_base` draw the pieces from `dimensions`.
`make pictures` writes the sheets, and hardware/README.md explains their use.
"""

from docs.templates.cup_base import cup_base_sheet
from docs.templates.seat_box import box_sheet, face_sheet

__all__ = ["box_sheet", "cup_base_sheet", "face_sheet"]
"""Each returns the text of an SVG file."""
