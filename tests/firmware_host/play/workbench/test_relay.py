"""The public lines on their way to the pages."""

import asyncio
from pathlib import Path

from firmware_host.play.workbench.server import relay
from hardware.emulated.virtual_loop import VirtualLoop


class Recorder:
    """What a workbench would tell its pages."""

    def __init__(self) -> None:
        self.lines: list[tuple[bytes, bool]] = []

    def publish(self, line: bytes, *, is_state: bool) -> None:
        self.lines.append((line, is_state))


def test_the_last_piece_of_a_connection_that_ended_is_thrown_away(tmp_path: Path) -> None:
    recorder = Recorder()
    tellings = iter([b'{"type":"state"}\n{"type":"sa', b'{"type":"joined"}\n'])

    async def listen() -> None:
        async def tell(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(next(tellings, b""))
            writer.close()

        async with await asyncio.start_unix_server(tell, tmp_path / "events.sock"):
            relaying = asyncio.create_task(relay(tmp_path / "events.sock", recorder))  # type: ignore[arg-type]
            await asyncio.sleep(2)
            assert not relaying.done()
            relaying.cancel()

    with asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=30)) as runner:
        runner.run(listen())
    assert recorder.lines == [(b'{"type":"state"}', True), (b'{"type":"joined"}', False)]
