"""An authority and certificates of brokers, made by openssl for one test run."""

import shutil
import subprocess
from pathlib import Path

import pytest

NAMES = "subjectAltName=DNS:localhost,IP:127.0.0.1"
ELSEWHERE = "subjectAltName=DNS:elsewhere.example"


class Authority:
    """Who signs certificates. A test skips where there is no openssl."""

    def __init__(self, folder: Path, name: str) -> None:
        if shutil.which("openssl") is None:
            pytest.skip("there is no openssl: apt install openssl")
        self._folder = folder / name
        self._folder.mkdir()
        self.file, self._key = self._folder / "ca.pem", self._folder / "ca.key"
        self._make_key(self._key)
        self._run("req", "-x509", "-new", "-key", self._key, "-subj", f"/CN={name}", "-days", "2", "-out", self.file)

    def certificate(self, name: str, *, names: str = NAMES, days: int = 2) -> tuple[Path, Path]:
        """Return a certificate of a broker and its key; with `days` below zero one that has expired."""
        key, request, signed, more = (self._folder / f"{name}.{kind}" for kind in ("key", "csr", "pem", "ext"))
        self._make_key(key)
        more.write_text(f"{names}\n")
        self._run("req", "-new", "-key", key, "-subj", f"/CN={name}", "-out", request)
        by = ("-CA", self.file, "-CAkey", self._key, "-CAcreateserial", "-extfile", more)
        self._run("x509", "-req", "-in", request, *by, "-days", str(days), "-out", signed)
        return signed, key

    def _make_key(self, file: Path) -> None:
        self._run("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", file)

    @staticmethod
    def _run(*command: str | Path) -> None:
        subprocess.run(["openssl", *command], check=True, capture_output=True, timeout=20)
