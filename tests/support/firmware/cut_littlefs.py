"""An update on the file system that a Pico has, its power cut at every write of the flash, for MicroPython alone.

Prints how many cuts there were, and which programs ran after them.
"""

import hashlib
import os

import vfs

from hardware.firmware.loader import STATE, Flash, Slots
from hardware.firmware.update import Updates
from hardware.link import messages as link

BLOCK, BLOCKS = 512, 64


class RamFlash:
    """A flash whose power goes after some writes and erasures; the last write is cut in the middle."""

    def __init__(self, data):
        self.data = bytearray(data)
        self.left = -1

    def _tears(self):
        if self.left == 0:
            raise OSError(5)
        self.left -= 1
        return self.left == 0

    def readblocks(self, block, buffer, offset=0):
        at = block * BLOCK + offset
        buffer[:] = self.data[at : at + len(buffer)]

    def writeblocks(self, block, buffer, offset=0):
        torn = self._tears()
        at, length = block * BLOCK + offset, len(buffer) // 2 if torn else len(buffer)
        self.data[at : at + length] = buffer[:length]
        if torn:
            raise OSError(5)

    def ioctl(self, op, arg):
        if op == 4:
            return BLOCKS
        if op == 5:
            return BLOCK
        if op == 6:
            torn = self._tears()
            length = BLOCK // 2 if torn else BLOCK
            self.data[arg * BLOCK : arg * BLOCK + length] = b"\xff" * length
            if torn:
                raise OSError(5)
        return 0


opened = []
"""All files: a collected one would write to a flash that has no power."""


class KeptFlash(Flash):
    def open(self, name, mode):
        file = super().open(name, mode)
        opened.append(file)
        return file


def content(name):
    with open(name, "rb") as file:
        return file.read()


def program(name, length):
    body = (name * length)[:length]
    return hashlib.sha256(body).digest() + body


def update(image):
    slots = Slots(KeptFlash())
    slots.choose()
    updates = Updates(slots)
    updates.handle(link.Install(len(image), image[:32]), False)
    for at in range(0, len(image), 512):
        updates.handle(link.Chunk(at, image[at : at + 512]), False)
    if updates.handle(link.Activate(image[:32]), False).state != link.SWITCHED:
        raise OSError(5)
    slots = Slots(KeptFlash())
    slots.choose()
    slots.keep()


def mounted(device):
    vfs.mount(vfs.VfsLfs2(device), "/flash")
    os.chdir("/flash")


def unmounted():
    os.chdir("/")
    vfs.umount("/flash")


old, new = program(b"old", 1500), program(b"new", 5000)
device = RamFlash(BLOCK * BLOCKS)
vfs.VfsLfs2.mkfs(device)
mounted(device)
for name, data in (("a.img", old), (STATE, b"a"), ("wiring.py", b"mine")):
    with open(name, "wb") as file:
        file.write(data)
unmounted()
clean = bytes(device.data)
cuts, found = 0, []
while True:
    device = RamFlash(clean)
    mounted(device)
    device.left = cuts + 1
    try:
        update(new)
        done = device.left > 0
    except OSError:
        done = False
    unmounted()
    if done:
        break
    device.left = -1
    mounted(device)
    slots = Slots(KeptFlash())
    slots.choose()
    runs = content(slots.running + ".img")
    assert content("wiring.py") == b"mine"
    unmounted()
    found.append({old: "old", new: "new"}[runs])
    cuts += 1
assert found == sorted(found, key=lambda name: name == "new"), found
print(cuts, *sorted(set(found)))
