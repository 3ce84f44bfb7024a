"""`dudo-table play --as-installed`: the installed table on emulated hardware, with its owner's page, in a folder.

`Rehearsal` stands for the computer; this module joins it to emulated boards, their page, and the pages of processes.
"""

import asyncio
import secrets
import shlex
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from pathlib import Path

from engine import Rules
from firmware_host.clients.owner.server import OwnerPageServer
from firmware_host.clients.web.access import bind
from firmware_host.clients.web.site import SITE, Site
from firmware_host.configuration import layout_edit, lookup
from firmware_host.configuration.configuration import Configuration
from firmware_host.errors import UserError
from firmware_host.play.chairs import Chair, Chairs
from firmware_host.play.page_processes import phones_process, screen_process
from firmware_host.play.rehearsal import Rehearsal, Say
from firmware_host.play.workbench.browser import can_open_page, open_page
from firmware_host.play.workbench.server import WorkbenchServer
from firmware_host.public.narration import Narrator
from firmware_host.table.events import PublicEvent
from firmware_host.table.staff.setup import SeatEntry
from firmware_host.util import state_dir
from firmware_host.util.system_error import reason_of
from hardware.boards.pico_bundle import release
from hardware.config import toml_file
from hardware.config.layout import Layout, LayoutError, builtin, shipped_file
from hardware.emulated.flash import program
from hardware.emulated.table import EmulatedTable

FOLDER = "rehearsal"
"""The folder within the user's state directory."""
OWNER_PORT = 8670
ROOT = Path(__file__).parents[2]
"""The clone."""


def own_command() -> str:
    """Return the command line of this program as a shell finds it: a clone's is not among the commands."""
    called, found = sys.argv[0], shutil.which("dudo-table")
    if found is not None and Path(found).resolve() == Path(called).resolve():
        return "dudo-table"
    if Path(called).name == "dudo-table":
        return shlex.quote(called)
    return f"{shlex.quote(sys.executable)} -m firmware_host.cli"


def documents() -> Path:
    """Return the folder of the documents: the clone's, if `make site` has made them, else the package's."""
    built = ROOT / "build/site"
    return built if Site(built).is_here else SITE


def first_seats(text: str, path: str, seats: int, *, phones: bool = False) -> str:
    """Return a layout's text with its first seats alone, and with a way into the staff menu.

    With `phones` the seats after the first are for phones.
    """
    laid = lookup.parse_layout(text, path).seats[:seats]
    entries = [
        SeatEntry(seat.name, seat.color, is_phone=True)
        if phones and number
        else SeatEntry(seat.name, seat.color, seat.board.id if seat.board else "", seat.name)
        for number, seat in enumerate(laid)
    ]
    chosen = layout_edit.with_seats(text, path, entries)
    way_in = 'service_key = "board"' if laid[0].board else "service_hold = true  # no page has a key switch on a pin"
    return chosen.replace("[[seat]]", f"{way_in}\n\n[[seat]]", 1)


def play_as_installed(
    layout: str,
    *,
    seats: int,
    port: int | None,
    host: str | None,
    browser: bool,
    screen: bool,
    folder: Path | None,
    say: Say,
    run_loop: Callable[[Coroutine[None, None, None]], None],
) -> None:
    """Rehearse the table of a shipped layout's first seats, until Ctrl-C or a power-off. Raises `UserError`.

    With `host`, the address at which phones come in, the seats of a new folder are for phones, all but the first.
    """
    text = toml_file.read(shipped_file(layout), LayoutError, "layout", builtin())
    root = state_dir.default() / FOLDER if folder is None else folder
    with ExitStack() as stack:
        run = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="dudo-table-")))
        rehearsal = Rehearsal(root, run, say)
        try:
            rehearsal.make(first_seats(text, str(rehearsal.layout_file), seats, phones=host is not None))
        except OSError as error:
            raise UserError(f"{root}: {reason_of(error)}; name another folder with --state") from error
        page, owner = stack.enter_context(bind(port)), stack.enter_context(bind(None, first=OWNER_PORT))
        address = f"http://127.0.0.1:{page.getsockname()[1]}/"
        say(f"An installed table in {root} (Ctrl-C stops it):")
        say(f"  Seats          {address}")
        say(f"  Layout         {rehearsal.layout_file}")
        say(f"  Command line   {own_command()} staff --events {rehearsal.events} status")
        if not Site(documents()).is_here:
            say("  Documents      none yet: make site builds them, for the owner’s page")
        if screen:
            stack.enter_context(screen_process(rehearsal.events, host, "en"))
        if browser and can_open_page():
            open_page(address)
        run_loop(_play(rehearsal, page, owner, host))


async def _play(rehearsal: Rehearsal, page: socket.socket, owner: socket.socket, host: str | None) -> None:
    """Play, and begin again with other wires where the owner has given the layout other seats."""
    reading = await asyncio.to_thread(Configuration(str(rehearsal.layout_file), rehearsal.state).read)
    layout, rules, has_phones = reading.layout, reading.rules, False
    owners = OwnerPageServer(owner, None, rehearsal.events, rehearsal.folder, documents())
    with ExitStack() as phones:
        async with owners.serve(), rehearsal.root():
            while not rehearsal.is_off:
                if any(seat.phone for seat in layout.seats) and not has_phones:
                    phones.enter_context(phones_process(rehearsal.events, host))
                    has_phones = True
                layout, rules = await _play_layout(rehearsal, page.dup(), layout, rules)


async def _play_layout(rehearsal: Rehearsal, page: socket.socket, layout: Layout, rules: Rules) -> tuple[Layout, Rules]:
    """Play at a layout's wires until a power-off, or until the table needs others; return the layout and rules then."""
    in_effect = layout, rules
    story = Narrator([])
    listeners: list[Callable[[PublicEvent], None]] = []

    def tell(event: PublicEvent) -> None:
        for line in story.lines(event):
            rehearsal.say(line)
        for listener in listeners:
            listener(event)

    image = await asyncio.to_thread(lambda: program(release()))
    loop, seed = asyncio.get_running_loop(), secrets.randbits(64)
    with EmulatedTable(layout, loop, seed=seed, image=image, open_phone=rehearsal.open_phone) as emulated:
        first = layout.service_seat
        chairs = Chairs(Chair(seat, None, for_people=at == first) for at, seat in enumerate(emulated.seats))
        workbench = WorkbenchServer(layout, page, rehearsal.events, rules, lambda _: None, listen=listeners.append)
        async with workbench.serve(chairs) as bench:

            def follow(changed: Layout, rules: Rules) -> None:
                nonlocal story, in_effect
                in_effect = changed, rules
                story = Narrator([seat.name for seat in changed.seats], rules)
                if wires_of(changed) == wires_of(layout):
                    bench.follow(changed, rules)
                else:
                    rehearsal.end()

            await rehearsal.play(emulated, chairs, tell, follow)
    return in_effect


def wires_of(layout: Layout) -> list[str]:
    """Return the board or phone of each seat by its id, and whether its display has the service key."""
    ids = [seat.phone or (seat.board.id if seat.board else "") for seat in layout.seats]
    return [*ids, f"{layout.service_key} {layout.service_seat}"]
