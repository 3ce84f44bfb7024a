"""An owner of several tables, who publishes packages of any version in a repository signed by a key of their own."""

import re
import shutil
from pathlib import Path

from support import ROOT
from support.system import debian_root, package

KEY, URL = "you@bar.example", "copy:/srv/debian"
"""apt copies lists and packages from there, as over a network."""


class Publisher:
    """An owner with a key that is thrown away, who copies repositories to the folder behind `URL`."""

    def __init__(self, folder: Path, served: Path) -> None:
        self._home, self._packages = folder / "gpg", folder / "packages"
        self.served = served
        self._home.mkdir(mode=0o700)
        self._packages.mkdir()
        no_passphrase = ("--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", "")
        debian_root.run("gpg", "--homedir", self._home, *no_passphrase, "--quick-generate-key", KEY, "ed25519", "sign")

    def close(self) -> None:
        """Stop the key's agent."""
        debian_root.run("gpgconf", "--homedir", self._home, "--kill", "all")

    def expire(self) -> None:
        """Have signed lists that were valid for some days in 2020."""
        signed, release = self.served / "InRelease", self._packages / "Release"
        gpg = ("gpg", "--homedir", self._home, "--batch", "--yes", "--quiet", "--output")
        debian_root.run(*gpg, release, "--decrypt", signed)
        text = release.read_text()
        release.write_text(f"Valid-Until: Sat, 21 Nov 2020 12:00:00 UTC\n{text}")
        debian_root.run(*gpg, signed, "--clearsign", release)

    def publish(self, version: str, days: str = "", *, broken: bool = False, compiled: Path | None = None) -> None:
        """Make the repository of a version, and copy it; a broken one's program ends at once.

        With a tar of its bytecode its installation compiles nothing, which takes an emulated processor minutes.
        """
        for name in ("dudo-table", package.KIOSK):
            laid = self._packages / name
            debian_root.run("dpkg-deb", "--raw-extract", package.built(name), laid)
            control = laid / "DEBIAN/control"
            control.write_text(re.sub(r"(?m)^Version: .*", f"Version: {version}", control.read_text()))
            if broken and name != package.KIOSK:
                (laid / "usr/bin/dudo-table").write_text("#!/bin/sh\nexit 1\n")
            if compiled is not None and name != package.KIOSK:
                debian_root.run("tar", "-C", laid, "-xf", compiled)
            if broken or compiled is not None:
                postinst = laid / "DEBIAN/postinst"
                postinst.write_text(re.sub(r"py3compile -p .*", "true", postinst.read_text()))
            debian_root.run("dpkg-deb", "--root-owner-group", "-Znone", "--build", laid, self._packages)
            shutil.rmtree(laid)
        script = ROOT / "debian" / "repository"
        debian_root.run("env", f"GNUPGHOME={self._home}", script, URL, KEY, days, self._packages)
        shutil.rmtree(self.served, ignore_errors=True)
        shutil.copytree(self._packages / "repository", self.served)
