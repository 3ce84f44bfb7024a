"""`dudo-table play --as-installed` as a process: an owner's page at a table with settings, in a folder of its own."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest
from support.host.play_process import line, playing
from support.pages.owner_table import Owner
from support.pages.page_clients import Browser
from support.venue.page import a_browser

from firmware_host import cli
from firmware_host.play.as_installed import first_seats
from firmware_host.public.owner_page import COPY
from firmware_host.util import closing_timer, voice_options
from hardware.config.layout import builtin, load, parse, shipped_file

CODE = r"Owner’s page +(http://127\.0\.0\.1:[0-9]+/) with the code ([0-9 ]{9})$"
PATIENCE_S = 60
TABLE = Path("etc/dudo-table/table.toml")


async def until(is_so: Callable[[], Awaitable[object]]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not await is_so():
            await asyncio.sleep(0.1)


async def made(owner: Owner, **change: object) -> str:
    """Have the stand-in for root make a change; return its outcome."""
    found = ""

    async def is_made() -> bool:
        nonlocal found
        form = await owner.form()
        found = form["setup"]["outcome"] if "setup" in form else "begun"  # the table restarts
        return found != "begun"

    async def is_begun() -> bool:
        return (await owner.ask(ask="set-up", change=change))[0]  # two follow each other after some seconds

    await until(is_begun)
    await until(is_made)
    return found


def named_bar(seats: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return listed seats as entries, with another name for the red one."""
    return [
        {
            "was": seat["name"],
            "name": seat["name"].replace("Red", "Bar"),
            "color": seat["color"],
            "board": seat["board"],
        }
        for seat in seats
    ]


@pytest.mark.slow
def test_an_owner_rehearses_an_installed_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def care(seats_page: str, address: str, code: str, events: str) -> None:
        async with a_browser() as session:
            live = partial(session.ws_connect, f"{seats_page}live")
            before = Browser(await live())
            owner = Owner(session, address)
            assert await owner.log_in(code) == 204
            await until(lambda: is_up(owner))
            form = await owner.form()
            items = {item["item"] for section in form["sections"] for item in section["items"]}
            assert {"names_days", "volume", "matches", "update", "export", "power-off", "doctor"} <= items
            assert (await owner.ask(ask="change", setting="names_days", value=30))[0]
            seats: list[dict[str, str]] = []
            listed = ""

            async def are_read() -> bool:  # not between two sessions
                nonlocal listed
                async with session.get(f"{address}seats", headers={"X-CSRF-Token": owner.csrf}) as answer:
                    if answer.status == 200:
                        form = await answer.json()
                        seats[:], listed = form["seats"], form["layout_hash"]
                    return answer.status == 200

            await until(are_read)
            file = tmp_path / TABLE
            file.write_text(f"{file.read_text('utf-8')}# by hand\n", "utf-8")
            assert await made(owner, do="seats", seats=named_bar(seats), layout_hash=listed) == "not-set"
            assert file.read_text("utf-8").endswith("# by hand\n")
            before_it = listed

            async def is_read_again() -> bool:
                return await are_read() and listed != before_it

            await until(is_read_again)
            assert await made(owner, do="seats", seats=named_bar(seats), layout_hash=listed) == "set"
            await before.closed()
            after = Browser(await live())
            await after.until(lambda page: {"table", "chairs"} <= page.latest.keys(), PATIENCE_S)
            assert [seat["name"] for seat in after.latest["table"]["seats"]] == ["Bar", "Orange", "Yellow"]
            await after.tap("ok")
            await after.until(lambda page: page.happened, PATIENCE_S)
            assert after.happened == ["Bar sits down."]
            await after.go()
            assert await made(owner, do="closing", time="02:00") == "set"
            assert await made(owner, do="voice", on=True, language="es") == "set"
            assert await made(owner, do="time-zone", zone="Europe/Madrid") == "set"
            assert await made(owner, do="copy") == "copied"
            async with session.get(f"{address}copy/0", headers={"X-CSRF-Token": owner.csrf}) as answer:
                copy = await answer.read()
            assert (await owner.ask(ask="change", setting="names_days", value=7))[0]
            sent = {"X-CSRF-Token": owner.csrf, "Content-Type": "application/octet-stream"}
            async with session.post(f"{address}received/0", data=copy, headers=sent) as answer:
                assert answer.status == 204
            assert await made(owner, do="restore") == "restored"
            await until(lambda: is_up(owner))
            settings = {item["item"]: item for each in (await owner.form())["sections"] for item in each["items"]}
            assert settings["names_days"]["value"] == 30
            assert await asyncio.to_thread(cli.main, ["staff", "--events", events, "status"]) == 0
            assert await asyncio.to_thread(cli.main, ["staff", "--events", events, "doctor"]) == 0

            async def powers_off() -> bool:  # not while the doctor is at work
                return (await owner.ask(ask="job", job="power-off"))[0]

            await until(powers_off)

    with playing("--as-installed", "--no-browser", "--seats", "3", "--state", str(tmp_path)) as process:
        seats_page = line(process, r"Seats +(http://\S+)$")[1]
        events = line(process, r"staff --events (\S+) status$")[1]
        found = line(process, CODE)
        asyncio.run(care(seats_page, found[1], found[2], events))
        assert process.wait(PATIENCE_S) == 0
        assert process.stdout is not None
        rest = process.stdout.read()
    assert "Rehearsed: systemctl poweroff\n" in rest
    assert "\nBar sits down.\n" in rest
    assert re.search(r"^Rehearsed: systemctl enable dudo-table-closing\.timer$", rest, re.MULTILINE)
    printed = capsys.readouterr().out
    assert "Lobby" in printed
    assert "rehearsed: layout, boards and cups were checked, and nothing of the computer\n" in printed
    assert [seat.name for seat in load(tmp_path / TABLE).seats] == ["Bar", "Orange", "Yellow"]
    assert (tmp_path / "etc/localtime").readlink() == Path("/usr/share/zoneinfo/Europe/Madrid")
    assert (tmp_path / closing_timer.ENABLED).is_symlink()
    assert (tmp_path / voice_options.ENABLED).is_symlink()
    assert (tmp_path / voice_options.FILE).read_text("utf-8") == 'VOICE_OPTIONS="--language es"\n'
    assert not [*tmp_path.rglob(COPY)]  # the page's folder went with the process


async def is_up(owner: Owner) -> bool:
    return "setup" in await owner.form()


@pytest.mark.parametrize("flag", ["--rules=pyrudo", "--humans=2", "--seed=7", "--level=easy", "--fresh"])
def test_flags_of_a_table_without_settings_are_refused(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["play", "--as-installed", flag]) == 2
    assert f"--as-installed has settings in place of {flag.partition('=')[0]}" in capsys.readouterr().err


def test_seats_after_the_first_are_for_phones_where_these_may_come_in() -> None:
    text = shipped_file("boards-8").read_text("utf-8")
    laid = parse(first_seats(text, "boards-8", 3, phones=True), "boards-8")
    assert [(seat.name, seat.phone) for seat in laid.seats] == [
        ("Red", None),
        ("Orange", "phone/2"),
        ("Yellow", "phone/3"),
    ]
    assert laid.service_key == "board"


@pytest.mark.parametrize("name", builtin())
def test_the_first_seats_of_each_shipped_layout_are_a_table_with_a_staff_menu(name: str) -> None:
    text = shipped_file(name).read_text("utf-8")
    layout = parse(first_seats(text, name, 2), name)
    assert (len(layout.seats), layout.service_hold or layout.service_key is not None) == (2, True)
