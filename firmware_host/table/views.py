"""From what everybody may know and what a seat's place remembers to what is on that seat's glass."""

from firmware_host.table.lights import Lights
from firmware_host.table.place import Place
from firmware_host.table.public import PublicState
from firmware_host.table.seat_view import Missing, SceneName, SeatView
from firmware_host.table.troubles import Troubles

BOUND_LETTERS, FINAL_LETTERS = 11, 16
"""How much of a match's chain is on the glass: what the shortest line for it holds; at last, what one writes down."""


def seat_view(
    place: Place, public: PublicState, lights: Lights, troubles: Troubles, *, picked_up: bool, may_agree: bool
) -> SeatView:
    """One seat's public picture of the evening."""
    seat, seats, players = place.seat, public.seats, public.players
    return SeatView(
        scene=public.scene,
        name=seats[seat].name,
        names=tuple(seats[player].name for player in players),
        me=players.index(seat) if seat in players else None,
        position=public.position,
        caller=public.caller,
        call=public.call,
        waiting_for=public.waiting_for,
        countdown_s=public.countdown_s,
        broken_off=public.broken_off,
        clock_s=public.clock_s,
        absence=public.absence,
        may_agree=may_agree,
        again=public.again,
        missing=tuple(Missing(seats[lost].name, device) for lost, device in public.missing),
        troubles=troubles.seen_by(owner=seats[seat].is_service),
        takes_new_cup=seats[seat].takes_new_cup,
        notice=place.notice,
        picked_up=picked_up,
        has_looked=public.match is not None and place.looked_in == public.match,
        leaf=place.leaf,
        light=lights.light,
        head=_head(public),
        beat=lights.beat,
    )


def _head(public: PublicState) -> str:
    """The first letters of the chain's head while they bind somebody: the makers of a deal, and the whole match."""
    if public.head is None:
        return ""
    if public.deal is not None:
        return public.head[:BOUND_LETTERS]
    return public.head[:FINAL_LETTERS] if public.scene is SceneName.OVER else ""
