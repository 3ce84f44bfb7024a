"""A real `Table` and its players' presses; an `Exhibit` is one state at a seat."""

import dataclasses
from typing import NamedTuple, Self

from msgspec.structs import replace
from PIL import Image

from drivers.messages import Button, Device, Lost, Message, Pressed, Released, Settled, Shaken, Tilted
from engine import PERUDO, Match, Phase, Reason, Rules, View
from firmware_host.fairness.chain import EMPTY_HEAD, next_head
from firmware_host.i18n.words import ENGLISH, Words
from firmware_host.screens.graphics.canvas import Canvas
from firmware_host.screens.renderer import paint, paint_peek
from firmware_host.table.effects import Effect, HostMessage, Show
from firmware_host.table.events import Repeat
from firmware_host.table.health import Alert, AlertRaised
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.scenes.bidding import Bidding
from firmware_host.table.scenes.choosing import Choosing
from firmware_host.table.scenes.deal import Contribution, Source
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.over import MatchOver
from firmware_host.table.scenes.scene import Game, Scene
from firmware_host.table.scenes.shaking import Shaking
from firmware_host.table.seat.menu import Menu, MenuItem
from firmware_host.table.seat.names import NO_NAMES, NameOptions
from firmware_host.table.seat.view import SceneName, SeatInfo, SeatView, TableReason
from firmware_host.table.staff.actions import NO_MENU, StaffOptions
from firmware_host.table.staff.sound import AS_AT_FIRST, SoundAndLight
from firmware_host.table.table import Table

MS = 1_000_000
SECOND = 1000 * MS
_SCENES: dict[Phase, type[Shaking] | type[Choosing] | type[Bidding] | type[MatchOver]] = {
    Phase.SEATING: Shaking,
    Phase.ROLLING: Shaking,
    Phase.CHOOSING: Choosing,
    Phase.BIDDING: Bidding,
    Phase.OVER: MatchOver,
}
_TIMEOUT_S = 60
_HEAD = next_head(EMPTY_HEAD, "gallery")
"""The head of a fairness chain, as a match has one."""


class Exhibit(NamedTuple):
    """A state with its name, such as `turn/least raise`.

    `look` is the view under the lifted cup, None while the cup is down.
    """

    name: str
    view: SeatView
    menu: Menu
    look: View | None = None

    def painted(self, words: Words = ENGLISH) -> Canvas:
        """Draw the picture, with a record of each piece's position."""
        if self.look is None:
            return paint(self.view, self.menu, words)
        return paint_peek(self.view, self.menu, self.look, words)

    def picture(self, words: Words = ENGLISH) -> Image.Image:
        """Draw the picture: 128 × 64 pixels, mode "1"."""
        return self.painted(words).image


class Stage:
    """A table in the lobby or in a match, with players at the first seats; with `has_phone` the last is for a phone."""

    def __init__(
        self,
        names: tuple[str, ...],
        match: Match | None = None,
        *,
        dudo_button: bool = True,
        new_cups: bool = False,
        turn_clock_s: float | None = None,
        again: Repeat | None = None,
        staff: StaffOptions = NO_MENU,
        players: NameOptions = NO_NAMES,
        robots: tuple[tuple[int, RobotLevel], ...] = (),
        sound: SoundAndLight = AS_AT_FIRST,
        have_programs: bool = False,
        rules: Rules = PERUDO,
        has_phone: bool = False,
    ) -> None:
        self.now_ns = self.began_ns = 1000 * SECOND
        self._shown: dict[int, Show] = {}
        seats = tuple(
            SeatInfo(
                name,
                dudo_button=dudo_button,
                takes_new_cup=new_cups,
                is_service=name == names[0],
                commits=have_programs,
                is_phone=has_phone and name == names[-1],
            )
            for name in names
        )
        rules = rules if match is None else match.position.rules
        scene = Lobby() if match is None else scene_of(match, again)
        scene = dataclasses.replace(scene, robots=robots)
        if have_programs and isinstance(scene, Shaking):
            scene = committed(scene)
        self.table = Table(rules, seats, scene, turn_clock_s=turn_clock_s, staff=staff, names=players, sound=sound)
        self._carry_out(self.table.begin(self.now_ns))

    # Players and devices

    def tap(self, seat: int, button: Button = Button.OK, times: int = 1) -> Self:
        """Press and release a button, several times."""
        for _ in range(times):
            self.send(Pressed(seat, button, self.now_ns))
            self.wait(0.1)
            self.send(Released(seat, button, self.now_ns))
            self.wait(0.1)
        return self

    def point(self, seat: int, item: MenuItem) -> Self:
        """Move the cursor to a menu item."""
        menu = self._shown[seat].menu
        way = menu.items.index(item) - menu.cursor
        return self.tap(seat, Button.RIGHT if way > 0 else Button.LEFT, abs(way))

    def seek(self, seat: int, item: MenuItem) -> Self:
        """Press ▶ until an item is under OK, in the seat's own menu or in the side menu behind it."""
        while self._shown[seat].menu.chosen is not item:
            self.tap(seat, Button.RIGHT)
        return self

    def pick(self, seat: int, item: MenuItem) -> Self:
        """Move the cursor to an item and press OK."""
        return self.point(seat, item).tap(seat)

    def shake(self, *seats: int) -> Self:
        """Shake cups and set them down."""
        for seat in seats:
            self.send(Shaken(seat, self.now_ns))
            self.wait(0.5)
            self.send(Settled(seat, self.now_ns, b"shaken"))
        return self

    def tilt(self, seat: int) -> Self:
        """Look under the cup."""
        return self.send(Tilted(seat, self.now_ns))

    def alert(self, *troubles: Alert) -> Self:
        """Raise machine alerts."""
        for what in troubles:
            self._carry_out(self.table.handle(AlertRaised(what, "fix it"), self.now_ns))
        return self

    def lose(self, seat: int, device: Device) -> Self:
        """Unplug a device."""
        return self.send(Lost(seat, device, "the cable is out"))

    def notify(self, seat: int, why: Reason | TableReason) -> Self:
        """Refuse a seat's last press."""
        self.table._context.notify(seat, why)
        self._carry_out(self.table.tick(self.now_ns))
        return self

    # Time and pictures

    def send(self, message: Message | HostMessage) -> Self:
        """Send a message to the table now."""
        self._carry_out(self.table.handle(message, self.now_ns))
        return self

    def wait(self, duration_s: float) -> Self:
        """Let time pass, with all table deadlines."""
        until_ns = self.now_ns + round(duration_s * SECOND)
        while (due_ns := self.table.deadline_ns) is not None and due_ns <= until_ns:
            self.now_ns = max(self.now_ns, due_ns)
            self._carry_out(self.table.tick(self.now_ns))
        self.now_ns = until_ns
        return self

    def until(self, scene: SceneName) -> Self:
        """Let time pass until a scene begins. Raises `LookupError` if it does not begin within a minute."""
        for _ in range(100 * _TIMEOUT_S):
            if self.table.scene.name is scene:
                return self
            self.wait(0.01)
        raise LookupError(f"{self.table.scene.name} does not become {scene}")

    def until_told(self) -> Self:
        """Let time pass until a reveal has told all."""
        self.until(SceneName.REVEAL)
        while self._shown[0].view.cue_ms is not None:
            self.wait(0.01)
        return self

    def shot(self, name: str, seat: int, *, resumed: bool = False, has_peeked: bool = True) -> Exhibit:
        """Return a seat's display state.

        A stage begins as after a power cut, with no cup looked under yet; `resumed` and `has_peeked` say whether the
        picture is of that moment.
        """
        show = self._shown[seat]
        view = replace(show.view, resumed=resumed and show.view.resumed, has_peeked=has_peeked)
        return Exhibit(name, view, show.menu)

    def peek(self, name: str, seat: int) -> Exhibit:
        """Return a seat's display state during a look under the cup."""
        self.tilt(seat)
        look = self._shown[seat].look
        assert look is not None, f"seat {seat} may not look"
        return self.shot(name, seat)._replace(look=look)

    def seen(self, seat: int, *, is_lifted: bool) -> Exhibit:
        """Return a seat's present display state, with dice if its cup is lifted, as if without a power cut."""
        show = self._shown[seat]
        return Exhibit("seen", replace(show.view, resumed=False), show.menu, show.look if is_lifted else None)

    @property
    def turn(self) -> int:
        """The player whom the table waits for in the bidding."""
        (player,) = self._shown[0].view.waiting_for
        return player

    def _carry_out(self, effects: list[Effect]) -> None:
        self._shown.update({effect.seat: effect for effect in effects if isinstance(effect, Show)})


def committed(shake: Shaking) -> Shaking:
    """Return a shake after every cup's commitment. On a stage no cup reveals: it ends when all are down."""
    shares = (Contribution(player, Source.CUP, bytes(32), is_down=False) for player in shake.game.position.rolling)
    return dataclasses.replace(shake, shares=tuple(shares))


def scene_of(match: Match, again: Repeat | None = None) -> Scene:
    """Return a match's scene, with players at the first seats."""
    players = tuple(range(match.position.seats))
    dealt = match.position.phase is Phase.BIDDING
    fallen = tuple(seat for seat in players if not match.position.dice[seat])
    game = Game("gallery", match, players, deals=int(dealt), fallen=fallen, head=_HEAD)
    kind = _SCENES[match.position.phase]
    return Shaking(game=game, seed=bytes(32), is_bound=True, again=again) if kind is Shaking else kind(game=game)
