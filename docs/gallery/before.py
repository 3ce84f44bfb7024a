"""States before the dice are under the cups: lobby, roll for the order, shake, and choice of a round."""

from collections.abc import Iterator
from dataclasses import replace

from docs.gallery.matches import at, chosen
from docs.gallery.stage import Exhibit, Stage
from drivers.messages import Button, Device
from engine import KILL_SPOT, OBLIGING, PALO_FIJO, PERUDO, PYRUDO, Match, RoundKind, Rules
from firmware_host.clients.web.addresses import small_qr
from firmware_host.table.invitation import MAX_MODULES, Invitation, Invited
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.seat.menu import VOLUME_ITEMS, MenuCommand
from firmware_host.table.seat.names import NameOptions
from firmware_host.table.staff.sound import SoundAndLight

SPECIAL = {
    RoundKind.FIXED_FACE: PYRUDO,
    RoundKind.FIXED_FACE_NO_WILDS: OBLIGING,
    RoundKind.FIXED_FACE_NO_WILDS_OPEN: PALO_FIJO,
    RoundKind.FIXED_FACE_NO_WILDS_CLOSED: PALO_FIJO,
    RoundKind.BLIND: KILL_SPOT,
    RoundKind.OPEN: KILL_SPOT,
}
"""A rule set for each kind of special round."""

_PAGE, _CODE, _KEY = "http://192.168.1.5:8680/", "K7PQM2ZT", "3F9A0C51D7E28B6440A1F5C9"
INVITATION = Invitation(_PAGE, _CODE, small_qr(_PAGE, f"{_CODE}-{_KEY}", MAX_MODULES), _KEY)
ADDRESSES = {
    "http://192.168.178.123:8680/": 29,
    "https://dudo.example/": 29,
    "https://table.of.the.bar.example:8443/": 0,
}
"""Addresses of phones' pages, and how many rows of a QR code a display has room for."""
_DESERTED_S = 3600


def robots(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield a robot's display in a match."""
    match = Match.start(PERUDO, len(names))
    for level in RobotLevel:
        yield Stage(names, match, robots=((1, level),)).shot(f"robot/{level}", 1)


def special(kind: RoundKind, seats: int) -> Match:
    """Return a match before the shake in seat 1's special round."""
    rules = SPECIAL[kind]
    others = 3 if seats == 2 else 5
    match = at(rules, [1 if seat == 1 else others for seat in range(seats)], last=1)
    return chosen(match, kind) if match.position.choices else match


def lobby(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield joining, starting and the countdown."""
    last = len(names) - 1
    stage = Stage(names)
    yield stage.shot("lobby/attract", 0)
    yield stage.wait(60).shot("lobby/attract, a minute later", 0)
    deserted = Stage(names, Match.start(PERUDO, last + 1)).wait(_DESERTED_S)
    yield deserted.tap(0).shot("lobby/broken off", 0)
    stage = Stage(names)
    yield stage.pick(0, MenuCommand.JOIN).shot("lobby/first and alone", 0)
    yield stage.shot("lobby/asked by one", last)
    for seat in range(1, last):
        stage.pick(seat, MenuCommand.JOIN)
    if last > 1:
        yield stage.shot("lobby/many are in", 0)
        yield stage.shot("lobby/asked by many", last)
    stage.pick(last, MenuCommand.JOIN)
    yield stage.shot("lobby/all are in", 0)
    yield stage.point(0, MenuCommand.LEAVE).shot("lobby/leaving", 0)
    yield stage.point(0, MenuCommand.LANGUAGE).shot("lobby/language", 0)
    yield stage.pick(1, MenuCommand.START).shot("lobby/countdown", 1)
    yield stage.wait(3).shot("lobby/countdown to its end", 1)
    loud = SoundAndLight(volume=60, guests_volume_max=80)
    volume = Stage(names, sound=loud).pick(0, MenuCommand.JOIN).pick(last, MenuCommand.JOIN)
    for item in VOLUME_ITEMS:
        yield volume.point(0, item).shot(f"lobby/{item}", 0)
    yield volume.pick(0, MenuCommand.LOUDER).shot("lobby/louder by a step", 0)
    phone = Stage(names, has_phone=True)
    yield phone.point(0, MenuCommand.PHONE).shot("lobby/no seat for phones is free", 0)
    yield phone.send(Invited(INVITATION)).shot("lobby/the way in for a phone", 0)
    if last > 1:
        yield phone.pick(1, MenuCommand.JOIN).point(1, MenuCommand.PHONE).shot("lobby/the same of a player", 1)
    for number, (address, size) in enumerate(ADDRESSES.items()):
        invited = Invitation(address, INVITATION.code, INVITATION.qr[:size])
        yield Stage(names, has_phone=True).send(Invited(invited)).wait(61).shot(f"lobby/attract a phone, {number}", 0)
    if last > 1:
        robots = Stage(names).pick(0, MenuCommand.JOIN)
        yield robots.point(1, RobotLevel.MIDDLE).shot("lobby/a robot may sit down", 1)
        for seat, level in enumerate(RobotLevel, start=1):
            if seat <= last:
                yield robots.pick(seat, level).shot(f"lobby/robot-{level}", seat)
        yield robots.point(1, RobotLevel.HARD).shot("lobby/another level", 1)
        if len(names) == 3:  # they differ by a word: one size of table will do
            for level in RobotLevel:
                seat = 2 if level is RobotLevel.EASY else 1  # not offered where that robot plays
                yield robots.point(seat, level).shot(f"lobby/another level, robot-{level}", seat)
        yield robots.shot("lobby/with robots", 0)
        late = Stage(names).pick(0, MenuCommand.JOIN).pick(1, MenuCommand.JOIN).pick(0, MenuCommand.START)
        yield late.shot("lobby/countdown, not in yet", last)


def naming(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield the question for a name: letters, their end, and the regulars' list."""
    stage = Stage(names, players=NameOptions(asks=True)).pick(0, MenuCommand.JOIN)
    yield stage.shot("naming/first letter", 0)
    yield stage.tap(0).tap(0, Button.LEFT, 3).shot("naming/a letter of French", 0)
    yield stage.tap(0, Button.RIGHT, 2).shot("naming/done after one letter", 0)
    yield stage.tap(0, Button.LEFT).shot("naming/back", 0)
    yield stage.tap(0, Button.RIGHT, 2).tap(0).tap(0).shot("naming/three letters", 0)
    yield stage.tap(0, Button.RIGHT).shot("naming/one back of three", 0)
    yield stage.tap(0, Button.LEFT).tap(0).pick(1, MenuCommand.JOIN).shot("naming/two are in", 0)
    yield stage.wait(1).point(0, MenuCommand.NAME).shot("naming/another name", 0)
    yield stage.wait(1).tap(1, Button.LEFT).shot("naming/no name", 1)
    regulars = NameOptions(asks=True, regulars=("Ana", "Bartolomeo"))
    stage = Stage(names, players=regulars).pick(0, MenuCommand.JOIN).tap(0, Button.RIGHT)
    yield stage.shot("naming/a regular", 0)
    yield stage.tap(0, Button.RIGHT).shot("naming/not a regular", 0)
    yield stage.tap(0, Button.RIGHT).shot("naming/no name of the list", 0)


def order(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield the roll for the order of play, one die each."""
    seats = len(names)
    stage = Stage(names, Match.start(OBLIGING, seats))
    yield stage.shot("order/own roll", 0)
    yield stage.shake(0).shot("order/waiting", 0)
    yield Stage(names, Match.start(OBLIGING, seats)).lose(0, Device.CUP).shot("order/own roll without a cup", 0)
    dice = {seat: 6 - seat // 2 for seat in range(seats)}
    tie = Match.start(OBLIGING, seats).roll({seat: (face,) for seat, face in dice.items()})
    stage = Stage(names, tie)
    yield stage.shot("order/tie", 1)
    yield stage.shake(0).shot("order/tie, waiting", 0)
    yield Stage(names, tie, have_programs=True).shake(*range(seats)).shot("order/all have shaken", 0)
    if seats > 2:
        settled = Match.start(OBLIGING, seats).roll({seat: (max(6 - seat, 1),) for seat in range(seats)})
        if settled.position.rolling:
            yield Stage(names, settled).shot("order/a tie of others", 0)


def shake(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield a round's shake."""
    seats = len(names)
    usual = at(PERUDO, (4, 3) if seats == 2 else (4, 5, 3, 5, 2, 5, 4, 2)[:seats])
    opener = usual.position.first or 0
    other = (opener + 1) % seats
    yield Stage(names, Match.start(PERUDO, seats)).shot("shake/first round, to open", 0)
    yield Stage(names, Match.start(PERUDO, seats)).shot("shake/first round", 1)
    yield Stage(names, Match.start(KILL_SPOT, seats)).shot("shake/first round, no wild aces", 1)
    stage = Stage(names, usual)
    yield stage.shot("shake/own", other)
    yield stage.shake(other).shot("shake/waiting for the others", other)
    if seats > 2:
        yield stage.shake(*(seat for seat in range(2, seats))).shot("shake/waiting for the last", other)
    yield Stage(names, usual, have_programs=True).shake(*range(seats)).shot("shake/all have shaken", other)
    yield Stage(names, usual).lose(other, Device.CUP).shot("shake/own without a cup", other)
    yield Stage(names, at(OBLIGING, (5,) * seats)).shot("shake/place in the order of play", 1)
    out = at(PERUDO, (4, 0, *(3,) * (seats - 2)), last=1) if seats > 2 else None
    if out is not None:
        yield Stage(names, out).shot("shake/out", 1)
    yield Stage((*names, "Moche"), usual).shot("shake/not in the match", seats)
    for kind in SPECIAL:
        if seats > 2 or SPECIAL[kind].special_with_two:
            yield Stage(names, special(kind, seats)).shot(f"shake/{kind}, own", 1)
            yield Stage(names, special(kind, seats)).shot(f"shake/{kind}", 0)


def choice(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield the owner's choice between special rounds."""
    for rules in (KILL_SPOT, PALO_FIJO, _EVERY_KIND):
        match = _to_choose(rules, len(names))
        for kind in match.position.choices:
            yield Stage(names, match).point(1, kind).shot(f"choice/{rules}, {kind}", 1)
        yield Stage(names, match).shot(f"choice/{rules}, another's", 0)
    yield Stage((*names, "Moche"), _to_choose(KILL_SPOT, len(names))).shot("choice/not in the match", len(names))


_EVERY_KIND = replace(PYRUDO, name="house", special=tuple(SPECIAL), special_waivable=True)


def _to_choose(rules: Rules, seats: int) -> Match:
    return at(rules, [1 if seat == 1 else 3 for seat in range(seats)], last=1)
