"""The public socket with real clients: a Unix socket, on the table's loop in virtual time."""

import asyncio
import errno
import logging
import os
import re
import socket
import stat
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from support.table.harness import NAMES, TableHarness

from engine import KILL_SPOT
from firmware_host import wire
from firmware_host.errors import PublicSocketError
from firmware_host.public import address, client, server
from firmware_host.public.encoder import LineEncoder
from firmware_host.public.server import PublicSocket
from firmware_host.table.effects import Publish
from firmware_host.wire import CupSettled, Joined, PublicState
from hardware.emulated.virtual_loop import START_S, VirtualLoop

SEATS = NAMES[:3]
(LOBBY,) = (effect.state for effect in TableHarness(KILL_SPOT, seats=3).effects if isinstance(effect, Publish))


def state(countdown_s: int) -> PublicState:
    """Return one state of many."""
    return replace(LOBBY, countdown_s=countdown_s)


class Reader:
    """Somebody who reads."""

    def __init__(self, reading: asyncio.StreamReader, writing: asyncio.StreamWriter) -> None:
        self.reading = reading
        self.writing = writing

    @classmethod
    async def at(cls, path: Path) -> "Reader":
        reader = cls(*await asyncio.open_unix_connection(path))
        await asyncio.sleep(0.01)
        return reader

    async def line(self) -> wire.AnyLine:
        return wire.read(await asyncio.wait_for(self.reading.readline(), 5))

    async def rest(self) -> bytes:
        """Return everything up to the end; a connection that is cut off is an end too."""
        rest = b""
        try:
            while piece := await asyncio.wait_for(self.reading.read(65536), 5):
                rest += piece
        except ConnectionResetError:
            pass
        return rest

    async def hears_nothing(self) -> bool:
        try:
            return not await asyncio.wait_for(self.reading.read(1), 5)
        except TimeoutError:
            return True

    def close(self) -> None:
        self.writing.close()


Story = Callable[[PublicSocket], Awaitable[None]]


@pytest.fixture
def at(loop: VirtualLoop, tmp_path: Path) -> Callable[[Story], None]:
    """Give a function that opens a socket and lets something happen at it."""

    def at(scenario: Story) -> None:
        async def run() -> None:
            async with PublicSocket(tmp_path / "events.sock", SEATS) as public:
                await scenario(public)

        loop.run_until_complete(run())

    return at


At = Callable[[Callable[[PublicSocket], Coroutine[Any, Any, None]]], None]


def test_the_first_line_is_the_state(at: At) -> None:
    async def scenario(public: PublicSocket) -> None:
        public.publish(state(3))
        reader = await Reader.at(public.path)
        first = await reader.reading.readline()
        assert first == LineEncoder(SEATS).state(state(3), journal=wire.read(first).journal)  # type: ignore[union-attr]
        reader.close()

    at(scenario)


def test_events_and_states_follow_in_their_order(at: At) -> None:
    async def scenario(public: PublicSocket) -> None:
        public.publish(state(3))
        readers = [await Reader.at(public.path) for _ in range(2)]
        public.announce(Joined(1))
        public.announce(CupSettled(2))
        public.publish(state(2))
        for reader in readers:
            received = [type(await reader.line()) for _ in range(4)]
            assert received == [wire.PublicState, Joined, CupSettled, wire.PublicState]
            reader.close()

    at(scenario)


def test_who_comes_late_begins_with_the_latest_state(at: At) -> None:
    async def scenario(public: PublicSocket) -> None:
        public.publish(state(3))
        public.announce(Joined(1))
        public.publish(state(2))
        reader = await Reader.at(public.path)
        first = await reader.line()
        assert isinstance(first, wire.PublicState)
        assert first.countdown_s == 2
        assert await reader.hears_nothing()
        reader.close()

    at(scenario)


def test_who_comes_before_there_is_a_state_waits_for_it_and_hears_no_event_before(at: At) -> None:
    async def scenario(public: PublicSocket) -> None:
        reader = await Reader.at(public.path)
        public.announce(Joined(1))
        assert await reader.hears_nothing()
        public.publish(state(3))
        public.announce(Joined(2))
        assert [type(await reader.line()) for _ in range(2)] == [wire.PublicState, Joined]
        reader.close()

    at(scenario)


def test_a_reader_that_does_not_read_is_cut_off_and_nobody_else_is(at: At, caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(public: PublicSocket) -> None:
        public.publish(state(0))
        stuck, awake = await Reader.at(public.path), await Reader.at(public.path)
        stuck.writing.transport.pause_reading()  # type: ignore[attr-defined]
        for number in range(1, 3000):
            public.publish(state(number))
            await awake.line()
            if len(public._clients) == 1:
                break
        else:
            raise AssertionError("it is still there")
        waited = number * len(LineEncoder(SEATS).state(state(number)))
        assert waited < 2 * client.MAX_BACKLOG_BYTES + 2 * 1024 * 1024
        public.publish(state(9000))
        received = [await awake.line(), await awake.line()]
        assert received[-1] == replace(received[0], countdown_s=9000)
        stuck.writing.transport.resume_reading()  # type: ignore[attr-defined]
        whole = (await stuck.rest()).split(b"\n")[:-1]
        assert all(isinstance(wire.read(line), wire.PublicState) for line in whole)
        awake.close()

    with caplog.at_level(logging.INFO):
        at(scenario)
    assert [record.getMessage() for record in caplog.records] == [
        "a client of the public socket was disconnected: it does not read"
    ]


def test_what_waits_for_a_reader_has_a_bound(at: At) -> None:
    async def scenario(public: PublicSocket) -> None:
        public.publish(state(0))
        stuck = await Reader.at(public.path)
        stuck.writing.transport.pause_reading()  # type: ignore[attr-defined]
        (transport,) = (reader._transport for reader in public._clients)
        line = len(LineEncoder(SEATS).state(state(0)))
        for number in range(3000):
            public.publish(state(number % 10))
            assert transport.get_write_buffer_size() <= client.MAX_BACKLOG_BYTES + line
        assert transport.is_closing()

    at(scenario)


@pytest.mark.parametrize("garbage", [b"hello\n", b"\xff\x00" * 1000, b'{"do":"roll"}\n'])
def test_a_little_that_a_reader_says_changes_nothing(at: At, garbage: bytes) -> None:
    async def scenario(public: PublicSocket) -> None:
        public.publish(state(3))
        reader = await Reader.at(public.path)
        reader.writing.write(garbage)
        await asyncio.sleep(0.1)
        public.publish(state(2))
        assert [type(await reader.line()) for _ in range(2)] == [wire.PublicState] * 2
        reader.close()

    at(scenario)


def test_a_reader_that_talks_is_cut_off(at: At) -> None:
    async def scenario(public: PublicSocket) -> None:
        public.publish(state(3))
        other, talker = await Reader.at(public.path), await Reader.at(public.path)
        for _ in range(5):
            talker.writing.write(b"x" * 1000)
            await asyncio.sleep(0.1)
        assert len(public._clients) == 1
        assert isinstance(await other.line(), wire.PublicState)
        other.close()
        await talker.rest()

    at(scenario)


def test_a_reader_that_goes_is_forgotten(at: At) -> None:
    async def scenario(public: PublicSocket) -> None:
        public.publish(state(3))
        reader = await Reader.at(public.path)
        reader.close()
        await asyncio.sleep(0.1)
        assert repr(public) == f"<PublicSocket {public.path}, 0 clients>"
        public.publish(state(2))

    at(scenario)


def test_who_comes_when_it_is_full_waits_in_turn_until_somebody_goes(at: At, caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(public: PublicSocket) -> None:
        public.publish(state(3))
        readers = [await Reader.at(public.path) for _ in range(server.MAX_CLIENTS)]
        first, second = await Reader.at(public.path), await Reader.at(public.path)
        await asyncio.sleep(5)
        assert len(public._clients) == server.MAX_CLIENTS
        readers.pop().close()
        assert isinstance(await first.line(), wire.PublicState)
        assert await second.hears_nothing()
        readers.pop().close()
        assert isinstance(await second.line(), wire.PublicState)
        for reader in (*readers, first, second):
            reader.close()

    at(scenario)
    received = "32 clients of the public socket are connected: the next one waits until one disconnects"
    assert [record.getMessage() for record in caplog.records] == [received] * 3


# A flood


def test_connections_are_accepted_at_a_rate(at: At) -> None:
    async def scenario(public: PublicSocket) -> None:
        public.publish(state(3))
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        for _ in range(server.MAX_CLIENTS + 5 * server.MAX_ACCEPTS_PER_S):
            reader = await Reader.at(public.path)
            await reader.line()
            reader.close()
        assert loop.time() - began_s > 3

    at(scenario)


def test_who_comes_after_a_flood_is_heard_within_seconds(at: At) -> None:
    async def scenario(public: PublicSocket) -> None:
        public.publish(state(3))
        for _ in range(20):
            flood = [socket.socket(socket.AF_UNIX) for _ in range(address.BACKLOG)]
            for one in flood:
                one.setblocking(False)
                with suppress(BlockingIOError):
                    one.connect(str(public.path))
            await asyncio.sleep(0.1)
            for one in flood:
                one.close()
        with socket.socket(socket.AF_UNIX) as honest:
            honest.setblocking(False)
            loop = asyncio.get_running_loop()
            began_s = loop.time()
            while not is_connected(honest, public.path):
                await asyncio.sleep(0.05)
            assert await asyncio.wait_for(loop.sock_recv(honest, 1), 10) == b"{"
            assert loop.time() - began_s < 5

    at(scenario)


def is_connected(one: socket.socket, path: Path) -> bool:
    """Return whether there was room in the backlog."""
    try:
        one.connect(str(path))
    except BlockingIOError:
        return False
    return True


def test_the_log_of_a_thousand_readers_that_talk_has_a_bound(at: At, caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(public: PublicSocket) -> None:
        public.publish(state(3))
        for _ in range(1000):
            talker = await Reader.at(public.path)
            talker.writing.write(b"x" * 5000)
            await talker.rest()
            talker.close()
        minutes = asyncio.get_running_loop().time() / 60 - START_S / 60
        assert len(caplog.records) <= server.MAX_WARNINGS + minutes
        await asyncio.sleep(120)
        talker = await Reader.at(public.path)
        talker.writing.write(b"x" * 5000)
        await talker.rest()
        talker.close()

    at(scenario)
    left_out = [int(count) for count in re.findall(r"\((\d+) such lines? left out before it\)", caplog.text)]
    assert len(caplog.records) + sum(left_out) == 1001


def test_a_reader_that_talks_in_many_small_pieces_is_cut_off(at: At) -> None:
    async def scenario(public: PublicSocket) -> None:
        public.publish(state(3))
        talker = await Reader.at(public.path)
        for _ in range(33):
            talker.writing.write(b"x")
            await asyncio.sleep(0.01)
        assert not public._clients
        await talker.rest()

    at(scenario)


def test_a_process_without_a_descriptor_left_accepts_when_it_has_one_again(
    at: At, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario(public: PublicSocket) -> None:
        public.publish(state(3))
        accept, left = socket.socket.accept, [OSError(errno.EMFILE, os.strerror(errno.EMFILE))] * 3

        def accepted(listening: socket.socket) -> tuple[socket.socket, Any]:
            if left:
                raise left.pop()
            return accept(listening)

        monkeypatch.setattr(socket.socket, "accept", accepted)
        reader = await Reader.at(public.path)
        assert isinstance(await reader.line(), wire.PublicState)
        reader.close()

    at(scenario)
    assert not caplog.records


def test_a_table_that_closes_takes_leave_and_its_file_along(at: At, tmp_path: Path) -> None:
    readers: list[Reader] = []

    async def scenario(public: PublicSocket) -> None:
        public.publish(state(3))
        readers.append(await Reader.at(public.path))

    at(scenario)
    assert not (tmp_path / "events.sock").exists()


def test_it_is_for_its_user_and_group(at: At) -> None:
    async def scenario(public: PublicSocket) -> None:
        assert stat.S_IMODE(public.path.stat().st_mode) == 0o660

    at(scenario)


# Where it can and can't be


def test_a_file_that_a_dead_process_left_is_replaced(at: At, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(tmp_path / "events.sock"))

    async def scenario(public: PublicSocket) -> None:
        public.publish(state(3))
        reader = await Reader.at(public.path)
        assert isinstance(await reader.line(), wire.PublicState)
        reader.close()

    at(scenario)


def test_a_second_table_leaves_the_first_its_socket(at: At) -> None:
    async def scenario(public: PublicSocket) -> None:
        public.publish(state(3))
        with pytest.raises(PublicSocketError) as refused:
            await PublicSocket(public.path, SEATS).__aenter__()
        assert str(refused.value) == (
            f"{public.path}: another table uses it; stop it, or name another path with --events"
        )
        reader = await Reader.at(public.path)
        assert isinstance(await reader.line(), wire.PublicState)
        reader.close()

    at(scenario)


def test_a_socket_that_another_has_put_in_its_place_stays(at: At, tmp_path: Path) -> None:
    path = tmp_path / "events.sock"
    with socket.socket(socket.AF_UNIX) as others:

        async def scenario(public: PublicSocket) -> None:
            path.rename(tmp_path / "away.sock")
            others.bind(str(path))

        at(scenario)
        assert path.exists()


def refused(path: Path) -> str:
    with pytest.raises(PublicSocketError) as error:
        address.listen_at(path)
    return str(error.value)


def test_a_file_that_is_no_socket_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("mine")
    assert refused(path) == f"{path}: is there already and is no socket; name another path with --events"
    assert path.read_text() == "mine"
    assert refused(tmp_path) == f"{tmp_path}: is there already and is no socket; name another path with --events"


def test_a_path_that_is_too_long_is_told_with_both_lengths(tmp_path: Path) -> None:
    path = tmp_path / ("ß" * 60)
    length = len(os.fsencode(path))
    assert refused(path) == (
        f"{path}: {length} bytes are too long for a socket's path of 107; name another path with --events"
    )


def test_the_longest_path_there_is_room_for_will_do(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path = path.with_name("x" * (address.MAX_PATH_BYTES - len(os.fsencode(path)) + 1))
    address.listen_at(path).close()


@pytest.mark.parametrize("parent", ["none", "none/deeper", "notes.txt"])
def test_a_directory_that_is_not_there_is_told(tmp_path: Path, parent: str) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    path = tmp_path / parent / "events.sock"
    assert refused(path) == (
        f"{path}: there is no directory {path.parent}; make it, or name another path with --events"
    )


def test_a_directory_that_takes_no_socket_is_told() -> None:
    error = refused(Path("/proc/self/events.sock"))
    assert error.startswith("/proc/self/events.sock: no socket can be made there: ")
    assert error.endswith("; name another path with --events")


@pytest.mark.parametrize(
    ("environment", "place"),
    [
        ({}, "state/events.sock"),
        ({"XDG_RUNTIME_DIR": "/run/user/1000"}, "/run/user/1000/dudo-table/events.sock"),
        ({"XDG_RUNTIME_DIR": "/run/user/1000", "RUNTIME_DIRECTORY": "/run/dudo-table"}, "/run/dudo-table/events.sock"),
        ({"RUNTIME_DIRECTORY": "/run/dudo-table:/run/other"}, "/run/dudo-table/events.sock"),
        ({"XDG_RUNTIME_DIR": "relative"}, "state/events.sock"),
    ],
)
def test_the_usual_place_is_the_systems_else_the_users_else_beside_the_journal(
    environment: dict[str, str], place: str
) -> None:
    assert address.default_path(Path("state"), environment) == Path(place)


def test_the_users_folder_for_it_is_made(tmp_path: Path) -> None:
    path = address.prepare_default_path(Path("state"), {"XDG_RUNTIME_DIR": str(tmp_path)})
    assert path == tmp_path / "dudo-table/events.sock"
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    address.listen_at(path).close()


def test_a_folder_that_can_not_be_made_is_told_when_it_is_opened(tmp_path: Path) -> None:
    path = address.prepare_default_path(Path("state"), {"XDG_RUNTIME_DIR": str(tmp_path / "none")})
    assert refused(path).startswith(f"{path}: there is no directory ")


def test_who_has_no_table_listens_to_the_service(tmp_path: Path) -> None:
    service = tmp_path / "run" / "events.sock"
    service.parent.mkdir()
    assert address.path_to_listen(tmp_path, {}, service) == service


def test_who_has_a_table_listens_to_that(tmp_path: Path) -> None:
    service = tmp_path / "run" / "events.sock"
    service.parent.mkdir()
    own = tmp_path / "events.sock"
    own.touch()
    assert address.path_to_listen(tmp_path, {}, service) == own


def test_where_no_service_runs_nobody_is_sent_to_it(tmp_path: Path) -> None:
    assert address.path_to_listen(tmp_path, {}, tmp_path / "run" / "events.sock") == tmp_path / "events.sock"
