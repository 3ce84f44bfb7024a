"""The disk of the guest: the shared Debian 13 with the test's agent in it, as one file; made once."""

import shutil
from pathlib import Path

import debian_root
from debian_root import run

GUEST = Path(__file__).parent / "guest"
DISK_SIZE = "1500M"
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
UDEV_RULES = ("50-udev-default.rules", "60-serial.rules", "99-systemd.rules")
"""Those that it needs; the package brings its own."""


def disk() -> Path:
    """Return the disk, to be read only: a run writes to one of its own on top of it."""
    root = debian_root.tar()
    files = (file.read_text() for file in sorted((*GUEST.iterdir(), Path(__file__))))
    return debian_root.kept("disk", (root.name, *files), _make)


def _make(target: Path) -> None:
    with debian_root.unpacked() as root:
        _furnish(root)
        with target.open("wb") as made:
            made.truncate(0)
        run("truncate", "-s", DISK_SIZE, target)
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
