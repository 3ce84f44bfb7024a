"""Hands that lie open before a player are more than a glass can show at once: they are leafed through with ◀ ▶.

Leaf 0 is the summary of all; each of the others is one hand. Whose it is follows from public facts alone, so `Table`
counts leaves by this and the screens draw by it.

What one seat is shown, before it is drawn: public facts only. Dice come apart from it, as the engine's `View`.

`draw(view, menu)` is handed this and cannot leak a die; `draw_peek(view, look)` is handed one seat's `View` besides.
"""

from enum import StrEnum

from msgspec import Struct

from drivers.messages import Device, Light
from engine import Call, Position, Reason
from engine.rules import Visibility
from engine.view import visible_seats
from firmware_host.table.alerts import Alert
from firmware_host.table.events import Repeat


class SceneName(StrEnum):
    """The part of the evening a seat is in."""

    LOBBY = "lobby"
    SHAKING = "shaking"
    CHOOSING = "choosing"
    BIDDING = "bidding"
    CALLED = "called"
    REVEAL = "reveal"
    OVER = "over"


class TableReason(StrEnum):
    """Why the table, not the rules, did not do what a seat asked; the engine's `Reason` has the rest."""

    BID_CHANGED = "bid-changed"
    MENU_CHANGED = "menu-changed"
    LOOK_FIRST = "look-first"
    CHOICE_FIRST = "choice-first"
    OTHERS_SHAKE = "others-shake"
    NOT_PLAYING = "not-playing"


class SeatInfo(Struct, frozen=True):
    """A seat's furniture, as far as the conduct of the table depends on it."""

    name: str
    color: str = "white"
    dudo_button: bool = True
    commits: bool = False  # its cup has a program of its own, which binds itself to what it adds to a deal
    takes_new_cup: bool = False  # another cup can be assigned to it at the table
    is_service: bool = False  # the owner reads there what concerns nobody else


class Absence(Struct, frozen=True):
    """Who is away while the table waits for them, by their seats in the match, and what the others make of it."""

    players: tuple[int, ...]
    votes: int = 0  # to go on without them
    needed: int = 0  # 0 where the others are too few to decide it
    out_in_min: int | None = None  # even so; None as long as no other player has touched anything since


class Missing(Struct, frozen=True):
    """A device that does not answer, at the seat of this name."""

    name: str
    device: Device


class SeatView(Struct, frozen=True):
    """One seat's public picture of the evening. `me`, `waiting_for` and the position count the players of the match."""

    scene: SceneName
    name: str
    names: tuple[str, ...]  # of the players, by their seat in the match; in the lobby of who has joined
    me: int | None = None  # this seat among them; None does not play
    position: Position | None = None  # None in the lobby; when a call has been made that in which it was made
    caller: int | None = None  # who has just called, until the cups go up
    call: Call | None = None  # and what
    waiting_for: tuple[int, ...] = ()  # the players the table waits for
    countdown_s: int | None = None  # to the start of the match
    broken_off: bool = False  # the last match was, and nobody has sat down since
    clock_s: int | None = None  # of the turn clock, the last seconds for whom the table waits for
    absence: Absence | None = None
    may_agree: bool = False  # this seat, to go on without them
    again: Repeat | None = None  # why the cups are shaken once more
    missing: tuple[Missing, ...] = ()
    troubles: tuple[Alert, ...] = ()  # of the house, as far as they concern this seat
    takes_new_cup: bool = False  # this seat, where its own is missing
    notice: Reason | TableReason | Alert | None = None  # why the last press was refused, or what has just befallen all
    picked_up: bool = False  # resumed after the power was off, until the next action
    has_looked: bool = False  # in this match, where there was something to see
    leaf: int = 0  # which page of the hands that lie open: 0 is the summary of all
    light: Light = Light.BRIGHT
    head: str = ""  # the first letters of the match's chain: 11 before the shake, 16 in the end, without blanks
    beat: int = 0  # counts up slowly where nobody plays, so that the picture moves


def hand_pages(scene: SceneName, position: Position, me: int | None) -> tuple[int, ...]:
    """The players whose hands are on leaves 1, 2, …; none where there is nothing to leaf through.

    In an open round the hands that player `me` may see under the cups, from the next in order of play on; in a reveal,
    for everybody, all of them in that order.
    """
    if scene is SceneName.REVEAL and position.showdown is not None:
        hands = position.showdown.hands
        return tuple(player for player in position.order if hands[player])
    if scene is SceneName.BIDDING and me is not None and position.kind.visibility is Visibility.OTHERS:
        seen, place = visible_seats(position, me), position.order.index(me)
        return tuple(sorted(seen, key=lambda player: (position.order.index(player) - place) % len(position.order)))
    return ()
