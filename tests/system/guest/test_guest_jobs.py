"""What root does for a table's staff on a real kernel: copies on sticks of every kind, a power-off, an update."""

import asyncio
import hashlib
import re
import shutil
import subprocess
import tarfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest
from support.guest.examination import LastState, look_at_resumed
from support.guest.installed import Started, at_table, compiled, cut_power, switched_on
from support.guest.machine import GuestError
from support.guest.players import GuestSession
from support.guest.sticks import MIB, Stick, plug, pull, seen, written
from support.system import debian_root, package

EXPORT = "dudo-table staff export"
COPIES = "mount -o ro /dev/disk/by-label/DUDO-BACKUP /mnt; ls /mnt; umount /mnt"
MATCHES = "/var/lib/dudo-table/matches"
A_MATCH = f"mkdir -p {MATCHES} && head -c 700000 /dev/urandom >{MATCHES}/2026-11-22-7f3a.dudo"
COPY = r"dudo-table-table-[0-9-]+\.tar\.gz"
NEWER = "99.1"
LOG = "journalctl --no-pager -q -u dudo-table -o cat"
LOGGED = f'for n in $(seq 100); do {LOG} | grep -q "read back" && break; sleep 0.1; done; {LOG}'
"""The daemon's log once it has a copy in it: it looks for results every half a second, as the command does."""

Script = Callable[[GuestSession], Awaitable[None]]


def at_the_guests_table(runner: asyncio.Runner, kept: Started, folder: Path, script: Script) -> None:
    async def run() -> None:
        async with at_table(kept, folder, seed=11) as session:
            await script(session)

    runner.run(run())


async def exported(session: GuestSession) -> str:
    began_s = time.monotonic()
    printed = await session.table.guest.do(EXPORT, fails=True)
    print(f"\n{time.monotonic() - began_s:.1f} s: {printed.strip()}")
    return printed


@pytest.mark.parametrize("kind", ["vfat", "exfat"])
def test_a_copy_is_on_the_stick_and_read_back(kind: str, runner: asyncio.Runner, kept: Started, tmp_path: Path) -> None:
    stick = Stick(tmp_path / "stick.img", kind)

    async def copy(session: GuestSession) -> None:
        guest = session.table.guest
        assert "no stick with the label DUDO-BACKUP is plugged in" in await exported(session)
        await guest.do(A_MATCH)
        await plug(guest, stick)
        await seen(guest)
        assert re.fullmatch(rf"/dev/sda: {COPY}: 1 match, 0\.7 MB, written and read back\n", await exported(session))
        assert re.fullmatch(rf"{COPY}\n", await guest.do(COPIES))
        assert await guest.do("ls /run/dudo-table") == "events.sock\nstaff.sock\n"
        assert "/run/dudo-table-backup" not in await guest.do("cat /proc/mounts")

    at_the_guests_table(runner, kept, tmp_path, copy)


def test_a_stick_that_is_pulled_out_in_mid_write_is_named_and_the_next_one_gets_a_copy(
    runner: asyncio.Runner, kept: Started, tmp_path: Path
) -> None:
    stick = Stick(tmp_path / "first.img", slow=40_000)
    other = Stick(tmp_path / "second.img")

    async def pull_in_mid_write(session: GuestSession) -> None:
        guest = session.table.guest
        await guest.do(A_MATCH)
        await plug(guest, stick)
        await seen(guest)
        exporting = asyncio.create_task(exported(session))
        while await written(guest, stick) < 100_000:
            await asyncio.sleep(0.1)
        await pull(guest, stick)
        assert re.search(r"/dev/sda: .*pulled out", await exporting)
        await seen(guest, gone=True)
        await plug(guest, other)
        await seen(guest)
        await asyncio.sleep(15)
        assert "written and read back" in await exported(session)
        log = await guest.do(f"sh -c '{LOGGED}'")
        assert log.count("pulled out") == 1  # the daemon can read what root writes
        assert log.count("written and read back") == 1

    at_the_guests_table(runner, kept, tmp_path, pull_in_mid_write)


def test_full_and_read_only_sticks_say_so_and_every_other_one_gets_a_copy(
    runner: asyncio.Runner, kept: Started, tmp_path: Path
) -> None:
    full, locked, good = (
        Stick(tmp_path / "full.img", size=2 * MIB),
        Stick(tmp_path / "locked.img", read_only=True),
        Stick(tmp_path / "good.img"),
    )

    async def copy(session: GuestSession) -> None:
        guest = session.table.guest
        await guest.do(f"{A_MATCH} && head -c 2500000 /dev/urandom >{MATCHES}/2026-11-23-7f3b.dudo")
        for stick in (full, locked, good):
            await plug(guest, stick)
        await guest.do("udevadm settle")
        printed = await exported(session)
        assert re.search(r"/dev/sda: is full; delete files", printed)
        assert re.search(r"/dev/sdb: .*is read-only; move the switch", printed)
        assert re.search(r"/dev/sdc: .*: 2 matches, 3\.2 MB, written and read back", printed)
        assert await guest.do("cat /proc/mounts | grep -c DUDO", fails=True) == "0\n"

    at_the_guests_table(runner, kept, tmp_path, copy)


def test_a_power_off_of_staff_shuts_down_with_dark_displays_and_the_match_goes_on(
    runner: asyncio.Runner, kept: Started, tmp_path: Path
) -> None:
    async def power_off(session: GuestSession) -> None:
        guest = session.table.guest
        await session.until_bidding()
        await session.everybody_peeks()
        last_state = LastState(session)
        began_s = time.monotonic()
        with suppress(GuestError, ConnectionError):
            print(await guest.do("dudo-table staff power-off"))
        await guest.switched_off()
        print(f"off after {time.monotonic() - began_s:.1f} s")
        await asyncio.sleep(0.5)  # what the displays were told last
        for seat in session.table.seats[:2]:
            assert seat.picture().getbbox() is None
        cut_power(session)
        lit_s = await switched_on(session)
        print(f"lit {lit_s:.1f} s after power-on")
        await look_at_resumed(session, last_state)
        assert session.wrong == []

    at_the_guests_table(runner, kept, tmp_path, power_off)


def test_an_update_comes_from_a_signed_repository_alone_and_never_in_a_match(
    runner: asyncio.Runner, kept: Started, tmp_path: Path
) -> None:
    disk = Stick(repository(tmp_path), None)

    async def update(session: GuestSession) -> None:
        guest = session.table.guest

        async def updated() -> str:
            began_s = time.monotonic()
            printed = await guest.do("dudo-table staff update", fails=True, within_s=1500)
            print(f"\n{time.monotonic() - began_s:.1f} s: {printed.strip()}")
            return printed

        await plug(guest, disk)
        await guest.do("for n in $(seq 100); do [ -b /dev/sda ] && break; sleep 0.1; done; tar -C /srv -xf /dev/sda")
        await guest.do(
            "rm -f /etc/apt/sources.list /etc/apt/sources.list.d/*; cp /srv/unsigned.list /etc/apt/sources.list"
        )
        await session.until_bidding()
        assert "a match is played" in await updated()
        await guest.do("dudo-table staff end-match")
        assert "not updated" in await updated()
        await asyncio.sleep(15)
        await guest.do("cp /srv/signed.list /etc/apt/sources.list; echo '# mine' >>/etc/dudo-table/table.toml")
        before = await guest.do("systemctl show --value -p MainPID dudo-table")
        assert f"to {NEWER}\n" in await updated()
        assert await guest.do("dpkg-query -W -f '${Version}' dudo-table") == NEWER
        assert await guest.do("tail -n 1 /etc/dudo-table/table.toml") == "# mine\n"
        assert await guest.do("systemctl show --value -p MainPID dudo-table") != before
        assert await guest.do("systemctl is-active dudo-table") == "active\n"
        assert "nothing newer than 99.1" in await updated()

    at_the_guests_table(runner, kept, tmp_path, update)


def repository(folder: Path) -> Path:
    """Return a tar with a newer version in two repositories, one of them signed, and apt's list for each."""
    newer, repo = folder / "newer", folder / "repo"
    repo.mkdir()
    debian_root.run("dpkg-deb", "-R", package.built(), newer)
    debian_root.run("tar", "-C", newer, "-xf", compiled(package.built()))  # an emulated computer needs minutes for it
    control = newer / "DEBIAN/control"
    control.write_text(re.sub(r"(?m)^Version: .*", f"Version: {NEWER}", control.read_text()))
    debian_root.run("dpkg-deb", "--root-owner-group", "-Zgzip", "-b", newer, repo)
    listed = debian_root.run("env", "-C", repo, "dpkg-scanpackages", "--multiversion", ".")
    packages = "".join(line for line in listed.splitlines(keepends=True) if not line.startswith("dpkg-scanpackages:"))
    (repo / "Packages").write_text(packages)
    digest = hashlib.sha256(packages.encode()).hexdigest()
    stamp = time.strftime("%a, %d %b %Y %H:%M:%S UTC", time.gmtime())
    release = f"Origin: test\nSuite: stable\nDate: {stamp}\nSHA256:\n {digest} {len(packages)} Packages\n"
    (repo / "Release").write_text(release)
    signed = folder / "signed"
    shutil.copytree(repo, signed)
    sign(signed, folder)
    (folder / "signed.list").write_text("deb [signed-by=/srv/key.asc] file:/srv/signed ./\n")
    (folder / "unsigned.list").write_text("deb file:/srv/repo ./\n")
    disk = folder / "repository.img"
    with tarfile.open(disk, "w") as packing:
        for name in ("repo", "signed", "signed.list", "unsigned.list", "key.asc"):
            packing.add(folder / name, name)
    return disk


def sign(repo: Path, folder: Path) -> None:
    home = folder / "gpg"
    home.mkdir(mode=0o700)
    gpg = ("gpg", "--homedir", str(home), "--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", "")
    subprocess.run([*gpg, "--quick-generate-key", "Test <test@example.org>", "rsa3072", "sign"], check=True)
    subprocess.run([*gpg, "--clearsign", "--output", repo / "InRelease", repo / "Release"], check=True)
    key = subprocess.run([*gpg, "--armor", "--export"], check=True, capture_output=True).stdout
    (folder / "key.asc").write_bytes(key)
    subprocess.run(["gpgconf", "--homedir", home, "--kill", "all"], check=True)
