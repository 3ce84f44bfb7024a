"""QR codes for displays: as small as the text allows."""

import pytest

from firmware_host.clients.web.addresses import small_qr

CODE = "K7PQM2ZT"


@pytest.mark.parametrize(
    "address", ["http://192.168.1.5:8680/", "http://255.255.255.255:65535/", "https://dudo.example/"]
)
def test_every_numeric_address_with_a_code_has_25_modules(address: str) -> None:
    rows = small_qr(address, CODE, 29)
    assert len(rows) == 25
    assert rows[0] >> 18 == rows[0] & 0x7F == 0x7F, "the two upper finder patterns"


def test_a_code_too_large_for_a_display_is_none() -> None:
    assert len(small_qr("https://dudo.the-bar.example:8443/", CODE, 29)) == 29
    assert small_qr("https://the-table-at-the-window.the-bar-around-the-corner.example:8443/", CODE, 29) == ()
