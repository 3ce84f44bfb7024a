"""Public states of a full table, played to a real page over a WebSocket of the test's own: any state, at once."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec
from support.pages.browser import LAPTOP, PATIENCE_MS, PlayedTable

from engine import PALO_FIJO, RoundKind, Rules
from hardware.config.layout import load_builtin

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, WebSocketRoute

SEATS = load_builtin("emulated").seats
EVERYBODY = tuple(range(len(SEATS)))
BUTTONS, DEVICES = ("left", "right", "ok", "dudo"), ("board",)
HEAD = "CVNZ3S5VKPXQG5RR3G06TXXZ7160ZFC5JHQH53PAK9QZRTREZDPG"
HANDS = [[1, 1, 2, 5, 6], [2, 2, 3, 4, 6], [1, 4, 5, 5, 6], [2, 3, 3, 4, 4]] * 2
STANDING = {"quantity": 13, "face": 6, "seat": 7}
OPEN = {"number": 12, "kind": "fixed-face-no-wilds-open", "owner": 3, "first": 7}
SHOWDOWN = {
    "call": "dudo",
    "caller": 6,
    "doubted": 7,
    "quantity": 13,
    "face": 6,
    "matching": 10,
    "right": True,
    "hands": HANDS,
    "loser": 7,
    "gainer": None,
    "out": [],
}

Fields = Mapping[str, Any]

HEARTBEATS = """() => {
    const Silent = WebSocket;
    window.WebSocket = class extends Silent {
        constructor(address) {
            super(address);
            setInterval(() => this.onmessage?.({ data: '{"type": "beat", "number": 1}' }), 500);
        }
    };
}"""
"""What a real table sends by itself; a page without it has no connection."""

SCENES: Mapping[str, Fields] = {
    "lobby": {"scene": "lobby", "players": EVERYBODY},
    "countdown": {"scene": "lobby", "players": EVERYBODY, "countdown_s": 5},
    "order": {
        "scene": "shaking",
        "rolls": [[1, 6, 4]] * 8,
        "waiting_for": (0, 3),
        "deal": 1,
        "head": HEAD,
        "round": {"number": 1, "kind": "normal", "owner": None, "first": None},
    },
    "shaking": {"scene": "shaking", "round": OPEN, "waiting_for": (0, 3), "deal": 1, "head": HEAD},
    "choosing": {
        "scene": "choosing",
        "round": OPEN,
        "waiting_for": (0,),
        "choices": ("fixed-face-no-wilds-open", "fixed-face-no-wilds-closed", "normal"),
    },
    "opening": {"scene": "bidding", "round": OPEN, "waiting_for": (0,), "turn": 0},
    "bidding": {"scene": "bidding", "round": OPEN, "waiting_for": (0,), "turn": 0, "standing": STANDING, "passer": 6},
    "off turn": {
        "scene": "bidding",
        "round": OPEN,
        "waiting_for": (6,),
        "turn": 6,
        "standing": STANDING,
        "may_call": {"dudo": (0, 6), "calza": (0, 1, 6), "spot": (0,)},
    },
    "called": {"scene": "called", "round": OPEN, "called": {"call": "dudo", "seat": 6}, "standing": STANDING},
    "reveal": {"scene": "reveal", "round": {**OPEN, "owner": None}, "waiting_for": (0, 3), "showdown": SHOWDOWN},
    "over": {
        "scene": "over",
        "round": OPEN,
        "showdown": SHOWDOWN,
        "winner": 5,
        "standings": (5, *EVERYBODY[:5], 6, 7),
        "head": HEAD,
    },
    "problems": {
        "scene": "bidding",
        "round": OPEN,
        "waiting_for": (0,),
        "turn": 0,
        "standing": STANDING,
        "problems": True,
    },
}
"""The scenes of a match, each with the longest texts that it may have."""


def state(name: str) -> dict[str, Any]:
    """Return the line of a state."""
    fields = dict(SCENES[name])
    trouble = {"missing": ["buttons", "cup"], "away": True, "out_in_min": 9} if fields.pop("problems", False) else {}
    lobby = fields["scene"] == "lobby"
    seats = [
        {"name": seat.name, "color": seat.color, "playing": True, "dice": 0 if lobby else 5, "banked": 0}
        | {"missing": [], "away": False, "out_in_min": None}
        | (trouble if number else {})
        for number, seat in enumerate(SEATS)
    ]
    nothing = dict.fromkeys(
        ("round", "turn", "standing", "passer", "called", "countdown_s", "showdown", "winner", "deal")
    )
    empty = {"players": EVERYBODY, "rolls": [], "waiting_for": (), "choices": (), "standings": (), "may_call": {}}
    sees = [[seat] for seat in EVERYBODY]
    line = {"type": "state", "rules": "palo-fijo", "match": "m", "head": None, "broken_off": False, "may_see": sees}
    return {**line, **nothing, **empty, "seats": seats, **fields}


class StagedPage:
    """A page with its person at seat 0; `is_open` shows all displays instead of covers."""

    def __init__(self, page: "Page", rules: Rules = PALO_FIJO) -> None:
        self.page = page
        self._rules = rules
        self._socket: WebSocketRoute | None = None
        page.route_web_socket("**/live", self._answer)
        page.add_init_script(f"({HEARTBEATS})()")

    def show(self, scene: str, **fields: Any) -> None:
        """Show a scene, with other values of some fields."""
        self._send({"type": "state", "line": state(scene) | fields})
        self.page.locator(f"#middle[data-scene={SCENES[scene]['scene']}]").wait_for()

    def invite(self) -> None:
        """Make it the host's page of a party, with the panel of guests closed."""
        link = "http://192.0.2.7:8643/#" + "A" * 8
        self._send({"type": "party", "seats": ["host", *["open"] * 7], "link": link, "qr": "<svg></svg>"})
        self.page.locator("dialog.party .close").click()

    def set_open(self, *, is_open: bool) -> None:
        """Uncover all displays, or cover those of the others."""
        self._send({"type": "covered", "seats": [] if is_open else EVERYBODY[1:]})

    def _answer(self, socket: "WebSocketRoute") -> None:
        self._socket = socket
        socket.on_message(lambda _: None)
        seats = [{"name": s.name, "color": s.color, "buttons": BUTTONS, "devices": DEVICES} for s in SEATS]
        rules = json.loads(msgspec.json.encode(self._rules))
        names = {kind: self._rules.called_like(kind) for kind in RoundKind}
        self._send({"type": "table", "name": "emulated", "seats": seats, "rules": rules, "names": names})
        self._send({"type": "chairs", "you": 0, "chairs": ["you", *["robot"] * 7]})
        self.set_open(is_open=False)
        for seat in EVERYBODY:
            self._send({"type": "hands", "seat": seat, "pressed": [], "cup": "down", "unplugged": []})
        self._send({"type": "story", "sentences": []})
        self._send({"type": "state", "line": state("lobby")})

    def _send(self, message: object) -> None:
        assert self._socket is not None
        self._socket.send(json.dumps(message))


@contextmanager
def a_staged_page(
    browser: "Browser", table: PlayedTable, language: str, rules: Rules = PALO_FIJO, **options: Any
) -> Iterator[StagedPage]:
    """Give a page of `table`, which only serves its files. It is not painted, which would take most of the time."""
    width, height = LAPTOP
    context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce", **options)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    staged = StagedPage(page, rules)
    page.goto(f"{table.address}?language={language}")
    page.wait_for_selector("#own .seat")
    page.evaluate("document.documentElement.style.opacity = 0")
    yield staged
    context.close()
