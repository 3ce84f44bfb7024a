"""This computer's addresses for other devices in its network, and QR codes to show them."""

import io
import socket
from functools import lru_cache
from ipaddress import IPv4Address

import ifaddr
import segno

EVERY_ADDRESS = "0.0.0.0"
_SOMEWHERE = ("192.0.2.1", 9)  # RFC 5737: reserved for documents; connecting a UDP socket sends nothing


def own_addresses() -> list[str]:
    """Return this computer's IPv4 addresses: first the one that reaches others, loopback if alone."""
    found = [ip.ip for adapter in ifaddr.get_adapters() for ip in adapter.ips if isinstance(ip.ip, str)]
    outside = [each for each in found if not (IPv4Address(each).is_loopback or IPv4Address(each).is_link_local)]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_SOMEWHERE)
            main = probe.getsockname()[0]
        except OSError:  # a network without a gateway, such as a Pi's own access point
            main = ""
    return sorted(outside, key=lambda each: each != main) or ["127.0.0.1"]


def reachable_at(host: str) -> str:
    """Return the numeric address at which other devices reach a page listening at `host`."""
    return own_addresses()[0] if host == EVERY_ADDRESS else host


def qr_file(text: str) -> bytes:
    """Return a QR code as an SVG file, with the quiet zone around it."""
    file = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        file, kind="svg", omitsize=True, xmldecl=False, dark="#000", light="#fff", svgclass=None, lineclass=None
    )
    return file.getvalue()


def small_qr(address: str, fragment: str, max_modules: int) -> tuple[int, ...]:
    """Return the rows of the smallest QR code for an address with a fragment in capitals, the left module in the
    highest bit; empty above `max_modules` across.

    An address in capitals is the same one, and half as large: only the # takes a byte of its own.
    """
    parts = [address.upper(), "#", fragment]
    code = segno.make(parts, error="l", micro=False)  # type: ignore[arg-type]  # segno takes parts, its stubs don't
    rows = tuple(int("".join(str(int(module)) for module in row), 2) for row in code.matrix)
    return rows if len(rows) <= max_modules else ()


@lru_cache(maxsize=8)  # enough for a table of eight
def qr(text: str) -> str:
    """Return a QR code as an inline SVG."""
    drawn: str = segno.make(text, error="m", micro=False).svg_inline(
        omitsize=True, dark="#000", light="#fff", svgclass=None, lineclass=None
    )
    return drawn
