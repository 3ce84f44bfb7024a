"""A layout's terminal drawing: header, seats and notes, side by side where the width allows."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from textwrap import wrap

from rich.text import Text

from hardware.config.layout import Layout
from hardware.drawing.header import header_lines
from hardware.drawing.seats import notes, seat_lines

_GAP = 3  # blank columns between two blocks
_NOTES_WIDTH = 60  # columns, at least


def render(layout: Layout, width: int, *, plain: bool) -> list[Text]:
    """Return a layout as lines up to `width` columns; `plain` lines are ASCII."""
    title = Text.assemble((layout.name, "bold"), f": {len(layout.seats)} seats clockwise, rules {layout.rules}")
    if (languages := dict.fromkeys(layout.languages())).keys() != {"en"}:
        title.append(f", language {', '.join(languages)}")
    pins = [*header_lines(layout, width, plain=plain)]
    name_width = max(len(seat.name) for seat in layout.seats)
    seats = [seat_lines(number, seat, name_width) for number, seat in enumerate(layout.seats, start=1)]
    notes_width = min(width, max(_width_of(pins), _NOTES_WIDTH))
    wrapped = [Text(row) for note in notes(layout) for row in wrap(note, notes_width, subsequent_indent="  ")]
    arrangements = [[*pins, *([Text()] if pins else []), *_in_columns(seats, width), Text(), *wrapped]]
    left = [*pins, Text(), *wrapped]
    seats_width = width - _width_of(left) - _GAP
    if pins and seats_width >= _width_of(line for block in seats for line in block):
        arrangements.append(_side_by_side([left, _in_columns(seats, seats_width)]))
    lines = [_stripped(line) for line in min(arrangements, key=len)]
    return [title, Text(), *_without_blank_end(lines)]


def _in_columns(blocks: Sequence[list[Text]], width: int) -> list[Text]:
    """Return the blocks in as many columns as fit, to be read down and then across."""
    columns = max(1, (width + _GAP) // (_width_of(line for block in blocks for line in block) + _GAP))
    each = -(-len(blocks) // columns)
    parts = (blocks[at : at + each] for at in range(0, len(blocks), each))
    return _without_blank_end(_side_by_side([[line for block in part for line in block] for part in parts]))


def _side_by_side(columns: Sequence[Sequence[Text]]) -> list[Text]:
    widths = [_width_of(column) + _GAP for column in columns]
    rows = []
    for cells in zip_longest(*columns, fillvalue=Text()):
        row = Text()
        for cell, width in zip(cells, widths, strict=True):
            row = Text.assemble(row, cell, " " * (width - cell.cell_len))
        rows.append(_stripped(row))
    return rows


def _stripped(line: Text) -> Text:
    """Return the line without blanks at its end, but with a coloured tag's end, which is visible."""
    end = max((span.end for span in line.spans), default=0)
    return line[: max(len(line.plain.rstrip()), end)]


def _width_of(lines: Iterable[Text]) -> int:
    return max((line.cell_len for line in lines), default=0)


def _without_blank_end(lines: list[Text]) -> list[Text]:
    while lines and not lines[-1].plain.strip():
        lines = lines[:-1]
    return lines
