"""`python -m bench.tools.flood KIND PLACE`: a process that floods the table until its standard input ends.

`bench.sections.storms` starts it. PLACE is a Unix socket's path or a port on 127.0.0.1. It prints an empty line after
its first successful attempt, and at the end their number.
"""

import os
import select
import selectors
import socket
import sys
from collections.abc import Callable, Iterator

READERS = ("readers", "talkers", "returners")
"""The kinds at the public socket; the others are at the page."""
HELD = 256
"""Connections, more than the page serves at once."""
RETURNERS = 50
"""Clients of the public socket, more than it has room for."""
ANSWERED = b'"since":0,'
"""A part of the state at the end of an answer."""
WAIT_S = 0.2
UPGRADE = (
    "GET /live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
GONE = b"\x88\x82\0\0\0\0\x03\xe8"
"""A close frame with code 1000 and a mask of zeros."""


def readers(path: str) -> Iterator[int]:
    """Connect to the public socket and leave."""
    while True:
        with socket.socket(socket.AF_UNIX) as reader:
            reader.settimeout(WAIT_S)
            reader.connect(path)
        yield 1


def talkers(path: str) -> Iterator[int]:
    """Connect to the public socket and send byte by byte until disconnected."""
    while True:
        with socket.socket(socket.AF_UNIX) as talker:
            talker.settimeout(WAIT_S)
            talker.connect(path)
            while True:
                talker.sendall(b"x")
                yield 1


def returners(path: str) -> Iterator[int]:
    """Ask for every event there is, `RETURNERS` clients at once, read the answers, and come again.

    Each piece of an answer counts: a slow machine may not finish one during a storm.
    """
    with selectors.DefaultSelector() as waiting:
        while True:
            while len(waiting.get_map()) < RETURNERS:
                client = socket.socket(socket.AF_UNIX)
                client.setblocking(False)
                try:
                    client.connect(path)
                    client.sendall(b'{"since":0}\n')
                except OSError:  # as many wait already as the kernel holds
                    client.close()
                    break
                waiting.register(client, selectors.EVENT_READ, bytearray())
            for key, _ in waiting.select(WAIT_S):
                assert isinstance(key.fileobj, socket.socket)
                try:
                    piece = key.fileobj.recv(65536)
                except OSError:
                    piece = b""
                is_answered = ANSWERED in key.data + piece
                key.data[:] = piece[-len(ANSWERED) :]
                if is_answered or not piece:
                    waiting.unregister(key.fileobj)
                    key.fileobj.close()
                yield 1 if piece else 0
            yield 0


def idle(port: str) -> Iterator[int]:
    """Hold `HELD` silent connections to the page, and replace closed ones."""
    held: list[socket.socket] = []
    while True:
        while len(held) < HELD:
            held.append(_at(port))
            yield 1
        ended, _, _ = select.select(held, [], [], WAIT_S)
        for one in ended:
            held.remove(one)
            one.close()
        yield 0


def handshakes(port: str) -> Iterator[int]:
    """Open a WebSocket as a page does, and leave."""
    while True:
        with _at(port) as page:
            page.sendall(UPGRADE.format(port=port).encode())
            page.recv(4096)
            page.sendall(GONE)
        yield 1


def requests(port: str) -> Iterator[int]:
    """Request the page as often as one connection allows."""
    while True:
        with _at(port) as asking:
            while True:
                asking.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
                if not asking.recv(65536):
                    break
                yield 1


def pings(port: str) -> Iterator[int]:
    """Send pings without end over one WebSocket."""
    yield from _frames(port, b"", b"\x89\x80\0\0\0\0" * 1000)


def continuations(port: str) -> Iterator[int]:
    """Send a never-ending message of empty fragments."""
    yield from _frames(port, b"\x01\x80\0\0\0\0", b"\0\x80\0\0\0\0" * 10_000)


def _frames(port: str, first: bytes, others: bytes) -> Iterator[int]:
    while True:
        with _at(port) as page:
            page.sendall(UPGRADE.format(port=port).encode())
            page.recv(4096)
            page.sendall(first + others)
            while True:
                yield 1
                while select.select([page], [], [], 0)[0]:
                    if not page.recv(65536):
                        raise ConnectionError
                page.sendall(others)


def drops(port: str) -> Iterator[int]:
    """Send never-ending headers, byte by byte, over many connections at once."""
    held: list[socket.socket] = []
    while True:
        if len(held) < HELD:
            held.append(_at(port))
            held[-1].sendall(b"GET / HTTP/1.1\r\nX: ")
        for one in list(held):
            try:
                one.sendall(b"x")
            except OSError:
                held.remove(one)
                one.close()
        yield 1


KINDS: dict[str, Callable[[str], Iterator[int]]] = {
    each.__name__: each
    for each in (readers, talkers, returners, idle, handshakes, requests, pings, continuations, drops)
}


def _at(port: str) -> socket.socket:
    connection = socket.socket()
    connection.settimeout(WAIT_S)
    try:
        connection.connect(("127.0.0.1", int(port)))
    except OSError:
        connection.close()
        raise
    return connection


def main(kind: str, place: str) -> None:
    """Flood until standard input ends."""
    os.set_blocking(sys.stdin.fileno(), False)
    done, deeds = 0, KINDS[kind](place)
    while sys.stdin.buffer.read(1) is None:  # at its end it is b""
        try:
            before, done = done, done + next(deeds)
            if done and not before:
                print(flush=True)
        except OSError:  # refused, ended or too slow: again
            deeds = KINDS[kind](place)
    print(done, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
