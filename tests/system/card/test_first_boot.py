"""A new Raspberry Pi OS installs a table at its first start, with a file of `make repository` beside the imager's.

It is Debian 13's cloud-init with that system's settings, on a real systemd.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.system import container, debian_root
from support.system.container import Container
from support.system.publisher import Publisher

UNIT = "dudo-table-first-boot.service"
SETTINGS = """datasource_list: [NoCloud, None]
datasource:
  NoCloud:
    seedfrom: file:///boot/firmware
network:
  config: disabled
"""
"""Those of Raspberry Pi OS, which looks for the files on the boot partition; the container has no network to set up."""
USER_DATA = """#cloud-config
hostname: bar
manage_etc_hosts: true
packages:
- avahi-daemon

apt:
  preserve_sources_list: true
  conf: |
    Acquire {
      Check-Date "false";
    };

timezone: Europe/London
users:
- name: pat
  groups: users,dialout,video
  shell: /bin/bash
  lock_passwd: true
ssh_pwauth: false
runcmd:
- [touch, /run/of-the-imager]
"""
"""The settings of somebody who has filled in the imager's questions. Its package can't be had without a network."""
WITHIN_S = 300.0


def tar() -> Path:
    """Return the system with cloud-init as a tar; two minutes the first time."""
    inputs = (debian_root.tar().name, "cloud-init")
    return debian_root.kept("cloud-init.tar", inputs, lambda target: debian_root.bootstrap(target, "cloud-init"))


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Container, Publisher]]:
    """Give a system at its first start, while the repository is still out of reach, and its owner."""
    with debian_root.unpacked(tar()) as root:
        publisher = Publisher(tmp_path_factory.mktemp("publisher"), root / "srv/debian")
        try:
            publisher.publish("90.0")
            boot = root / "boot/firmware"
            boot.mkdir(parents=True)
            (publisher.served / "vendor-data").rename(boot / "vendor-data")
            (boot / "user-data").write_text(USER_DATA)
            (boot / "meta-data").write_text("instance-id: rpi-imager-1764236400000\n")
            publisher.served.rename(root / "srv/later")
            (root / "etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg").write_text(SETTINGS)
            (root / "etc/apt/sources.list").unlink(missing_ok=True)
            with container.booted(root) as debian:
                debian.tried("cloud-init", "status", "--wait", within_s=WITHIN_S)
                yield debian, publisher
        finally:
            publisher.close()


def test_the_imagers_settings_hold(started: tuple[Container, Publisher]) -> None:
    debian, _ = started
    assert debian.run("hostname").strip() == "bar"
    assert "video" in debian.run("id", "-Gn", "pat").split()
    debian.run("test", "-e", "/run/of-the-imager")


def test_without_a_network_the_unit_waits_and_tries_again(started: tuple[Container, Publisher]) -> None:
    debian, _ = started
    debian.wait_until(lambda: debian.shown(UNIT, "Result") == "exit-code", WITHIN_S)
    assert debian.shown(UNIT, "ActiveState") == "activating"
    assert debian.tried("dpkg-query", "--show", "dudo-table").returncode


def test_with_a_network_the_table_runs_and_the_unit_is_gone(started: tuple[Container, Publisher]) -> None:
    debian, _ = started
    (debian.root / "srv/later").rename(debian.root / "srv/debian")
    debian.wait_until(lambda: debian.shown("dudo-table.service", "ActiveState") == "active", WITHIN_S)
    debian.wait_until(lambda: not (debian.root / "etc/systemd/system" / UNIT).exists(), WITHIN_S)
    assert debian.run("dpkg-query", "--show", "--showformat", "${Version}", "dudo-table") == "90.0"
    assert not (debian.root / "var/lib/dudo-table-first-boot").exists()
    assert debian.tried("systemctl", "is-enabled", UNIT).stdout.strip() == "not-found"


def test_the_table_follows_the_repository_from_then_on(started: tuple[Container, Publisher]) -> None:
    debian, publisher = started
    publisher.publish("90.1")
    assert "updated from 90.0 to 90.1" in debian.run("dudo-table", "staff", "update", within_s=WITHIN_S)
