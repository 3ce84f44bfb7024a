"""The invitation for guests' phones: the address of their page, and the code for the next one.

`dudo-table phones` makes it, `public.invitation` brings it to the daemon. A free seat's display shows it in the lobby.
"""

from typing import Annotated

from msgspec import Meta, Struct

MAX_MODULES = 29
"""Modules across the largest QR code that a display has room for: version 3 of ISO 18004, two pixels each."""
_Line = Annotated[str, Meta(min_length=1, pattern=r"^[!-~]+\Z")]


class Invitation(Struct, frozen=True, omit_defaults=True):
    """The address that a person types, the code there, and the fingerprint of the table's key.

    `qr` has the rows of a QR code for all three, the leftmost module in the highest bit; empty if it is too large.
    """

    address: Annotated[_Line, Meta(max_length=256)]
    code: Annotated[_Line, Meta(max_length=32)]
    qr: Annotated[tuple[Annotated[int, Meta(ge=0, lt=1 << MAX_MODULES)], ...], Meta(max_length=MAX_MODULES)] = ()
    key: Annotated[str, Meta(max_length=32, pattern=r"^[0-9A-F]*\Z")] = ""

    @property
    def fragment(self) -> str:
        """Code and key, which browsers keep out of servers and logs."""
        return f"{self.code}-{self.key}" if self.key else self.code

    @property
    def link(self) -> str:
        """The address with the fragment."""
        return f"{self.address}#{self.fragment}"


class Invited(Struct, frozen=True):
    """Host message: the present invitation, None while no phone can join."""

    invitation: Invitation | None
