"""What scenes may know and ask of the table: `scene.Desk` as `Table` has it.

What a scene asks for while a message is handled lies here until `Table` makes effects of it.
"""

from collections.abc import Sequence

from drivers.messages import Device
from engine import Phase, Reason, Rules
from firmware_host.table.alerts import OWNER_ALERTS, ActiveAlerts, Alert
from firmware_host.table.device_health import DeviceHealth
from firmware_host.table.effects import Announce, RequestCommitment, RequestEntropy, RequestSeed
from firmware_host.table.events import AlertBegan, AlertEnded, DeviceFound, DeviceLost, PublicEvent, Repeat
from firmware_host.table.scenes.bidding import Bidding
from firmware_host.table.scenes.choosing import Choosing
from firmware_host.table.scenes.deal import Contribution
from firmware_host.table.scenes.over import MatchOver
from firmware_host.table.scenes.scene import Game, Scene
from firmware_host.table.scenes.shaking import Shaking
from firmware_host.table.seat_state import SeatState
from firmware_host.table.seat_view import SeatInfo, TableReason

_SCENES: dict[Phase, type[Shaking] | type[Choosing] | type[Bidding] | type[MatchOver]] = {
    Phase.SEATING: Shaking,
    Phase.ROLLING: Shaking,
    Phase.CHOOSING: Choosing,
    Phase.BIDDING: Bidding,
    Phase.OVER: MatchOver,
}
Question = RequestSeed | RequestCommitment | RequestEntropy


class SceneContext:
    """One table's. `absent` is what does not answer there, `troubles` what ails its house."""

    def __init__(self, rules: Rules, seats: tuple[SeatInfo, ...], places: Sequence[SeatState]) -> None:
        self.rules = rules
        self.seats = seats
        self.now_ns = 0
        self.absent = DeviceHealth()
        self.troubles = ActiveAlerts()
        self._places = places
        self._told: list[Announce] = []
        self._asked: list[Question] = []

    def told(self) -> list[Announce]:
        """What is new to the room; hands it over."""
        told, self._told = self._told, []
        return told

    def asked(self) -> list[Question]:
        """What the table wants to know; hands it over."""
        asked, self._asked = self._asked, []
        return asked

    def forget(self) -> None:
        """Nothing of what scenes have said since anything was handed over."""
        self._told, self._asked = [], []

    # What ails the table

    def lost(self, seat: int, device: Device, why: str) -> None:
        """A device of a seat does not answer."""
        if self.absent.lose(seat, device, why):
            self.announce(DeviceLost(seat, device, why))
        if device is not Device.PANEL:
            self._places[seat].let_go()

    def found(self, seat: int, device: Device) -> None:
        """It answers again."""
        if self.absent.find(seat, device):
            self.announce(DeviceFound(seat, device))
        if device is Device.BOARD:
            self._places[seat].light_up(self.now_ns)

    def troubled(self, what: Alert, why: str, *, interrupts: bool) -> None:
        """This ails the house: those whom it concerns have it told all the time, and at once where it `interrupts`."""
        if not self.troubles.take(what, why):
            return
        self.announce(AlertBegan(what, why))
        for place in self._places if interrupts else ():
            if self.seats[place.seat].is_service or what not in OWNER_ALERTS:
                place.warn(what, self.now_ns)

    def mended(self, what: Alert) -> None:
        """It does not any more."""
        if self.troubles.mend(what):
            self.announce(AlertEnded(what))
            for place in self._places:
                place.forget_trouble(what)

    # For scenes

    def announce(self, event: PublicEvent) -> None:
        """Tell the room."""
        self._told.append(Announce(event))

    def refuse(self, seat: int, why: Reason | TableReason) -> None:
        """Tell a seat, for a few seconds, why nothing happened."""
        self._places[seat].tell(why, self.now_ns)

    def want_seed(self) -> None:
        """Ask the shell for a seed."""
        self._asked.append(RequestSeed())

    def draw(self, seat: int, deal: bytes) -> None:
        """Ask a cup to bind itself for a deal."""
        self._asked.append(RequestCommitment(seat, deal))

    def open_deal(self, seat: int, deal: bytes, head: bytes) -> None:
        """Ask a cup to open what it was bound to."""
        self._asked.append(RequestEntropy(seat, deal, head))

    def lacks(self, seat: int, *devices: Device) -> bool:
        """Whether one of these does not answer at a seat."""
        return self.absent.lacks(seat, *devices)

    def has_cup(self, seat: int) -> bool:
        """Whether a cup with a program of its own answers there, and is trusted."""
        return self.seats[seat].commits and self.absent.has_trusted_cup(seat)

    def mistrust(self, seat: int) -> None:
        """A cup did not answer, or not what it was bound to."""
        self.absent.mistrust(seat)

    def trust(self, seat: int) -> None:
        """A cup kept its word."""
        self.absent.trust(seat)

    def is_reused(self, seat: int, deal: bytes, entropy: bytes) -> bool:
        """Remember what a cup opens for a deal; return whether one has opened the same elsewhere."""
        return self.absent.is_reused(seat, deal, entropy)

    def follow(self, game: Game, again: Repeat | None = None) -> Scene:
        """Begin the scene that a match's phase asks for."""
        kind = _SCENES[game.position.phase]
        return (Shaking(game=game, again=again) if kind is Shaking else kind(game=game)).begin(self)

    def shake_again(self, game: Game, again: Repeat, shares: tuple[Contribution, ...] = ()) -> Scene:
        """Begin a repeated deal, to which some have added their shares already."""
        return Shaking(game=game, again=again, shares=shares).ask(self)
