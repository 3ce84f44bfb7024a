"""`python -m bench.tools.pages PORT COUNT`: public pages that stay open until the standard input ends.

`bench.sections.screen` starts it. It says `open` once every page has its first message, and at the end how many
messages all pages got together.
"""

import asyncio
import sys

from aiohttp import ClientSession, ClientWebSocketResponse, TCPConnector, WSMsgType

OPEN = b"open\n"
PING_S = 15.0
"""As the script of the page does it."""


async def main(port: int, count: int) -> None:
    """Keep `count` pages open."""
    got = 0

    async def read(page: ClientWebSocketResponse) -> None:
        nonlocal got
        async for message in page:
            got += message.type is WSMsgType.TEXT

    async def ping(pages: list[ClientWebSocketResponse]) -> None:
        while True:
            await asyncio.sleep(PING_S)
            for page in pages:
                await page.send_str("ping")

    async with ClientSession(connector=TCPConnector(limit=count)) as session:
        pages = [await session.ws_connect(f"http://127.0.0.1:{port}/live") for _ in range(count)]
        for page in pages:
            await page.receive_str()
        tasks = [asyncio.create_task(work) for work in (ping(pages), *map(read, pages))]
        sys.stdout.buffer.write(OPEN)
        sys.stdout.buffer.flush()
        await asyncio.to_thread(sys.stdin.buffer.read)
        for task in tasks:
            task.cancel()
    print(got)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
