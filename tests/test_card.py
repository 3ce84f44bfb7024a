"""The card image's scripts, with stubs for mount and e2fsck: which update layer starts, and what a failure costs."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from support import ROOT

START = ROOT / "debian/image/root/etc/initramfs-tools/scripts/local-bottom/dudo-card"
TABLE_CARD = ROOT / "debian/image/root/usr/sbin/table-card"
STUBS = {
    "mount": 'echo "$*" >>"$MOUNTED"; case "$*" in $FAILS) exit 1 ;; esac',
    "e2fsck": 'echo "e2fsck $*" >>"$MOUNTED"; [ "$1" != -p ] || exit "$ERRORS"',
    "sync": "",
}


REAL = ("rm", "mkdir", "cp")
STEP = """#!/bin/sh
n=$(($(cat "$STEPS") + 1))
echo $n >"$STEPS"
[ "$n" != "$CUT" ] || kill -9 $PPID
"""
"""First words of each command in an update: the power goes before one of them."""
UPDATE_STUBS = {
    **{name: f'exec {shutil.which(name)} "$@"' for name in REAL},
    **dict.fromkeys(("mount", "umount", "sync", "systemctl"), ""),
    "mountpoint": "exit 1",
    "cmp": "exit 1",
    "chroot": f'cd "$RUN/state/draft/root" && touch half && echo newer >system && {shutil.which("rm")} half',
    "mv": f"""real={shutil.which("mv")}
if [ "$1" = --exchange ]; then $real "$3" "$3.x"; $real "$4" "$3"; $real "$3.x" "$4"; else exec $real "$@"; fi""",
}
"""mv has no --exchange before Debian 13."""


class Card:
    """A card's state partition as a folder, and the script of its initramfs."""

    def __init__(self, folder: Path) -> None:
        self.run = folder / "run"
        self.state = self.run / "state"
        self.log = folder / "log"
        self._folder = folder
        (folder / "bin").mkdir(parents=True)
        for name, script in STUBS.items():
            (folder / "bin" / name).write_text(f"#!/bin/sh\n{script}\n")
            (folder / "bin" / name).chmod(0o755)
        (folder / "mounts").write_text("/dev/mmcblk0p2 /root squashfs ro 0 0\n")

    @property
    def layers(self) -> set[str]:
        """The folders of layers."""
        return {each.name for each in self.state.iterdir() if (each / "root").is_dir()}

    def layer(self, name: str) -> None:
        """Lay a layer there."""
        (self.state / name / "root").mkdir(parents=True)

    def start(self, *, fails: str = "", errors: int = 0) -> list[str]:
        """Start, and return what was checked and mounted; a mount like the pattern `fails`."""
        mounted = self._folder / "mounted"
        mounted.write_text("")
        environment = {"RUN": self.run, "MOUNTS": self._folder / "mounts", "MOUNTED": mounted, "LOG": self.log}
        done = subprocess.run(
            ["sh", START],
            env={key: str(value) for key, value in environment.items()}
            | {"PATH": f"{self._folder}/bin:{os.environ['PATH']}", "rootmnt": "/root"}
            | {"FAILS": fails, "ERRORS": str(errors)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return mounted.read_text().splitlines()

    @property
    def system(self) -> str:
        """Return the started system: the contents of a file in the layer."""
        mounted = self.start()[-2]
        root = self.run / mounted.partition("lowerdir=")[2].partition(":")[0]
        assert not (root / "half").exists()
        return (root / "system").read_text().strip()

    def cut(self, step: int, *command: str) -> bool:
        """Run table-card until the power goes before one of its commands; return whether it came to that."""
        stubs, steps = self._folder / "stubs", self._folder / "steps"
        stubs.mkdir(exist_ok=True)
        for name, script in UPDATE_STUBS.items():
            (stubs / name).write_text(f"{STEP}{script}\n")
            (stubs / name).chmod(0o755)
        steps.write_text("0")
        environment = {"RUN": str(self.run), "STEPS": str(steps), "CUT": str(step)}
        environment["PATH"] = f"{stubs}:{os.environ['PATH']}"
        command = ("sh", str(TABLE_CARD), *command)
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode in (0, -9), done.stderr
        return done.returncode == -9

    def does(self, *command: str) -> "subprocess.CompletedProcess[str]":
        """Run table-card."""
        environment = {"RUN": str(self.run), "PATH": os.environ["PATH"]}
        return subprocess.run(
            ["sh", TABLE_CARD, *command], env=environment, capture_output=True, text=True, check=False
        )


@pytest.fixture
def made(tmp_path: Path) -> Card:
    """Give a card that has started once."""
    made = Card(tmp_path)
    made.start()
    return made


def test_a_new_card_mounts_its_layer_between_read_only_root_and_memory(tmp_path: Path) -> None:
    assert Card(tmp_path).start() == [
        "-n -o move /root base",
        "e2fsck -p /dev/mmcblk0p3",
        "-t ext4 -o noatime /dev/mmcblk0p3 state",
        "-t tmpfs -o mode=755 memory memory",
        "-t overlay -o lowerdir=state/good/root:base,upperdir=memory/upper,workdir=memory/work card /root",
        "-t overlay -o lowerdir=/root/etc,upperdir=state/good/etc,workdir=state/good/work card /root/etc",
    ]


def test_an_update_has_two_starts_and_is_dropped_at_the_third(made: Card) -> None:
    made.layer("trial-2")
    for layer in ("trial-1", "trial-0"):
        assert f"lowerdir=state/{layer}/root:base," in made.start()[-2]
        assert made.layers == {"good", layer}
        assert (made.run / "layer").read_text() == f"{layer}\n"
        assert not made.log.exists()
    assert "lowerdir=state/good/root:base," in made.start()[-2]
    assert made.layers == {"good", "dropped"}
    assert "left out" in made.log.read_text()


def test_a_draft_of_an_update_that_was_cut_never_starts(made: Card) -> None:
    made.layer("draft")
    assert "state/good/root:" in made.start()[-2]


def test_a_confirmed_update_starts_from_then_on(made: Card) -> None:
    if subprocess.run(["mv", "--exchange", "--version"], capture_output=True, check=False).returncode:
        pytest.skip("mv has no --exchange before Debian 13")
    made.layer("trial-2")
    (made.state / "trial-2" / "newer").touch()
    made.start()
    assert made.does("confirm").returncode == 0
    assert made.layers == {"good"}
    assert (made.state / "good" / "newer").exists()
    assert "state/good/root:" in made.start()[-2]


@pytest.mark.parametrize("layer", ["good", "trial-2"])
def test_a_confirmation_without_a_trial_changes_nothing(layer: str, made: Card) -> None:
    (made.state / layer / "root").mkdir(parents=True, exist_ok=True)
    before = made.layers
    assert made.does("confirm").returncode == 0
    assert made.layers == before


def test_a_cut_before_any_command_of_an_update_leaves_the_old_system_or_the_new(tmp_path: Path) -> None:
    found = []
    for step in range(1, 100):
        made = Card(tmp_path / str(step))
        made.layer("good")
        (made.state / "good/root/system").write_text("older\n")
        made.start()
        was_cut = made.cut(step, "run", "apt", "upgrade")
        found.append(made.system)
        if not was_cut:
            break
    assert len(found) > len(UPDATE_STUBS)
    assert found == sorted(found, reverse=True)
    assert found[-1] == "newer"


def test_a_cut_before_any_command_of_a_confirmation_leaves_the_old_system_or_the_new(tmp_path: Path) -> None:
    for step in range(1, 100):
        made = Card(tmp_path / str(step))
        for name, system in (("good", "older"), ("trial-2", "newer")):
            made.layer(name)
            (made.state / name / "root/system").write_text(f"{system}\n")
        assert made.system == "newer"
        was_cut = made.cut(step, "confirm")
        systems = {made.system for _ in range(4)}
        assert len(systems) <= len({"older", "newer"})
        assert made.system in systems
        if not was_cut:
            break
    assert (systems, made.layers) == ({"newer"}, {"good"})


def test_a_second_update_waits_until_the_first_is_confirmed(made: Card) -> None:
    made.layer("trial-2")
    made.start()
    done = made.does("run", "true")
    assert (done.returncode, done.stderr) == (
        1,
        "table-card: the last update is still on trial; try again in a minute\n",
    )


def test_without_its_partition_the_state_is_in_memory(tmp_path: Path) -> None:
    mounted = Card(tmp_path).start(fails="*ext4*")
    assert "-t tmpfs -o mode=700 state state" in mounted
    assert mounted[-2].startswith("-t overlay -o lowerdir=state/good/root:base,")


def test_a_damaged_partition_is_repaired(tmp_path: Path) -> None:
    assert "e2fsck -y /dev/mmcblk0p3" in Card(tmp_path).start(errors=4)


def test_a_layer_that_cannot_be_mounted_is_left_out(made: Card) -> None:
    assert "-t overlay -o lowerdir=base,upperdir=memory/upper,workdir=memory/work card /root" in made.start(
        fails="*state/good/root*"
    )


@pytest.mark.parametrize("command", [(), ("run",), ("grown",)])
def test_a_wrong_command_names_a_right_one(command: tuple[str, ...], made: Card) -> None:
    done = made.does(*command)
    assert done.returncode == 1
    assert "table-card run apt upgrade" in done.stderr
