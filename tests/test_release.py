"""`make release` on a small project whose packages are stubs: what it commits, tags and signs, and what it refuses."""

import os
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import ROOT

FILES = ("pyproject.toml", "README.md", "docs/install.md", "docs/screen.md", "debian/changelog", "debian/control")
URL, KEY = "https://bar.example/debian", "you@bar.example"
OLD = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
NEW = "90.0.0"
CHANGES = f"# Changelog\n\n## Unreleased\n\n### Added\n\n- A game.\n\n## {OLD} - 2026-11-21\n\n- The first.\n"
STUBS = {
    "debian/build": 'mkdir -p build && cd build && for name in "" -kiosk; do touch "dudo-table${name}_1_all.deb"; done',
    "debian/repository": '[ "$4" = check ] || { mkdir "$4/repository" && echo "$1 $2 $3" >"$4/repository/InRelease"; }',
    "debian/image/build": 'touch "build/dudo-table-1-$1.img.xz" "build/dudo-table-1-$1.img.json"',
    "python": 'mkdir -p "$3" && echo program >"$3/a.img"',
}
"""The scripts that need minutes, and the Python that compiles the boards' program."""


class Maintainer:
    """Somebody with a clone of the small project, and a key that is thrown away."""

    def __init__(self, clone: Path, home: Path) -> None:
        self.clone = clone
        self._environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "GNUPGHOME": str(home),
            "TZ": "UTC0",
            **{f"GIT_{who}_{what}": "you@bar.example" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
        }

    def types(self, *command: str) -> "subprocess.CompletedProcess[str]":
        """Run a command in the clone."""
        return subprocess.run(
            command, cwd=self.clone, env=self._environment, capture_output=True, text=True, check=False
        )

    def git(self, *words: str) -> str:
        """Return what git printed; raises `CalledProcessError`."""
        done = self.types("git", *words)
        done.check_returncode()
        return done.stdout.strip()

    def releases(self, version: str, *, dry: bool = False) -> "subprocess.CompletedProcess[str]":
        """Release a version."""
        return self.types("debian/release", str(self.clone / "python"), version, URL, KEY, "", "1" if dry else "")

    def state(self) -> str:
        """Return what a refused release must leave as it is."""
        return self.git("show-ref") + self.git("status", "--porcelain") + self.git("worktree", "list")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give gpg's folder with the key."""
    if shutil.which("gpg") is None:
        pytest.skip("gpg is not installed")
    home = tmp_path_factory.mktemp("gpg")
    home.chmod(0o700)
    batch = ("--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", "")
    gpg = ("gpg", "--homedir", str(home), *batch, "--quick-generate-key", KEY, "ed25519", "sign")
    subprocess.run(gpg, check=True, capture_output=True)
    yield home
    subprocess.run(["gpgconf", "--homedir", home, "--kill", "all"], check=True)


@pytest.fixture
def maintainer(home: Path, tmp_path: Path) -> Maintainer:
    """Give a maintainer on the branch main, with a change to release."""
    clone = tmp_path / "clone"
    for name in (*FILES, "debian/release"):
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, clone / name)
    for name, script in STUBS.items():
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        (clone / name).write_text(f"#!/bin/sh\nset -e\n{script}\n")
        (clone / name).chmod(0o755)
    (clone / "CHANGELOG.md").write_text(CHANGES)
    (clone / ".gitignore").write_text("build/\n")
    maintainer = Maintainer(clone, home)
    for words in (("init", "-q", "-b", "main"), ("add", "."), ("commit", "-q", "-m", "all: begin")):
        maintainer.git(*words)
    return maintainer


def test_a_release_is_a_commit_a_signed_tag_and_signed_files(maintainer: Maintainer) -> None:
    done = maintainer.releases(NEW)
    assert done.returncode == 0, done.stderr
    assert maintainer.git("log", "--format=%s") == f"release: {NEW}\nall: begin"
    assert maintainer.git("status", "--porcelain") == ""
    assert maintainer.git("rev-parse", f"v{NEW}^{{commit}}") == maintainer.git("rev-parse", "main")
    maintainer.git("tag", "--verify", f"v{NEW}")
    read = {name: (maintainer.clone / name).read_text() for name in (*FILES, "CHANGELOG.md")}
    assert f'\nversion = "{NEW}"\n' in read["pyproject.toml"]
    assert read["debian/changelog"].startswith(f"dudo-table ({NEW}) trixie; urgency=medium\n")
    assert read["CHANGELOG.md"].splitlines()[2:8:2] == ["## Unreleased", f"## {NEW} - {today(maintainer)}", "### Added"]
    assert f"dudo-table_{NEW}_all.deb" in read["docs/install.md"]
    assert OLD not in read["README.md"] + read["docs/install.md"] + read["docs/screen.md"]
    made = maintainer.clone / f"build/release/{NEW}"
    for command in ("gpg --verify SHA256SUMS.asc SHA256SUMS", "sha256sum --check --strict SHA256SUMS"):
        checked = maintainer.types("env", "-C", str(made), *command.split())
        assert checked.returncode == 0, checked.stderr
    signed = {line.split()[1] for line in (made / "SHA256SUMS").read_text().splitlines()}
    assert signed == {
        *(f"dudo-table-boards-{NEW}.tar.gz", "dudo-table-kiosk_1_all.deb", "dudo-table_1_all.deb"),
        *("dudo-table-1-arm64.img.xz", "dudo-table-1-arm64.img.json"),
        "repository/InRelease",
    }


def today(maintainer: Maintainer) -> str:
    return maintainer.git("log", "-1", "--date=format-local:%F", "--format=%cd")


def test_a_dry_run_makes_the_files_and_leaves_branch_and_tags(maintainer: Maintainer) -> None:
    before = maintainer.state()
    done = maintainer.releases(NEW, dry=True)
    assert done.returncode == 0, done.stderr
    assert maintainer.state() == before
    assert (maintainer.clone / f"build/release/{NEW}/SHA256SUMS.asc").exists()
    assert maintainer.releases(NEW).returncode == 0


def test_a_failed_build_leaves_the_clone_as_it_was(maintainer: Maintainer) -> None:
    (maintainer.clone / "debian/build").write_text("#!/bin/sh\necho 'make: no wheel' >&2\nexit 1\n")
    maintainer.git("commit", "-qam", "deb: break")
    before = maintainer.state()
    done = maintainer.releases(NEW)
    assert (done.returncode, done.stderr) == (1, "make: no wheel\n")
    assert maintainer.state() == before
    assert [*(maintainer.clone / "build").iterdir()] == []


@pytest.mark.parametrize(
    ("version", "reason"),
    [
        ("", "VERSION= is no version; write it as three numbers: make release VERSION=x.y.z"),
        ("0.2", "VERSION=0.2 is no version; write it as three numbers: make release VERSION=x.y.z"),
        ("0.02.0", "VERSION=0.02.0 is no version; write it as three numbers: make release VERSION=x.y.z"),
        (OLD, f"version {OLD} exists; choose one above {OLD}"),
        ("0.0.0", f"version 0.0.0 is below {OLD}, the version of pyproject.toml"),
        (NEW, f"version {NEW} exists; choose one above {OLD}"),
    ],
)
def test_a_version_that_is_none_or_exists_or_is_too_low_is_refused(
    version: str, reason: str, maintainer: Maintainer
) -> None:
    maintainer.git("tag", f"v{NEW}")
    before = maintainer.state()
    done = maintainer.releases(version)
    assert (done.returncode, done.stderr) == (1, f"make: {reason}\n")
    assert maintainer.state() == before


def test_a_dirty_tree_is_refused(maintainer: Maintainer) -> None:
    (maintainer.clone / "notes").write_text("")
    done = maintainer.releases(NEW)
    assert done.stderr == "make: notes is not committed; commit or remove what git status lists\n"


def test_a_release_without_a_change_is_refused(maintainer: Maintainer) -> None:
    (maintainer.clone / "CHANGELOG.md").write_text(CHANGES.replace("- A game.\n", ""))
    maintainer.git("commit", "-qam", "docs: forget")
    assert "has nothing under Unreleased" in maintainer.releases(NEW).stderr


def test_a_release_on_no_branch_is_refused(maintainer: Maintainer) -> None:
    maintainer.git("checkout", "-q", "--detach")
    assert "no branch is checked out here" in maintainer.releases(NEW).stderr
