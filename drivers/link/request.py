"""What the table asks of a cup's program until it answers: to draw for a deal, and to open it. `SerialLink` has one.

Both may be asked any number of times; the cup always gives the same answer.
"""

import asyncio
from collections.abc import Callable

from drivers.messages import Drawn, Opened, Post
from hardware.link import messages as link

AGAIN_S = 0.1


class Request:
    """The latest request to one cup; one that comes later replaces it.

    A cup that was away is asked again when it is back, answered or not, because it may have lost what it had drawn.
    What was opened needs no second time.
    """

    def __init__(
        self, seat: int, *, loop: asyncio.AbstractEventLoop, send: Callable[[link.LinkMessage], None], post: Post
    ) -> None:
        self._seat = seat
        self._loop = loop
        self._send = send
        self._post = post
        self._asked: link.Draw | link.Open | None = None
        self._is_answered = True
        self._is_up = False
        self._timer: asyncio.Handle | None = None

    def __repr__(self) -> str:
        return f"<Request {self._asked!r}{', answered' if self._is_answered else ''}>"

    def ask(self, message: link.Draw | link.Open) -> None:
        """Ask this from now on. ValueError when it holds anything but hashes."""
        if any(len(each) != link.HASH_BYTES for each in vars(message).values()):
            raise ValueError(f"a deal and a head are of {link.HASH_BYTES} bytes")
        self._asked = message
        self._is_answered = False
        self._say()

    def go_up(self) -> None:
        """The cup can be asked."""
        self._is_up = True
        if isinstance(self._asked, link.Draw):
            self._is_answered = False
        self._say()

    def go_down(self) -> None:
        """It can't."""
        self._is_up = False
        if self._timer is not None:
            self._timer.cancel()

    def is_answer(self, message: link.LinkMessage | None) -> bool:
        """Whether this is what the cup was asked for."""
        if self._is_answered or self._asked is None or not isinstance(message, link.Drawn | link.Opened):
            return False
        return isinstance(message, link.Drawn) is isinstance(self._asked, link.Draw) and (
            message.deal == self._asked.deal
        )

    def hear(self, message: link.LinkMessage) -> None:
        """Take what the cup says; only an answer is posted."""
        if not self.is_answer(message):
            return
        self._is_answered = True
        if self._timer is not None:
            self._timer.cancel()
        match message:
            case link.Drawn(deal=deal, commitment=commitment):
                self._post(Drawn(self._seat, deal, commitment))
            case link.Opened(deal=deal, entropy=entropy):
                self._post(Opened(self._seat, deal, entropy))

    def _say(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._is_up and self._asked is not None and not self._is_answered:
            self._timer = self._loop.call_later(AGAIN_S, self._say)
            self._send(self._asked)
