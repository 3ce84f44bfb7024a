"""What the guest starts from: a kernel, and an initramfs with gpio-sim and the test's own I2C bus; made once.

Debian's kernels come without gpio-sim, so it is built from the kernel's own source for the kernel that the guest runs,
with Debian 13's compiler: all of them are unpacked into a folder, nothing is installed.
"""

import os
import shutil
import subprocess
from functools import partial
from pathlib import Path

from support import ROOT
from support.system import debian_root
from support.system.debian_root import RootError, run

MODULES = Path(__file__).with_name("modules")
INIT = ROOT / "tests/support/guest/files/init"
PACKAGES = ("linux-image-amd64", "linux-headers-amd64", "linux-source", "gcc", "make", "busybox-static")
TOOLS = ("base-files", "coreutils", "dash", "diffutils", "findutils", "grep", "mawk", "sed")
"""What building a module asks for and every system has."""
SOURCES = ("drivers/gpio/gpio-sim.c", "kernel/irq/irq_sim.c")
LOADED = (
    *("crc16", "crc32c_generic", "mbcache", "jbd2", "ext4", "virtio_blk"),
    *("configfs", "irq_sim", "gpio-sim", "i2c-dev", "dudo_i2c"),
    *("usb-common", "usbcore", "xhci-hcd", "xhci-pci", "usbserial", "ftdi_sio"),
    *("scsi_common", "scsi_mod", "sd_mod", "usb-storage", "fat", "vfat", "nls_cp437", "nls_ascii", "exfat"),
)
"""The modules of the initramfs, in the order in which they need each other."""
BUILT_HERE = ("irq_sim", "gpio-sim", "dudo_i2c")
NOT_EXPORTED, EXPORTED = "irq_to_desc(irqnum)", "irq_data_to_desc(irq_get_irq_data(irqnum))"
ZSTD = b"\x28\xb5\x2f\xfd"


def boot() -> Path:
    """Return a folder with `vmlinux` and `initramfs`; a minute the first time."""
    files = sorted((*MODULES.iterdir(), Path(__file__)))
    made = debian_root.kept("kernel", (debian_root.SUITE, *(file.read_text() for file in files)), _make_kernel)
    return debian_root.kept("boot", (made.name, INIT.read_text()), partial(_make_boot, made))


def _make_kernel(target: Path) -> None:
    workshop = target.with_name(f"{target.name}.workshop")
    try:
        _unpack(workshop)
        target.mkdir()
        unzip_kernel(_only(workshop / "boot", "vmlinuz-*"), target / "vmlinux")
        _build(workshop)
        _gather(workshop, target)
    finally:
        shutil.rmtree(workshop, ignore_errors=True)


def _make_boot(kernel: Path, target: Path) -> None:
    target.mkdir()
    os.link(kernel / "vmlinux", target / "vmlinux")
    tree = target / "tree"
    shutil.copytree(kernel / "initramfs", tree)
    shutil.copy2(INIT, tree / "init")
    (tree / "init").chmod(0o755)
    pack = f"cd {tree.name} && find . | bin/busybox cpio -o -H newc >../initramfs"
    run("sh", "-c", f'cd "$1" && {pack}', "sh", target)
    shutil.rmtree(tree)


def _unpack(workshop: Path) -> None:
    shutil.rmtree(workshop, ignore_errors=True)
    included = f"--include={','.join((*PACKAGES, *TOOLS))}"
    run(
        *("mmdebstrap", "--variant=extract", "--format=directory", included),
        *(debian_root.SUITE, workshop, debian_root.mirror()),
    )
    (workshop / "usr/bin/awk").symlink_to("mawk")


def _build(workshop: Path) -> None:
    """Lay the kernel's sources beside our own and build all of them; irq_sim is not a module in the kernel's eyes."""
    place = workshop / "build"
    shutil.copytree(MODULES, place)
    archive = _only(workshop / "usr/src", "linux-source-*.tar.xz")
    top = archive.name.removesuffix(".tar.xz")
    with subprocess.Popen(["xz", "-dcT0", archive], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as unpacking:
        subprocess.run(
            ["tar", "-C", place, "-x", "--occurrence=1", "--transform=s,.*/,,", *(f"{top}/{name}" for name in SOURCES)],
            stdin=unpacking.stdout,
            check=True,
            timeout=debian_root.WITHIN_S,
        )
    irq_sim = place / "irq_sim.c"
    text = irq_sim.read_text().replace(NOT_EXPORTED, EXPORTED)
    irq_sim.write_text(f'{text}\n#include <linux/module.h>\nMODULE_LICENSE("GPL");\n')
    headers = _only(workshop / "usr/lib/modules", "*").name
    run("chroot", workshop, "make", f"-j{os.cpu_count()}", "-C", f"/usr/lib/modules/{headers}/build", "M=/build")


def _gather(workshop: Path, target: Path) -> None:
    """Lay out what the initramfs is made of, but for its `init`."""
    tree = target / "initramfs"
    (tree / "modules").mkdir(parents=True)
    (tree / "bin").mkdir()
    shutil.copy2(workshop / "usr/bin/busybox", tree / "bin")
    kernel = _only(workshop / "usr/lib/modules", "*") / "kernel"
    there = {path.name.partition(".")[0]: path for path in kernel.rglob("*.ko.xz")}
    for name in LOADED:
        module = tree / "modules" / f"{name}.ko"
        if name in BUILT_HERE:
            shutil.copy2(workshop / "build" / module.name, module)
        else:
            module.write_bytes(subprocess.run(["xz", "-dc", there[name]], stdout=subprocess.PIPE, check=True).stdout)
    (tree / "modules" / "order").write_text("".join(f"{name}.ko\n" for name in LOADED))


def unzip_kernel(packed: Path, target: Path) -> None:
    """Take the kernel out of what a boot loader would unpack: an emulated processor takes seconds to do it."""
    data = packed.read_bytes()
    at = data.find(ZSTD)
    while at >= 0:
        unpacked = subprocess.run(["zstd", "-dc"], input=data[at:], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if unpacked.stdout.startswith(b"\x7fELF"):
            target.write_bytes(unpacked.stdout)
            return
        at = data.find(ZSTD, at + 1)
    raise RootError(f"{packed.name} holds no kernel that zstd unpacks")


def _only(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise RootError(
            f"{folder} should have one {pattern}, and has {', '.join(path.name for path in found) or 'none'}"
        )
    return found[0]
