"""Seats, copies and the computer's settings on the owner's page, over HTTP, with hostile senders."""

import asyncio
import logging
import os
from pathlib import Path
from typing import Any

import pytest
from support.pages.owner_table import Owner, OwnersTable
from support.pages.owner_visits import in_session, visited

from firmware_host.clients.owner.copies import MAX_RECEIVED_BYTES, PIECE_BYTES
from firmware_host.daemon.service.jobs import JobResult
from firmware_host.public.owner_page import COPY, MAX_COPY_BYTES, RECEIVED
from firmware_host.table.staff.machine import Job, JobOutcome
from firmware_host.table.staff.setup import JoinNetwork, RestoreCopy, SeatEntry, SetClosing, SetSeats
from firmware_host.util import closing_timer, voice_options
from firmware_host.util.closing_timer import ClosingTimes

BYTES = "application/octet-stream"
SECRET = "correct horse battery"


async def sent(owner: Owner, offset: int, piece: bytes, **headers: str) -> int:
    """Send a piece of a copy; return the status."""
    own = {"X-CSRF-Token": owner.csrf, "Content-Type": BYTES, **headers}
    async with owner.session.post(f"{owner.address}received/{offset}", data=piece, headers=own) as answer:
        return answer.status


async def got(owner: Owner, path: str, **headers: str) -> tuple[int, bytes]:
    own = {"X-CSRF-Token": owner.csrf, **headers}
    async with owner.session.get(f"{owner.address}{path}", headers=own) as answer:
        return answer.status, await answer.read()


async def setup_of(owner: Owner, language: str = "en") -> dict[str, Any]:
    await owner.ask(ask="change", setting="volume", value=100)  # a change has the page read anew
    found: dict[str, Any] = (await owner.form(language))["setup"]
    return found


@visited
async def test_without_the_code_nothing_of_it_is_reached(table: OwnersTable, owner: Owner) -> None:
    (table.events.parent / COPY).write_bytes(b"copy")
    assert (await got(owner, "seats"))[0] == 403
    assert (await got(owner, "copy/0"))[0] == 403
    assert await sent(owner, 0, b"x") == 403
    assert (await owner.post("staff", {"request": {"ask": "set-up", "change": {"do": "copy"}}}))[0] == 403
    assert (table.asked, table.changes) == ([], [])
    assert not (table.events.parent / RECEIVED).exists()


@in_session
async def test_a_cookie_alone_reaches_nothing_of_it(table: OwnersTable, owner: Owner) -> None:
    (table.events.parent / COPY).write_bytes(b"copy")
    for headers in (
        {"X-CSRF-Token": ""},
        {"Origin": "http://elsewhere.example"},
        {"Host": "elsewhere.example"},
        {"Sec-Fetch-Site": "cross-site"},
    ):
        assert (await got(owner, "seats", **headers))[0] == 403
        assert (await got(owner, "copy/0", **headers))[0] == 403
        assert await sent(owner, 0, b"x", **headers) == 403
    assert table.asked == []


@in_session
async def test_seats_and_found_boards_are_those_of_the_table(table: OwnersTable, owner: Owner) -> None:
    async with owner.session.get(f"{owner.address}seats", headers={"X-CSRF-Token": owner.csrf}) as answer:
        found = await answer.json()
    assert [seat["name"] for seat in found["seats"]] == ["North", "East", "South", "West"]
    west = {"name": "West", "color": "blue", "board": "E661410000000003", "is_missing": True, "is_phone": False}
    assert found["seats"][3] == west
    assert (found["found"], found["pressed"], found["presses"]) == (["E6614103E7452D21"], "", 0)


@in_session
async def test_nobody_looks_for_boards_during_a_match(table: OwnersTable, owner: Owner) -> None:
    table.public_state = state_of_a_match()
    assert await got(owner, "seats?language=es") == (422, "Se está jugando una partida".encode())


def state_of_a_match() -> Any:
    from support.pages.owner_table import state

    return state("bidding")


@in_session
async def test_between_two_sessions_the_page_is_told_to_wait(table: OwnersTable, owner: Owner) -> None:
    table.laid = None
    assert (await got(owner, "seats"))[0] == 422


@in_session
async def test_each_change_reaches_the_table_as_it_was_sent(table: OwnersTable, owner: Owner) -> None:
    for change in (
        {
            "do": "seats",
            "seats": [{"name": "Bar", "color": "red", "board": "E6614103E7452D21", "was": "North"}],
            "layout_hash": "c0ffee",
        },
        {"do": "closing", "time": "02:00", "late": "04:00"},
        {"do": "network", "name": "bar", "password": SECRET},
        {"do": "restore"},
    ):
        assert (await owner.ask(ask="set-up", change=change)) == (True, "Working")
    assert table.changes == [
        SetSeats((SeatEntry("Bar", "red", "E6614103E7452D21", "North"),), "c0ffee"),
        SetClosing("02:00", "04:00"),
        JoinNetwork("bar", SECRET),
        RestoreCopy(),
    ]


def test_a_password_is_in_no_log_no_answer_and_no_repr(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    @in_session
    async def run(table: OwnersTable, owner: Owner) -> None:
        change = {"do": "network", "name": "bar", "password": SECRET}
        assert SECRET not in (await owner.ask(ask="set-up", change=change))[1]
        assert SECRET not in str(await owner.form())
        assert SECRET not in repr(table.asked)

    run(tmp_path)
    assert "staff ask: set-up, network" in caplog.text
    assert SECRET not in caplog.text


@in_session
async def test_a_result_is_in_the_language_of_the_page(table: OwnersTable, owner: Owner) -> None:
    table.results[Job.SETUP] = JobResult(JobOutcome.RESTORED, 812)
    shown = await setup_of(owner, "fr")
    assert (shown["outcome"], shown["note"]) == ("restored", "812 parties sont de retour")
    table.results[Job.SETUP] = JobResult(JobOutcome.NOT_SET, lines=("table.toml: is wrong; mend it",))
    shown = await setup_of(owner, "es")
    assert (shown["note"], shown["lines"]) == ("No se ha cambiado nada", ["table.toml: is wrong; mend it"])


@in_session
async def test_the_page_shows_time_zone_closing_time_and_the_announcer(table: OwnersTable, owner: Owner) -> None:
    root = table.events.parent
    silent = {"language": "", "quiet": False, "card": "", "sounds": "", "others": []}
    first = {
        "zone": "",
        "closes": False,
        "time": "04:00",
        "late": "04:00",
        "by_hand": "",
        "speaks": False,
        "voice": silent,
    }
    assert (await setup_of(owner))["facts"] == first
    (root / "etc").mkdir()
    (root / "etc/localtime").symlink_to("/usr/share/zoneinfo/Europe/Madrid")
    file, enabled = root / closing_timer.FILE, root / closing_timer.ENABLED
    voice, speaks = root / voice_options.FILE, root / voice_options.ENABLED
    for folder in (file.parent, enabled.parent, voice.parent, speaks.parent):
        folder.mkdir(parents=True)
    speaks.symlink_to("/usr/lib/systemd/system/dudo-table-voice.service")
    voice.write_text('VOICE_OPTIONS="--volume 70 --quiet --card Device --language es"')
    enabled.symlink_to("/usr/lib/systemd/system/dudo-table-closing.timer")
    file.write_text(closing_timer.text_of(ClosingTimes("02:00", "04:30")))
    assert (await setup_of(owner))["facts"] == {
        "zone": "Europe/Madrid",
        "closes": True,
        "time": "02:00",
        "late": "04:30",
        "by_hand": "",
        "speaks": True,
        "voice": {"language": "es", "quiet": True, "card": "Device", "sounds": "", "others": ["--volume", "70"]},
    }
    file.write_text("[Timer]\nOnCalendar=\nOnCalendar=Mon *-*-* 01:00\n")
    assert (await setup_of(owner))["facts"]["by_hand"] == "OnCalendar=Mon *-*-* 01:00"
    file.unlink()
    os.mkfifo(file)
    assert (await setup_of(owner))["facts"]["time"] == "04:00"


@in_session
async def test_a_table_without_roots_jobs_has_no_computer_to_change(table: OwnersTable, owner: Owner) -> None:
    table.offered = ()
    assert (await owner.form())["setup"] is None


# Copies


@in_session
async def test_a_copy_is_handed_out_in_pieces(table: OwnersTable, owner: Owner) -> None:
    assert (await got(owner, "copy/0"))[0] == 404
    data = os.urandom(PIECE_BYTES + 7)
    (table.events.parent / COPY).write_bytes(data)
    first, rest, none = [await got(owner, f"copy/{offset}") for offset in (0, PIECE_BYTES, len(data))]
    assert (first[1] + rest[1], none) == (data, (200, b""))
    for path in ("copy/", "copy/-1", "copy/x", "copy/0/x", "copy/..%2fpage", "copy/99999999999"):
        assert (await got(owner, path))[0] == 404


@in_session
async def test_a_link_or_a_pipe_in_place_of_a_copy_is_not_read(table: OwnersTable, owner: Owner) -> None:
    copy = table.events.parent / COPY
    copy.symlink_to("/etc/hostname")
    assert (await got(owner, "copy/0"))[0] == 404
    copy.unlink()
    os.mkfifo(copy)
    assert (await got(owner, "copy/0"))[0] == 404


@in_session
async def test_a_copy_is_received_in_pieces_in_their_order(table: OwnersTable, owner: Owner) -> None:
    received = table.events.parent / RECEIVED
    data = os.urandom(2 * MAX_RECEIVED_BYTES + 5)
    assert await sent(owner, MAX_RECEIVED_BYTES, b"x") == 409  # nothing is there
    for _ in range(2):  # the second time it begins anew
        for at in range(0, len(data), MAX_RECEIVED_BYTES):
            assert await sent(owner, at, data[at : at + MAX_RECEIVED_BYTES]) == 204
        assert received.read_bytes() == data
    assert received.stat().st_mode & 0o777 == 0o600
    assert await sent(owner, 5, b"x") == 409
    assert await sent(owner, len(data) + 1, b"x") == 409
    assert received.read_bytes() == data


@in_session
async def test_a_received_copy_is_bounded_and_of_one_kind(table: OwnersTable, owner: Owner) -> None:
    assert await sent(owner, MAX_COPY_BYTES, b"x") == 413
    assert await sent(owner, MAX_COPY_BYTES - 1, b"xx") == 413
    assert await sent(owner, 0, b"") == 400
    assert await sent(owner, 0, b"x", **{"Content-Type": "text/plain"}) == 400
    assert await sent(owner, 0, bytes(MAX_RECEIVED_BYTES + 1)) == 400

    async def endless() -> Any:
        yield b"x"

    headers = {"X-CSRF-Token": owner.csrf, "Content-Type": BYTES}
    async with owner.session.post(f"{owner.address}received/0", data=endless(), headers=headers) as answer:
        assert answer.status == 400
    assert not (table.events.parent / RECEIVED).exists()


@in_session
async def test_a_received_copy_follows_no_link(table: OwnersTable, owner: Owner) -> None:
    received, other = table.events.parent / RECEIVED, table.events.parent / "other"
    other.write_bytes(b"")
    received.symlink_to(other)
    assert await sent(owner, 0, b"x") == 204
    assert (other.read_bytes(), received.is_symlink()) == (b"", False)
    received.unlink()
    other.write_bytes(b"x")
    received.symlink_to(other)
    assert await sent(owner, 1, b"y") == 409
    assert other.read_bytes() == b"x"


@in_session
async def test_a_storm_of_pieces_leaves_the_page_to_its_owner(table: OwnersTable, owner: Owner) -> None:
    await asyncio.gather(*(sent(owner, 0, os.urandom(100)) for _ in range(40)), return_exceptions=True)
    assert (table.events.parent / RECEIVED).stat().st_size == 100
    assert (await owner.form())["sections"]
