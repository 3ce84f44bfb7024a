"""The command line of the bridge: its secrets, and an outbox that can't be opened."""

import sqlite3
from pathlib import Path

import pytest

from firmware_host import cli
from firmware_host.clients.bridge import outbox
from firmware_host.commands.broker import credential, login_of
from firmware_host.errors import UserError


def test_the_login_is_in_the_files_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "mqtt-user").write_text("window\n")
    (tmp_path / "mqtt-password").write_text("dice\n")
    assert login_of(tmp_path) == ("window", "dice")


def test_a_service_has_its_login_from_systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    (tmp_path / "mqtt-user").write_text("window")
    assert login_of(None) == ("window", None)


def test_an_empty_credential_of_a_unit_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    for name in ("mqtt-user", "mqtt-password", "venue-password"):
        (tmp_path / name).touch()
    assert login_of(None) == (None, None)
    assert credential("venue-password") is None


def test_a_folder_without_a_user_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="mqtt-user: has no name"):
        login_of(tmp_path)


@pytest.mark.parametrize("error", [sqlite3.OperationalError("database is locked"), PermissionError(13, "no", "x")])
def test_an_outbox_that_cannot_be_opened_is_one_line(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("aiomqtt")

    def opened(_: Path) -> sqlite3.Connection:
        raise error

    monkeypatch.setattr(outbox, "_opened", opened)
    assert cli.main(["bridge", "--broker", "127.0.0.1:1", "--outbox", str(tmp_path)]) == cli.EXIT_USER_ERROR
    said = capsys.readouterr().err.strip()
    assert f"{tmp_path}/outbox.sqlite: can't keep unconfirmed events there: " in said
    assert "\n" not in said
