"""The shell blocks of five documents, typed as they stand on a fresh Debian 13."""

import json
import re
from collections.abc import Iterator

import pytest
from support import ROOT
from support.system import documented
from support.system.documented import Typist, block, blocks

from bench.sections.phones import LAYOUT

TYPED = {
    "install": ("sudo apt install ./dudo", "sudo cp my-table.toml", "systemctl status"),
    "closing": ("sudo systemctl enable", "sudo mkfs.vfat", "sudo dudo-table staff export", "sudo systemctl stop"),
    "venue": ("dudo-table venue --broker mqtt.local --listen", "sudo apt install mosquitto", "HOST=", "echo venue",
              "sudo dudo-table venue --set-password", "dudo-table venue --broker mqtt.local --password",
              "sudo -u postgres psql"),
    "bridge": ("dudo-table bridge", "sudo apt install python3-paho-mqtt"),
    "phones": ("sudo apt install python3-aiohttp",),
}  # fmt: skip
LEFT_OUT = {
    "install": {
        "sudo raspi-config nonint do_i2c": "it sets up the buses of a Raspberry Pi",
        "sudo umount /dev/sda1": "it formats a partition, and a container has none",
        "echo 'LABEL=dudo-table": "it mounts that partition",
        "sudo raspi-config nonint enable_overlayfs": "it changes the boot of a Raspberry Pi",
        "sudo sed -i 's/overlayroot": "the same",
        "sudo python3 -m venv": "test_container_by_hand.py types it",
        "sudo dudo-table boards": "it needs boards, which test_board_updates.py emulates",
        "gpg --quick-generate-key": "it is typed in a clone; test_apt_repository.py makes a key and a repository",
        "wget https://bar.example": "test_apt_repository.py types it",
        "journalctl -u dudo-table-first-boot": "test_first_boot.py boots so",
        "sudo mkfs.vfat -n DUDO-UPDATE": "test_apt_repository.py makes a drive",
        "table-card run apt upgrade": "a container has no card; test_card.py updates one",
    },
    "phones": {
        "dudo-table phones --listen 0.0.0.0:8680  ": "the service does the same",
        "dudo-table phones --listen 0.0.0.0:8680 --proxy": "it needs a certificate; test_https.py makes one",
        "sudo systemctl edit dudo-table-phones": "the same",
        "F=/run/credentials": "the same",
        "echo 'PHONES_OPTIONS=\"--proxy": "it needs a proxy",
    },
}
"""The blocks that need a Raspberry Pi, a disk, or another test, with the reason."""
PASSWORD = "correct horse"
NANO = """#!/bin/sh
case $1 in *venue*) echo choose-a-password ;; *) echo choose-another-one ;; esac >"$1"
"""
"""An owner who types the password of the broker's block into an editor."""

EDITOR = """#!/bin/sh
for file; do :; done
sed -i '/^### Anything between here/r /root/times' "$file"
"""
"""An owner who pastes the times below the line that systemctl writes."""
SEEN = """from paho.mqtt.subscribe import simple
login = {"username": "venue", "password": "choose-a-password"}
print(simple("dudo/v1/bar/window/seen", auth=login).payload.decode())
"""
"""A program that prints the venue's word."""

PHONE = """import asyncio, sys
import aiohttp
from phone_page import PhoneEnd

async def reads(address, code):
    end, plain = PhoneEnd(), b""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        asked = {"code": code, "seat": 1, "key": end.door.hex()}
        async with session.post(f"{address}join", json=asked) as joined:
            assert joined.status == 200, await joined.text()
        async with session.ws_connect(f"{address}live") as page:
            while not plain:
                message = await page.receive(timeout=30)
                if message.type is aiohttp.WSMsgType.BINARY:
                    was_agreed = end.keys is not None
                    plain += end.receive(message.data)
                    if end.keys is not None and not was_agreed:
                        await page.send_bytes(end.hello)
        async with session.get(f"{address}story") as told:
            print(f"{len(plain)} bytes, story {end.open_sealed(await told.read()).decode().strip()}")

asyncio.run(reads(*sys.argv[1:]))
"""
"""A guest's phone: it joins with the code, agrees on keys, and prints how much of the table's frames it can read."""


def test_every_block_is_typed_or_has_a_reason_why_not() -> None:
    for page, starts in TYPED.items():
        known = {block(page, start) for start in (*starts, *LEFT_OUT.get(page, ()))}
        assert known == set(blocks(page)), page


@pytest.fixture(scope="module")
def owner() -> Iterator[Typist]:
    """Give an owner at a computer with the package."""
    with documented.fresh("bar") as owner:
        owner.has("/usr/local/bin/nano", NANO, 0o755)
        owner.types(block("install", "sudo apt install ./dudo"))
        yield owner


@pytest.fixture(scope="module")
def venue(owner: Typist) -> Typist:
    """Give an owner who has set up the broker, the venue beside it, and the database."""
    owner.has("/root/typed", f"{PASSWORD}\n")
    owner.types(block("venue", "sudo apt install mosquitto"), before="exec <typed")
    owner.types(block("venue", "HOST="))
    owner.types(block("venue", "echo venue"))
    owner.types("apt-get install postgresql")
    owner.types(block("venue", "sudo -u postgres psql"))
    return owner


@pytest.fixture(scope="module")
def table(venue: Typist) -> Typist:
    """Give an owner who has set up the bridge of a table, too."""
    venue.types("cp /etc/mosquitto/certs/dudo.pem .")
    venue.types(block("bridge", "sudo apt install python3-paho-mqtt"))
    return venue


def for_seconds(typed: str, *commands: str, seconds: int = 6) -> str:
    """Return a block in which Ctrl-C ends these commands, which go on for ever, after some seconds."""
    for command in commands:
        typed, count = re.subn(
            rf"^(sudo )?({re.escape(command)}.*?)( +#.*)?$",
            rf"\1timeout -s INT {seconds} \2 || [ $? = 124 ]",
            typed,
            flags=re.MULTILINE,
        )
        assert count, command
    return typed


def test_a_layout_of_ones_own_is_checked_and_taken_over(owner: Typist) -> None:
    owner.types("cp /usr/lib/dudo-table/hardware/config/layouts/wired-4.toml my-table.toml")
    owner.types(block("install", "sudo cp my-table.toml"))
    owner.debian.wait_until(lambda: "4 seats" in owner.debian.log("dudo-table.service"), 20)


def test_an_owner_sees_how_the_table_is(owner: Typist) -> None:
    typed = for_seconds(block("install", "systemctl status"), "journalctl", "dudo-table listen")
    typed = re.sub(r"^(sudo dudo-table doctor).*$", r"\1 || [ $? = 1 ]", typed, flags=re.MULTILINE)
    said = owner.types(typed, before="adduser --quiet --disabled-password --gecos '' guest; USER=guest")
    assert "Active: active (running)" in said
    assert '"type":"state"' in said
    assert "dudo-table" in owner.types("id -Gn guest").split()


def test_closing_time_is_at_the_times_of_the_page(owner: Typist) -> None:
    (times,) = re.findall(r"```ini\n(.*?)```", documented.text("closing"), re.DOTALL)
    owner.has("/root/times", times)
    owner.has("/usr/local/bin/editor", EDITOR, 0o755)
    typed = block("closing", "sudo systemctl enable")
    edit = "sudo systemctl edit dudo-table-closing.timer"  # which works at a terminal alone
    owner.types(typed.replace(edit, f"script -qec '{edit}' /dev/null"), before="unset EDITOR VISUAL; export TERM=dumb")
    calendar = owner.debian.shown("dudo-table-closing.timer", "TimersCalendar")
    assert re.findall(r"OnCalendar=([^;]+?) ;", calendar) == ["Sat,Sun *-*-* 04:00:00", "Mon..Fri *-*-* 02:00:00"]


def test_a_copy_is_made_into_a_folder_and_restored(owner: Typist) -> None:
    owner.types(block("closing", "sudo mkfs.vfat"), before="truncate -s 64M /dev/sda1")
    # Without a block device no drive is found: all but the folder say so.
    typed = re.sub(r"( *#.*)?$", " || true", block("closing", "sudo dudo-table staff export").rstrip(), flags=re.M)
    said = owner.types(typed, before="mkdir -p /mnt/nas")
    assert "DUDO-BACKUP" in said
    name = owner.types("ls /mnt/nas").strip()
    assert re.fullmatch(r"dudo-table-bar-[-0-9]+\.tar\.gz", name)
    owner.types(f"cp /mnt/nas/{name} dudo-table-bar-2026-11-23-040000.tar.gz")
    said = owner.types(block("closing", "sudo systemctl stop"))
    assert "house.sqlite" in said
    assert owner.debian.shown("dudo-table.service", "ActiveState") == "active"


def test_the_venue_follows_its_broker(venue: Typist) -> None:
    venue.debian.wait_until(lambda: venue.status("dudo-table-venue") == "active: follows the tables", 30)
    assert venue.debian.log("mosquitto.service").count("Error") == 0


def test_a_table_reaches_the_venue_over_tls(table: Typist) -> None:
    table.debian.wait_until(lambda: table.status("dudo-table-bridge") == "active: publishes the table", 60)

    table.has("/root/seen.py", SEEN)

    def is_kept() -> bool:
        return bool(json.loads(table.types("timeout 5 python3 seen.py")))

    table.debian.wait_until(is_kept, 30)


def test_the_owner_can_log_in_at_the_venue(venue: Typist) -> None:
    body = json.dumps({"password": PASSWORD})
    code = (
        "import urllib.request as r; print(r.urlopen(r.Request('http://127.0.0.1:8660/owner/login', "
        f"b'{body}', {{'Content-Type': 'application/json'}})).status)"
    )
    venue.has("/root/login.py", code)
    assert venue.types("python3 login.py").strip() == "204"


def test_a_bridge_and_a_venue_run_by_hand(table: Typist) -> None:
    table.types(
        "systemctl stop dudo-table-venue dudo-table-bridge; install -D /dev/null /etc/dudo-table/login/mqtt-user"
    )
    table.types(
        "echo window >/etc/dudo-table/login/mqtt-user; echo choose-another-one >/etc/dudo-table/login/mqtt-password"
    )
    table.has("/root/.pgpass", "db.local:5432:dudo:dudo:choose-a-password\n", 0o600)
    said = table.types(for_seconds(block("bridge", "dudo-table bridge"), "dudo-table bridge"))
    assert "Connection refused" in said  # the first of them is for a broker without TLS
    assert "its certificate is refused" in said  # the other one names the broker by its address
    by_hand = block("venue", "dudo-table venue --broker mqtt.local --listen")
    said = table.types(for_seconds(by_hand, "dudo-table venue"))
    assert said.count("The venue is at ") == 2
    assert "database" not in said
    assert table.types("sudo -u postgres psql -Atc 'SELECT version FROM venue' dudo").strip() == "1"
    with_password = block("venue", "sudo dudo-table venue --set-password")
    said = table.types(for_seconds(with_password, "dudo-table venue --broker"), before="exec <typed")
    assert said.count("The venue is at ") == 1
    proxied = block("venue", "dudo-table venue --broker mqtt.local --password")
    assert "The venue is at " in table.types(for_seconds(proxied, "dudo-table venue"))


def test_a_guests_phone_is_a_seat_of_the_installed_table(owner: Typist) -> None:
    assert "python3-nacl" not in owner.types("dpkg-query --show --showformat '${Depends}' dudo-table")
    owner.has("/etc/dudo-table/table.toml", LAYOUT)
    owner.types("systemctl restart dudo-table")
    owner.types(block("phones", "sudo apt install python3-aiohttp"))
    invited = r"The next phone opens (http://\S+:8680/) with the code (\w{4}) (\w{4})\."
    owner.debian.wait_until(lambda: bool(re.search(invited, owner.debian.log("dudo-table-phones.service"))), 60)
    address, *code = re.findall(invited, owner.debian.log("dudo-table-phones.service"))[-1]
    owner.has("/root/phone_page.py", (ROOT / "tests/support/pages/phone_page.py").read_text(encoding="utf-8"))
    owner.has("/root/phone.py", PHONE)
    said = owner.types(f"python3 phone.py {address} {''.join(code)}")
    assert re.fullmatch(r"[1-9]\d* bytes, story \[.*\]\n", said)
