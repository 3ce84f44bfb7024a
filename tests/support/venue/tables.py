"""Tables as bridges publish them, without tables: whole matches of made-up public lines."""

import json
import random
from collections.abc import Iterator
from typing import Any

NAMES = ("North", "East", "South", "West", "Ana", "Luis")
COLORS = ("red", "yellow", "green", "blue", "purple", "orange")
Published = tuple[str, bytes, bool]
"""A topic, a message, and whether it is retained."""


class VenueTable:
    """A table that plays matches: it makes the lines, with the same seed the same ones."""

    def __init__(self, site: str, name: str, *, seats: int = 4, seed: int = 1, names: tuple[str, ...] = NAMES) -> None:
        self.site, self.name, self.epoch = site, name, f"e{seed:04x}"
        self.names = names[:seats]
        self.standings: list[tuple[str, ...]] = []
        """The standings of all matches that are over: what the files of the table would say."""
        self._random = random.Random(seed)
        self.seq = 0
        self._scene: dict[str, Any] = {}
        self.lobby(range(0))

    def topic(self, kind: str) -> str:
        return f"dudo/v1/{self.site}/{self.name}/{kind}"

    def status(self, *, online: bool = True, playing: bool = True) -> Published:
        body = {"instance": self.epoch, "online": online, "playing": playing, "version": 1}
        return self.topic("status"), json.dumps(body).encode(), True

    def state(self, **more: Any) -> Published:
        """Return the state of the moment; `more` are fields to change."""
        body = {
            "type": "state",
            "version": 1,
            "seq": self.seq,
            "journal": self.epoch,
            "since": None,
            **self._scene,
            **more,
        }
        return self.topic("state"), self._line(body), True

    def event(self, kind: str, /, **fields: Any) -> Published:
        """Return the next event."""
        self.seq += 1
        gap = {"gap": True} if self.seq == 1 else {}
        return self.topic("event"), self._line({"type": kind, "seq": self.seq, **fields, "sentences": [], **gap}), False

    def lobby(self, joined: range) -> None:
        self._set("lobby", [seat in joined for seat in range(len(self.names))], [0] * len(self.names))

    def bidding(self, dice: list[int], turn: int, quantity: int | None, face: int = 5) -> None:
        """Stand in the bidding of a round."""
        standing = quantity and {"quantity": quantity, "face": face, "seat": (turn - 1) % len(self.names)}
        self._set("bidding", [True] * len(self.names), dice, turn=turn, standing=standing or None)

    def over(self, winner: int) -> None:
        self._set(
            "over", [True] * len(self.names), [int(seat == winner) for seat in range(len(self.names))], winner=winner
        )

    def match(
        self, rounds: int = 3, *, reopenings: int = 0, robots: tuple[str | None, ...] = ()
    ) -> Iterator[Published]:
        """Play a match to its end, which does not stand so many times; `robots` are levels by seat."""
        seats = list(range(len(self.names)))
        match = f"{self._random.getrandbits(48):012x}"
        yield self.event("match-began", match=match, rules="perudo", players=seats, robots=robots)
        for number in range(1, rounds + 1):
            yield self.event("round-began", number=number, kind="normal", owner=None, first=0, dice=[5] * len(seats))
            self.bidding([self._random.randint(1, 5) for _ in seats], self._random.choice(seats), number, 5)
            yield self.state()
            bid = {"quantity": number, "face": 5}
            yield self.event("said", seat=0, action=f"{number}x5", bid=bid)
            yield self.event("said", seat=1, action="dudo", bid=None)
        for _ in range(reopenings):
            yield from self._won(match, seats)
            yield self.reopened(match)
        yield from self._won(match, seats)

    def reopened(self, match: str) -> Published:
        """Return the event by which the last match goes on."""
        self.standings.pop()
        seats = sorted(range(len(self.names)))
        return self.event("match-reopened", match=match, rules="perudo", players=seats, dice=[1] * len(seats))

    def _won(self, match: str, seats: list[int]) -> Iterator[Published]:
        self._random.shuffle(seats)
        standings = tuple(self.names[seat] for seat in seats)
        self.standings.append(standings)
        won = self.event("match-won", seat=seats[0], standings=seats)
        result = {"site": self.site, "table": self.name, "epoch": self.epoch, "seq": self.seq, "match": match}
        yield self.topic("result"), json.dumps({**result, "rules": "perudo", "standings": standings}).encode(), True
        yield won
        self.over(seats[0])
        yield self.state()

    def _set(self, scene: str, playing: list[bool], dice: list[int], **more: Any) -> None:
        seats = [
            {"name": name, "color": color, "playing": plays, "dice": held, "banked": 0, "missing": [], "away": False,
             "out_in_min": None}
            for name, color, plays, held in zip(self.names, COLORS, playing, dice, strict=False)
        ]  # fmt: skip
        players = [number for number, plays in enumerate(playing) if plays]
        self._scene = {
            "scene": scene, "rules": "perudo", "match": None if scene == "lobby" else "m", "head": None, "deal": None,
            "seats": seats, "players": players, "order": [] if scene == "lobby" else players,
            "rolls": [[] for _ in seats],
            "round": None if scene == "lobby" else {"number": 2, "kind": "normal", "owner": None, "first": 0},
            "waiting_for": [], "turn": None, "standing": None, "passer": None, "called": None, "choices": [],
            "may_call": {}, "may_see": [], "cups_down": [], "countdown_s": None, "broken_off": False, "clock_s": None,
            "undo": None, "paused": False, "showdown": None, "winner": None, "standings": [], "position": None,
            "troubles": [], **more,
        }  # fmt: skip

    def _line(self, body: dict[str, Any]) -> bytes:
        return json.dumps({**body, "site": self.site, "table": self.name, "epoch": self.epoch}).encode()


BAR = {
    "window": ("Ana", "Luis", "Marta", "Jonas"),
    "corner": ("Rosa", "Pablo", "Inés", "Otto", "Yuki"),
    "terrace": ("North", "East", "South"),
    "billiards": ("Dieter", "Chloé", "Max", "Zoé", "Lena", "Tomasz"),
    "counter": ("Émile", "Bruna", "Kofi", "Sven"),
}


def five_tables() -> Iterator[Published]:
    """Yield an evening at five tables: one in a match, one with troubles, one free, one won, and one that is gone."""
    tables = {
        name: VenueTable("bar", name, seats=len(names), seed=seed, names=names)
        for seed, (name, names) in enumerate(BAR.items(), start=2)
    }
    for played, table in enumerate(tables.values(), start=3):
        yield table.status(online=table.name != "counter")
        for _ in range(3 + played % 3):
            yield from table.match()
    tables["window"].bidding([5, 3, 4, 2], 1, 7, 5)
    yield tables["window"].state()
    tables["corner"].bidding([2, 0, 1, 4, 1], 3, 3, 1)
    state = json.loads(tables["corner"].state()[1])
    state["seats"][2]["missing"], state["seats"][4]["away"] = ["cup"], True
    yield tables["corner"].topic("state"), json.dumps(state).encode(), True
    tables["terrace"].lobby(range(0))
    yield tables["terrace"].state()
    tables["billiards"].over(2)
    yield tables["billiards"].state()
    tables["counter"].bidding([1, 1, 2, 2], 0, 2, 3)
    yield tables["counter"].state()
