"""A daemon that ends in mid-round and comes up again tells nobody more than one that never ended."""

from pathlib import Path

import pytest
from support.noninterference.forked_round import Round, Seats
from support.noninterference.incidents import INCIDENTS
from support.noninterference.variants import LAYOUTS, OPEN, Family, dealt

from engine import KILL_SPOT, PALO_FIJO, PERUDO, RoundKind, Rules
from firmware_host.table.seat_view import SceneName

pytestmark = pytest.mark.slow


class EndsWhileAllLook(Round):
    """The daemon ends while everybody looks."""

    async def script(self, seats: Seats) -> None:
        await self.shaken(seats)
        await self.bid()
        await self.tilted(seats)


class EndsInACall(Round):
    """The daemon ends between a call and its reveal."""

    async def script(self, seats: Seats) -> None:
        await self.shaken(seats)
        await self.bid()
        await self.made_a_call()
        assert self.table.scene.name is SceneName.CALLED


class GoesOn(Round):
    """It comes up again, and every cup is down."""

    async def script(self, seats: Seats) -> None:
        await self.noted(3, covered=seats if self.table.scene.name is SceneName.BIDDING else ())
        if self.table.scene.name is SceneName.BIDDING:
            await INCIDENTS["looks"](self)
            await self.called()
        else:
            await self.noted(2)


@pytest.mark.parametrize("ends", [EndsWhileAllLook, EndsInACall])
@pytest.mark.parametrize(
    ("layout", "seats", "rules", "kind"),
    [
        ("boards-8", 3, KILL_SPOT, RoundKind.OPEN),
        ("wired-8", 4, PERUDO, RoundKind.NORMAL),
        ("wired-4", 2, PALO_FIJO, OPEN),
    ],
    ids=str,
)
def test_a_restart_tells_nothing_of_the_dice(
    ends: type[Round], layout: str, seats: int, rules: Rules, kind: RoundKind, tmp_path: Path
) -> None:
    family = Family(tmp_path, LAYOUTS[layout].first(seats), dealt(rules, kind, seats), sessions=(ends, GoesOn), call=3)
    assert family.leaks == []
    assert family.misdirected == []
    assert len(family.covered) == 1
