"""The disk of the guest: the shared Debian 13 with the test's agent in it, as one file; each is made once."""

import shutil
from functools import partial
from hashlib import sha256
from pathlib import Path

from support.system import debian_root
from support.system.debian_root import run

GUEST = Path(__file__).with_name("files")
TABLE = GUEST / "table.toml"
DISK_BYTES = 1500 << 20
INSTALL = "DEBIAN_FRONTEND=noninteractive apt-get install -y /root/dudo-table.deb"
PARTS = ("orders", "pins", "panels", "events")
MASKED = (
    *("apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "e2scrub_all.timer", "fstrim.timer"),
    *("e2scrub_reap.service", "systemd-tmpfiles-clean.timer", "systemd-timesyncd.service"),
    *("getty@tty1.service", "serial-getty@ttyS0.service", "systemd-logind.service", "systemd-user-sessions.service"),
    *("systemd-hwdb-update.service", "systemd-update-utmp.service", "systemd-random-seed.service"),
    *("systemd-journal-flush.service", "systemd-pstore.service", "systemd-modules-load.service"),
    *("systemd-udev-load-credentials.service", "systemd-tpm2-setup.service", "systemd-tpm2-setup-early.service"),
    *("modprobe@configfs.service", "modprobe@drm.service", "modprobe@efi_pstore.service", "modprobe@fuse.service"),
    *("dev-hugepages.mount", "dev-mqueue.mount", "sys-kernel-debug.mount", "sys-kernel-tracing.mount"),
    *("modprobe@cdc_acm.service", "modprobe@usbserial.service", "modprobe@i2c_dev.service", "modprobe@spidev.service"),
    *("sys-kernel-config.mount", "sys-fs-fuse-connections.mount", "proc-sys-fs-binfmt_misc.automount"),
)
"""What a machine has that is up for minutes, has nobody to talk to and pays for every process a hundred times over."""
SLOW = "TimeoutStartSec=600\nTimeoutStopSec=120\n"
OF_THE_TABLE = {
    # Its unit hides the rest of /proc; what the initramfs laid over this file must stay.
    "dudo-table.service": f"{SLOW}BindReadOnlyPaths=/etc/pi-cpuinfo:/proc/cpuinfo\n",
    "dudo-table-blank.service": f"{SLOW}BindReadOnlyPaths=/etc/pi-cpuinfo:/proc/cpuinfo\n",
}
"""What is added to the package's own units: an emulated processor may be busy with other things."""
UDEV_RULES = ("50-udev-default.rules", "60-persistent-storage.rules", "60-serial.rules", "99-systemd.rules")
"""Those that it needs; the package brings its own."""


def bare() -> Path:
    """Return the disk without the package, to be read only: a run writes to one of its own on top of it."""
    return _disk("bare", None)


def furnished(package: Path) -> Path:
    """Return the disk with the package installed, and the test's table laid."""
    return _disk("furnished", package)


def _disk(name: str, package: Path | None) -> Path:
    root = debian_root.tar()
    files = [file.read_text() for file in sorted((*GUEST.iterdir(), Path(__file__)))]
    contents = "" if package is None else sha256(package.read_bytes()).hexdigest()
    return debian_root.kept(name, (root.name, contents, *files), partial(_make, package))


def _make(package: Path | None, target: Path) -> None:
    with debian_root.unpacked() as root:
        _furnish(root)
        if package is not None:
            shutil.copy2(package, root / "root" / "dudo-table.deb")
            run("chroot", root, "sh", "-c", f"{INSTALL} </dev/null")
            shutil.copy2(TABLE, root / "etc/dudo-table/table.toml")
        with target.open("wb") as made:
            made.truncate(DISK_BYTES)
        run("mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,nodiscard", "-d", root, target)


def _furnish(root: Path) -> None:
    etc, library = root / "etc", root / "usr/local/lib"
    (etc / "fstab").write_text("")
    (etc / "hostname").write_text("table\n")
    (etc / "machine-id").write_text(f"{'0' * 31}1\n")
    shutil.copy2(GUEST / "pi-cpuinfo", etc)
    library.mkdir(parents=True, exist_ok=True)
    shutil.copy2(GUEST / "agent.sh", library)
    (library / "agent.sh").chmod(0o755)
    _set_up_systemd(root)
    _quicken(root)


def _set_up_systemd(root: Path) -> None:
    units = root / "etc/systemd/system"
    shutil.copy2(GUEST / "agent@.service", units)
    wanted = units / "sysinit.target.wants"
    wanted.mkdir(exist_ok=True)
    for part in PARTS:
        (wanted / f"agent@{part}.service").symlink_to("../agent@.service")
    journald = root / "etc/systemd/journald.conf.d"
    journald.mkdir(exist_ok=True)
    (journald / "guest.conf").write_text("[Journal]\nStorage=volatile\n")
    for unit, lines in OF_THE_TABLE.items():
        (units / f"{unit}.d").mkdir(exist_ok=True)
        (units / f"{unit}.d" / "guest.conf").write_text(f"[Service]\n{lines}")


def _quicken(root: Path) -> None:
    """Leave out what only costs time: the guest starts a process in the time in which a computer starts a hundred."""
    units, generators = root / "etc/systemd/system", root / "usr/lib/systemd/system-generators"
    for unit in MASKED:
        (units / unit).unlink(missing_ok=True)
        (units / unit).symlink_to("/dev/null")
    shutil.rmtree(generators)
    for rules in (root / "usr/lib/udev/rules.d").iterdir():
        if rules.name not in UDEV_RULES:
            rules.unlink()
    (root / "usr/lib/udev/hwdb.bin").unlink(missing_ok=True)
    for folder in ("etc", "var"):  # as after the first start
        (root / folder / ".updated").touch()
