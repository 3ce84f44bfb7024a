"""What the room and every glass have been shown of the evening: only what is new goes out to them. `Table` has one."""

from collections.abc import Sequence

from firmware_host.table.desk import TableDesk
from firmware_host.table.effects import Publish, Show
from firmware_host.table.lights import Lights
from firmware_host.table.place import Place
from firmware_host.table.public import PublicState, public_state
from firmware_host.table.scene import Scene
from firmware_host.table.views import seat_view
from firmware_host.table.waiting import Waiting


class Showing:
    """One table's; `picked_up` as long as it should be said that the evening was resumed."""

    def __init__(
        self, desk: TableDesk, places: Sequence[Place], lights: Lights, waiting: Waiting, *, picked_up: bool
    ) -> None:
        self.picked_up = picked_up
        self._desk = desk
        self._places = places
        self._lights = lights
        self._waiting = waiting
        self._published: PublicState | None = None

    def forget(self) -> None:
        """What was to go out may not have: it all goes out anew, and every gate is shut first."""
        self._published = None
        for place in self._places:
            place.forget_glass()

    def public(self, scene: Scene) -> PublicState:
        """What everybody may know of a scene."""
        desk, waiting = self._desk, self._waiting
        return public_state(scene, desk, desk.absent.missing, desk.troubles.all, waiting.presence, waiting.clock_s)

    def room(self, public: PublicState) -> list[Publish]:
        """That, if it is new to the room."""
        is_new, self._published = public != self._published, public
        return [Publish(public)] if is_new else []

    def glasses(self, public: PublicState, scene: Scene) -> list[Show]:
        """What is new on each seat's glass."""
        return [show for place in self._places if (show := place.news(self._show(place, public, scene)))]

    def _show(self, place: Place, public: PublicState, scene: Scene) -> Show:
        may_agree = self._waiting.presence.may_vote(place.seat)
        troubles, picked_up = self._desk.troubles, self.picked_up
        view = seat_view(place, public, self._lights, troubles, picked_up=picked_up, may_agree=may_agree)
        return Show(place.seat, view, place.menu, scene.look(place.seat))
