"""The parts scenes share: the header, the standing bid, the slab with the choice, the faults, the round of names.

A white slab and a white header mean "you must act": lit like that, the seat in turn is seen from across the table.
"""

from engine import Bid, Position
from firmware_host.screens import english as words
from firmware_host.screens.canvas import Box, Canvas
from firmware_host.screens.fonts import BIG, BOLD, HEAD, HUGE, SMALL, SMALL_BOLD, TEXT, TITLE, Font, fit, width
from firmware_host.table.commands import Item
from firmware_host.table.menu import Menu
from firmware_host.table.seat_view import SeatView

HEADER = Box(0, 0, 128, 11)
BODY = Box(0, 11, 128, 26)
FOOT = Box(0, 37, 128, 27)

_STATUS_HEIGHT = 9
_ARROW = 6
_TIMES = 12  # columns of the times sign beside a big bid


def header(canvas: Canvas, sentence: str, name: str = "", *, tag: str = "", active: bool = False, top: int = 0) -> None:
    """The top line: what is going on, and on the right the kind of round or another short word in a box."""
    box = HEADER._replace(top=top)
    if active:
        canvas.fill(box)
    if tag:
        wide = width(tag, SMALL_BOLD) + 5
        plate = Box(box.right - wide, box.top + 1, wide - 1, box.height - 2)
        canvas.fill(plate, light=not active)
        canvas.text(tag, plate.inset(2), SMALL_BOLD, light=active)
        box = Box(box.left, box.top, box.width - wide - 2, box.height)
    canvas.naming(sentence, name, box.inset(2), BOLD, SMALL_BOLD, light=not active)


def kind_tag(position: Position) -> str:
    """The kind of a special round, else the dice on the table."""
    return words.KIND[position.kind] or words.dice(position.in_play)


def bid_across(bid: Bid) -> int:
    """Dots the big bid takes across."""
    return 2 + width(*_quantity(bid)) + _TIMES + 24


def big_bid(canvas: Canvas, bid: Bid, box: Box) -> None:
    """A bid 24 dots high: quantity, a small times sign, the face as a die."""
    text, font = _quantity(bid)
    left = box.left + 2 + canvas.text(text, box.inset(2), font)
    canvas.text("×", Box(left, box.top, _TIMES, box.height), BOLD, align="center")
    canvas.die(bid.face, left + _TIMES, box.top + (box.height - 24) // 2, 24, solid=True)


def slab(canvas: Canvas, menu: Menu, box: Box, position: Position | None = None, *, lit: bool = True) -> None:
    """The item at the cursor with an arrow on each side where there is another.

    `lit` where the seat must act, an outline where it may.
    """
    item = menu.chosen
    if item is None:
        return
    _plate(canvas, box, lit=lit)
    middle = box.top + box.height // 2
    if menu.cursor > 0:
        canvas.arrow(box.left + 3, middle, _ARROW, leftward=True, light=not lit)
    if menu.cursor < len(menu.items) - 1:
        canvas.arrow(box.right - 3 - _ARROW, middle, _ARROW, leftward=False, light=not lit)
    inner = box.inset(_ARROW + 5, 1)
    if isinstance(item, Bid):
        _bid_item(canvas, item, inner, lit)
    else:
        _word_item(canvas, item, inner, position, lit)


def prompt(canvas: Canvas, text: str, tells: str, box: Box) -> None:
    """A lit slab that asks for something other than a press."""
    _plate(canvas, box, lit=True)
    _word_and_tells(canvas, text, tells, box.inset(3, 1), light=False)


def notice(canvas: Canvas, text: str, box: Box) -> None:
    """Why the last press was refused."""
    canvas.frame(box, 2)
    canvas.lines(text, box.inset(4, 2), 2, BOLD, SMALL_BOLD, SMALL, align="center")


def foot(canvas: Canvas, view: SeatView, box: Box = FOOT) -> Box | None:
    """Take from the foot what the notice or the faults need; the box that is left, or None if all is taken."""
    if view.notice is not None:
        notice(canvas, words.NOTICE[view.notice], box)
        return None
    if not (view.missing or view.picked_up):
        return box
    line = Box(box.left, box.top, box.width, _STATUS_HEIGHT)
    sentence, name = words.missing(view.missing) if view.missing else (words.PICKED_UP, "")
    mark = Box(line.left + 1, line.top, 7, line.height)
    canvas.fill(mark)
    canvas.text("!", mark, SMALL_BOLD, align="center", light=False)
    canvas.naming(sentence, name, Box(line.left + 11, line.top, line.width - 12, line.height), SMALL)
    return Box(box.left, box.top + _STATUS_HEIGHT, box.width, box.height - _STATUS_HEIGHT)


def roster(canvas: Canvas, view: SeatView, position: Position, box: Box) -> None:
    """Everybody with dice in order of play, and how many; the player in turn stands out."""
    living = position.living
    columns = next(columns for columns in (1, 2, 3, 4) if len(living) <= 2 * columns)
    for index, seat in enumerate(living):
        row, column = divmod(index, columns)
        _cell(canvas, view.names[seat], position, seat, box.row(row, 2).column(column, columns))


def what_holds(view: SeatView, position: Position) -> str:
    """What is special about this round, as far as one line has room for it."""
    mine = position.owner == view.me
    owner = "" if position.owner is None else words.YOU if mine else view.names[position.owner]
    return words.holds(position, owner)


def _cell(canvas: Canvas, name: str, position: Position, seat: int, cell: Box) -> None:
    dice = position.dice[seat]
    in_turn = seat == position.turn
    plate = Box(cell.left, cell.top, cell.width - 2, cell.height - (cell.height > 10))
    if in_turn:
        canvas.fill(plate)
    banked = position.banked[seat] if position.banked else 0
    if cell.width >= 60 and not banked:
        size = 5 if cell.width == 128 else 3
        across = 5 * (size + 1) + 1
        _tally(canvas, dice, size, Box(plate.right - across, plate.top, across, plate.height), light=not in_turn)
    else:
        text = f"{dice}+{banked}" if banked else str(dice)
        across = 3 + canvas.text(text, plate.inset(2), SMALL_BOLD, align="right", light=not in_turn)
    room = Box(plate.left + 2, plate.top, plate.width - across - 3, plate.height)
    font = TEXT if cell.width == 128 and cell.height > 10 else SMALL
    canvas.short(name, room, font, light=not in_turn)


def _tally(canvas: Canvas, dice: int, size: int, box: Box, *, light: bool) -> None:
    top = box.top + (box.height - size) // 2
    for index in range(dice):
        canvas.fill(Box(box.right - 1 - (size + 1) * (dice - index), top, size, size), light=light)


def _plate(canvas: Canvas, box: Box, *, lit: bool) -> None:
    if lit:
        canvas.fill(box)
    else:
        canvas.frame(box)


def _bid_item(canvas: Canvas, bid: Bid, box: Box, lit: bool) -> None:
    size = 20 if box.height >= 23 else 15 if box.height >= 15 else 12
    number = (BIG, HEAD) if size == 20 else (HEAD, BOLD)
    quantity, font = fit(str(bid.quantity), 40, box.height, number)
    name = words.faces(bid)
    room = box.width - width(quantity, font) - size - 16
    named, name_font = fit(name, room, box.height, (TITLE, HEAD, TEXT)[size < 20 :])
    across = width(quantity, font) + 10 + size + 4 + width(named, name_font)
    left = box.left + (box.width - across) // 2
    left += canvas.text(quantity, Box(left, box.top, 60, box.height), font, light=not lit)
    canvas.text("×", Box(left, box.top + 1, 10, box.height), SMALL_BOLD, align="center", light=not lit)
    canvas.die(bid.face, left + 10, box.top + (box.height - size) // 2, size, solid=True, light=not lit)
    canvas.text(named, Box(left + 14 + size, box.top, 60, box.height), name_font, light=not lit)


def _word_item(canvas: Canvas, item: Item, box: Box, position: Position | None, lit: bool) -> None:
    _word_and_tells(canvas, words.item(item), words.item_tells(item, position), box, light=not lit)


def _word_and_tells(canvas: Canvas, word: str, tells: str, box: Box, *, light: bool) -> None:
    if tells and box.height >= 24:
        canvas.text(word, box._replace(height=16), TITLE, HEAD, BOLD, align="center", light=light)
        below = Box(box.left, box.top + 16, box.width, box.height - 16)
        canvas.text(tells, below, SMALL, align="center", light=light)
    else:
        canvas.text(word, box, TITLE, HEAD, BOLD, align="center", light=light)


def _quantity(bid: Bid) -> tuple[str, Font]:
    return fit(str(bid.quantity), 54, 25, (HUGE, BIG, HEAD))
