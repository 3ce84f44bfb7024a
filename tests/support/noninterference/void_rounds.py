"""Rounds that end without a reveal, and the match after them to its end: their dice stay secret for good.

`support.noninterference.variants` plays them with other dice in the void round alone: nothing that follows may differ,
not even the files.
"""

import asyncio

from support.noninterference.forked_round import Round, Seats

from engine import Phase
from firmware_host.table.parts.timeouts import AWAY_TIMEOUT_NS
from firmware_host.table.scenes.called import CALL_SHOWN_NS
from firmware_host.table.scenes.reveal import MIN_TOLD_NS
from firmware_host.table.seat.menu import MenuCommand, MenuItem
from firmware_host.table.seat.view import SceneName
from firmware_host.table.staff.actions import StaffCommand
from firmware_host.table.staff.requests import Act
from hardware.emulated.table import EmulatedSeat

SECOND_NS = 1_000_000_000


class GivesUp(Round):
    """The last seat with dice gives up in mid-round. A turn clock, if there is one, shakes for everybody after that."""

    async def script(self, seats: Seats) -> None:
        await self.shaken(seats)
        for incident in self.incidents:
            await incident(self)
        await self.tilted(seats)
        self.all_down()
        await self.bid()
        await self.noted(0.3)
        await self.leave()
        await self.noted(1)
        assert self.scene is SceneName.SHAKING
        await self._shaken_again()
        self.all_up()
        await self.noted(0.7)
        self.all_down()
        await self.called()
        await self.noted(CALL_SHOWN_NS / SECOND_NS)
        for seat in self.living:
            if self.menu(seat).chosen is MenuCommand.GO_ON:
                await self.pick(seat, MenuCommand.GO_ON)
        await self.noted(MIN_TOLD_NS / SECOND_NS)  # the outcome is shown for that long, whoever skips the cues
        await self._all_leave()
        await self.noted(3)
        files = [self.folder / "record.txt", *sorted(self.folder.glob("matches/*"))]
        assert len(files) == 2
        self._record(-1, "files", [file.read_bytes() for file in files])
        self.end()

    def revealed(self) -> None:
        """The match goes on."""

    async def leave(self) -> None:
        """Have somebody leave in mid-round."""
        await self.give_up(self.living[-1])
        self.living = self.living[:-1]

    @property
    def scene(self) -> SceneName:
        """The scene of the table."""
        return self.table.scene.name

    async def give_up(self, seat: EmulatedSeat) -> None:
        """Leave for good."""
        await self.pick(seat, MenuCommand.GIVE_UP)
        await self.pick(seat, MenuCommand.QUIT)

    async def pick(self, seat: EmulatedSeat, item: MenuItem) -> None:
        """▶ until it is under the cursor, and OK."""
        for _ in range(80):
            if self.menu(seat).chosen == item:
                break
            seat.tap("right")
            await asyncio.sleep(0.2)
        assert self.menu(seat).chosen == item
        seat.tap("ok")
        await asyncio.sleep(0.3)

    async def _shaken_again(self) -> None:
        for _ in range(3):  # a deal is repeated where the clock shakes for a cup that has bound itself
            if self.layout.turn_clock_s is not None:
                await self.noted(self.layout.turn_clock_s + 1)
            if self.scene is SceneName.SHAKING:
                for seat in self.living:
                    seat.shake()
                await self.noted(2.5)
            if self.position.phase is Phase.BIDDING:
                return
        raise AssertionError("nobody got dice")

    async def _all_leave(self) -> None:
        for seat in self.seats[: len(self.dealt.hands)]:
            if self.scene is SceneName.OVER:
                return
            if self.position.dice[self.number(seat)]:
                await self.give_up(seat)


class IsReopened(GivesUp):
    """Staff end the match by mistake in mid-round, and let it go on."""

    async def leave(self) -> None:
        await self.asked_by_staff(Act(StaffCommand.END_MATCH))
        await self.noted(4)  # the match is in the archive by now
        await self.asked_by_staff(Act(StaffCommand.REOPEN))


class IsOutvoted(GivesUp):
    """The seat in turn is away until the others agree to play on."""

    async def leave(self) -> None:
        gone = self.in_turn
        await self.noted(AWAY_TIMEOUT_NS / SECOND_NS + 1)
        self.living = [seat for seat in self.living if seat is not gone]
        for seat in self.living:
            await self.pick(seat, MenuCommand.PLAY_ON)
