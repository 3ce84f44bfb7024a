"""Visits to the owner's page: a test of a browser at a table, before or after logging in."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from support.pages.owner_table import Owner, OwnersTable, owners_page
from support.venue.page import a_browser

Visit = Callable[[OwnersTable, Owner], Awaitable[None]]


def visited(test: Visit) -> Callable[[Path], None]:
    """Run a test at a table, with a browser that has not logged in."""

    async def run(folder: Path) -> None:
        table = OwnersTable(folder)
        async with owners_page(table) as address, a_browser() as session:
            await test(table, Owner(session, address))

    def in_folder(tmp_path: Path) -> None:
        asyncio.run(run(tmp_path))

    in_folder.__name__, in_folder.__doc__ = test.__name__, test.__doc__
    return in_folder


def in_session(test: Visit) -> Callable[[Path], None]:
    """Run a test at a table, with a browser that has."""

    async def run(table: OwnersTable, owner: Owner) -> None:
        assert await owner.log_in(table.code) == 204
        await test(table, owner)

    run.__name__ = test.__name__
    return visited(run)
