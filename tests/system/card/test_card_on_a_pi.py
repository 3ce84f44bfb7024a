"""The card image for a Raspberry Pi starts on an emulated Pi 3 from nothing to a lobby; building it takes an hour."""

import shutil
import subprocess
import time
from pathlib import Path

import pytest
from support import ROOT
from support.guest.card import READS, needed, slow_in, state_of
from support.system import package
from support.system.debian_root import run

from firmware_host import wire
from firmware_host.table.seat.view import SceneName

BUILD_WITHIN_S = 7200.0
LOBBY_WITHIN_S = 1200.0
TELLS = f"""[Service]
ExecStartPre=/bin/sh -c 'until [ -S /run/dudo-table/events.sock ]; do sleep 1; done'
ExecStart=/usr/bin/python3 -c "{READS}"
StandardOutput=tty
TTYPath=/dev/ttyS1
"""


@needed
@pytest.mark.skipif(shutil.which("qemu-system-aarch64") is None, reason="no Pi: apt-get install qemu-system-arm")
@pytest.mark.soak
def test_the_image_starts_on_a_raspberry_pi_3_to_a_lobby(tmp_path: Path) -> None:
    package.built()
    package.built(package.KIOSK)
    run(ROOT / "debian/image/build", within_s=BUILD_WITHIN_S)
    (built,) = (ROOT / "build").glob("dudo-table-*-arm64.img")
    card = tmp_path / "card.img"
    built.rename(card)
    for name in ("vmlinuz-*", "initrd.img-*", "bcm2837-rpi-3-b.dtb", "cmdline.txt"):
        run("mcopy", "-i", f"{card}@@4M", f"::{name}", tmp_path)
    with state_of(card) as state:
        units = state / "good/etc/systemd/system"
        (units / "multi-user.target.wants").mkdir(parents=True)
        for part in ("root", "work"):
            (state / "good" / part).mkdir()
        (units / "tells.service").write_text(TELLS)
        slow_in(state / "good/etc")
        (units / "multi-user.target.wants/tells.service").symlink_to("../tells.service")
    with card.open("r+b") as file:
        file.truncate(1 << (card.stat().st_size - 1).bit_length())  # QEMU's cards are powers of two
    (kernel,), (initramfs,) = tmp_path.glob("vmlinuz-*"), tmp_path.glob("initrd.img-*")
    line, console = (tmp_path / "cmdline.txt").read_text().strip(), tmp_path / "console"
    machine = ["qemu-system-aarch64", "-M", "raspi3b", "-display", "none", "-no-reboot", "-kernel", kernel]
    machine += ["-initrd", initramfs, "-dtb", tmp_path / "bcm2837-rpi-3-b.dtb", "-append", line]
    machine += ["-drive", f"file={card},if=sd,format=raw", "-serial", "null", "-serial", f"file:{console}"]
    began_s = time.monotonic()
    with subprocess.Popen(machine) as process:
        try:
            while not (states := told(console)):
                assert process.poll() is None, console.read_text(errors="replace")[-2000:]
                assert time.monotonic() < began_s + LOBBY_WITHIN_S, console.read_text(errors="replace")[-2000:]
                time.sleep(1.0)
        finally:
            process.kill()
    print(f"\nlobby {time.monotonic() - began_s:.0f} s after power-on")
    assert states[0].scene == SceneName.LOBBY


def told(console: Path) -> list[wire.PublicState]:
    """Return the public states among the lines on a console."""
    lines = console.read_bytes().split(b"\n") if console.exists() else []
    found = [wire.read(line.strip()) for line in lines[:-1] if line.startswith(b'{"')]
    return [each for each in found if isinstance(each, wire.PublicState)]
