"""Sticks for a guest's USB: disks of their own in files, plugged in and pulled while it runs.

    stick = Stick(folder / "stick.img", "vfat")
    await plug(guest, stick)
    await pull(guest, stick)            # whatever it writes just then
    stick.names()                       # of the files on it, once it is pulled

The guest's own kernel and udev find them. `slow` lets so many bytes a second through.
"""

import subprocess
from pathlib import Path

from support.guest.machine import Guest
from support.system import kernel

from firmware_host.daemon.closing import LABEL

MIB = 1 << 20
SIZE = 8 * MIB
MAKE = {
    "vfat": ("mkfs.vfat", "-n", LABEL),
    "exfat": ("mkfs.exfat", "-L", LABEL),
    "ext4": ("mkfs.ext4", "-q", "-L", LABEL),
}
SEEN = "for n in $(seq 300); do [ -e /dev/disk/by-label/DUDO-BACKUP ] && exit; sleep 0.1; done; exit 1"
UNSEEN = "for n in $(seq 300); do [ -e /dev/disk/by-label/DUDO-BACKUP ] || exit 0; sleep 0.1; done; exit 1"


class Stick:
    """A stick: an image with a file system and the label, or any file in place of one."""

    def __init__(
        self, image: Path, kind: str | None = "vfat", *, size: int = SIZE, read_only: bool = False, slow: int = 0
    ) -> None:
        self.image = image
        self.name = image.stem
        self.read_only = read_only
        self.slow = slow
        if kind is not None:
            with image.open("wb") as made:
                made.truncate(size)
            subprocess.run([*MAKE[kind], image], check=True, stdout=subprocess.DEVNULL)


async def plug(guest: Guest, *sticks: Stick) -> None:
    """Plug sticks in, and wait until the guest has seen their label."""
    for stick in sticks:
        file = {"driver": "file", "filename": str(stick.image)}
        disk: dict[str, object] = {"driver": "raw", "file": file, "read-only": stick.read_only}
        if stick.slow:
            limits = {"bps-write": stick.slow}
            await guest.qmp(
                "object-add", **{"qom-type": "throttle-group", "id": f"{stick.name}-slow", "limits": limits}
            )
            disk = {"driver": "throttle", "throttle-group": f"{stick.name}-slow", "file": disk}
        await guest.qmp("blockdev-add", **{**disk, "node-name": stick.name})
        await guest.qmp("device_add", driver="usb-storage", drive=stick.name, id=stick.name, bus="usb.0")


async def seen(guest: Guest, *, gone: bool = False) -> None:
    """Wait until udev has made the link of a label, or taken it away."""
    await guest.do(f"sh -c '{UNSEEN if gone else SEEN}'")


async def pull(guest: Guest, stick: Stick) -> None:
    """Pull a stick out."""
    await guest.qmp("device_del", until="DEVICE_DELETED", id=stick.name)
    await guest.qmp("blockdev-del", **{"node-name": stick.name})


async def written(guest: Guest, stick: Stick) -> int:
    """Return how many bytes have been written to a stick since it was plugged in."""
    for each in await guest.qmp("query-blockstats"):
        if each.get("qdev", "").startswith(f"/machine/peripheral/{stick.name}/"):
            return int(each["stats"]["wr_bytes"])
    raise AssertionError(f"{stick.name} is not plugged in")


assert {"usb-storage", "vfat", "exfat"} <= {*kernel.LOADED}
