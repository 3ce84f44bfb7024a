"""Faults that a guest's daemon is given for the examination of guests to find: each loses or mixes up something."""

import base64
from pathlib import Path

from support.crash import planted_faults
from support.guest.players import GuestSession

LAUNCHER = "/usr/bin/dudo-table"
PRIVATE = "/usr/lib/dudo-table"
PLANTED = "killed_plants"
FLUSHES_NOTHING = "flushes nothing"
PLANTS = (FLUSHES_NOTHING, "deals again", "begins again", "mixes up two panels")
ENDS = "sys.exit(main())"


async def plant(session: GuestSession, fault: str) -> None:
    """Have the daemon restarted with a fault in it, and wait until it tells the room something."""
    guest, before = session.table.guest, len(session.states)
    if fault == FLUSHES_NOTHING:
        await guest.do(f"sed -i s/synchronous=FULL/synchronous=OFF/ {PRIVATE}/firmware_host/store/journal/store.py")
    else:
        packed = base64.b64encode(Path(planted_faults.__file__).read_bytes()).decode()
        await guest.do(f"echo {packed} | base64 -d >{PRIVATE}/{PLANTED}.py")
        planted = f'import {PLANTED}; {PLANTED}.PLANTS["{fault}"](); {ENDS}'
        await guest.do(f"sed -i 's/^{ENDS}/{planted}/' {LAUNCHER}")
    await guest.do("sync && systemctl restart dudo-table")
    await session.until(lambda: len(session.states) > before)
