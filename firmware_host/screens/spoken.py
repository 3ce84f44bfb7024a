"""A display in words, for a screen reader: the person's choices, the reason for an ignored press, and the visible dice.

`SeatDisplay` sends it to a phone beside the picture, `Workbench` to the pages that get the display's picture.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from engine import Bid, Player, RoundKind, View
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.table.seat.lesson import made_up_hand
from firmware_host.table.seat.menu import Menu, MenuCommand
from firmware_host.table.seat.view import SceneName, SeatView, hand_pages
from firmware_host.table.staff.actions import StaffView


class SpokenHand(Struct, frozen=True):
    """Dice on a display: the seat's own if `player` is None, else a match player's in an open round."""

    player: Player | None
    dice: tuple[int, ...]


class Spoken(Struct, frozen=True):
    """A display in words, and its dice while they are shown.

    `choice` is the present effect of OK there; empty without one.
    """

    text: str
    hands: tuple[SpokenHand, ...]
    choice: str = ""


def sentence(view: SeatView, menu: Menu, look: View | None, words: Words) -> str:
    """Return a display in one line of words: its dice, the match, the choice."""
    heard = spoken(view, menu, look, words)
    dice = (_told(hand, view.names, words) for hand in heard.hands)
    match = _match(view, menu, words) if view.staff is None and view.lesson is None else ()
    return " · ".join(filter(None, (*dice, *match, heard.text)))


def _match(view: SeatView, menu: Menu, words: Words) -> Iterator[str]:
    """Yield who has joined, whether to shake, the standing bid, the call on it and its outcome: `play` has a page for
    them.
    """
    position = view.position
    if view.scene is SceneName.LOBBY:
        yield ", ".join(view.names)
    if position is None:
        return
    if view.scene is SceneName.SHAKING and view.you in view.waiting_for and menu.chosen is not MenuCommand.ROLL:
        yield words(phrases.SHAKE)
    if position.bidder is not None and position.standing is not None:
        bid = words.quantity_of(position.standing)
        yield words(phrases.HEARD_DICE_OF).format(name=_name(view, position.bidder, words), dice=bid)
    if view.caller is not None and view.call is not None:
        yield f"{words(phrases.CALLER).format(_name(view, view.caller, words))} {words(phrases.CALLED[view.call])}"
    elif position.turn is not None and position.turn == view.you:
        yield words(phrases.YOUR_TURN)
    elif position.turn is not None:
        yield words(phrases.TURN_BRIEFLY).format(view.names[position.turn])
    shown = position.showdown
    if view.scene is SceneName.REVEAL and view.cue_ms is None and shown is not None:
        payer = shown.gainer if shown.loser is None else shown.loser
        yield words.verdict(shown) if not shown.was_pass else ""
        yield words.payment(shown)[0].format("" if payer is None else view.names[payer])
    if view.scene is SceneName.OVER:
        yield words(phrases.WINS).format(view.names[position.living[0]])


def _name(view: SeatView, player: Player, words: Words) -> str:
    return words(phrases.YOU) if player == view.you else view.names[player]


def _told(hand: SpokenHand, names: Sequence[str], words: Words) -> str:
    dice = ", ".join(words.faces(Bid(1, face)) for face in hand.dice)
    if hand.player is None:
        return words(phrases.HEARD_OWN_DICE).format(dice=dice)
    return words(phrases.HEARD_DICE_OF).format(name=names[hand.player], dice=dice)


def spoken(view: SeatView, menu: Menu, look: View | None, words: Words) -> Spoken:
    """Return a display in words. Only `hands` depends on dice, and only while they are on the display."""
    if view.staff is not None:
        return Spoken(_staff(view.staff, words), (), "staff")
    if view.lesson is not None:
        hand = (SpokenHand(None, tuple(made_up_hand(view.lesson.position.rules))),) if view.lesson.is_looking else ()
        lesson = words.lesson(view.lesson), _chosen(view, menu, words)
        return Spoken(" · ".join(filter(None, lesson)), hand, "lesson")
    text, name = words.banner(view) or ("", "")
    parts = (text.format(name), _chosen(view, menu, words), _why_no_dice(view, look, words))
    return Spoken(" · ".join(filter(None, parts)), () if look is None else _hands(look), _choice(view, menu))


def _choice(view: SeatView, menu: Menu) -> str:
    """Return the name of the item that OK picks now, or of the state in which the display has no menu."""
    if view.paused:
        return "paused"
    if view.naming is not None:
        return "name-entry"
    if view.robot is not None and view.scene is SceneName.LOBBY:
        return "robot-out" if menu.chosen is MenuCommand.LEAVE else "robot-other"
    match menu.chosen:
        case None:
            return ""
        case Bid():
            return "bid"
        case RoundKind():
            return "round"
        case item:
            return str(item)


def _staff(view: StaffView, words: Words) -> str:
    """Return the staff menu's place: the section under the cursor, or the item in it."""
    place = phrases.STAFF_SECTION[view.section] if view.item is None else phrases.STAFF_ITEM[view.item]
    return f"{words(phrases.STAFF_MENU)}: {words(place)}"


def _chosen(view: SeatView, menu: Menu, words: Words) -> str:
    """Return the chosen item and its meaning: "DUDO: fewer than 4 trains"."""
    if menu.chosen is None or (menu.chosen is MenuCommand.WAIT and len(menu.items) > 1):
        return ""
    hint = words.item_hint(menu.chosen, view.position, view.names)
    at_robot = view.robot is not None and view.scene is SceneName.LOBBY
    item = words.item(menu.chosen, None if view.position is None else view.position.rules, at_robot=at_robot)
    return f"{item}: {hint}" if hint else item


def _why_no_dice(view: SeatView, look: View | None, words: Words) -> str:
    position = None if look is None else look.position
    if look is None or position is None or _hands(look) or position.kind not in phrases.NO_LOOK:
        return ""
    owner = "" if position.owner is None else view.names[position.owner]
    return words(phrases.NO_LOOK[position.kind]).format(owner)


def _hands(look: View) -> tuple[SpokenHand, ...]:
    """Return the own dice, without a player's index, or all open hands in an open round."""
    if look.own is not None:
        return (SpokenHand(None, tuple(look.own)),)
    seen = ((player, look.hands[player]) for player in hand_pages(SceneName.BIDDING, look.position, look.seat))
    return tuple(SpokenHand(player, tuple(hand)) for player, hand in seen if hand is not None)
