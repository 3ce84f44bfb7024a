"""A real Mosquitto on a port of this computer for a test, and clients of it."""

import asyncio
import json
import signal
import subprocess
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from aiomqtt import Client, MqttError

from bench.tools import broker
from firmware_host.util.process import ended

TLS = "certfile {}\nkeyfile {}\nuser root\n"
"""The user is for tests as root: any other could not read the key."""


class Mosquitto:
    """A broker that forgets everything when killed, and can restart at the same port; skips where there is none."""

    def __init__(self, certificate: tuple[Path, Path] | None = None) -> None:
        """Prepare a broker at a free port. With a certificate and its key it speaks TLS alone."""
        if broker.PROGRAM is None:
            pytest.skip("there is no mosquitto: apt install mosquitto")
        self.port = broker.free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self._folder = tempfile.TemporaryDirectory()
        self._config = Path(self._folder.name) / "mosquitto.conf"
        self._config.write_text(
            broker.CONFIG.format(port=self.port) + (TLS.format(*certificate) if certificate else "")
        )

    def launch(self) -> None:
        """Start it; it does not listen yet."""
        self.process = broker.launched(self._config)

    def listens(self) -> bool:
        """Return whether it takes connections yet. Raises `AssertionError` if it has ended."""
        assert self.process is not None
        assert self.process.poll() is None, "mosquitto does not start"
        return broker.listens(self.port)

    async def start(self) -> None:
        """Start it and wait until it listens."""
        self.launch()
        while not self.listens():
            await asyncio.sleep(0.01)

    def kill(self, how: int = signal.SIGKILL) -> None:
        """Kill it."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(timeout=10)
            self.process = None

    def close(self) -> None:
        """Kill it for good."""
        self.kill()
        self._folder.cleanup()


class Subscriber:
    """A client that keeps what it hears, and connects again whenever the broker is back."""

    def __init__(self, port: int, topic: str) -> None:
        self._port = port
        self._topic = topic
        self.heard: list[tuple[str, bool, dict[str, Any]]] = []  # topic, whether retained, content
        self.on_message: Callable[[Client, str, dict[str, Any]], Any] = lambda *_: None
        self.on_connect: Callable[[Client], Any] = lambda _: None
        self.is_connected = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Disconnect."""
        await ended(self._task)

    def of(self, name: str) -> list[dict[str, Any]]:
        """Return the messages of the topics that end so."""
        return [content for topic, _, content in self.heard if topic.endswith(f"/{name}")]

    async def _run(self) -> None:
        while True:
            with suppress(MqttError):
                async with Client("127.0.0.1", self._port, timeout=2) as client:
                    await client.subscribe(self._topic, qos=1)
                    if (word := self.on_connect(client)) is not None:
                        await word
                    self.is_connected.set()
                    async for message in client.messages:
                        assert isinstance(message.payload, bytes)
                        content = json.loads(message.payload)
                        self.heard.append((message.topic.value, message.retain, content))
                        if (answer := self.on_message(client, message.topic.value, content)) is not None:
                            await answer
            self.is_connected.clear()
            await asyncio.sleep(0.02)


async def until(holds: Callable[[], object], timeout_s: float = 20.0) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(timeout_s):
        while not holds():
            await asyncio.sleep(0.01)


def in_a_folder(
    test: Callable[..., Awaitable[object]], run: Callable[[Path, AsyncExitStack], Awaitable[None]]
) -> Callable[[Path], None]:
    """Return a test under the name of another one, which `run` runs in a loop with a folder and a stack of its own."""

    async def with_stack(folder: Path) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)
        async with AsyncExitStack() as stack:
            await run(folder, stack)

    def in_folder(tmp_path: Path) -> None:
        asyncio.run(with_stack(tmp_path))

    in_folder.__name__, in_folder.__doc__ = test.__name__, test.__doc__
    return in_folder
