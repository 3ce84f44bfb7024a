"""The owner's page over HTTP: the code of the display is good for one login, and nothing is read without."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest
from support.pages.owner_table import OWN_RELEASE, Owner, OwnersTable, link_facts, owners_page, state
from support.pages.owner_visits import in_session, visited
from support.venue.page import a_browser

from firmware_host.clients.owner.computer import ComputerFacts
from firmware_host.clients.owner.form import shown
from firmware_host.clients.owner.server import COOKIE
from firmware_host.clients.web.limits import OWNER
from firmware_host.clients.web.login import HEADER, TRIES
from firmware_host.commands.doctor import to_result
from firmware_host.daemon.service.jobs import MAX_LINES, JobResult
from firmware_host.daemon.staff import read_fact
from firmware_host.doctor.findings import note, right, wrong
from firmware_host.i18n import phrases
from firmware_host.i18n.catalogues import LANGUAGES, translation_for
from firmware_host.i18n.words import Words
from firmware_host.public import owner_page
from firmware_host.table.staff.actions import StaffCommand, StaffRefusal
from firmware_host.table.staff.items import StaffItem, StaffKind, StaffSection, staff_items
from firmware_host.table.staff.machine import Job, JobOutcome
from firmware_host.table.staff.requests import StaffForm
from firmware_host.wire import PublicSeat
from hardware.link.messages import FITTINGS

HOSTILE = '<img src=x onerror="document.title=1">'


def items_of(page: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the items by name."""
    return {item["item"]: item for section in page["sections"] for item in section["items"]}


VOLUME = {"ask": "change", "setting": "volume", "value": 30}


# The code


@visited
async def test_without_the_code_nothing_is_read_and_nothing_done(table: OwnersTable, owner: Owner) -> None:
    assert await owner.form() == {"status": 403}
    assert (await owner.post("staff", {"request": VOLUME}))[0] == 403
    assert await owner.log_in("0000 0000" if table.code != "0000 0000" else "0000 0001") == 403
    assert table.asked == []


@visited
async def test_the_code_of_the_display_is_good_for_one_login(table: OwnersTable, owner: Owner) -> None:
    shown_there = read_fact(StaffItem.OWNER_PAGE, table.fact_context)
    address, code = shown_there.splitlines()
    assert owner.address == f"http://{address}/"
    assert await owner.log_in(code.replace(" ", "")) == 204
    async with a_browser() as session:
        other = Owner(session, owner.address)
        assert await other.log_in(code) == 403
        assert await other.log_in(table.code) == 204
    assert items_of(await owner.form())


@visited
async def test_guessing_codes_is_limited(table: OwnersTable, owner: Owner) -> None:
    assert [await owner.log_in("1") for _ in range(TRIES + 2)] == [403] * TRIES + [429] * 2
    assert await owner.log_in(table.code) == 429


@visited
async def test_a_strange_code_is_only_wrong(table: OwnersTable, owner: Owner) -> None:
    for tried in ("", "é" * 1000, "٤" * 8):
        assert await owner.log_in(tried) == 403
    assert await owner.log_in("\ud800") == 400
    assert (await owner.post("owner/login", {"password": 12345678}))[0] == 400


@in_session
async def test_after_logging_out_the_session_is_over(table: OwnersTable, owner: Owner) -> None:
    assert (await owner.post("owner/logout", {}))[0] == 204
    assert await owner.form() == {"status": 403}


@in_session
async def test_a_cookie_alone_does_nothing_and_no_script_or_other_page_gets_it(
    table: OwnersTable, owner: Owner
) -> None:
    (cookie,) = owner.session.cookie_jar
    assert (cookie.key, cookie["httponly"], cookie["samesite"], cookie["path"]) == (COOKIE, True, "Strict", "/")
    body = {"request": VOLUME}
    for headers in (
        {HEADER: ""},
        {HEADER: "é" * 43},
        {"Origin": "http://elsewhere.example"},
        {"Host": "elsewhere.example"},
        {"Sec-Fetch-Site": "cross-site"},
    ):
        assert (await owner.post("staff", body, **headers))[0] == 403
    plain = {"X-CSRF-Token": owner.csrf, "Content-Type": "text/plain"}
    async with owner.session.post(f"{owner.address}staff", data=json.dumps(body), headers=plain) as answer:
        assert answer.status == 400
    assert table.settings.volume is None


def test_a_display_shows_no_code_of_a_page_that_is_not_served(tmp_path: Path) -> None:
    async def run() -> None:
        table = OwnersTable(tmp_path)
        async with owners_page(table):
            pass
        assert read_fact(StaffItem.OWNER_PAGE, table.fact_context) == "–"

    asyncio.run(run())


def test_a_hostile_file_of_the_page_costs_only_the_fact(tmp_path: Path) -> None:
    table = OwnersTable(tmp_path)
    file = owner_page.path_of(table.events)
    for text in ("", "x" * 1000, "192.168.1.5:8670\n1234 5678\nmore", "\x1b[2J:1\n1234 5678\n"):
        file.write_text(text)
        assert read_fact(StaffItem.OWNER_PAGE, table.fact_context) == "–"
    file.unlink()
    file.symlink_to("/etc/hostname")
    assert read_fact(StaffItem.OWNER_PAGE, table.fact_context) == "?"
    file.unlink()
    os.mkfifo(file)
    assert read_fact(StaffItem.OWNER_PAGE, table.fact_context) == "–"


# The form


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_staff_item_but_tests_is_on_the_page_in_every_language(language: str, tmp_path: Path) -> None:
    async def run() -> StaffForm:
        table = OwnersTable(tmp_path)
        return await table._requests._form(state("bidding"))

    words = Words(translation_for(language))
    page = shown(asyncio.run(run()), ComputerFacts("", False, "04:00", "04:00"), words)
    found = {item.item for section in page.sections for item in section.items}
    kinds = (StaffKind.SETTING, StaffKind.FACT, StaffKind.JOB, StaffKind.FIGURE)
    assert {*found} >= {item for kind in kinds for item in staff_items(kind)} - {StaffItem.OWNER_PAGE}
    assert {*found} & {*staff_items(StaffKind.TEST), StaffItem.BACK, StaffItem.OWNER_PAGE} == set()
    assert [section.name for section in page.sections] == [each for each in StaffSection if each != StaffSection.TEST]


@in_session
async def test_each_setting_has_a_choice_of_labelled_values_with_the_present_one(
    table: OwnersTable, owner: Owner
) -> None:
    settings = [item for item in items_of(await owner.form("es")).values() if item["kind"] == "setting"]
    assert {item["item"] for item in settings} == {*staff_items(StaffKind.SETTING)}
    for item in settings:
        values, labels = zip(*item["choices"], strict=True)
        assert item["value"] in values
        assert len({*labels}) == len(labels) > 1
    assert dict(map(tuple, items_of(await owner.form("es"))["turn_clock_s"]["choices"]))["layout"] == "como en la mesa"


@in_session
async def test_actions_are_those_of_the_moment(table: OwnersTable, owner: Owner) -> None:
    async def actions() -> set[str]:
        return {name for name, item in items_of(await fresh(owner)).items() if item["kind"] == "action"}

    assert await actions() == {"reopen", "robot"}
    table.public_state = state("bidding")
    assert await actions() == {"pause", "undo", "hand-over", "remove", "end-match"}
    assert await owner.ask(ask="act", what="pause") == (True, "Done")
    assert await actions() == {"resume", "undo", "hand-over", "remove", "end-match"}
    assert items_of(await fresh(owner))["remove"]["seats"] == ["North", "East", "South"]


async def fresh(owner: Owner, language: str = "en") -> dict[str, Any]:
    """Return the content, not one that was just read: a change makes the page read again."""
    await owner.ask(ask="change", setting="volume", value=100)
    return await owner.form(language)


@in_session
async def test_findings_are_alerts_and_missing_devices(table: OwnersTable, owner: Owner) -> None:
    assert (await owner.form())["findings"] == []
    seats = (PublicSeat(HOSTILE, "red", False, 0, missing=("cup", "novel"), place=HOSTILE),)
    table.public_state = state(seats=seats, troubles=("disk-full", "novel"))
    found = (await fresh(owner))["findings"]
    assert [(each["text"], each["heading"]) for each in found] == [
        ("Disk full: don’t cut the power", "disk-full-dont-cut-the-power"),
        (f"{HOSTILE}: the cup does not answer", "your-cup-does-not-answer-no-cup"),
    ]


@in_session
async def test_however_many_pages_read_the_table_is_asked_twice_a_second_at_most(
    table: OwnersTable, owner: Owner
) -> None:
    await asyncio.gather(*(owner.form() for _ in range(20)))
    assert table.readings <= 2


@in_session
async def test_a_form_shows_neither_the_next_code_nor_a_die(table: OwnersTable, owner: Owner) -> None:
    text = json.dumps(await owner.form())
    assert table.code not in text
    assert "hands" not in text


# Changes


@in_session
async def test_a_setting_is_changed_as_by_the_command_and_given_back(table: OwnersTable, owner: Owner) -> None:
    assert await owner.ask(**VOLUME) == (True, "Done")
    assert table.settings.volume == 30
    table.waits = True
    assert await owner.ask("fr", ask="change", setting="rules", value="pyrudo") == (True, "Dès la prochaine partie")
    assert items_of(await owner.form())["rules"]["value"] == "pyrudo"
    await owner.ask(ask="change", setting="rules", value="layout")
    assert table.settings.rules is None


@in_session
async def test_a_number_of_the_command_line_is_among_the_choices(table: OwnersTable, owner: Owner) -> None:
    await owner.ask(ask="change", setting="volume", value=37)
    await owner.ask(ask="change", setting="guests_volume_max", value=55)
    items = items_of(await owner.form())
    assert [37, "37 %"] in items["volume"]["choices"]
    assert items["guests_volume_max"]["choices"][0] == ["layout", "not allowed"]
    assert items["guests_volume_max"]["value"] == 55


@pytest.mark.parametrize(
    "request_",
    [
        None,
        [],
        {"ask": "status"},
        {"ask": "form"},
        {"ask": "boards", "update": True},
        {"ask": "change", "setting": "x" * 65, "value": 1},
        {"ask": "change", "setting": "volume", "value": 10**12},
        {"ask": "change", "setting": "volume", "value": 1, "dice": 1},
        {"ask": "change", "setting": "volume", "value": [1]},
        {"ask": "act", "what": "explode"},
        {"ask": "act", "what": "remove", "seat": "x" * 65},
        {"ask": "job", "job": "format"},
        {"ask": "reset", "figure": "hope"},
        {"ask": "seats"},
        {"ask": "set-up"},
        {"ask": "set-up", "change": {"do": "format"}},
        {"ask": "set-up", "change": {"do": "time-zone", "zone": "../../etc/shadow"}},
        {"ask": "set-up", "change": {"do": "time-zone", "zone": "Europe/Berlin\nx"}},
        {"ask": "set-up", "change": {"do": "closing", "time": "25:00"}},
        {"ask": "set-up", "change": {"do": "closing", "time": "04:00\nOnCalendar=*:*"}},
        {"ask": "set-up", "change": {"do": "network", "name": "", "password": "x" * 8}},
        {"ask": "set-up", "change": {"do": "network", "name": "bar", "password": "short"}},
        {"ask": "set-up", "change": {"do": "network", "name": "bar", "password": "two\nlines of it"}},
        {"ask": "set-up", "change": {"do": "restore", "layouts": "yes"}},
        {"ask": "set-up", "change": {"do": "seats", "seats": [{"name": "x", "color": "red"}] * 9}},
        {"ask": "set-up", "change": {"do": "seats", "seats": []}},
        {"ask": "set-up", "change": {"do": "seats", "seats": [{"name": "x", "color": "red", "phone": True}]}},
    ],
)
def test_nonsense_never_reaches_the_table(request_: object, tmp_path: Path) -> None:
    @in_session
    async def run(table: OwnersTable, owner: Owner) -> None:
        assert (await owner.post("staff", {"request": request_}))[0] == 400
        assert table.asked == []

    run(tmp_path)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"setting": "dice", "value": 1}, "is not a setting"),
        ({"setting": "volume", "value": 1000}, "use 0 to 100"),
        ({"setting": "language", "value": HOSTILE}, "is not a language"),
        ({"setting": "rules", "value": "../../etc/passwd"}, "is not a shipped rule set"),
    ],
)
def test_the_tables_own_checks_refuse_a_value(change: dict[str, object], why: str, tmp_path: Path) -> None:
    @in_session
    async def run(table: OwnersTable, owner: Owner) -> None:
        done, text = await owner.ask(ask="change", **change)
        assert not done
        assert why in text
        assert table.settings.changed() == {}

    run(tmp_path)


@in_session
async def test_a_refusal_is_in_the_language_of_the_page(table: OwnersTable, owner: Owner) -> None:
    table.refusal = StaffRefusal.NO_MATCH
    assert await owner.ask("es", ask="act", what="undo") == (False, "No hay ninguna partida")
    assert await owner.ask("en", ask="act", what="remove", seat="north") == (False, "No match is being played")
    assert table.acts == [(StaffCommand.UNDO, None), (StaffCommand.REMOVE, 0)]


@in_session
async def test_a_job_says_that_it_is_at_work_and_then_what_came_of_it(table: OwnersTable, owner: Owner) -> None:
    assert await owner.ask(ask="job", job="update") == (True, "Looking for a newer version")
    assert items_of(await owner.form())["update"] | {"is_at_work": True} == items_of(await owner.form())["update"]
    table.result = JobResult(JobOutcome.UPDATED, version="1.2.0")
    await table.begin(Job.UPDATE)
    assert items_of(await fresh(owner))["update"]["note"] == "Updated to 1.2.0"
    table.result = JobResult(JobOutcome.NO_STICK)
    assert await owner.ask(ask="job", job="export") == (False, "No stick DUDO-BACKUP is plugged in")


@in_session
async def test_the_doctors_findings_are_shown_with_their_remedies(table: OwnersTable, owner: Owner) -> None:
    fault = wrong("South's cup CUP0001 is not plugged in", "plug in its USB cable")
    table.result = to_result([right("the journal is intact"), note("the clock is behind"), fault])
    await owner.ask(ask="job", job="doctor")
    found = items_of(await owner.form("fr"))["doctor"]
    assert found["note"] == "Quelque chose demande attention"
    assert found["lines"] == [
        "South's cup CUP0001 is not plugged in → plug in its USB cable",
        "the clock is behind",
    ]
    assert to_result([right("x")]).outcome is JobOutcome.WELL
    many = to_result([fault] * 30).lines
    assert (len(many), many[-1]) == (MAX_LINES, "11 more; sudo dudo-table doctor prints them")


@in_session
async def test_a_figure_is_set_back(table: OwnersTable, owner: Owner) -> None:
    items = items_of(await owner.form())
    assert (items["hours"]["value"], items["matches"]["note"]) == ("1204 h", "since 2026-03-01")
    await owner.ask(ask="reset", figure="calls")
    assert items_of(await owner.form())["calls"]["value"] == "0"


# A table that is away, and storms


def test_the_page_waits_for_a_table_that_is_away(tmp_path: Path) -> None:
    async def run() -> None:
        table = OwnersTable(tmp_path)
        async with owners_page(table) as address, a_browser() as session:
            owner = Owner(session, address)
            await owner.log_in(table.code)
            socket_file = tmp_path / "staff.sock"
            socket_file.rename(tmp_path / "away")
            assert await owner.form() == {"status": 503}
            assert (await owner.post("staff", {"request": VOLUME}))[0] == 503
            (tmp_path / "away").rename(socket_file)
            assert items_of(await owner.form())

    asyncio.run(run())


@pytest.mark.parametrize("said", [b"", b"nonsense\n", b'{"done":true,"lines":["{}"]}\n', b"[" * 70_000])
def test_a_socket_of_something_else_is_as_good_as_none(said: bytes, tmp_path: Path) -> None:
    async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(said)
        writer.close()

    async def run() -> None:
        table = OwnersTable(tmp_path)
        async with owners_page(table) as address, a_browser() as session:
            owner = Owner(session, address)
            await owner.log_in(table.code)
            (tmp_path / "staff.sock").unlink()
            async with await asyncio.start_unix_server(serve, tmp_path / "staff.sock"):
                assert await owner.form() == {"status": 503}

    asyncio.run(run())


@in_session
async def test_idle_connections_do_not_keep_the_owner_out(table: OwnersTable, owner: Owner) -> None:
    host, port = owner.address.removeprefix("http://").rstrip("/").split(":")
    idle = [await asyncio.open_connection(host, int(port)) for _ in range(OWNER.connections + 8)]
    try:
        assert items_of(await owner.form())
    finally:
        for _, writer in idle:
            writer.close()


# Boards


@in_session
async def test_each_board_is_listed_with_what_is_wrong_with_it(table: OwnersTable, owner: Owner) -> None:
    lost = "its cable was pulled out"
    table.boards = (
        link_facts(0),
        link_facts(1, is_up=False, running=None, fitted=None, last_loss=lost),
        link_facts(2, running=None, has_no_release=True),
        link_facts(3, is_installing=True),
    )
    first, *others = (await fresh(owner, "es"))["boards"]
    assert first == {
        "seat": table.reading.layout.seats[0].name,
        "kind": "placa",
        "name": "E6614103E7450000",
        "release": OWN_RELEASE.hex(),
        "parts": ["un cubilete", "botones", "un botón DUDO", "una pantalla", "una entrada para la llave"],
        "is_right": True,
        "remark": "",
        "last_loss": "",
    }
    assert [board["remark"] for board in others][::2] == ["no está", "se está actualizando"]
    assert others[0]["last_loss"] == lost
    assert "clip" in others[1]["remark"]


def test_every_part_of_a_board_has_words() -> None:
    assert {words for _, words in FITTINGS} == {*phrases.BOARD_PARTS}


# House rules


async def asked(owner: Owner, language: str = "en", **request: object) -> tuple[int, Any]:
    """Return the questions behind a rule set."""
    return await owner.post(f"rules?language={language}", {"request": {"ask": "rules", **request}})


@in_session
async def test_house_rules_are_asked_kept_and_put_into_effect(table: OwnersTable, owner: Owner) -> None:
    status, form = await asked(owner, "es")
    assert (status, form["name"], form["based_on"]) == (200, "perudo", "perudo")
    first = form["questions"][0]
    assert (first["section"], first["value"]) == ("Puestos y dados", "fixed")
    assert first["answers"][0][1].startswith("Todos conservan su puesto")
    answers = {question["key"]: question["value"] for question in form["questions"]} | {"wild_aces": False}
    _, without = await asked(owner, based_on="perudo", answers=answers)
    assert "to_aces" not in {question["key"] for question in without["questions"]}
    keep = {"ask": "write-rules", "name": "grandmother", "based_on": "perudo", "answers": answers}
    assert await owner.ask(**keep) == (True, "Done")
    assert table.reading.house is not None
    assert (table.reading.house.name, table.reading.house.wild_aces) == ("grandmother", False)
    assert table.settings.rules == "house"
    assert items_of(await owner.form())["rules"]["value"] == "house"
    assert (await asked(owner))[1]["name"] == "grandmother"


@in_session
async def test_contradictory_house_rules_are_not_kept(table: OwnersTable, owner: Owner) -> None:
    answers = {"calza": True, "calza.right": "nobody-loses", "calza.opener_if_right": "loser"}
    keep = {"ask": "write-rules", "name": "ours", "based_on": "perudo", "answers": answers}
    done, text = await owner.ask(**keep)
    assert not done
    assert "calza.opener_if_right" in text
    assert not (await owner.ask(**keep | {"name": "pyrudo"}))[0]
    assert not (await owner.ask(**keep | {"based_on": HOSTILE}))[0]
    assert not (await owner.ask(**keep | {"name": "a\nb", "answers": {}}))[0]
    assert table.reading.house is None


@visited
async def test_house_rules_are_asked_of_nobody_without_the_code(table: OwnersTable, owner: Owner) -> None:
    assert (await asked(owner))[0] == 403
    assert table.asked == []


@in_session
async def test_hostile_answers_are_refused(table: OwnersTable, owner: Owner) -> None:
    assert (await asked(owner, based_on="perudo", answers={"dice": 1}))[0] == 422
    assert (await asked(owner, based_on="x" * 65))[0] == 400
    assert (await asked(owner, answers={str(key): 1 for key in range(65)}))[0] == 400
    assert not (await owner.ask(ask="change", setting="rules", value="house"))[0]
