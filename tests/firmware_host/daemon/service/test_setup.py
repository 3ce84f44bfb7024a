"""Root's changes for the owner's page, in a folder in place of the computer and with programs that note their call."""

import io
import os
import signal
import subprocess
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import pytest

from firmware_host.cli import main
from firmware_host.configuration.layout_edit import hash_of
from firmware_host.daemon.closing.archive import MAX_FILE_BYTES
from firmware_host.daemon.closing.copies import Sources, write_copy
from firmware_host.daemon.service import setup
from firmware_host.daemon.service.jobs import JobResult, Places
from firmware_host.daemon.service.setup import MAX_UNPACKED_BYTES, Computer, carry_out
from firmware_host.public.owner_page import COPY, MAX_COPY_BYTES, RECEIVED
from firmware_host.table.staff.machine import Job, JobOutcome
from firmware_host.table.staff.setup import (
    FindNetworks,
    JoinNetwork,
    MakeCopy,
    RestoreCopy,
    SeatEntry,
    SetClosing,
    SetSeats,
    SetTimeZone,
    SetupChange,
    SetVoice,
)
from firmware_host.util import closing_timer, voice_options
from firmware_host.util.closing_timer import ClosingTimes
from hardware.config.layout import load, load_builtin

SECRET = "correct horse \\battery "
MATCH = "2026-11-22-7f3a09c1d2e4.dudo"


class Host:
    """A computer: its folder, and the commands that were run there. `answers` has a program's exit code and output."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name in ("etc/dudo-table", "var/lib/dudo-table/matches", "page", "etc/NetworkManager/system-connections"):
            (root / name).mkdir(parents=True)
        self.layout.write_text(Path("hardware/config/layouts/boards-8.toml").read_text("utf-8"), "utf-8")
        self.layout.chmod(0o644)
        self.commands: list[str] = []
        self.answers: dict[str, tuple[int, str]] = {}
        self.missing: set[str] = set()
        self.is_idle = True
        self.computer = Computer(lambda: self.is_idle, root, root / "page", self._run)

    @property
    def layout(self) -> Path:
        return self.root / "etc/dudo-table/table.toml"

    @property
    def state(self) -> Path:
        return self.root / "var/lib/dudo-table"

    @property
    def network(self) -> Path:
        return self.root / "etc/NetworkManager/system-connections/dudo-table.nmconnection"

    def _run(
        self, command: Sequence[str], timeout_s: float, environment: Mapping[str, str]
    ) -> "subprocess.CompletedProcess[str]":
        assert timeout_s > 0
        assert environment["PATH"]
        if command[0] in self.missing:
            raise FileNotFoundError(command[0])
        line = " ".join(command)
        self.commands.append(line)
        code, said = next((answer for begin, answer in self.answers.items() if line.startswith(begin)), (0, ""))
        return subprocess.CompletedProcess([*command], code, said, said if code else "")

    def done(self, change: SetupChange | None) -> JobResult:
        return carry_out(change, self.computer)

    def seated(self, seats: tuple[SeatEntry, ...]) -> JobResult:
        """Write seats into the layout as it is now."""
        return self.done(SetSeats(seats, hash_of(self.layout.read_text("utf-8"))))


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


def seats_of(host: Host) -> tuple[SeatEntry, ...]:
    return tuple(
        SeatEntry(seat.name, seat.color, seat.board.id, seat.name) for seat in load(host.layout).seats if seat.board
    )


# Seats


def test_seats_are_written_into_the_layout_and_the_table_reads_it_again(host: Host) -> None:
    first, *others = seats_of(host)
    seats = (msgspec.structs.replace(first, name="Bar", board="E6614103E7452D21"), *others)
    assert host.seated(seats) == JobResult(JobOutcome.SET)
    assert (load(host.layout).seats[0].name, load(host.layout).seats[1:]) == ("Bar", load_builtin("boards-8").seats[1:])
    assert host.layout.read_text("utf-8").startswith("# The reference table")
    assert host.layout.stat().st_mode & 0o777 == 0o644
    assert host.commands == ["systemctl reload dudo-table.service"]


def test_a_wrong_seat_changes_nothing_and_the_reason_is_one_that_check_gives(host: Host) -> None:
    result = host.seated((SeatEntry("Bar", "red", "E661410000000001"), *seats_of(host)[1:3]))
    assert result.outcome is JobOutcome.SET
    result = host.seated(seats_of(host)[:1])
    assert result.outcome is JobOutcome.NOT_SET
    assert "is the wrong number of seats; write 2 to 8 seats" in result.lines[0]
    assert len(host.commands) == 1
    assert result.lines[0].startswith(f"{host.layout}: seat = 1 seat: ")
    assert len(load(host.layout).seats) == 3


def test_a_new_seat_for_a_phone_starts_the_page_for_phones(host: Host) -> None:
    sofa = SeatEntry("Sofa", "grey", is_phone=True)
    assert host.seated((*seats_of(host)[:2], sofa)) == JobResult(JobOutcome.SET)
    assert load(host.layout).seats[2].phone == "phone/3"
    options = host.root / "etc/dudo-table/phones.env"
    assert options.read_text("utf-8") == 'PHONES_OPTIONS="--listen 0.0.0.0:8680"\n'
    assert host.commands == ["systemctl reload dudo-table.service", "systemctl enable --now dudo-table-phones.service"]
    options.write_text('PHONES_OPTIONS="--proxy dudo.example"\n', "utf-8")
    sofa = msgspec.structs.replace(sofa, was="Sofa")
    assert host.seated((*seats_of(host), sofa, SeatEntry("Door", "white", is_phone=True))).outcome is JobOutcome.SET
    assert options.read_text("utf-8") == 'PHONES_OPTIONS="--proxy dudo.example"\n'
    assert host.seated((*seats_of(host), sofa)).outcome is JobOutcome.SET
    assert len(host.commands) == 5  # no service for a seat that was there


def test_a_layout_that_changed_meanwhile_stays_and_is_read_again(host: Host) -> None:
    listed, seats = hash_of(host.layout.read_text("utf-8")), seats_of(host)
    changed = f"{host.layout.read_text('utf-8')}# by hand\n"
    host.layout.write_text(changed, "utf-8")
    result = host.done(SetSeats(seats[:4], listed))
    assert result.outcome is JobOutcome.NOT_SET
    why = "has changed since its seats were listed; the table reads it now: name the seats again"
    assert result.lines == (f"{host.layout}: {why}",)
    assert host.layout.read_text("utf-8") == changed
    assert host.commands == ["systemctl reload dudo-table.service"]
    host.layout.write_text("[[seat]", "utf-8")
    assert "has changed" not in host.done(SetSeats(seats[:4], listed)).lines[0]  # its faults come first


def test_a_layout_behind_a_link_is_written_where_it_is(host: Host) -> None:
    elsewhere = host.root / "elsewhere.toml"
    host.layout.rename(elsewhere)
    host.layout.symlink_to(elsewhere)
    assert host.seated(seats_of(host)[:4]).outcome is JobOutcome.SET
    assert host.layout.is_symlink()
    assert len(load(elsewhere).seats) == 4


def test_a_layout_that_is_missing_or_a_pipe_is_one_line(host: Host) -> None:
    host.layout.unlink()
    assert len(host.done(SetSeats((), "")).lines) == 1
    os.mkfifo(host.layout)
    assert len(host.done(SetSeats((), "")).lines) == 1


# Copies


def test_a_copy_is_handed_to_the_page_without_the_journal(host: Host) -> None:
    (host.state / "matches" / MATCH).write_text("[match]\n")
    (host.state / "journal.sqlite").write_text("dice")
    (host.root / "page" / COPY).symlink_to("/etc/hostname")  # an earlier one, or a trap
    result = host.done(MakeCopy())
    assert (result.outcome, result.matches) == (JobOutcome.COPIED, 1)
    assert result.lines[0].endswith(".tar.gz")
    copy = host.root / "page" / COPY
    assert (copy.is_symlink(), copy.stat().st_mode & 0o777, copy.stat().st_size) == (False, 0o600, result.size_bytes)
    with tarfile.open(copy) as archive:
        assert archive.getnames() == ["copy.json", f"matches/{MATCH}", "etc/table.toml"]


def received(host: Host) -> Path:
    return host.root / "page" / RECEIVED


def test_a_copy_is_put_back_while_the_table_is_stopped(host: Host, tmp_path: Path) -> None:
    (host.state / "matches" / MATCH).write_text("[match]\n")
    (host.state / "settings.toml").write_text("volume = 30\n")
    copy = write_copy(Sources(host.state, host.layout.parent), tmp_path, "bar", "2026-11-23-040000")
    copy.file.rename(received(host))
    for file in (host.state / "matches" / MATCH, host.state / "settings.toml", host.layout):
        file.unlink()
    assert host.done(RestoreCopy()) == JobResult(JobOutcome.RESTORED, 1)
    assert (host.state / "settings.toml").read_text() == "volume = 30\n"
    assert not host.layout.exists()
    assert not received(host).exists()
    assert host.commands == ["systemctl stop dudo-table.service", "systemctl start dudo-table.service"]


def test_layouts_come_back_if_they_are_asked_for(host: Host, tmp_path: Path) -> None:
    copy = write_copy(Sources(host.state, host.layout.parent), tmp_path, "bar", "2026-11-23-040000")
    copy.file.rename(received(host))
    host.layout.unlink()
    assert host.done(RestoreCopy(layouts=True)).outcome is JobOutcome.RESTORED
    assert len(load(host.layout).seats) == 8


@pytest.mark.parametrize("data", [b"", b"nonsense", b"\x1f\x8b\x08\x00" + bytes(500), bytes(100)])
def test_a_damaged_copy_is_refused_in_one_sentence_and_stops_no_table(data: bytes, host: Host) -> None:
    (host.state / "settings.toml").write_text("volume = 30\n")
    received(host).write_bytes(data)
    result = host.done(RestoreCopy())
    assert (result.outcome, len(result.lines)) == (JobOutcome.NOT_SET, 1)
    assert result.lines[0].startswith("the copy is damaged, or no copy of a table")
    assert "/tmp" not in result.lines[0]
    assert (host.state / "settings.toml").read_text() == "volume = 30\n"
    assert host.commands == []
    assert not received(host).exists()


def test_a_small_copy_of_enormous_files_stops_no_table(host: Host) -> None:
    with tarfile.open(received(host), "w:gz") as packed:
        for number in range(1 + MAX_UNPACKED_BYTES // MAX_FILE_BYTES):
            entry = tarfile.TarInfo(f"matches/{number}.dudo")
            entry.size = MAX_FILE_BYTES
            packed.addfile(entry, io.BytesIO(bytes(MAX_FILE_BYTES)))
    assert received(host).stat().st_size < MAX_COPY_BYTES
    result = host.done(RestoreCopy())
    assert result.outcome is JobOutcome.NOT_SET
    assert result.lines == ("the copy has over 256 MB of files; restore it from a USB drive",)
    assert (host.commands, [*host.state.glob("matches/*")]) == ([], [])


def test_a_restore_that_fails_or_runs_out_of_time_starts_the_table_again(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = write_copy(Sources(host.state, host.layout.parent), tmp_path, "bar", "2026-11-23-040000")

    def run_out_of_time(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(setup, "restore", run_out_of_time)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(Places, "take_change", lambda *_: RestoreCopy())
    monkeypatch.setattr(setup, "Computer", lambda _: host.computer)
    copy.file.rename(received(host))
    before = signal.getsignal(signal.SIGTERM)
    try:
        with pytest.raises(SystemExit):
            main(["setup"])
    finally:
        signal.signal(signal.SIGTERM, before)
    assert host.commands[-1] == "systemctl start dudo-table.service"


def test_nothing_is_put_back_during_a_match(host: Host, tmp_path: Path) -> None:
    copy = write_copy(Sources(host.state, host.layout.parent), tmp_path, "bar", "2026-11-23-040000")
    copy.file.rename(received(host))
    host.is_idle = False
    assert host.done(RestoreCopy()).outcome is JobOutcome.MATCH_PLAYED
    assert host.commands == []


def test_a_copy_that_is_a_link_or_too_large_is_not_read(host: Host) -> None:
    secret = host.root / "secret"
    secret.write_text("secret")
    received(host).symlink_to(secret)
    assert host.done(RestoreCopy()).outcome is JobOutcome.NOT_SET
    received(host).unlink()
    with open(received(host), "wb") as file:
        file.truncate(MAX_COPY_BYTES + 1)
    assert host.done(RestoreCopy()).outcome is JobOutcome.NOT_SET
    assert host.commands == []


# Time


def test_closing_time_is_written_as_systemctl_edit_does(host: Host) -> None:
    assert host.done(SetClosing("02:00", "04:00")).outcome is JobOutcome.SET
    file = host.root / closing_timer.FILE
    assert closing_timer.times_of(file.read_text()) == ClosingTimes("02:00", "04:00")
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o644, 0o755)
    timer = "dudo-table-closing.timer"
    assert host.commands == ["systemctl daemon-reload", f"systemctl enable {timer}", f"systemctl restart {timer}"]
    host.commands.clear()
    assert host.done(SetClosing()).outcome is JobOutcome.SET
    assert host.commands == [f"systemctl disable --now {timer}"]


def test_the_announcers_options_are_written_and_its_service_starts_with_them(host: Host) -> None:
    service = "dudo-table-voice.service"
    file = host.root / voice_options.FILE
    assert host.done(SetVoice(on=True, language="es", card="hdmi:CARD=vc4hdmi0")).outcome is JobOutcome.SET
    assert file.read_text("utf-8") == 'VOICE_OPTIONS="--language es --card hdmi:CARD=vc4hdmi0"\n'
    assert file.stat().st_mode & 0o777 == 0o644
    assert host.commands == [f"systemctl enable {service}", f"systemctl restart {service}"]
    host.commands.clear()
    assert host.done(SetVoice(on=False)).outcome is JobOutcome.SET
    assert host.commands == [f"systemctl disable --now {service}"]
    assert "--language es" in file.read_text("utf-8")


def test_wrong_options_of_the_announcer_change_nothing(host: Host) -> None:
    file = host.root / voice_options.FILE
    file.write_text("VOICE_OPTIONS=--volume 70\n", "utf-8")
    assert host.done(SetVoice(on=True, clips=True)).lines == (
        "/etc/dudo-table/sounds: is no folder; make it, and copy the clips there",
    )
    assert "xx is not a language the announcer speaks" in host.done(SetVoice(on=True, language="xx")).lines[0]
    assert file.read_text("utf-8") == "VOICE_OPTIONS=--volume 70\n"
    (host.root / "etc/dudo-table/sounds").mkdir()
    assert host.done(SetVoice(on=True, clips=True)).outcome is JobOutcome.SET
    assert file.read_text("utf-8") == 'VOICE_OPTIONS="--volume 70 --sounds /etc/dudo-table/sounds"\n'
    file.write_text("VOICE_OPTIONS=--pace 3\n", "utf-8")
    assert "is in a form that the page does not change" in host.done(SetVoice(on=True)).lines[0]
    assert file.read_text("utf-8") == "VOICE_OPTIONS=--pace 3\n"


def test_a_time_zone_is_one_that_the_computer_knows(host: Host) -> None:
    zones = host.root / "usr/share/zoneinfo/Europe"
    zones.mkdir(parents=True)
    (zones / "Madrid").touch()
    assert host.done(SetTimeZone("Europe/Madrid")).outcome is JobOutcome.SET
    assert "is not a time zone of this computer" in host.done(SetTimeZone("Europe")).lines[0]
    assert "is not a time zone of this computer" in host.done(SetTimeZone("Europe/Atlantis")).lines[0]
    assert host.commands == ["timedatectl set-timezone Europe/Madrid"]


def test_a_program_that_fails_or_is_missing_is_one_line(host: Host) -> None:
    host.answers["systemctl reload"] = (1, "Job failed.\nSee systemctl status\n")
    assert host.seated(seats_of(host)[:4]).lines == ("systemctl reload: See systemctl status",)
    host.missing.add("nmcli")
    assert host.done(FindNetworks()).lines == ("nmcli is not installed on this computer",)


# Wi-Fi


def test_networks_are_listed_once_each(host: Host) -> None:
    host.answers["nmcli --terse"] = (0, "bar\nGuests\\: upstairs\nbar\n\nback\\\\slash\nb\x1b[2J\n")
    result = host.done(FindNetworks())
    assert result == JobResult(JobOutcome.NETWORKS, lines=("bar", "Guests: upstairs", "back\\slash"))
    host.answers["nmcli --terse"] = (8, "Error: NetworkManager is not running.")
    assert host.done(FindNetworks()).outcome is JobOutcome.NO_WIFI


def test_a_network_is_joined_by_a_file_for_root_alone_and_no_command_has_the_password(host: Host) -> None:
    umask = os.umask(0)
    try:
        assert host.done(JoinNetwork("Bar; ñ", SECRET)).outcome is JobOutcome.SET
    finally:
        os.umask(umask)
    assert host.network.stat().st_mode & 0o777 == 0o600
    lines = host.network.read_text().splitlines()
    name = "".join(f"{byte};" for byte in "Bar; ñ".encode())
    assert {f"ssid={name}", "key-mgmt=wpa-psk", "psk=correct horse \\\\battery\\s"} <= {*lines}
    assert host.commands == [
        f"nmcli connection load {host.network}",
        "nmcli --wait 45 connection up id dudo-table",
    ]


def test_an_open_network_has_no_password(host: Host) -> None:
    assert host.done(JoinNetwork("bar")).outcome is JobOutcome.SET
    assert "psk" not in host.network.read_text()


def test_a_network_that_does_not_take_the_table_in_leaves_the_former_one(host: Host) -> None:
    host.answers["nmcli --wait"] = (4, "Error: Connection activation failed")
    assert host.done(JoinNetwork("bar", "wrong password")).outcome is JobOutcome.NOT_JOINED
    assert not host.network.exists()
    host.network.write_text("former")
    assert host.done(JoinNetwork("bar", "wrong password")).outcome is JobOutcome.NOT_JOINED
    assert (host.network.read_text(), host.network.stat().st_mode & 0o777) == ("former", 0o600)
    assert host.commands[-1] == "nmcli connection reload"
    host.answers["nmcli --wait"] = (8, "Error: NetworkManager is not running.")
    assert host.done(JoinNetwork("bar")).outcome is JobOutcome.NO_WIFI


def test_a_name_longer_than_a_networks_is_refused(host: Host) -> None:
    assert "is too long" in host.done(JoinNetwork("ñ" * 17)).lines[0]
    assert host.commands == []


# The request


def test_a_request_is_taken_once_and_leaves_no_password_behind(tmp_path: Path) -> None:
    places = Places(tmp_path, tmp_path, tmp_path / "stick")
    umask = os.umask(0)
    try:
        places.request(Job.SETUP, JoinNetwork("bar", SECRET))
    finally:
        os.umask(umask)
    file = tmp_path / "setup-wanted"
    assert file.stat().st_mode & 0o777 == 0o600
    assert places.take_change() == JoinNetwork("bar", SECRET)
    assert not file.exists()
    with pytest.raises(FileNotFoundError):
        places.take_change()


@pytest.mark.parametrize("data", [b"", b"setup\n", b'{"do":"format"}', b'{"do":"closing","time":"99:99"}', b"[" * 8000])
def test_a_strange_request_is_no_change(data: bytes, tmp_path: Path) -> None:
    places = Places(tmp_path, tmp_path, tmp_path / "stick")
    (tmp_path / "setup-wanted").write_bytes(data)
    change = places.take_change()
    assert change is None
    result = carry_out(change, Computer(lambda: True, tmp_path))
    assert (result.outcome, len(result.lines)) == (JobOutcome.NOT_SET, 1)
    assert not (tmp_path / "setup-wanted").exists()


def test_a_request_that_is_a_link_a_pipe_or_too_large_is_taken_away_unread(tmp_path: Path) -> None:
    places, file = Places(tmp_path, tmp_path, tmp_path / "stick"), tmp_path / "setup-wanted"
    file.symlink_to("/etc/hostname")
    for make in (lambda: os.mkfifo(file), lambda: file.write_bytes(b" " * 10_000), lambda: None):
        with pytest.raises(OSError, match=r".+"):
            places.take_change()
        assert not os.path.lexists(file)
        make()


@pytest.mark.parametrize(
    "change",
    [
        {"do": "network", "name": "Bar", "password": "12345678\n"},
        {"do": "network", "name": "Bar", "password": "\n"},
        {"do": "time-zone", "zone": "Europe/Madrid\n"},
        {"do": "closing", "time": "04:00\n"},
        {"do": "voice", "on": True, "card": "x y"},
        {"do": "voice", "on": True, "card": "--quiet"},
        {"do": "voice", "on": True, "card": 'x"'},
        {"do": "voice", "on": True, "language": "es\n"},
    ],
)
def test_no_change_brings_a_line_break_into_a_file_of_roots(change: dict[str, str]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(change, SetupChange)  # type: ignore[call-overload]
