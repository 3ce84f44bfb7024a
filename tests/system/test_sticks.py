"""Sticks with a real file system, on loop devices: read-only, full, pulled out in the middle, two at once, hostile."""

import os
import subprocess
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_host.daemon.closing import copies
from firmware_host.daemon.closing.copies import BackupError, Copy, Sources
from firmware_host.daemon.closing.sticks import copy_to_stick, find_sticks

LABEL = "DUDO-TEST"
"""Another label than that of a stick that may be in this computer."""
SIZE = 2 << 20

PARTITION_SECTORS = 2048

Plug = Callable[..., str]


@pytest.fixture
def sources(tmp_path: Path) -> Sources:
    """Return the folders of a table with a match that can't be made smaller."""
    (tmp_path / "state/matches").mkdir(parents=True)
    (tmp_path / "state/matches/2026-11-22-7f3a.dudo").write_bytes(os.urandom(400_000))
    return Sources(tmp_path / "state", tmp_path / "etc")


@pytest.fixture
def plug(tmp_path: Path) -> Iterator[Plug]:
    """Give a function that plugs a new stick in, or an old one once more, and returns its device."""
    devices: list[str] = []

    def plugged(image: Path | None = None, *options: str) -> str:
        if image is None:
            image = tmp_path / f"{len(devices)}.img"
            image.touch()
            os.truncate(image, SIZE)
            subprocess.run(["mkfs.ext4", "-q", "-L", LABEL, image], check=True)
        found = subprocess.run(
            ["losetup", "--find", "--show", *options, image], check=True, capture_output=True, text=True
        )
        devices.append(found.stdout.strip())
        return devices[-1]

    yield plugged
    for device in devices:
        subprocess.run(["partx", "--delete", device], check=False, capture_output=True)
        subprocess.run(["losetup", "--detach", device], check=False, capture_output=True)


def copied(device: str, sources: Sources, tmp_path: Path, number: int = 0) -> Copy:
    return copy_to_stick(device, sources, tmp_path / "mounted", "bar", f"2026-11-23-04000{number}")


def is_mounted(tmp_path: Path) -> bool:
    return str(tmp_path / "mounted") in Path("/proc/mounts").read_text()


def test_every_stick_with_the_label_is_found_and_gets_a_copy(plug: Plug, sources: Sources, tmp_path: Path) -> None:
    plugged = {plug(), plug()}
    assert set(find_sticks(LABEL)) == plugged
    for device in plugged:
        assert copied(device, sources, tmp_path).matches == 1
    assert not is_mounted(tmp_path)


def test_a_copy_is_whole_when_the_stick_is_plugged_in_again(plug: Plug, sources: Sources, tmp_path: Path) -> None:
    device = plug()
    name = copied(device, sources, tmp_path).file.name
    subprocess.run(["mount", "-o", "ro", device, tmp_path / "mounted"], check=True)
    with tarfile.open(tmp_path / "mounted" / name) as archive:
        sizes = {member.name: member.size for member in archive}
    subprocess.run(["umount", tmp_path / "mounted"], check=True)
    assert sizes.keys() == {"matches/2026-11-22-7f3a.dudo", "copy.json"}
    assert sizes["matches/2026-11-22-7f3a.dudo"] == 400_000


def test_a_stick_that_is_read_only_says_so(plug: Plug, sources: Sources, tmp_path: Path) -> None:
    plug()
    device = plug(tmp_path / "0.img", "--read-only")
    with pytest.raises(BackupError, match="is read-only; move the switch"):
        copied(device, sources, tmp_path)
    assert not is_mounted(tmp_path)


def test_a_full_stick_keeps_its_newest_copy(plug: Plug, sources: Sources, tmp_path: Path) -> None:
    device = plug()
    names = [copied(device, sources, tmp_path, number).file.name for number in range(6)]  # it has room for three
    (sources.state / "matches/2026-11-23-7f3b.dudo").write_bytes(os.urandom(SIZE))
    with pytest.raises(BackupError, match="is full; delete files"):
        copied(device, sources, tmp_path, 7)
    subprocess.run(["mount", "-o", "ro", device, tmp_path / "mounted"], check=True)
    found = [file.name for file in (tmp_path / "mounted").iterdir() if file.name.startswith("dudo")]
    subprocess.run(["umount", tmp_path / "mounted"], check=True)
    assert found == names[-1:]


def test_a_stick_that_is_pulled_out_in_the_middle_is_an_error_and_not_mounted_any_more(
    plug: Plug, sources: Sources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device, add_all = plug(), copies._add_all

    def pull(*given: object) -> None:
        add_all(*given)  # type: ignore[arg-type]
        os.truncate(tmp_path / "0.img", 0)
        subprocess.run(["losetup", "--set-capacity", device], check=True)

    monkeypatch.setattr(copies, "_add_all", pull)
    with pytest.raises(BackupError, match=f"^{device}: "):
        copied(device, sources, tmp_path)
    assert not is_mounted(tmp_path)


def test_a_stick_without_a_file_system_is_named_with_a_remedy(plug: Plug, sources: Sources, tmp_path: Path) -> None:
    device = plug()
    (tmp_path / "0.img").write_bytes(bytes(SIZE))
    with pytest.raises(BackupError, match=f"^{device}: can.t be mounted: .*; format it as FAT"):
        copied(device, sources, tmp_path)


def test_an_ext4_that_wants_a_panic_at_its_first_error_is_mounted_read_only_then(
    plug: Plug, sources: Sources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device, add_all, mounted = plug(), copies._add_all, []
    subprocess.run(["tune2fs", "-e", "panic", "-E", "mount_opts=errors=panic", device], check=True, capture_output=True)

    def look(*given: object) -> None:
        add_all(*given)  # type: ignore[arg-type]
        mounted.extend(line for line in Path("/proc/mounts").read_text().splitlines() if line.startswith(f"{device} "))

    monkeypatch.setattr(copies, "_add_all", look)
    assert copied(device, sources, tmp_path).matches == 1
    assert ["errors=panic" in line for line in mounted] == [False]
    assert "errors=remount-ro" in mounted[0]


@pytest.mark.parametrize("kind", ["ext2", "minix"])
def test_a_stick_with_another_file_system_than_the_documented_ones_is_not_mounted(
    kind: str, plug: Plug, sources: Sources, tmp_path: Path
) -> None:
    device = plug()
    subprocess.run(["wipefs", "--quiet", "--all", device], check=True)
    subprocess.run([f"mkfs.{kind}", device], check=True, capture_output=True)
    with pytest.raises(BackupError, match=rf"^{device}: can.t be mounted: its file system is {kind}; format it as FAT"):
        copied(device, sources, tmp_path)


def test_a_stick_with_two_file_systems_at_once_is_not_mounted(plug: Plug, sources: Sources, tmp_path: Path) -> None:
    device = plug()
    with (tmp_path / "0.img").open("r+b") as image:  # a header of squashfs 4 in front of an ext4
        image.write(b"hsqs" + bytes(24) + (4).to_bytes(2, "little"))
    with pytest.raises(BackupError, match=f"^{device}: can.t be mounted: .*; format it as FAT"):
        copied(device, sources, tmp_path)


def test_a_drive_with_many_partitions_does_not_hide_another_one(plug: Plug, tmp_path: Path) -> None:
    image = tmp_path / "partitions.img"
    image.touch()
    os.truncate(image, 7 * PARTITION_SECTORS * 512)
    drive = plug(image)
    for number in range(1, 7):
        subprocess.run(
            ["addpart", drive, str(number), str(number * PARTITION_SECTORS), str(PARTITION_SECTORS)], check=True
        )
        subprocess.run(["mkfs.ext2", "-q", "-L", LABEL, f"{drive}p{number}"], check=True)
    owners = plug()
    assert owners > drive
    assert find_sticks(LABEL)[:3] == [f"{drive}p1", owners, f"{drive}p2"]
