"""What the table knows of a layout's furniture: for whoever lays a table, whether it has wires or not.

Where an evening goes on when its table is set up anew: after a restart, or because its layout has changed.

A scene counts seats. It can go on at another layout where each of its seats has the name it had: so people know where
their dice are. What a match called its seats the match itself tells; of the layout that was in force only a copy is
known, which may be of an earlier evening, or of none.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from unicodedata import normalize

from drivers.messages import Button
from firmware_host.fairness.lines import is_match_line, printable_name, read_match_line
from firmware_host.fairness.verify.parser import ProofLine, VerificationError, read_deal_line
from firmware_host.i18n.catalogues import translation_for
from firmware_host.i18n.words import Words
from firmware_host.journal.store import MatchLog
from firmware_host.pairing.replacements import device_of
from firmware_host.table.events import ChainEntryAdded
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat_view import SceneName, SeatInfo
from hardware.config.layout import Layout, Seat, SerialDevice


def seat_infos(layout: Layout) -> tuple[SeatInfo, ...]:
    """The furniture as the table knows it; panels have letters with their accents, not accents apart."""
    return tuple(_seat_info(seat, is_service=number == layout.service_seat) for number, seat in enumerate(layout.seats))


def _seat_info(seat: Seat, *, is_service: bool) -> SeatInfo:
    return SeatInfo(
        normalize("NFC", seat.name),
        seat.color,
        has_dudo_button(seat),
        commits=seat.board is not None or isinstance(seat.cup, SerialDevice),
        takes_new_cup=seat.cup is not None and device_of(seat) is seat.cup,
        is_service=is_service,
    )


def words_of(layout: Layout) -> tuple[Words, ...]:
    """What each seat's panel speaks with, in the language of the seat. Raises `UnknownLanguageError`."""
    return tuple(Words(translation_for(language)) for language in layout.languages())


def has_dudo_button(seat: Seat) -> bool:
    """Whether a seat can say dudo with a button of its own; boards have all four."""
    return seat.buttons is None or Button.DUDO in seat.buttons


NOBODY: Mapping[int, str] = MappingProxyType({})


def called(match: MatchLog | None, scene: Scene | None) -> Mapping[int, str]:
    """What the match of a scene calls its seats, by seat of the layout; nothing where that is not known."""
    game = None if scene is None else scene.game
    told = [] if match is None else match.told()
    line = next(
        (event.line for event in told if isinstance(event, ChainEntryAdded) and is_match_line(event.line)), None
    )
    return NOBODY if game is None or line is None else dict(zip(game.players, read_match_line(line)[1], strict=False))


def opened_by_cups(match: MatchLog | None, scene: Scene | None) -> Iterator[tuple[int, bytes, bytes]]:
    """Yield what cups have opened in the match of a scene: the seat of the layout, the deal, and the entropy.

    The entropies of deals that were broken off are not among them: the journal does not keep those. Lines that can't be
    read are left out: the match goes on without this.
    """
    game = None if scene is None else scene.game
    if match is None or game is None:
        return
    told = [event.line for event in match.told() if isinstance(event, ChainEntryAdded)]
    deals, cups = dict[int, bytes](), dict[tuple[int, int], int]()
    for line in (*told, *game.to_open):
        try:
            _, number, what, player, value = read_deal_line(ProofLine(0, line, ""))
        except VerificationError:
            continue
        if what == "house":
            deals[number] = value
        elif what == "cup" and number in deals and player is not None and player < len(game.players):
            cups[number, player] = game.players[player]
        elif what == "opens" and player is not None and (number, player) in cups:
            yield cups[number, player], deals[number], value


def resumed(
    scene: Scene | None, before: Layout | None, layout: Layout, names: Mapping[int, str] = NOBODY
) -> Scene | None:
    """The scene to go on with at `layout`, None to begin anew.

    `before` is the layout it was played at, if known, `names` are those its match has for its seats.
    """
    if isinstance(scene, Lobby):
        stayed = tuple(seat for seat in scene.joined if _is_there(seat, before, layout))
        return scene if stayed == scene.joined else Lobby(joined=stayed)
    if scene is None or scene.game is None:
        return scene
    return scene if all(_is_there(seat, before, layout, names) for seat in scene.game.players) else None


def runs_a_match(scene: Scene | None) -> bool:
    """Whether somebody's dice are in it."""
    return scene is not None and scene.game is not None and scene.name is not SceneName.OVER


def layout_for(scene: Scene | None, before: Layout | None, wanted: Layout, names: Mapping[int, str] = NOBODY) -> Layout:
    """`wanted`, but `before` for a match that could go on there alone."""
    if runs_a_match(scene) and before is not None and resumed(scene, before, wanted, names) is None:
        return wanted if resumed(scene, before, before, names) is None else before
    return wanted


def _is_there(seat: int, before: Layout | None, layout: Layout, names: Mapping[int, str] = NOBODY) -> bool:
    """Whether a seat is the same one at both."""
    if seat >= len(layout.seats):
        return False
    name = layout.seats[seat].name
    if seat in names:
        return printable_name(normalize("NFC", name)) == names[seat]
    return before is None or (seat < len(before.seats) and before.seats[seat].name == name)
