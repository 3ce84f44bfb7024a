"""The card image starts, keeps a match through power cuts, and goes back from an update that does not start the table.

An emulated PC starts it, with boards on its USB; `test_card_on_a_pi.py` has the image for a Raspberry Pi.
"""

import asyncio
import itertools
import random
import tarfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from support.crash.display_reader import plain
from support.guest import card
from support.guest.card import BOARDS, TABLE, CardGuest, up
from support.guest.examination import LastState, goes_on, records_of
from support.guest.installed import compiled, cut_power, print_log
from support.guest.players import GuestSession
from support.guest.sticks import MIB, Stick, plug
from support.guest.table import GuestTable
from support.system import debian_root, package
from support.system.publisher import Publisher

from firmware_host.daemon.service import UPDATE_LABEL
from firmware_host.table.seat.view import SceneName
from hardware.config.layout import load

pytestmark = card.needed
CARDS, CUTS = 2, 100
"""Cards, each cut by a worker of its own with `-n 2`, and cuts of all of them together."""
PLAY_S = (2.0, 30.0)
START_S = 60.0
UPDATE_S = 240.0
UPDATED_WITHIN_S = 3000.0
NEWER, BROKEN, NEWEST = "90.1", "90.2", "90.3"
INSTALL = "tar -C /tmp -xf /dev/vdb && table-card run sh -c 'dpkg --install /tmp/*{}*.deb'"
BESIDE = f"tar -C /tmp -xf /dev/vdb && apt-get install --yes /tmp/dudo-table_{NEWER}_all.deb"
LAYER = "cat /run/dudo-card/layer"
VERSION = "dpkg-query --show --showformat '${Version}' dudo-table"
CONFIRMED = f'for n in $(seq 1200); do [ "$({LAYER})" = good ] && exit; sleep 0.1; done; exit 1'


@asynccontextmanager
async def at_card(
    folder: Path, *packages: Path, seed: int, payload: Path | None = None, masked: tuple[str, ...] = ()
) -> AsyncIterator[GuestSession]:
    """Give people at the table of a new card, which is on; with packages in its update layer."""
    async with CardGuest(
        card.card_in(folder, *packages, masked=masked), folder, payload=payload, sockets=BOARDS
    ) as guest:
        session = GuestSession(GuestTable(load(TABLE), guest, seed=seed), seed=seed)
        try:
            print(f"\nlobby {await up(session):.1f} s after power-on, the first time")
            yield session
        except Exception:
            await print_log(session)
            raise
        finally:
            cut_power(session)


def look_at(session: GuestSession, last_state: LastState) -> None:
    """Note in `session.wrong` what a table that is up again has lost."""
    first, last = session.states[len(last_state.states)], last_state.states[-1]
    if not goes_on(plain(first), last, last_state):
        session.wrong.append(f"left as {last}, up as {first}")


@pytest.fixture
def publisher(tmp_path: Path) -> Iterator[Publisher]:
    """Give an owner who has published a newer version."""
    publisher = Publisher(tmp_path, tmp_path / "served")
    publisher.publish(NEWER, compiled=compiled(package.built()))
    yield publisher
    publisher.close()


def payload(publisher: Publisher, folder: Path, *others: str) -> Path:
    """Return a tar with the package of a newer version, of others, and the one that follows their repository."""
    target = folder / "payload.tar"
    with tarfile.open(target, "w") as packing:
        packing.add(publisher.served / "dudo-table-repository.deb", "dudo-table-repository.deb")
        for version in (NEWER, *others):
            if version in others:
                publisher.publish(version, compiled=compiled(package.built()))
            name = f"dudo-table_{version}_all.deb"
            packing.add(publisher.served / name, name)
    return target


def drive(publisher: Publisher, folder: Path) -> Stick:
    """Return a USB drive with what is published."""
    target = folder / "drive.img"
    with target.open("wb") as made:
        made.truncate(64 * MIB)
    debian_root.run("mkfs.ext4", "-q", "-L", UPDATE_LABEL, "-d", publisher.served, target)
    return Stick(target, None)


def test_a_new_card_starts_to_a_lobby_and_keeps_what_is_its_own(runner: asyncio.Runner, tmp_path: Path) -> None:
    async def start() -> None:
        async with at_card(tmp_path, seed=1) as session:
            guest = session.table.guest
            assert session.state.scene == SceneName.LOBBY
            await guest.do("systemctl start dudo-card-grow ssh")  # its keys are made at its first start
            own = [await guest.do("cat /etc/machine-id; cat /etc/ssh/ssh_host_ed25519_key.pub")]
            assert len(own[0].split()[0]) == 32
            size = int(await guest.do("findmnt --noheadings --bytes --output SIZE /run/dudo-card/state"))
            assert size > card.CARD_BYTES / 2
            print(await guest.do("systemctl --failed --no-legend; free -m; df -m"))
            await guest.do("touch /gone /etc/kept && sync")
            cut_power(session)
            print(f"lobby {await up(session):.1f} s after power-on")
            assert await guest.do("ls /gone /etc/kept 2>/dev/null", fails=True) == "/etc/kept\n"
            assert await guest.do("cat /etc/machine-id; cat /etc/ssh/ssh_host_ed25519_key.pub") == own[0]
            assert await guest.do("systemctl --failed --no-legend") == ""

    runner.run(start())


def test_an_update_with_which_the_table_starts_is_kept(
    runner: asyncio.Runner, publisher: Publisher, tmp_path: Path
) -> None:
    async def update() -> None:
        async with at_card(tmp_path, seed=2, payload=payload(publisher, tmp_path)) as session:
            guest = session.table.guest
            assert "write table-card run before" in await guest.do(BESIDE, fails=True)
            await changed(session, INSTALL.format(""))
            await up(session)
            assert await guest.do(LAYER) == "trial-1\n"
            await guest.do(f"sh -c '{CONFIRMED}'")
            assert await guest.do(VERSION) == NEWER

    runner.run(update())


def test_an_update_by_staff_with_which_it_does_not_start_is_dropped(
    runner: asyncio.Runner, publisher: Publisher, tmp_path: Path
) -> None:
    async def update() -> None:
        key = publisher.served / "dudo-table-repository.deb"
        async with at_card(tmp_path, key, seed=2) as session:
            guest = session.table.guest
            publisher.publish(BROKEN, broken=True)
            await plug(guest, drive(publisher, tmp_path))
            await guest.do("for n in $(seq 300); do [ -e /dev/disk/by-label/DUDO-UPDATE ] && break; sleep 0.1; done")
            await changed(session, "dudo-table staff update")
            for layer in ("trial-1", "trial-0"):
                await guest.switch_on()
                await guest.booted()
                assert await guest.do(LAYER) == f"{layer}\n"
                assert await guest.do(VERSION) == BROKEN
                await guest.do("systemctl start --no-block dudo-card-trial")
                await guest.switched_off()
            await up(session)
            assert session.state.scene == SceneName.LOBBY
            assert await guest.do(VERSION) != BROKEN
            assert await guest.do(LAYER) == "good\n"

    runner.run(update())


async def changed(session: GuestSession, order: str) -> None:
    """Install something, and wait until the computer has restarted: QEMU ends then."""
    print(await session.table.guest.do(order, within_s=UPDATED_WITHIN_S, fails=True))
    await session.table.guest.switched_off()
    cut_power(session)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(3, 3 + CARDS))
def test_power_cuts_of_a_card_lose_nothing(
    runner: asyncio.Runner, publisher: Publisher, tmp_path: Path, seed: int
) -> None:
    rng = random.Random(f"card {seed}")

    async def cut() -> None:
        async with at_card(
            tmp_path, seed=seed, payload=payload(publisher, tmp_path, NEWEST), masked=card.OTHERS
        ) as session:
            guest = session.table.guest
            version = first = await guest.do(VERSION)
            cuts, moments = 0, itertools.cycle(("start", "update", "play"))
            while cuts < CUTS // CARDS:
                moment = next(moments)
                work: list[asyncio.Task[object]] = [asyncio.create_task(session.play_on())]
                if moment == "update":
                    work.append(asyncio.create_task(guest.do(INSTALL.format(NEWEST if version == NEWER else NEWER))))
                await asyncio.sleep(rng.uniform(*PLAY_S) + (rng.uniform(0.0, UPDATE_S) if moment == "update" else 0.0))
                last_states = [LastState(session)]
                cut_power(session)
                for task in work:
                    task.cancel()
                ended = await asyncio.gather(*work, return_exceptions=True)
                if moment == "start":
                    await guest.switch_on()
                    session.listen()
                    await asyncio.sleep(rng.uniform(0.0, START_S))
                    last_states.append(LastState(session))
                    cut_power(session)
                cuts += len(last_states)
                up_s = await up(session)
                for last_state in last_states:
                    look_at(session, last_state)
                await session.everybody_peeks()
                layer, version = (await guest.do(LAYER)).strip(), await guest.do(VERSION)
                print(f"\n{cuts} cuts, now in {moment}: lobby {up_s:.0f} s, {layer} {version}, {ended[1:]}", end="")
                assert session.wrong == []
                assert version in (first, NEWER, NEWEST)
                assert await guest.do("dpkg --audit; systemctl --failed --no-legend") == ""
            print(f"\n{len(await records_of(guest))} matches were over by then, and their records verify")

    runner.run(cut())
