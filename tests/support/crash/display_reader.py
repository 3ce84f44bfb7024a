"""What a table that stands in a scene shows the room and each seat, drawn here again; and dice read off a display.

`support.crash.table` holds what boards showed and what the socket told against it.
"""

from collections.abc import Iterator
from functools import cache
from itertools import chain, product
from pathlib import Path

import msgspec
from PIL import Image

from engine import Hand, Reason, Rules
from engine.rules import FACES
from firmware_host import wire
from firmware_host.daemon.seats import seat_infos, words_of
from firmware_host.public.encoder import LineEncoder
from firmware_host.screens import draw, draw_peek
from firmware_host.screens.graphics.canvas import Box
from firmware_host.screens.graphics.glyphs import WILD_ACE, die
from firmware_host.screens.widgets import DICE, dice_slots
from firmware_host.table.effects import Publish, Show
from firmware_host.table.scenes.reveal import Reveal
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat.menu import Menu, MenuCommand
from firmware_host.table.seat.tips import TipView, tips_after_call, tips_in_bidding
from firmware_host.table.seat.view import SceneName, SeatView, TableReason, UndoAsked
from firmware_host.table.table import Table
from hardware.config.layout import Layout, load

SIZE = (128, 64)
NOW_NS = 1_000_000_000_000
COUNTDOWN = (None, 5, 4, 3, 2, 1, 0)
ASIDES = (
    (MenuCommand.BACK, MenuCommand.GIVE_UP),
    (MenuCommand.BACK, MenuCommand.GIVE_UP, MenuCommand.UNDO),
    (MenuCommand.STAY, MenuCommand.QUIT),
    (MenuCommand.KEEP, MenuCommand.AGREE),
)
"""What may lie over a menu."""


class DisplayReader:
    """A table as its layout says, to lay scenes on."""

    def __init__(self, path: Path, rules: Rules) -> None:
        self.layout: Layout = load(path)
        self.rules = rules
        self.infos = seat_infos(self.layout)
        self.words = words_of(self.layout)
        self.writer = LineEncoder([seat.name for seat in self.layout.seats])


class ResumedTable:
    """A scene on a table that has just come up: `state` is what the room is told, `sights` what displays may show."""

    def __init__(self, scene: Scene, reader: DisplayReader) -> None:
        self.scene = scene
        self._reader = reader
        table = Table(reader.rules, reader.infos, scene)
        effects = table.begin(NOW_NS)
        assert table.scene == scene, "coming up changes the scene"
        self._cues_ms = (*table.scene.moments_ms, None) if isinstance(table.scene, Reveal) else (None,)
        self._shows: dict[int, Show] = {effect.seat: effect for effect in effects if isinstance(effect, Show)}
        (state,) = [effect.state for effect in effects if isinstance(effect, Publish)]
        self.state = plain(wire.read(reader.writer.state(state)))
        self._known: dict[tuple[int, bool], set[bytes]] = {}
        self._more: dict[tuple[int, bool], Iterator[bytes]] = {}
        self._refused: dict[tuple[int, bool, bytes], bool] = {}

    def shows(self, seat: int, dots: bytes, *, resumed: bool, refused: bool = False) -> bool:
        """Return whether a picture is one that this seat may have, wherever its cursor is; `refused`: with a notice."""
        if not refused:
            return self._is_plain(seat, dots, resumed)
        key = seat, resumed, dots
        if key not in self._refused:
            self._refused[key] = any(dots == other for other in self._notices(seat, dots, resumed))
        return self._refused[key]

    def hand(self, seat: int) -> Hand | None:
        """Return the dice under a seat's cup."""
        return hand_in(self.scene, seat)

    def _is_plain(self, seat: int, dots: bytes, resumed: bool) -> bool:
        """Draw on until it is found: what was drawn is kept."""
        key = seat, resumed
        if key not in self._known:
            views = chain(self._views(self._shows[seat].view, resumed), self._tipped(self._shows[seat], resumed))
            self._known[key] = set()
            self._more[key] = (other for view in views for other in self._pictures(seat, view))
        known = self._known[key]
        if dots in known:
            return True
        for other in self._more[key]:
            known.add(other)
            if other == dots:
                return True
        return False

    def _notices(self, seat: int, dots: bytes, resumed: bool) -> Iterator[bytes]:
        """Yield the pictures with a notice, but for those whose lower part is another anyway."""
        lower = _lower(dots)
        for view in self._views(self._shows[seat].view, resumed):
            for notice in (*TableReason, *Reason):
                refused = msgspec.structs.replace(view, notice=notice)
                if _lower(next(self._pictures(seat, refused))) == lower:
                    yield from self._pictures(seat, refused)

    def _views(self, shown: SeatView, resumed: bool) -> Iterator[SeatView]:
        counted = COUNTDOWN if shown.scene is SceneName.LOBBY and len(shown.names) > 1 else (None,)
        pages = range(len(shown.names) + 1) if shown.scene is SceneName.REVEAL else (0,)
        looked = (True, False) if shown.scene is SceneName.BIDDING else (True,)
        for page, cue_ms, countdown_s, has_peeked in product(pages, self._cues_ms, counted, looked):
            changes = {"page": page, "cue_ms": cue_ms, "countdown_s": countdown_s, "has_peeked": has_peeked}
            yield msgspec.structs.replace(shown, resumed=resumed, **changes)
        if shown.scene is SceneName.BIDDING:  # a hand that leaned on ▶ may have asked for an undo
            asked = range(len(shown.names))
            for player, votes in product(asked, asked[1:]):
                undo = UndoAsked(player, votes, len(asked))
                yield msgspec.structs.replace(shown, resumed=resumed, has_peeked=True, undo=undo)

    def _tipped(self, show: Show, resumed: bool) -> Iterator[SeatView]:
        """Yield the views with a tip: somebody who took a seat over has not played before."""
        for tip in dict.fromkeys(self._tips(show)):
            for has_peeked in (True, False):
                yield msgspec.structs.replace(show.view, resumed=resumed, has_peeked=has_peeked, tip=tip)

    def _tips(self, show: Show) -> Iterator[TipView]:
        position, me = show.view.position, show.view.me
        if position is None or me is None:
            return
        if show.view.scene is SceneName.REVEAL:
            yield from tips_after_call(position, me)
        elif show.view.scene is SceneName.BIDDING:
            has_button = self._reader.infos[show.seat].dudo_button
            for menu in self._menus(show, show.view):
                yield from tips_in_bidding(position, me, menu, has_looked=True, has_dudo_button=has_button)

    def _pictures(self, seat: int, view: SeatView) -> Iterator[bytes]:
        words, show = self._reader.words[seat], self._shows[seat]
        for menu in self._menus(show, view):
            yield draw(view, menu, words).tobytes()
            if show.look is not None:
                yield draw_peek(view, menu, show.look, words).tobytes()

    def _menus(self, show: Show, view: SeatView) -> Iterator[Menu]:
        """Yield menus, the likeliest first: near where the cursor begins."""
        items, start = show.menu.items, show.menu.cursor
        for cursor in sorted(range(len(items) or 1), key=lambda cursor: abs(cursor - start)):
            yield Menu(items, cursor)
        for aside in ASIDES if self.scene.may_leave(show.seat) else ():
            yield from (Menu(aside, cursor) for cursor in range(len(aside)))


def plain(line: wire.AnyLine | None) -> wire.PublicState:
    """Return a state without what is about cables, time, the house and which events are kept."""
    assert isinstance(line, wire.PublicState)
    seats = tuple(msgspec.structs.replace(seat, missing=()) for seat in line.seats)
    events = {"seq": 0, "journal": "", "oldest": 1}  # of the seventh match, those of the first are gone
    return msgspec.structs.replace(line, **events, seats=seats, countdown_s=None, undo=None, troubles=())


def hand_in(scene: Scene, seat: int) -> Hand | None:
    """Return the dice under a seat's cup in a scene, None where there are none."""
    game = scene.game
    player = None if game is None else game.player(seat)
    if game is None or player is None or not game.match._hands:
        return None
    return game.match._hands[player] or None


def dice_on(dots: bytes) -> tuple[int, ...] | None:
    """Return the dice that lie open side by side on a display, where the own dice have their place, if any."""
    picture = Image.frombytes("1", SIZE, dots)
    for number in range(5, 0, -1):
        faces = [_faces().get(picture.crop(_corners(slot)).tobytes(), 0) for slot in dice_slots(number)]
        if all(faces) and not _has_more(picture.crop(_corners(DICE)), number):
            return tuple(faces)
    return None


def _has_more(band: Image.Image, number: int) -> bool:
    """Return whether anything besides so many dice is where dice have their place."""
    for slot in dice_slots(number):
        band.paste(band.getpixel((0, 0)), (slot.left - DICE.left, 0, slot.right - DICE.left, DICE.height))
    return len(band.getcolors()) > 1


def _lower(dots: bytes) -> bytes:
    """Return the part of a picture where notices stand."""
    return dots[DICE.top * SIZE[0] // 8 :]


def _corners(box: Box) -> tuple[int, int, int, int]:
    return box.left, box.top, box.right, box.bottom


@cache
def _faces() -> dict[bytes, int]:
    """Each face as it is on a dark display and on a lit one."""
    found: dict[bytes, int] = {}
    for drawn in (*FACES, WILD_ACE):
        mask, face = die(drawn, "own", "outline"), 1 if drawn == WILD_ACE else drawn
        dark = Image.new("1", mask.size)
        dark.paste(1, mask=mask)
        found[dark.tobytes()] = face
        found[dark.point(lambda dot: not dot).tobytes()] = face
    return found
