"""Pictures of moments: `PYTHONPATH=tests python -m support.pictures.document_pictures FOLDER [PICTURE ...]`.

The README's is a lit seat beside the TV in a reveal, both of one showdown of the gallery; others are of what a document
is about. `docs.screenshots` takes them.
"""

import base64
import io
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from PIL import Image
from support.pages.browser import PATIENCE_MS, a_chromium
from support.pages.owner_table import OwnersTable, served
from support.pages.phones import PHONE, TouchPlayer, a_phone, two_guests
from support.pages.public_pages import Line, StagedTable, a_screen, state
from support.pictures.room_pictures import photograph
from support.proofs.proven_matches import ProvenMatch

from bench.tools.broker import free_port
from docs.gallery import NAMES
from docs.screens import display
from docs.screenshots import screen_beside_tv
from engine import PERUDO
from firmware_host.clients.web.addresses import qr_file
from firmware_host.public import recap
from firmware_host.store.scores.record_verdict import told
from firmware_host.table.cues import CueKind, reveal_cues
from firmware_host.table.public_state import Seating
from firmware_host.wire import PublicShowdown

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TV, ROOM = (1280, 720), (1440, 810)
ADDRESS = "http://192.168.1.5:8650/"
"""The address in the pictures' code for phones."""
SEATS = 4
SETTLE_MS = 1500
CHECK_HEIGHT = 1125
OWNER_HEIGHT = 844
GAP = 28
GROUND = "#161310"
STEPS = 400

SCENERY = Path(__file__).with_name("room.html")
"""The room: a TV behind the table, and a seat's box in front of it."""


def reveal(browser: "Browser", folder: Path) -> None:
    """Stage a seat and the TV in the same reveal, as the doubted bid turns out too high."""
    exhibit = screen_beside_tv()
    shown = exhibit.view.position.showdown
    assert shown is not None
    told_here = Seating(range(SEATS), SEATS).showdown(shown)
    with _a_tv(browser) as (page, table):
        _show_end(page, table, told_here, exhibit.view.position.order, folder / "tv.png")
    screen = io.BytesIO()
    display(exhibit.picture()).save(screen, "PNG")
    parts = {"TV": _inline((folder / "tv.png").read_bytes()), "SCREEN": _inline(screen.getvalue())}
    room = browser.new_page(viewport={"width": ROOM[0], "height": ROOM[1]})
    room.set_content(re.sub('(TV|SCREEN)(?=")', lambda found: parts[found[1]], SCENERY.read_text("utf-8")))
    room.wait_for_function("() => [...document.images].every((each) => each.complete)")
    room.screenshot(path=folder / "reveal.png")
    room.close()


def bidding(browser: "Browser", folder: Path) -> None:
    """Stage a bid on the TV, and on a phone beside it."""
    bid = {"quantity": 7, "face": 5, "seat": 0}
    line = state("bidding", SEATS, names=NAMES, standing=bid, turn=1, waiting_for=[1])
    pictures = [folder / "bidding-tv.png", folder / "bidding-phone.png"]
    for size, file in zip((TV, PHONE), pictures, strict=True):
        with _a_tv(browser, size, is_phone=size is PHONE) as (page, table):
            photograph(page, table, [line], SETTLE_MS, file)
    _beside(pictures, folder / "bidding.png", TV[1])


def party(browser: "Browser", folder: Path) -> None:
    """Play with two guests until the first has a bid to answer: their phones."""
    with two_guests(browser) as (_, _, first, second):
        players = TouchPlayer(first), TouchPlayer(second)
        for _ in range(STEPS):
            if " · Your turn" in players[0].heard:
                break
            for player in players:
                player.step()
            first.wait_for_timeout(SETTLE_MS // 10)
        first.wait_for_timeout(SETTLE_MS)
        files = [folder / "first.png", folder / "second.png"]
        for phone, file in zip((first, second), files, strict=True):
            phone.screenshot(path=file)
    _beside(files, folder / "party.png", PHONE[1])


def check(browser: "Browser", folder: Path) -> None:
    """Check the dice of a match on a phone, with the letters of its last round noted."""
    match = ProvenMatch(PERUDO, 5, seats=2, accidents=False)
    record = match.record  # fills its heads
    over = state("over", 2, winner=1, standings=[1, 0], match=match.id, head=match.heads[-1])
    with tempfile.TemporaryDirectory() as near:
        table = StagedTable(Path(near) / "events.sock")
        table.record = {"type": "record", "match": match.id, "text": record}
        table.verdict = {"type": "verdict", "match": match.id, "text": told(record)}
        table.send(over)
        with a_screen(table.path) as screen, a_phone(browser) as page:
            page.goto(screen.address)
            page.wait_for_selector("#check:not([hidden])", state="attached")
            page.goto(f"{screen.address}{page.get_attribute('#check', 'href')}")
            page.wait_for_selector("#verdict:not([data-kind=working])")
            page.wait_for_selector("#word:not([data-kind=working])")
            page.fill("#noted", match.heads[-2][:11])
            page.click("#letters button")
            page.wait_for_selector("#found:not(:empty)")
            page.screenshot(path=folder / "whole.png", full_page=True)
        table.close()
    _beside([folder / "whole.png"], folder / "check.png", CHECK_HEIGHT)


def closing(browser: "Browser", folder: Path) -> None:
    """Stage the recap of an evening on the TV."""
    lima, cusco, puno, ica = NAMES[:4]
    winners = tuple(recap.Winner(name, won, 9) for name, won in ((puno, 4), (lima, 3), (ica, 2)))
    bluff, caller = recap.BluffOfTheNight(cusco, 9, 5, 4), recap.Praised(lima, 71)
    streak, slayer = recap.Praised(puno, 3), recap.Praised(ica, 2)
    with _a_tv(browser) as (page, table):
        recap.write(
            recap.Recap(time.time() + 600, 9, 148, winners, bluff, caller, streak, slayer, longest=27), table.path
        )
        page.wait_for_selector("#stage[data-scene=recap]")
        page.clock.run_for(SETTLE_MS)
        page.screenshot(path=folder / "closing.png")


def owner(browser: "Browser", folder: Path) -> None:
    """Stage the owner's page on a laptop, and on a phone beside it."""
    files = [folder / "owner-laptop.png", folder / "owner-phone.png"]
    with tempfile.TemporaryDirectory() as near:
        table = OwnersTable(Path(near))
        with served(table) as address:
            for (width, height), file in zip(((1180, 844), (390, 844)), files, strict=True):
                page = browser.new_page(viewport={"width": width, "height": height}, locale="en", device_scale_factor=2)
                page.set_default_timeout(PATIENCE_MS)
                page.goto(address)
                page.fill("#code", table.code)
                page.keyboard.press("Enter")
                page.wait_for_selector("[data-section=play]")
                page.evaluate("document.activeElement.blur()")
                page.screenshot(path=file)
                page.close()
    _beside(files, folder / "owner.png", OWNER_HEIGHT)


@contextmanager
def _a_tv(
    browser: "Browser", size: tuple[int, int] = TV, *, is_phone: bool = False
) -> Iterator[tuple["Page", StagedTable]]:
    """Give the public page at an empty table, with a code for phones and a clock that the caller moves."""
    with tempfile.TemporaryDirectory() as near:
        table = StagedTable(Path(near) / "events.sock")
        table.send(state("lobby", SEATS, players=[]))
        port = free_port()
        with a_screen(table.path, "--listen", f"0.0.0.0:{port}"):
            viewport = {"width": size[0], "height": size[1]}
            context = browser.new_context(viewport=viewport, has_touch=is_phone, is_mobile=is_phone, locale="en-GB")  # type: ignore[arg-type]
            page = context.new_page()
            page.set_default_timeout(PATIENCE_MS)
            page.route("**/qr.svg*", lambda each: each.fulfill(body=qr_file(ADDRESS), content_type="image/svg+xml"))
            page.clock.install()
            page.goto(f"http://127.0.0.1:{port}/?language=en")
            page.wait_for_selector("#stage[data-scene=attract]")
            yield page, table
            context.close()
        table.close()


def _show_end(page: "Page", table: StagedTable, shown: PublicShowdown, order: Sequence[int], file: Path) -> None:
    """Photograph the page when the one who pays has been named, and the die has not fallen."""
    at = {cue.kind: cue.at_ms for cue in reveal_cues(shown, shown, order)}
    fields: Line = msgspec.to_builtins(shown)
    dice = [len(hand) for hand in shown.hands]
    after = [held - (seat == shown.loser) for seat, held in enumerate(dice)]
    more = {"names": NAMES, "order": [*order]}
    bid = {"quantity": shown.quantity, "face": shown.face, "seat": shown.doubted}
    called = {"call": shown.call, "seat": shown.caller}
    lines = [
        state("called", SEATS, dice=dice, standing=bid, called=called, **more),
        {"type": "revealed", "showdown": fields, "dice": after, "sentences": []},
        state("reveal", SEATS, dice=after, showdown=fields, waiting_for=[*range(SEATS)], **more),
    ]
    photograph(page, table, lines, at[CueKind.PAYS] + 350, file)


def _beside(files: Sequence[Path], file: Path, height: int) -> None:
    """Put pictures beside each other, all as high."""
    pictures = []
    for each in files:
        with Image.open(each) as picture:
            width = round(picture.width * height / picture.height)
            pictures.append(picture.convert("RGB").resize((width, height), Image.Resampling.LANCZOS))
    size = sum(picture.width for picture in pictures) + GAP * (len(pictures) + 1), height + 2 * GAP
    whole, x = Image.new("RGB", size, GROUND), GAP
    for picture in pictures:
        whole.paste(picture, (x, GAP))
        x += picture.width + GAP
    whole.save(file)


def _inline(picture: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(picture).decode()}"


MOMENTS: Mapping[str, Callable[["Browser", Path], None]] = {
    "reveal": reveal,
    "bidding": bidding,
    "party": party,
    "check": check,
    "closing": closing,
    "owner": owner,
}


def main(folder: Path, names: Sequence[str] = ()) -> None:
    """Write the named pictures into a folder, or all."""
    folder.mkdir(parents=True, exist_ok=True)
    with a_chromium() as browser:
        for name in names or MOMENTS:
            MOMENTS[name](browser, folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
