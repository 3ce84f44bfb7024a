"""Rounds in which the daemon ends and comes up again, as sessions of `support.noninterference.variants`."""

from support.noninterference.forked_round import Round, Seats
from support.noninterference.incidents import INCIDENTS

from firmware_host.table.seat.view import SceneName


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
