"""An owner's own apt repository, on a server and on a USB drive: installed from, followed, and refused if forged."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.system import container, debian_root
from support.system.container import Container
from support.system.documented import block
from support.system.publisher import URL, Publisher

from firmware_host.daemon.service import UPDATE_LABEL

ELSEWHERE = "https://bar.example/debian"
"""An address behind a network that the container lacks."""
FIRST = "0.1.0"
WITHIN_S = 600.0
DRIVE_BYTES = 64 << 20


@pytest.fixture(scope="module")
def debian() -> Iterator[Container]:
    """Give a Debian 13 with everything that the package depends on, without a source of packages."""
    with debian_root.unpacked() as root:
        (root / "etc/apt/sources.list").unlink(missing_ok=True)
        (root / "etc/apt/apt.conf.d/90yes").write_text('APT::Get::Assume-Yes "true";\n')
        with container.booted(root) as debian:
            yield debian


@pytest.fixture(scope="module")
def publisher(debian: Container, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Publisher]:
    """Give the owner of the repository."""
    publisher = Publisher(tmp_path_factory.mktemp("publisher"), debian.root / "srv" / "debian")
    try:
        yield publisher
    finally:
        publisher.close()


@pytest.fixture(scope="module")
def installed(debian: Container, publisher: Publisher) -> Container:
    """Give the Debian after the page's three commands; a copy takes the place of the download."""
    publisher.publish(FIRST)
    commands, count = re.subn(
        r"^wget \S+/(\S+)$", r"cp /srv/debian/\1 .", block("install", "wget https://bar"), flags=re.MULTILINE
    )
    assert count == 1
    typed(debian, commands)
    return debian


@pytest.fixture
def offline(installed: Container) -> Iterator[Container]:
    """Give the table where its repository is out of reach."""
    source = installed.root / "etc/apt/sources.list.d/dudo-table.sources"
    source.write_text(source.read_text().replace(URL, ELSEWHERE))
    yield installed
    source.write_text(source.read_text().replace(ELSEWHERE, URL))


def typed(debian: Container, commands: str) -> str:
    as_root = commands.replace("sudo ", "")
    return debian.run("bash", "-euo", "pipefail", "-c", f"cd /root\n{as_root}", within_s=WITHIN_S)


def version(debian: Container) -> str:
    return debian.run("dpkg-query", "--show", "--showformat", "${Version}", "dudo-table")


@contextmanager
def plugged(debian: Container, repository: Path, folder: Path) -> Iterator[str]:
    """Plug in a USB drive with the label and the files of a repository, and give its device."""
    image = folder / "drive.img"
    with image.open("wb") as made:
        made.truncate(DRIVE_BYTES)
    debian_root.run("mkfs.ext4", "-q", "-L", UPDATE_LABEL, "-d", repository, image)
    device = debian_root.run("losetup", "--find", "--show", image).strip()
    try:
        debian.run("mknod", device, "b", "7", device.removeprefix("/dev/loop"))
        yield device
    finally:
        debian.run("rm", "--force", device)
        debian_root.run("losetup", "--detach", device)


def test_three_commands_install_a_table_that_runs(installed: Container) -> None:
    assert version(installed) == FIRST
    assert installed.shown("dudo-table.service", "ActiveState") == "active"
    assert URL in installed.run("apt-cache", "policy", "dudo-table")


@pytest.mark.usefixtures("installed")
def test_a_repository_is_the_packages_and_their_signed_list(publisher: Publisher) -> None:
    assert {file.name.partition("_")[0] for file in publisher.served.iterdir()} == {
        *("dudo-table", "dudo-table-kiosk", "dudo-table-repository.deb", "Packages", "InRelease", "vendor-data")
    }


def test_an_upgrade_by_apt_and_an_update_by_staff_follow_newer_versions(
    installed: Container, publisher: Publisher
) -> None:
    publisher.publish("90.1", days="30")
    typed(installed, "apt update && apt upgrade")
    assert version(installed) == "90.1"
    publisher.publish("90.2")
    assert "updated from 90.1 to 90.2" in typed(installed, "dudo-table staff update")
    assert version(installed) == "90.2"
    assert installed.shown("dudo-table.service", "ActiveState") == "active"


@pytest.mark.parametrize(("command", "newer"), [("dudo-table staff update", "91.1"), ("dudo-table update", "91.2")])
def test_a_drive_with_the_repository_updates_a_table_without_a_network(
    command: str, newer: str, offline: Container, publisher: Publisher, tmp_path: Path
) -> None:
    before = version(offline)
    publisher.publish(newer)
    with plugged(offline, publisher.served, tmp_path) as device:
        assert f"{device}: updated from {before} to {newer}\n" in typed(offline, command)
        assert f"{device}: nothing newer than {newer}\n" in typed(offline, "dudo-table update")
        assert device not in offline.run("cat", "/proc/mounts")
    assert version(offline) == newer
    assert offline.run("dpkg-query", "--show", "--showformat", "${Version}", "dudo-table-repository") == newer


def test_a_drive_that_a_desktop_has_mounted_serves_too(
    offline: Container, publisher: Publisher, tmp_path: Path
) -> None:
    publisher.publish("92")
    with plugged(offline, publisher.served, tmp_path) as device:
        offline.run("mount", "--mkdir", device, "/media/desktop")
        assert f"{device}: updated from " in typed(offline, "dudo-table update")
        offline.run("umount", "/media/desktop")
    assert version(offline) == "92"


Forge = Callable[[Publisher, Path], None]


def by_another_owner(publisher: Publisher, folder: Path) -> None:
    """Publish with another key, under the same name."""
    other = Publisher(folder, publisher.served)
    try:
        other.publish("93")
    finally:
        other.close()


def expired(publisher: Publisher, _: Path) -> None:
    """Publish lists that are valid no more."""
    publisher.publish("93")
    publisher.expire()


def changed(pattern: str, old: bytes, new: bytes) -> Forge:
    """Return how somebody changes a file on the server or drive."""

    def change(publisher: Publisher, _: Path) -> None:
        publisher.publish("93")
        (file,) = publisher.served.glob(pattern)
        assert old in file.read_bytes()
        file.write_bytes(file.read_bytes().replace(old, new))

    return change


FORGERIES: dict[str, tuple[Forge, str]] = {
    "another key": (by_another_owner, "Missing key"),
    "signed text": (changed("InRelease", b"Origin: dudo", b"Origin: Dudo"), "has been manipulated"),
    "list": (changed("Packages", b"93", b"94"), "Hash Sum mismatch"),
    "package": (changed("dudo-table_*.deb", b"Dudo", b"Dodu"), "Hash Sum mismatch"),
    "old list": (expired, "is expired"),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_repository_is_refused_for_a_reason(
    forgery: str, installed: Container, publisher: Publisher, tmp_path: Path
) -> None:
    forge, reason = FORGERIES[forgery]
    forge(publisher, tmp_path)
    before = version(installed)
    for command in ("apt-get update --error-on=any && apt-get upgrade", "dudo-table update"):
        done = installed.tried("sh", "-c", command, within_s=WITHIN_S)
        print(f"{command}\n{done.stdout}")
        assert done.returncode
        assert re.search(f"{reason}|Undetermined Error", done.stdout)  # apt's own word for a file that it has copied
    assert re.search(rf"^not updated: .*({reason})", done.stdout, re.MULTILINE)
    assert version(installed) == before


@pytest.mark.parametrize("forgery", ["another key", "list", "old list"])
def test_a_forged_repository_in_a_folder_is_refused_though_apt_uses_its_lists_in_place(
    forgery: str, installed: Container, publisher: Publisher, tmp_path: Path
) -> None:
    forge, reason = FORGERIES[forgery]
    source = installed.root / "etc/apt/sources.list.d/dudo-table.sources"
    before = version(installed)
    source.write_text(source.read_text().replace("copy:", "file:"))
    try:
        publisher.publish(before)
        installed.run("apt-get", "update")
        forge(publisher, tmp_path)
        done = installed.tried("dudo-table", "update", within_s=WITHIN_S)
        print(done.stdout)
        assert re.search(rf"^not updated: .*({reason})", done.stdout, re.MULTILINE)
        assert version(installed) == before
    finally:
        source.write_text(source.read_text().replace("file:", "copy:"))


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_drive_is_refused_for_the_same_reason(
    forgery: str, offline: Container, publisher: Publisher, tmp_path: Path
) -> None:
    forge, reason = FORGERIES[forgery]
    forge(publisher, tmp_path)
    before = version(offline)
    with plugged(offline, publisher.served, tmp_path) as device:
        done = offline.tried("dudo-table", "update", within_s=WITHIN_S)
        print(done.stdout)
        assert done.returncode == 2
        assert re.search(rf"^not updated: {device}: .*({reason})", done.stdout, re.MULTILINE)
    assert version(offline) == before


def test_a_drive_for_a_table_that_knows_no_key_is_refused_with_a_remedy(
    offline: Container, publisher: Publisher, tmp_path: Path
) -> None:
    publisher.publish("93")
    key = offline.root / "usr/share/keyrings/dudo-table.gpg"
    key.rename(key.with_suffix(".away"))
    try:
        with plugged(offline, publisher.served, tmp_path) as device:
            done = offline.tried("dudo-table", "update", within_s=WITHIN_S)
            remedy = f"{device}: this table knows no key for it; install the drive's dudo-table-repository.deb first"
            assert remedy in done.stdout
    finally:
        key.with_suffix(".away").rename(key)
