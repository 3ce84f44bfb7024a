"""Guests' phones in a session: the ports of their seats, and the invitation on the displays."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from drivers.link.port import Port
from firmware_host.clients.web.modules import page_modules
from firmware_host.errors import UserError
from firmware_host.public import invitation
from firmware_host.public.address import phones_folder
from firmware_host.table.invitation import Invited
from firmware_host.util.system_error import reason_of
from hardware.config.layout import Layout

log = logging.getLogger("dudo-table")

OpenPhone = Callable[[int], Port]
"""Opens the port of a guest's phone by the number of its seat, from 1."""


def opener(layout: Layout, events: Path | None, folder: Path) -> OpenPhone | None:
    """Publish the fingerprint of the key in the state folder; return the opener of the phones' ports.

    None without phones in the layout, without a public socket at `events`, or without the page's libraries.
    """
    if events is None or not _has_phones(layout):
        return None
    try:
        with page_modules("seats for phones stay empty"):
            from firmware_host.devices.host_io.phone_cipher import fingerprint, load_key
            from firmware_host.devices.host_io.phone_port import open_phone
    except UserError as error:
        log.warning("%s", error)
        return None
    key = load_key(folder)
    try:
        invitation.write_key(fingerprint(key), events)
    except OSError as error:
        log.warning("no phone can join: %s", reason_of(error))
    return partial(open_phone, phones_folder(events), key)


@contextmanager
def invitations(layout: Layout, events: Path | None, post: Callable[[Invited], None]) -> Iterator[None]:
    """Post each new invitation for phones during the block."""
    if events is None or not _has_phones(layout):
        yield
        return
    following = invitation.follow(phones_folder(events), lambda found: post(Invited(found)))
    task = asyncio.get_running_loop().create_task(following)
    try:
        yield
    finally:
        task.cancel()


def _has_phones(layout: Layout) -> bool:
    return any(seat.phone for seat in layout.seats)
