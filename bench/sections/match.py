"""A whole eight-seat match in figures: bytes, bus time, CPU, and the latency of a press from edge to last byte.

The sections `boards` and `wired` are its two tables. A note beside each figure names the omissions of its model.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from bench.report import Figure, Progress, Section, Spread, at_most
from bench.tools.ledger import BENCH, DRIVERS, FAR_END, LOOP, PLAYERS, TABLE
from bench.tools.references import DrawingCost, drawn_again, written_again
from bench.tools.table import Traffic
from bench.tools.watched_match import TimedPress, WatchedMatch, i2c_s, played, usb_s
from drivers.messages import Pressed, Released
from hardware.config.layout import I2cDisplay, Layout, load_builtin

LOOKS = 3000
"""Pictures that are drawn again to compare with luma: enough for a mean, from the lobby into the match."""
UART_HZ = 115_200
MS = 1000.0


def measure_boards(progress: Progress) -> Section:
    """Measure a match at the reference table: eight seat boards, each with its own display bus."""
    return measured(load_builtin("boards-8"), progress)


def measure_wired(progress: Progress) -> Section:
    """Measure a match at a table with wired displays and cups."""
    return measured(load_builtin("wired-8"), progress)


def measured(layout: Layout, progress: Progress) -> Section:
    """Play a match at a layout and return its figures."""
    progress(f"a match of {len(layout.seats)} at {layout.name}")
    match = played(layout)
    progress(f"{min(LOOKS, len(match.looks))} of its pictures again, beside luma.oled")
    drawn = drawn_again(layout, match.looks[:LOOKS])
    progress("its records on this disk")
    is_boards = all(seat.board for seat in layout.seats)
    figures = [*_bytes(match, drawn, is_boards), *_cpu(match, drawn), *_presses(match, is_boards)]
    if is_boards:
        figures += _first_bytes(match)
    return Section(
        f"A match of {layout.rules} at {layout.name}",
        (*figures, *_journal(match)),
        f"{match.pressed:,} presses, {_pictures(match):,} pictures, {match.virtual_s:,.0f} s of the table's own time. "
        "Times from an edge are the emulated wires': they leave out the host's CPU and its disk, which stand beside.",
    )


def _pictures(match: WatchedMatch) -> int:
    return sum(len(watch.pictures) - 1 for watch in match.watches)


def _bytes(match: WatchedMatch, drawn: DrawingCost, is_boards: bool) -> Iterator[Figure]:
    sent = sum(match.wires.traffic, Traffic())
    panel_bytes = sent["pictures" if is_boards else "i2c"]
    again = _pictures(match) / drawn.pictures
    really = sum(_differing(watch.pictures) for watch in match.watches)
    way = "in the link's pictures" if is_boards else "on I2C, commands and address bytes counted"
    wires = "eight boards' own wires, added up" if is_boards else f"{len(match.layout.display_wires())} wires, added up"
    yield Figure("bytes to the panels", panel_bytes, "bytes", note=way)
    yield Figure("… a press", panel_bytes / match.pressed, "bytes")
    yield Figure(
        "luma.oled, same pictures", drawn.luma["i2c"] * again, "bytes", note="display() for each picture that differs"
    )
    yield Figure("ours of luma's", 100 * panel_bytes / (drawn.luma["i2c"] * again), "%", at_most(8))
    yield Figure("ours over bytes that changed", panel_bytes / really, "×", note=f"{really:,} of a panel's memory")
    yield Figure("wire time at 400 kHz a press", MS * i2c_s(sent) / match.pressed, "ms", note=wires)
    yield Figure("luma.oled, same pictures", MS * i2c_s(drawn.luma) * again / match.pressed, "ms")
    if is_boards:
        note = "both ways, pings and acknowledgements too"
        yield Figure("all bytes of the links", sent["to_board"] + sent["to_host"], "bytes", note=note)
        usb_ms, uart_ms = MS * usb_s(panel_bytes), MS * 10 * panel_bytes / UART_HZ
        yield Figure("link time a press, USB", usb_ms / match.pressed, "ms", note="64-byte packets, 19/ms")
        yield Figure("link time a press, 115200", uart_ms / match.pressed, "ms", note="10 bits a byte")


def _differing(pictures: list[bytes]) -> int:
    """Count the differing bytes from picture to picture, or to its inverse, at the cost of one command byte."""
    changed = 0
    for before, after in pairwise(pictures):
        differing = bytes(old ^ new for old, new in zip(before, after, strict=True))
        changed += len(differing) - max(differing.count(0x00), differing.count(0xFF))
    return changed


def _cpu_ms(match: WatchedMatch, *owners: str) -> float:
    """Return the CPU milliseconds a press."""
    return sum(match.ledger.spent_ns[owner] for owner in owners) / 1e6 / match.pressed


def _cpu(match: WatchedMatch, drawn: DrawingCost) -> Iterator[Figure]:
    drawing_ms, packing_ms, luma_ms = (
        8 * spent_ns / 1e6 / drawn.pictures for spent_ns in (drawn.drawing_ns, drawn.packing_ns, drawn.luma_ns)
    )
    ours = "daemon, drivers, journal: all between two presses, on this CPU"
    yield Figure("CPU a press", _cpu_ms(match, TABLE, DRIVERS), "ms", note=ours)
    yield Figure("… the loop under it", _cpu_ms(match, LOOP), "ms", note="asyncio and the virtual clock, for everybody")
    theirs = "hands, cups, buses, controllers: not at a real table"
    yield Figure("… emulated far ends", _cpu_ms(match, FAR_END), "ms", note=theirs)
    yield Figure("… opponents", _cpu_ms(match, PLAYERS), "ms", note="not at a real table")
    counting = f"of it {_cpu_ms(match, BENCH):.2f} ms for the counting"
    yield Figure("… the whole process", match.ledger.process_ns / 1e6 / match.pressed, "ms", note=counting)
    yield Figure("drawing all eight", drawing_ms, "ms", note="CPU")
    yield Figure("packing all eight", packing_ms, "ms", note="CPU, into what is sent")
    yield Figure("eight luma display()", luma_ms, "ms", note="CPU; packs and sends, draws nothing")
    yield Figure("drawing and packing of luma's", (drawing_ms + packing_ms) / luma_ms, "×", at_most(1))


def _presses(match: WatchedMatch, is_boards: bool) -> list[Figure]:
    complete = [press for press in match.presses if press.is_complete]
    pressed = [press for press in complete if _is_button(press)]
    said = [press for press in pressed if press.makes_bid and len(press.seats) == len(match.watches)]
    hidden = [press for press in complete if press.is_hiding]
    steps = _spread(press for press in pressed if press.moves_cursor and len(press.seats) == 1)
    overtaken = sum(bool(press.waiting) for press in match.presses)
    note = "boards at a Pico's pace, their USB by its model" if is_boards else "I2C in virtual time"
    told_ms = steps.worst + _cpu_ms(match, TABLE, DRIVERS)
    wires = _wires(match.layout)
    on_the_wire = Spread.of(MS * _wire_s(press, wires) for press in said)
    return [
        *_spread(pressed).figures("edge to last byte, all presses", "ms", note=note),
        *_spread(said).figures("… a bid, all eight displays", "ms", note="30 ms of it if others may act"),
        *on_the_wire.figures("… of it on the wire", "ms", worst=at_most(20)),
        *steps.figures("… press to cursor", "ms"),
        Figure("… press to cursor, all told", told_ms, "ms", at_most(30), "max and CPU a press; no record"),
        *_spread(hidden).figures("cup down to dice gone", "ms", worst=at_most(100)),
        Figure("pictures overtaken", overtaken, "presses", note="a later picture went instead; not in the times above"),
    ]


def _is_button(press: TimedPress) -> bool:
    return isinstance(press.message, Pressed | Released) and not press.is_hiding


def _spread(presses: Iterable[TimedPress]) -> Spread:
    """Return the milliseconds from edge to last byte, with the boards' shared USB, which their pace leaves out."""
    return Spread.of(
        MS * (max(0.0, press.shown[-1].last_s - press.at_s) + sum(shown.link_s for shown in press.shown))
        for press in presses
    )


def _wires(layout: Layout) -> Sequence[tuple[int, ...]]:
    """Return each seat's I2C wire as its buses: a board has one of its own, named by its seat."""
    wires = {bus: wire for wire in layout.display_wires() for bus in wire}
    places = (seat.display for seat in layout.seats)
    return [wires[at.bus] if isinstance(at, I2cDisplay) else (-number,) for number, at in enumerate(places)]


def _wire_s(press: TimedPress, wires: Sequence[tuple[int, ...]]) -> float:
    """Return the seconds on the I2C wire that takes longest, and those on the boards' shared USB."""
    on_i2c = defaultdict[tuple[int, ...], float](float)
    for shown in press.shown:
        on_i2c[wires[shown.seat]] += shown.i2c_s
    return sum(shown.link_s for shown in press.shown) + max(on_i2c.values())


def _first_bytes(match: WatchedMatch) -> list[Figure]:
    """Return the times to the first byte at a display."""
    shown = [(press, each) for press in match.presses if _is_button(press) for each in press.shown]
    own, other = (
        Spread.of(
            MS * max(0.0, each.first_s - press.at_s)
            for press, each in shown
            if (press.message.seat == each.seat) is is_own
        )
        for is_own in (True, False)
    )
    return [
        Figure("press to the first byte, own display: median", own.median, "ms", at_most(30)),
        Figure("… of another display: median", other.median, "ms", at_most(50), f"{other.size}"),
        Figure("… p95", other.p95, "ms"),
    ]


def _journal(match: WatchedMatch) -> list[Figure]:
    written = written_again(match.records.kept)
    records = len(match.records.kept)
    return [
        *written.durable_ms.figures("a record durable", "ms", note="Journal.write, real time, before eyes"),
        *written.bare_ms.figures("a bare fsync of 4 KiB", "ms", note="the same disk, in turn"),
        Figure("records a press", records / match.pressed, ""),
        Figure("bytes to the disk a match", written.written, "bytes", note="what the journal writes, log and file"),
        Figure("… a record", written.written / records, "bytes"),
        Figure("the journal after it", written.file, "bytes"),
    ]
