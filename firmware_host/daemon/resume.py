"""The scene for resuming play after a restart or under a changed layout.

A scene refers to seats by number. It can resume under another layout if each seat has the same name there: people know
by the name where their dice are. A match keeps its own seat names. The previous layout survives only as a copy in the
state folder, which may be missing or older than the scene.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from unicodedata import normalize

from engine import Player
from firmware_host.fairness.chain import is_match_line, printable_name, read_match_line, split_player_name
from firmware_host.fairness.verify.parser import ProofLine, VerificationError, read_deal_line
from firmware_host.store.journal.store import MatchLog
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat.view import SceneName
from firmware_host.wire import ChainEntryAdded, Seat
from hardware.config.layout import Layout

NO_NAMES: Mapping[Seat, str] = MappingProxyType({})


def player_names(match: MatchLog | None, scene: Scene | None) -> Mapping[Seat, str]:
    """Return the names in a scene's match, by layout seat; empty if unknown."""
    game = None if scene is None else scene.game or scene.ended
    told = [] if match is None else match.events()
    line = next(
        (event.line for event in told if isinstance(event, ChainEntryAdded) and is_match_line(event.line)), None
    )
    if game is None or line is None:
        return NO_NAMES
    players = zip(game.players, read_match_line(line)[1], strict=False)
    return {seat: split_player_name(name)[0] for seat, name in players}


def opened_by_cups(match: MatchLog | None, scene: Scene | None) -> Iterator[tuple[Seat, bytes, bytes]]:
    """Yield each entropy opened by a cup in a scene's match: layout seat, deal, entropy.

    Broken-off deals are missing: the journal does not keep their entropies. Unreadable lines are left out, because the
    match can go on without them.
    """
    game = None if scene is None else scene.game or scene.ended
    if match is None or game is None:
        return
    told = [event.line for event in match.events() if isinstance(event, ChainEntryAdded)]
    deals, cups = dict[int, bytes](), dict[tuple[int, Player], Seat]()
    for line in (*told, *game.to_open):
        try:
            _, number, what, player, value = read_deal_line(ProofLine(0, line, ""))
        except VerificationError:
            continue
        if what == "house":
            deals[number] = value
        elif what == "cup" and number in deals and player is not None and player < len(game.players):
            cups[number, player] = game.seat(player)
        elif what == "opens" and player is not None and (number, player) in cups:
            yield cups[number, player], deals[number], value


def compatible_scene(
    scene: Scene | None, before: Layout | None, layout: Layout, names: Mapping[Seat, str] = NO_NAMES
) -> Scene | None:
    """Return the scene to resume at under `layout`, None to start afresh.

    `before` is the scene's layout, if known; `names` are the names in its match.
    """
    if isinstance(scene, Lobby):
        last = scene.last
        if last is not None and not all(_is_same_seat(seat, before, layout, names) for seat in last.players):
            last = None
        stayed = tuple(seat for seat in scene.joined if _is_same_seat(seat, before, layout))
        if stayed == scene.joined:
            return scene if last is scene.last else replace(scene, last=None)
        robots = tuple((seat, level) for seat, level in scene.robots if seat in stayed)
        return Lobby(joined=stayed, robots=robots, last=last)
    if scene is None or scene.game is None:
        return scene
    return scene if all(_is_same_seat(seat, before, layout, names) for seat in scene.game.players) else None


def is_match_running(scene: Scene | None) -> bool:
    """Return whether a scene belongs to an undecided match."""
    return scene is not None and scene.game is not None and scene.name is not SceneName.OVER


def choose_layout(
    scene: Scene | None, before: Layout | None, wanted: Layout, names: Mapping[Seat, str] = NO_NAMES
) -> Layout:
    """Return `wanted`, or `before` if the running match can resume under `before` alone."""
    if is_match_running(scene) and before is not None and compatible_scene(scene, before, wanted, names) is None:
        return wanted if compatible_scene(scene, before, before, names) is None else before
    return wanted


def _is_same_seat(seat: Seat, before: Layout | None, layout: Layout, names: Mapping[Seat, str] = NO_NAMES) -> bool:
    if seat >= len(layout.seats):
        return False
    name = layout.seats[seat].name
    if seat in names:
        return printable_name(normalize("NFC", name)) == names[seat]
    return before is None or (seat < len(before.seats) and before.seats[seat].name == name)
