"""The TV's own command line under cage, on an output in memory: what stands on the screen, whatever happens to it."""

import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageStat
from support.pages.public_pages import ScreenProcess, StagedTable, state
from support.system.tv_session import USER, TvSession, tv_session

from bench.tools.broker import free_port
from docs.screenshots import CHROMIUMS, chromium

BID = {"quantity": 7, "face": 5, "seat": 0}
LINE = state("bidding", 6, standing=BID, turn=1, waiting_for=[1])


class Tv:
    """A table, the server of its page, and the TV that shows it."""

    def __init__(self, events: Path, port: int, session: TvSession) -> None:
        self.session = session
        self._events = events
        self._port = port
        self._server: ScreenProcess | None = None

    def serve(self) -> None:
        """Start the server of the page unless it runs."""
        if self._server is None:
            self._server = ScreenProcess(self._events, port=self._port)

    def kill_server(self) -> None:
        """Kill the server of the page, as if it ran out of memory."""
        assert self._server is not None
        self._server.process.kill()
        self._server.close()
        self._server = None

    def pages(self) -> int:
        """Return how many pages hold a connection to the server."""
        remote = f"0100007F:{self._port:04X}"
        lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        return sum((line[2], line[3], line[7]) == (remote, "01", str(USER)) for line in lines)

    def close(self) -> None:
        """Stop the server if it runs."""
        if self._server is not None:
            self._server.close()


@pytest.fixture(scope="module")
def session_without_a_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tv]:
    """Give a TV that was switched on before its page was served. The tests use it one after the other."""
    if chromium() is None:
        pytest.skip(f"there is no Chromium on the PATH: none of {', '.join(CHROMIUMS)}")
    table = StagedTable(tmp_path_factory.mktemp("table") / "events.sock")
    table.send(LINE)
    port = free_port()
    with tv_session(f"--page http://127.0.0.1:{port}/") as session:
        tv = Tv(table.path, port, session)
        yield tv
        tv.close()
    table.close()


@pytest.fixture
def tv(session_without_a_page: Tv) -> Tv:
    """Give a TV that shows the page, also to a test that runs alone."""
    session_without_a_page.serve()
    session_without_a_page.session.wait_until(is_whole_page)
    return session_without_a_page


def colours(picture: Image.Image) -> int:
    return len(picture.getcolors(1 << 24) or ())


def light(picture: Image.Image) -> float:
    return sum(ImageStat.Stat(picture).mean)


def is_whole_page(picture: Image.Image) -> bool:
    """Return whether the page fills a picture: dark to the last corner, and something on it in each half."""
    width, height = picture.size
    corners = [picture.getpixel((x, y)) for x in (0, width - 1) for y in (0, height - 1)]
    halves = [picture.crop((0, 0, width // 2, height)), picture.crop((width // 2, 0, width, height))]
    return all(sum(corner) < 150 for corner in corners) and all(colours(half) > 50 for half in halves)


def test_it_is_dark_and_waits_until_a_page_is_served(session_without_a_page: Tv) -> None:
    tv = session_without_a_page
    tv.session.wait_until(lambda picture: "waiting for a page" in tv.session.log)
    assert light(tv.session.photograph()) == 0
    tv.serve()
    tv.session.wait_until(is_whole_page)


def test_the_browser_has_its_sandbox(tv: Tv) -> None:
    renderers = tv.session.renderers()
    assert renderers
    for status in renderers:
        assert re.search(r"^Seccomp:\s2$", status, re.MULTILINE)
        assert len(re.findall(r"\d+", re.findall(r"^NSpid:.*", status, re.MULTILINE)[0])) > 1


def test_a_new_tab_shows_the_page_and_not_one_of_the_browsers(tv: Tv) -> None:
    tv.session.press("t", "ctrl")
    tv.session.wait_until(lambda picture: tv.pages() == 2 and is_whole_page(picture))
    tv.session.press("w", "ctrl")
    tv.session.wait_until(lambda picture: tv.pages() == 1 and is_whole_page(picture))


def test_an_address_that_is_typed_is_not_opened_and_no_private_window_is(tv: Tv) -> None:
    with socket.create_server(("127.0.0.1", 0)) as elsewhere:
        elsewhere.settimeout(5)
        tv.session.press("n", "ctrl")
        tv.session.wait_until(lambda _: tv.pages() == 2)
        tv.session.press("l", "ctrl")
        tv.session.write(f"http://127.0.0.1:{elsewhere.getsockname()[1]}/")
        tv.session.press("Return")
        tv.session.wait_until(lambda _: tv.pages() == 1)  # it shows that this is blocked
        with pytest.raises(TimeoutError):
            elsewhere.accept()
    tv.session.press("n", "ctrl", "shift")
    tv.session.press("w", "ctrl")
    tv.session.wait_until(is_whole_page)


def test_the_page_is_whole_after_the_tv_was_off(tv: Tv) -> None:
    tv.session.switch("--off")
    tv.session.switch("--on")
    tv.session.wait_until(is_whole_page)


def test_the_page_is_whole_at_a_tv_of_another_size(tv: Tv) -> None:
    tv.session.switch("--custom-mode", "1920x1080")
    tv.session.wait_until(lambda picture: picture.size == (1920, 1080) and is_whole_page(picture))


def test_the_last_picture_stays_dimmed_when_the_server_is_killed_and_shines_when_it_is_back(tv: Tv) -> None:
    bright = light(tv.session.wait_until(lambda picture: light(picture) > 100))
    tv.kill_server()
    dimmed = tv.session.wait_until(lambda picture: light(picture) < 0.7 * bright)
    assert is_whole_page(dimmed)
    tv.serve()
    tv.session.wait_until(lambda picture: is_whole_page(picture) and light(picture) > 0.9 * bright)
