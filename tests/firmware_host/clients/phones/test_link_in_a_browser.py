"""The phone's side of the link in a real browser: frames, messages, the peek gate and the share of a deal."""

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from support.pages.browser import a_chromium

from firmware_host.clients.phones.server import load_files
from hardware.emulated.cup_process import ROOT
from hardware.link import messages as link
from hardware.link.framing import FrameParser, frame
from hardware.link.messages import from_body, to_body
from hardware.link.phone_messages import Person, Words

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

VECTORS = json.loads((ROOT / "hardware/link/vectors.json").read_text(encoding="utf-8"))
HOST = "http://phone.test/"
TYPES = {"js": "text/javascript", "html": "text/html", "css": "text/css"}


@pytest.fixture(scope="module")
def page() -> Iterator["Page"]:
    """Give a page without anything, at the address of the phone's modules."""
    files = load_files("en")

    def answer(route: "Route") -> None:
        name = route.request.url.removeprefix(HOST)
        kind = TYPES.get(name.rpartition(".")[2], "text/html")
        route.fulfill(body=files.get(name, b"<!doctype html>"), content_type=kind)

    with a_chromium() as chromium:
        opened = chromium.new_page()
        opened.route(f"{HOST}**", answer)
        opened.goto(f"{HOST}empty")
        yield opened


def run(page: "Page", script: str, value: object = None) -> Any:
    return page.evaluate(
        f"""async (given) => {{
            const link = await import("/link.js");
            const {{ Board }} = await import("/board.js");
            const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
            const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
            {script}
        }}""",
        value,
    )


def test_the_browser_frames_every_body_as_the_vectors_do(page: "Page") -> None:
    rows = [*VECTORS["frames"], *VECTORS["nonsense"]]
    framed = run(page, "return given.map((body) => hex(link.frame(unhex(body))))", [row["body"] for row in rows])
    for row, made in zip(rows, framed, strict=True):
        assert bytes.fromhex(made).rstrip(b"\0") == bytes.fromhex(row["frame"]).rstrip(b"\0")
    long = [bytes(range(1, 255)), bytes(range(1, 256)) * 4, b"\1" * 250 + b"\0" + b"\2" * 300, bytes(600)]
    for body, made in zip(
        long,
        run(page, "return given.map((body) => hex(link.frame(unhex(body))))", [body.hex() for body in long]),
        strict=True,
    ):
        assert bytes.fromhex(made).rstrip(b"\0") == frame(body).rstrip(b"\0")


def test_the_browser_finds_every_body_however_the_bytes_are_cut(page: "Page") -> None:
    script = """return given.map(({ wire, step }) => {
        const parser = new link.FrameParser();
        const bytes = unhex(wire);
        const bodies = [];
        for (let at = 0; at < bytes.length; at += step) bodies.push(...parser.feed(bytes.slice(at, at + step)));
        return bodies.map(hex);
    })"""
    for step in (1, 7, 1 << 20):
        asked = [{"wire": row["wire"], "step": step} for row in VECTORS["damaged"]]
        assert run(page, script, asked) == [row["bodies"] for row in VECTORS["damaged"]]


def test_the_browser_ignores_the_vectors_nonsense_and_reads_what_a_board_reads(page: "Page") -> None:
    script = "return given.map((body) => link.read(unhex(body))?.kind ?? null)"
    for_boards = {"Ask", "Ack", "Ping", "Picture", "Draw", "Open"}
    rows = VECTORS["frames"]
    read = run(page, script, [row["body"] for row in rows])
    expected = [row["kind"].lower() if row["kind"] in for_boards and not row["address"] else None for row in rows]
    assert read == expected
    assert set(run(page, script, [row["body"] for row in VECTORS["nonsense"]])) == {None}


BOARD = """
    const said = [], shown = [], heard = [];
    let now = 1000;
    const board = new Board("phone/2", {
        send: (bytes) => said.push(hex(bytes)),
        show: (view, lamp, words) => (
            shown.push([view && hex(view.memory.slice(0, 4)), Boolean(view?.dice), Boolean(lamp)]), heard.push(words)
        ),
        person: { language: "es", name: "Ñusta" },
        random: (count) => new Uint8Array(count).fill(7),
        now: () => now,
    });
    board.plug();
    const hear = (frames) => frames.forEach((each) => board.receive(unhex(each)));
"""


def said(frames: list[str]) -> list[link.LinkMessage]:
    """Return a page's messages, as the host reads them."""
    parser, found = FrameParser(), []
    for each in frames:
        for body in parser.feed(bytes.fromhex(each)):
            _, message = from_body(body)
            assert message is not None
            found.append(message)
    return found


def heard(*messages: link.LinkMessage) -> list[str]:
    return [frame(to_body(0, message)).hex() for message in messages]


def picture(number: int, dots: bytes, *, peek: bool = False, lamp: bool = False) -> link.Picture:
    from binascii import crc32

    from hardware.link.oled import DisplayMode

    memory = dots + bytes(1024 - len(dots))
    return link.Picture(number, 0, crc32(memory), DisplayMode(), link.whole_picture(memory), peek, lamp)


def test_a_new_connection_says_hello_and_answers_in_order(page: "Page") -> None:
    frames = run(
        page,
        f"{BOARD} now += 5; hear(given); return said",
        heard(link.Ask(), picture(1, b"\1\2\3\4"), link.Ping(9, 500)),
    )
    first, again, state, taken, pong = said(frames)
    assert isinstance(first, link.Hello)
    assert (first.identity, first.fitted, first.oldest) == ("phone/2", 0x1F, 1)
    assert again == first
    assert isinstance(state, link.PictureAck)
    assert state.number == 0
    assert isinstance(taken, link.PictureAck)
    assert taken.number == 1
    assert isinstance(pong, link.Pong)
    assert (pong.token, pong.boot, pong.at_ns) == (9, first.boot, 5_000_000)


def test_dice_are_seen_only_while_the_person_looks_and_the_table_pings(page: "Page") -> None:
    dice = heard(link.Ask(), link.Ping(1, 10_000), picture(1, b"\5\5\5\5", peek=True))
    shown = run(
        page,
        f"""{BOARD} hear(given.dice);
        const look = () => shown.at(-1)[0];
        const seen = [look()];                 // nobody looks
        board.lift(); hear(given.ping); seen.push(look());
        now += 499; hear([]); seen.push(look());
        await new Promise((done) => setTimeout(done, 20));
        now += 2; board.press("left"); seen.push(look());   // anything later, and time alone below
        hear(given.ping); seen.push(look());
        board.lower(); seen.push(look());
        hear(given.ping); seen.push(look());
        board.press("ok"); hear(given.ping); seen.push(look());
        board.unplug(); seen.push(look());
        return seen;""",
        {"dice": dice, "ping": heard(link.Ping(2, 10_000))},
    )
    lit = "05050505"
    assert [shown[0], shown[1], shown[2]] == [None, lit, lit]
    assert shown[4:] == [lit, None, None, lit, None]


def test_a_look_ends_by_time_alone(page: "Page") -> None:
    last = run(
        page,
        f"""{BOARD.replace("let now = 1000;", "").replace("now: () => now", "now: () => performance.now()")}
        hear(given.dice); board.lift(); hear(given.ping);
        const before = shown.at(-1)[0];
        await new Promise((done) => setTimeout(done, 650));
        return [before, shown.at(-1)[0]];""",
        {
            "dice": heard(link.Ask(), link.Ping(1, 10_000), picture(1, b"\5\5\5\5", peek=True)),
            "ping": heard(link.Ping(2, 10_000)),
        },
    )
    assert last == ["05050505", None]


def test_a_picture_that_may_leave_dice_behind_stays_secret(page: "Page") -> None:
    wrong = picture(2, b"\6\6\6\6")
    wrong.crc ^= 1
    shown = run(
        page,
        f"{BOARD} hear(given); return shown.at(-1)",
        heard(link.Ask(), link.Ping(1, 10_000), picture(1, b"\5\5\5\5", peek=True), wrong),
    )
    assert shown[0] is None


def test_events_are_numbered_and_wait_until_the_table_has_them(page: "Page") -> None:
    frames = run(
        page,
        f"""{BOARD} hear(given.ask); said.length = 0;
        board.press("dudo"); now += 3; board.release("dudo"); board.lift(); board.lower();
        const boot = unhex(said[0]);
        board.shake([1, 2])();
        return said;""",
        {"ask": heard(link.Ask())},
    )
    events = [message for message in said(frames) if isinstance(message, link.Event)]
    assert [(event.number, event.what, event.detail) for event in events] == [
        (1, link.PRESSED, b"\3"),
        (2, link.RELEASED, b"\3"),
        (3, link.TILTED, b""),
        (4, link.LEVELLED, b""),
        (5, link.SHAKEN, b""),
        (6, link.SETTLED, b""),
    ]
    assert events[1].at_ns - events[0].at_ns == 3_000_000


def test_the_phone_commits_before_the_shake_and_opens_after_it(page: "Page") -> None:
    deal, other = bytes(range(32)), bytes(32)
    draw, opens = heard(link.Draw(deal)), heard(link.Open(deal, other))
    frames = run(
        page,
        f"""{BOARD} hear(given.ask); said.length = 0;
        hear(given.draw); hear(given.opens); const unshaken = said.length;
        board.shake([1, 2])(); hear(given.draw); hear(given.opens); hear(given.opens); hear(given.draw);
        return [unshaken, said];""",
        {"ask": heard(link.Ask()), "draw": draw, "opens": opens},
    )
    unshaken, all_said = frames
    assert unshaken == 1
    drawn = [message for message in said(all_said) if isinstance(message, link.Drawn)]
    opened = [message for message in said(all_said) if isinstance(message, link.Opened)]
    assert [message.deal for message in drawn] == [deal] * 3
    assert len(opened) == 2
    assert opened[0] == opened[1]
    assert drawn[0].commitment == drawn[1].commitment == sha256(b"dudo cup\0" + deal + opened[0].entropy).digest()
    assert drawn[2].commitment != drawn[0].commitment  # once it is known, it is never rolled again


def test_what_was_pressed_before_a_new_connection_is_forgotten(page: "Page") -> None:
    frames = run(
        page,
        f"""{BOARD} board.press("ok"); board.lift(); board.unplug(); said.length = 0;
        board.press("left"); board.plug(); hear(given); board.letGo(); return said;""",
        heard(link.Ask()),
    )
    assert [type(message) for message in said(frames)] == [link.Hello, link.Hello, link.PictureAck]


def test_dice_are_heard_only_while_they_may_be_seen(page: "Page") -> None:
    heard_then = run(
        page,
        f"""{BOARD} hear(given.dice);
        const told = [heard.at(-1)];           // nobody looks
        board.lift(); hear(given.ping); told.push(heard.at(-1));
        now += 501; board.refresh(); told.push(heard.at(-1));
        hear(given.ping); told.push(heard.at(-1));
        board.lower(); told.push(heard.at(-1));
        hear(given.plain); told.push(heard.at(-1));
        board.unplug(); told.push(heard.at(-1));
        return told;""",
        {
            "dice": heard(link.Ask(), link.Ping(1, 10_000), Words("Tus dados: ñ", peek=True)),
            "ping": heard(link.Ping(2, 10_000)),
            "plain": heard(Words("OK: únete")),
        },
    )
    assert heard_then == ["", "Tus dados: ñ", "", "Tus dados: ñ", "", "OK: únete", ""]


def test_the_first_words_after_an_ask_are_answered_with_the_person(page: "Page") -> None:
    frames = run(
        page,
        f"{BOARD} hear(given); return said",
        heard(link.Ask(), Words("one"), Words("two"), link.Ask(), Words("three")),
    )
    assert [each for each in said(frames) if isinstance(each, Person)] == [Person("es", "Ñusta")] * 2


def test_a_touch_or_key_that_reaches_the_page_late_presses_nothing(page: "Page") -> None:
    script = """
        const { makeHoldable } = await import("/hold.js");
        const button = document.createElement("button");
        const pressed = [];
        makeHoldable(button, () => pressed.push(now), () => {});
        document.body.append(button);
        let now = "";
        for (const late_ms of [0, 1500, 2500]) {
            for (const [kind, event] of [
                ["touch", new PointerEvent("pointerdown", { button: 0, pointerId: 1 })],
                ["key", new KeyboardEvent("keydown", { key: "Enter" })],
            ]) {
                now = `${kind} ${late_ms}`;
                Object.defineProperty(event, "timeStamp", { value: performance.now() - late_ms });
                button.setPointerCapture = () => {};
                button.dispatchEvent(event);
                button.dispatchEvent(new Event("blur"));
            }
        }
        return pressed;
    """
    assert run(page, script) == ["touch 0", "key 0", "touch 1500", "key 1500"]
