"""A cup's unanswered request: to draw for a deal, or to open it. `LinkSession` has one.
Both may be sent repeatedly; the cup always gives the same answer.
"""

import asyncio
from collections.abc import Callable

from drivers.messages import Drawn, Opened, Post
from hardware.link import messages as link

RETRY_S = 0.1


class PendingRequest:
    """The latest request to one cup. A later request replaces it.
    A Draw is sent again when the cup comes back, answered or not, because the cup may have lost its entropy. An
    answered Open is not.
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
        return f"<PendingRequest {self._asked!r}{', answered' if self._is_answered else ''}>"

    def ask(self, message: link.Draw | link.Open) -> None:
        """Send this until it is answered. Raises ValueError if a field is not a hash."""
        if any(len(each) != link.HASH_BYTES for each in vars(message).values()):
            raise ValueError(f"a deal and a head are of {link.HASH_BYTES} bytes")
        self._asked = message
        self._is_answered = False
        self._send_again()

    def online(self) -> None:
        """Send an unanswered request, as the cup is back."""
        self._is_up = True
        if isinstance(self._asked, link.Draw):
            self._is_answered = False
        self._send_again()

    def offline(self) -> None:
        """Stop sending: the cup is away."""
        self._is_up = False
        if self._timer is not None:
            self._timer.cancel()

    def is_answer(self, message: link.LinkMessage | None) -> bool:
        """Return whether a message answers the request."""
        if self._is_answered or self._asked is None or not isinstance(message, link.Drawn | link.Opened):
            return False
        return isinstance(message, link.Drawn) is isinstance(self._asked, link.Draw) and (
            message.deal == self._asked.deal
        )

    def handle(self, message: link.LinkMessage) -> None:
        """Post an answer; ignore anything else."""
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

    def _send_again(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._is_up and self._asked is not None and not self._is_answered:
            self._timer = self._loop.call_later(RETRY_S, self._send_again)
            self._send(self._asked)
