"""A whole eight-seat match in figures: bytes, bus time, CPU, and the latency of a press from edge to last byte.

The sections `boards` and `wired` are its two tables. A note beside each figure says what its model leaves out.
"""

from itertools import pairwise

from bench.report import Figure, Progress, Section, Spread, at_most
from bench.tools.disk import on_disk, records_ms
from bench.tools.display_watch import Press, Shown, i2c_s, uart_s, usb_s
from bench.tools.drawing import Drawn, drawn_again
from bench.tools.ledger import BENCH, FAR_END, LOOP, PLAYERS, TABLE
from bench.tools.watched_match import Watched, watched_match
from drivers.messages import Button, Pressed, Released
from firmware_host.table.scenes.bidding import CALL_WINDOW_NS
from hardware.config.layout import Layout, load_builtin
from hardware.link.messages import PICTURE_BYTES

LOOKS = 3000
"""Pictures that are drawn again to compare with luma: enough for a mean, from the lobby into the match."""

MS = 1000.0


def measure_boards(progress: Progress) -> Section:
    """Measure a match at the reference table: eight seat boards, each with its display on a bus of its own."""
    return measured(load_builtin("boards-8"), progress)


def measure_wired(progress: Progress) -> Section:
    """Measure a match at a table whose displays and cups are wired to the computer."""
    return measured(load_builtin("wired-8"), progress)


def measured(layout: Layout, progress: Progress) -> Section:
    """Play a match at a layout and return its figures."""
    progress(f"a match of {len(layout.seats)} at {layout.name}")
    match = watched_match(layout)
    progress(f"{min(LOOKS, len(match.looks))} of its pictures again, beside luma.oled")
    drawn = drawn_again(layout, match.looks[:LOOKS])
    progress("its records on this disk")
    written = _journal(match)
    is_boards = all(seat.board for seat in layout.seats)
    return Section(
        f"A match of {layout.rules} at {layout.name}",
        (
            *_bytes(match, drawn, is_boards),
            *_cpu(match, drawn),
            *_presses(match, is_boards),
            *((*_parts(match), *_answers(match)) if is_boards else ()),
            *written,
        ),
        f"{match.pressed:,} presses, {_pictures(match):,} pictures, {match.virtual_s:,.0f} s of the table's own time. "
        "Times from an edge are the emulated wires': they leave out the host's CPU and its disk, which stand beside.",
    )


def _pictures(match: Watched) -> int:
    return sum(len(watch.pictures) - 1 for watch in match.watches)


def _bytes(match: Watched, drawn: Drawn, is_boards: bool) -> list[Figure]:
    sent = [watch.sent for watch in match.watches]
    i2c_bytes, transfers = sum(each.i2c_bytes for each in sent), sum(each.transfers for each in sent)
    link_bytes = sum(each.picture_bytes for each in sent)
    panel_bytes = link_bytes if is_boards else i2c_bytes
    luma_bytes = drawn.luma_bytes / drawn.pictures * _pictures(match)
    luma_s = i2c_s(drawn.luma_transfers, drawn.luma_bytes) / drawn.pictures * _pictures(match)
    wire_s = i2c_s(transfers, i2c_bytes)
    really = sum(_differing(watch.pictures) for watch in match.watches)
    way = "in the link's pictures" if is_boards else "on I2C, commands and address bytes counted"
    figures = [
        Figure("bytes to the panels", panel_bytes, "bytes", note=way),
        Figure("… a press", panel_bytes / match.pressed, "bytes"),
        Figure("luma.oled, same pictures", luma_bytes, "bytes", note="display() for each picture that differs"),
        Figure("ours of luma's", 100 * panel_bytes / luma_bytes, "%", at_most(8)),
        Figure("ours over bytes that changed", panel_bytes / really, "×", note=f"{really:,} of a panel's memory"),
        Figure("wire time at 400 kHz a press", MS * wire_s / match.pressed, "ms", note=_wire_note(is_boards)),
        Figure("luma.oled, same pictures", MS * luma_s / match.pressed, "ms"),
    ]
    if is_boards:
        all_bytes = sum(each.link_bytes + each.heard_bytes for each in sent)
        figures += [
            Figure("all bytes of the links", all_bytes, "bytes", note="both ways, pings and acknowledgements too"),
            Figure(
                "link time a press, USB", MS * usb_s(link_bytes) / match.pressed, "ms", note="64-byte packets, 19/ms"
            ),
            Figure("link time a press, 115200", MS * uart_s(link_bytes) / match.pressed, "ms", note="10 bits a byte"),
        ]
    return figures


def _wire_note(is_boards: bool) -> str:
    return "eight boards' own wires, added up" if is_boards else "one wire for all eight"


def _differing(pictures: list[bytes]) -> int:
    """Count the bytes that differ from picture to picture, or to its inverse, which costs one command byte."""
    changed = 0
    for before, after in pairwise(pictures):
        differing = bytes(old ^ new for old, new in zip(before, after, strict=True))
        changed += len(differing) - max(differing.count(0x00), differing.count(0xFF))
    return changed


def _cpu(match: Watched, drawn: Drawn) -> list[Figure]:
    def each_ms(*owners: str) -> float:
        return sum(match.cpu_ns[owner] for owner in owners) / 1e6 / match.pressed

    eight_ms = 8 * (drawn.drawing_ns + drawn.packing_ns) / 1e6 / drawn.pictures
    luma_ms = 8 * drawn.luma_ns / 1e6 / drawn.pictures
    return [
        Figure(
            "CPU a press", each_ms(TABLE), "ms", note="daemon, drivers, journal: all between two presses, on this CPU"
        ),
        Figure("… the loop under it", each_ms(LOOP), "ms", note="asyncio and the virtual clock, for everybody"),
        Figure(
            "… emulated far ends", each_ms(FAR_END), "ms", note="hands, cups, buses, controllers: not at a real table"
        ),
        Figure("… opponents", each_ms(PLAYERS), "ms", note="not at a real table"),
        Figure("… the whole process", match.process_ns / 1e6 / match.pressed, "ms", note=_counting_note(match)),
        Figure("drawing all eight", 8 * drawn.drawing_ns / 1e6 / drawn.pictures, "ms", note="CPU"),
        Figure("packing all eight", 8 * drawn.packing_ns / 1e6 / drawn.pictures, "ms", note="CPU, into what is sent"),
        Figure("eight luma display()", luma_ms, "ms", note="CPU; packs and sends, draws nothing"),
        Figure("drawing and packing of luma's", eight_ms / luma_ms, "×", at_most(1)),
    ]


def _counting_note(match: Watched) -> str:
    return f"of it {match.cpu_ns[BENCH] / 1e6 / match.pressed:.2f} ms for the counting"


def _presses(match: Watched, is_boards: bool) -> list[Figure]:
    seats = len(match.watches)
    complete = [press for press in match.presses if press.is_complete]
    pressed = [press for press in complete if isinstance(press.message, Pressed | Released) and not press.is_hiding]
    said = [press for press in pressed if press.makes_bid and len(press.seats) == seats]
    cursor = [press for press in pressed if _moves_cursor(press) and len(press.seats) == 1]
    hidden = [press for press in complete if press.is_hiding]
    overtaken = sum(bool(press.seats) and bool(press.waiting) for press in match.presses)
    note = "boards at a Pico's pace, their USB by its model" if is_boards else "I2C in virtual time"
    steps, cpu_ms = _spread(cursor, is_boards), match.cpu_ns[TABLE] / 1e6 / match.pressed
    on_the_wire = Spread.of(MS * _wire_s(press, is_boards) for press in said)
    return [
        *_spread(pressed, is_boards).figures("edge to last byte, all presses", "ms", note=note),
        *_spread(said, is_boards).figures("… a bid, all eight displays", "ms", note="30 ms of it if others may act"),
        *on_the_wire.figures("… of it on the wire", "ms", worst=at_most(20)),
        *steps.figures("… press to cursor", "ms"),
        Figure(
            "… press to cursor, all told", steps.worst + cpu_ms, "ms", at_most(30), "max and CPU a press; no record"
        ),
        *_spread(hidden, is_boards).figures("cup down to dice gone", "ms", worst=at_most(100)),
        Figure("pictures overtaken", overtaken, "presses", note="a later picture went instead; not in the times above"),
    ]


def _parts(match: Watched) -> list[Figure]:
    """Return the parts of a press's way to the displays: to the picture, to its first byte there, to its last."""
    pressed = [
        (press, shown)
        for press in match.presses
        if isinstance(press.message, Pressed | Released) and not press.is_hiding
        for shown in press.shown
    ]
    own = [each for each in pressed if each[0].message.seat == each[1].seat]
    other = [each for each in pressed if each[0].message.seat != each[1].seat]
    bids = [each for each in other if each[0].makes_bid]
    waited = [(press, shown) for press, shown in bids if shown.drawn_s - press.at_s >= CALL_WINDOW_NS / 1e9]

    def first_ms(each: list[tuple[Press, Shown]]) -> Spread:
        return Spread.of(MS * max(0.0, shown.first_s - press.at_s) for press, shown in each)

    held = Spread.of(MS * max(0.0, shown.drawn_s - press.at_s) for press, shown in bids)
    taken = Spread.of(MS * (shown.first_s - shown.drawn_s) for _, shown in bids)
    whole = Spread.of(MS * (shown.last_s - shown.first_s) for _, shown in bids)
    return [
        Figure("press to the first byte, own display: median", first_ms(own).median, "ms", at_most(30)),
        Figure("… of another display: median", first_ms(other).median, "ms", at_most(50), f"{first_ms(other).count}"),
        Figure("… p95", first_ms(other).p95, "ms"),
        Figure("… after a call window: median", first_ms(waited).median, "ms", note=f"{first_ms(waited).count}, bids"),
        Figure("a bid, press to picture: median", held.median, "ms", note="the event, and the call window if any"),
        Figure("… picture to first byte: median", taken.median, "ms", note="read, decoded, handled by the board"),
        Figure("… first byte to last: median", whole.median, "ms", note="on the panel's I2C"),
    ]


def _answers(match: Watched) -> list[Figure]:
    answered = [picture for watch in match.watches for picture in watch.answered]
    whole = [MS * each.taken_s for each in answered if each.length == PICTURE_BYTES]
    steps = [MS * each.taken_s for each in answered if each.is_step]
    windows = [MS * each.taken_s for each in answered if each.length < PICTURE_BYTES]
    note = "from the host's write to the board's answer, at a Pico's pace"
    return [
        *Spread.of(windows).figures("a picture in windows to its answer", "ms", note=note),
        *Spread.of(steps).figures("… a step in a menu", "ms", worst=at_most(40)),
        *(Spread.of(whole).figures("… a whole picture", "ms", worst=at_most(120)) if whole else ()),
    ]


def _moves_cursor(press: Press) -> bool:
    return isinstance(press.message, Pressed) and press.message.button in (Button.LEFT, Button.RIGHT)


def _spread(presses: list[Press], is_boards: bool) -> Spread:
    def edge_to_last_byte_s(press: Press) -> float:
        passed_s = max(0.0, press.last_byte_s - press.at_s)
        return passed_s + (press.link_s if is_boards else 0.0)  # the boards' pace leaves their shared USB out

    return Spread.of(MS * edge_to_last_byte_s(press) for press in presses)


def _wire_s(press: Press, is_boards: bool) -> float:
    """Boards write to their panels at the same time and share one USB; wired panels share their wire."""
    return press.link_s + max(press.i2c_s) if is_boards else sum(press.i2c_s)


def _journal(match: Watched) -> list[Figure]:
    durable, bare = records_ms(match.records)
    disk = on_disk(match.records)
    return [
        *durable.figures("a record durable", "ms", note="Journal.write, real time, before eyes"),
        *bare.figures("a bare fsync of 4 KiB", "ms", note="the same disk, in turn"),
        Figure("records a press", len(match.records) / match.pressed, ""),
        Figure("bytes to the disk a match", disk.written, "bytes", note="what the journal writes, log and file"),
        Figure("… a record", disk.written / len(match.records), "bytes"),
        Figure("the journal after it", disk.file, "bytes"),
    ]
