"""The whole drawing: header, seats and notes, side by side where there is room."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from textwrap import wrap

from rich.text import Text

from firmware_host.drawing.header import header
from firmware_host.drawing.seats import notes, seat
from hardware.config.layout import Layout

GAP = 3
_NOTES = 60  # columns


def drawn(layout: Layout, width: int, *, plain: bool) -> list[Text]:
    """A layout in lines of at most `width` columns; `plain` for an output that takes nothing but ASCII."""
    pins = [*header(layout, width, plain=plain)]
    names = max(len(seat.name) for seat in layout.seats)
    seats = [seat(number, each, names) for number, each in enumerate(layout.seats, start=1)]
    across = min(width, max(_wide(pins), _NOTES))
    small = [Text(row) for note in notes(layout) for row in wrap(note, across, subsequent_indent="  ")]
    stacked = [*pins, *([Text()] if pins else []), *_best(seats, width), Text(), *small]
    beside = [*pins, Text(), *small]
    room = width - _wide(beside) - GAP
    arranged = [stacked]
    if pins and room >= _wide(line for block in seats for line in block):
        arranged.append(_side_by_side([beside, _best(seats, room)]))
    lines = [_without_blanks(line) for line in min(arranged, key=len)]
    told = f": {len(layout.seats)} seats clockwise, rules {layout.rules}"
    if (spoken := dict.fromkeys(layout.languages())).keys() != {"en"}:
        told += f", language {', '.join(spoken)}"
    head = Text.assemble((layout.name, "bold"), told)
    return [head, Text(), *_trimmed(lines)]


def _best(blocks: Sequence[list[Text]], width: int) -> list[Text]:
    """The blocks in as many columns as there is room for, read down and then across."""
    columns = max(1, (width + GAP) // (_wide(line for block in blocks for line in block) + GAP))
    each = -(-len(blocks) // columns)
    parts = (blocks[at : at + each] for at in range(0, len(blocks), each))
    return _trimmed(_side_by_side([[line for block in part for line in block] for part in parts]))


def _side_by_side(columns: Sequence[Sequence[Text]]) -> list[Text]:
    widths = [_wide(column) + GAP for column in columns]
    rows = []
    for cells in zip_longest(*columns, fillvalue=Text()):
        row = Text()
        for cell, wide in zip(cells, widths, strict=True):
            row = Text.assemble(row, cell, " " * (wide - cell.cell_len))
        rows.append(_without_blanks(row))
    return rows


def _without_blanks(line: Text) -> Text:
    """The line without what nobody sees at its end; the end of a coloured tag is seen."""
    end = max((span.end for span in line.spans), default=0)
    return line[: max(len(line.plain.rstrip()), end)]


def _wide(lines: Iterable[Text]) -> int:
    return max((line.cell_len for line in lines), default=0)


def _trimmed(lines: list[Text]) -> list[Text]:
    while lines and not lines[-1].plain.strip():
        lines = lines[:-1]
    return lines
