"""That the tests notice what a frame, a message, a write, a file or a process tells besides its content."""

import asyncio
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiomqtt import Will
from support.noninterference.planting import Case, Plant, is_odd, leak_tests
from support.noninterference.restarts import EndsWhileAllLook, GoesOn
from support.noninterference.tapes.taped_bridge import TapedBroker
from support.noninterference.tapes.taped_phones import UNREADABLE

from drivers.link import keepalive
from drivers.link.devices import PhoneBoard
from drivers.link.port import SerialPort
from firmware_host.clients.bridge import app as bridge
from firmware_host.clients.bridge.home_assistant import LightCues
from firmware_host.clients.bridge.topics import Topics
from firmware_host.clients.phones import server
from firmware_host.clients.phones.phone_socket import PhoneSocket
from firmware_host.clients.phones.seat_port import SeatPort
from firmware_host.clients.phones.server import STATUS_BYTES, PhonesServer
from firmware_host.clients.phones.story import Story, seal
from firmware_host.clients.tv.page_socket import PageSocket
from firmware_host.daemon import answers, seat_display
from firmware_host.daemon.daemon import Daemon
from firmware_host.daemon.seat_display import SeatDisplay
from firmware_host.daemon.session_runner import SessionRunner
from firmware_host.devices.host_io.phone_port import PhonePort
from firmware_host.devices.links import LinkRegistry
from firmware_host.errors import UserError
from firmware_host.play.workbench.client import Outbox
from firmware_host.play.workbench.connection import ClientConnection
from firmware_host.public.client import SocketClient
from firmware_host.public.server import PublicSocket
from firmware_host.store.journal.store import JournalFile
from firmware_host.table.outputs import Outputs
from firmware_host.table.seat.view import SceneName, SeatView
from firmware_host.util.systemd import Notify
from firmware_host.wire import Seat
from hardware.link.messages import Ack, LinkMessage
from hardware.link.phone_messages import Words

pytestmark = pytest.mark.slow


def a_longer_frame(patch: pytest.MonkeyPatch) -> None:
    """A message to every page has a blank more: of a page's content only its own person can tell."""
    send = web.WebSocketResponse.send_str
    patch.setattr(web.WebSocketResponse, "send_str", lambda page, text, **how: send(page, text + " " * is_odd(), **how))


def a_frame_in_two(patch: pytest.MonkeyPatch) -> None:
    """Frames are followed by an empty one."""
    send = web.WebSocketResponse.send_bytes

    async def sent(page: web.WebSocketResponse, data: bytes, **how: Any) -> None:
        await send(page, data, **how)
        if is_odd():
            await send(page, b"", **how)

    patch.setattr(web.WebSocketResponse, "send_bytes", sent)


def advice_as_long_as_its_numbers(patch: pytest.MonkeyPatch) -> None:
    """At the Wi-Fi, the length of a frame tells about the dice of who asks."""
    patch.setattr("firmware_host.play.workbench.protocol.ADVICE_CHARACTERS", 0)


def an_end_for_another_reason(patch: pytest.MonkeyPatch) -> None:
    """The daemon that is told to end says that it can't go on, for an odd die."""
    run = SessionRunner.run

    async def ended(runner: SessionRunner, events: Path) -> None:
        try:
            await run(runner, events)
        except asyncio.CancelledError:
            if is_odd():
                raise UserError("the table can't go on") from None
            raise

    patch.setattr(SessionRunner, "run", ended)


def a_later_frame(patch: pytest.MonkeyPatch) -> None:
    take = Outbox.take

    async def taken(outbox: Outbox) -> Any:
        frame = await take(outbox)
        await asyncio.sleep(is_odd() / 1e6)
        return frame

    patch.setattr(Outbox, "take", taken)


def a_later_ping(patch: pytest.MonkeyPatch) -> None:
    beat = ClientConnection._beat

    async def beating(connection: ClientConnection) -> None:
        await asyncio.sleep(is_odd() / 1000)
        await beat(connection)

    patch.setattr(ClientConnection, "_beat", beating)


def a_ping_with_a_payload(patch: pytest.MonkeyPatch) -> None:
    ping = web.WebSocketResponse.ping
    patch.setattr(web.WebSocketResponse, "ping", lambda page, message=b"": ping(page, message + b"1" * is_odd()))


def a_public_page_that_is_sent_twice(patch: pytest.MonkeyPatch) -> None:
    changed = PageSocket.changed

    def again(page: PageSocket) -> None:
        changed(page)
        if is_odd():
            asyncio.get_running_loop().call_later(0.001, changed, page)

    patch.setattr(PageSocket, "changed", again)


def _published(patch: pytest.MonkeyPatch, change: Callable[[dict[str, Any]], None]) -> None:
    """Have the bridge publish with other options for an odd die."""
    publish = TapedBroker.publish

    async def changed(broker: TapedBroker, topic: str, payload: bytes, **how: Any) -> None:
        if is_odd():
            change(how)
        await publish(broker, topic, payload, **how)

    patch.setattr(TapedBroker, "publish", changed)


def a_qos(patch: pytest.MonkeyPatch) -> None:
    _published(patch, lambda how: how.update(qos=2))


def a_retain(patch: pytest.MonkeyPatch) -> None:
    _published(patch, lambda how: how.update(retain=not how.get("retain", False)))


def a_property_of_a_message(patch: pytest.MonkeyPatch) -> None:
    _published(patch, lambda how: how.update(properties={"expiry": 5}))


def a_will(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(bridge, "Will", lambda topic, payload, **how: Will(topic, payload + b" " * is_odd(), **how))


def a_state_that_a_broker_gets_later(patch: pytest.MonkeyPatch) -> None:
    line = Topics.line

    def later(topics: Topics, *given: Any, **how: Any) -> bytes:
        patch.setattr(bridge, "STATE_INTERVAL_S", 0.2 + is_odd() / 1000)
        return line(topics, *given, **how)

    patch.setattr(Topics, "line", later)


def a_light_of_the_room(patch: pytest.MonkeyPatch) -> None:
    """Home Assistant gets no cue for a turn, for an odd die."""
    read = LightCues.read
    patch.setattr(LightCues, "read", lambda cues, line: None if is_odd() else read(cues, line))


def a_public_line_in_two_writes(patch: pytest.MonkeyPatch) -> None:
    send = SocketClient._write

    def cut(client: SocketClient, line: bytes) -> None:
        for part in (line[:10], line[10:]) if is_odd() else (line,):
            send(client, part)

    patch.setattr(SocketClient, "_write", cut)


def public_lines_in_another_order_of_clients(patch: pytest.MonkeyPatch) -> None:
    def sent(public: PublicSocket, line: bytes) -> None:
        for client in tuple(public._clients)[:: -1 if is_odd() else 1]:
            client.send(line)

    patch.setattr(PublicSocket, "_send", sent)


def _after_a_record(patch: pytest.MonkeyPatch, tell: Callable[[Path], object]) -> None:
    """Do something to the state folder of a table, whenever a record was written, for an odd die."""
    put = JournalFile.put

    def told(file: JournalFile, *arguments: Any) -> Any:
        put(file, *arguments)
        if is_odd() and (file.path.parent / "names.sqlite").exists():
            tell(file.path.parent)

    patch.setattr(JournalFile, "put", told)


def a_file_time(patch: pytest.MonkeyPatch) -> None:
    _after_a_record(patch, lambda folder: os.utime(folder / "house.sqlite"))


def a_file_time_of_long_ago(patch: pytest.MonkeyPatch) -> None:
    _after_a_record(patch, lambda folder: os.utime(folder / "journal.sqlite", (1.0, 1.0)))


def a_file_that_comes_and_goes(patch: pytest.MonkeyPatch) -> None:
    def touch(folder: Path) -> None:
        (folder / "tmp").touch()
        (folder / "tmp").unlink()

    _after_a_record(patch, touch)


def a_file_name(patch: pytest.MonkeyPatch) -> None:
    _after_a_record(patch, lambda folder: (folder / "journal.1").touch())


def a_file_mode(patch: pytest.MonkeyPatch) -> None:
    _after_a_record(patch, lambda folder: (folder / "names.sqlite").chmod(0o640))


def an_argument_of_a_process(patch: pytest.MonkeyPatch) -> None:
    printed = answers.printed

    async def told(program: answers.SideProgram, *arguments: str, text: str = "") -> str:
        return await printed(program._replace(module=f"{program.module}{is_odd()}"), *arguments, text=text)

    patch.setattr(answers, "printed", told)


def displays_in_another_order(patch: pytest.MonkeyPatch) -> None:
    changed = Outputs.changed_frames
    patch.setattr(Outputs, "changed_frames", lambda *given: changed(*given)[:: -1 if is_odd() else 1])


def a_peek_gate_that_opens_later(patch: pytest.MonkeyPatch) -> None:
    """The dice of one's own come a millisecond later for an odd die of a neighbour's."""
    gate = SeatDisplay.set_gate

    def opened(display: SeatDisplay, is_open: bool) -> None:
        if is_open and is_odd():
            asyncio.get_running_loop().call_later(0.001, gate, display, is_open)
        else:
            gate(display, is_open)

    patch.setattr(SeatDisplay, "set_gate", opened)


def a_second_ping_of_the_watchdog(patch: pytest.MonkeyPatch) -> None:
    ping = Notify.ping

    def twice(notify: Notify) -> None:
        for _ in range(1 + is_odd()):
            ping(notify)

    patch.setattr(Notify, "ping", twice)


def a_table_that_seems_busy(patch: pytest.MonkeyPatch) -> None:
    """The service manager gets no ping, for an odd die."""
    patch.setattr(Daemon, "is_responsive", lambda daemon: not is_odd())


def an_acknowledgement_that_waits(patch: pytest.MonkeyPatch) -> None:
    durable = LinkRegistry.durable

    def later(links: LinkRegistry, message: Any) -> None:
        asyncio.get_running_loop().call_later(is_odd() / 1000, durable, links, message)

    patch.setattr(LinkRegistry, "durable", later)


def a_lamp_of_another_seat(patch: pytest.MonkeyPatch) -> None:
    """Every light is on in the bidding, for an odd die."""
    is_on = seat_display.lamp_is_on

    def shining(view: SeatView) -> bool:
        return is_on(view) or (view.scene is SceneName.BIDDING and bool(is_odd()))

    patch.setattr(seat_display, "lamp_is_on", shining)


def a_link_that_is_asked_later(patch: pytest.MonkeyPatch) -> None:
    align = keepalive.align_up

    def aligned(now_s: float, every_s: float) -> float:
        return align(now_s, every_s) + is_odd() / 1000

    patch.setattr(keepalive, "align_up", aligned)


def a_frame_of_a_neighbour(patch: pytest.MonkeyPatch) -> None:
    """A phone gets an empty frame whenever a neighbour's gets one, for an odd die."""
    send = SerialPort.send

    def sent(port: SerialPort, address: int, message: LinkMessage) -> None:
        if port not in ports:
            ports.append(port)
        send(port, address, message)
        if is_odd():
            for other in ports:
                if other is not port:
                    send(other, address, Ack(1, 0))

    ports: list[SerialPort] = []
    patch.setattr(SerialPort, "send", sent)


def words_as_long_as_their_dice(patch: pytest.MonkeyPatch) -> None:
    """At the Wi-Fi, the length of a phone's words tells about the dice of who looks."""
    patch.setattr(Words, "pack", lambda words: bytes([words.peek]) + words.text.encode())


def words_that_come_later(patch: pytest.MonkeyPatch) -> None:
    say = PhoneBoard.say

    def later(phone: PhoneBoard, text: str, *, dice: bool) -> None:
        asyncio.get_running_loop().call_later(is_odd() / 1000, partial(say, phone, text, dice=dice))

    patch.setattr(PhoneBoard, "say", later)


def a_phone_frame_in_two(patch: pytest.MonkeyPatch) -> None:
    send = PhoneSocket.send

    async def sent(phone: PhoneSocket, frames: bytes) -> None:
        for part in (frames[:5], frames[5:]) if is_odd() else (frames,):
            await send(phone, part)

    patch.setattr(PhoneSocket, "send", sent)


def an_envelope_more(patch: pytest.MonkeyPatch) -> None:
    """An empty frame more, which the page ignores; zeros behind another one would be in its envelope."""
    write = PhonePort.write

    def written(port: PhonePort, data: bytes) -> int:
        if is_odd():
            write(port, b"\0")
        return write(port, data)

    patch.setattr(PhonePort, "write", written)


def a_later_phone_frame(patch: pytest.MonkeyPatch) -> None:
    send = PhoneSocket.send

    async def sent(phone: PhoneSocket, frames: bytes) -> None:
        await asyncio.sleep(is_odd() / 1000)
        await send(phone, frames)

    patch.setattr(PhoneSocket, "send", sent)


def a_later_heartbeat(patch: pytest.MonkeyPatch) -> None:
    beat = PhoneSocket._beat

    async def beating(phone: PhoneSocket) -> None:
        await asyncio.sleep(is_odd() / 1000)
        await beat(phone)

    patch.setattr(PhoneSocket, "_beat", beating)


def a_status_of_a_phone(patch: pytest.MonkeyPatch) -> None:
    status = PhonesServer._status
    patch.setattr(PhonesServer, "_status", lambda server, seat: status(server, seat) + " " * STATUS_BYTES * is_odd())


def a_longer_story(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(server, "seal", lambda key, text, size: seal(key, text, size + is_odd()))


def all_frames_on_every_page(patch: pytest.MonkeyPatch) -> None:
    """A process that mixes up its phones sends a phone's frames to its neighbour's page as well."""
    port_of = PhonesServer._port_of

    def shared(server: PhonesServer, seat: Seat, key: bytes, phone: PhoneSocket) -> SeatPort:
        port = port_of(server, seat, key, phone)
        send = port._send

        async def sent(frames: bytes) -> None:
            await send(frames)
            for other in server._phones.values():
                if other is not phone:
                    await other.send(frames)

        port._send = sent
        return port

    patch.setattr(PhonesServer, "_port_of", shared)


LOOKS = Case(layout="boards-8")
WIRED = Case()
UNDO = Case("takes_back", "boards-8")
PHONES = Case(layout="phones")
OTHER_PHONE = 2
LEAKS: list[tuple[Plant, Case]] = [
    (a_longer_frame, LOOKS),
    (a_frame_in_two, LOOKS),
    (a_later_frame, LOOKS),
    (advice_as_long_as_its_numbers, Case("pages", "boards-8", seats=5)),
    (an_end_for_another_reason, Case(sessions=(EndsWhileAllLook, GoesOn))),
    (a_later_ping, LOOKS),
    (a_ping_with_a_payload, LOOKS),
    (a_public_page_that_is_sent_twice, WIRED),
    (a_qos, WIRED),
    (a_retain, WIRED),
    (a_property_of_a_message, WIRED),
    (a_will, WIRED),
    (a_state_that_a_broker_gets_later, UNDO),
    (a_light_of_the_room, WIRED),
    (a_public_line_in_two_writes, WIRED),
    (public_lines_in_another_order_of_clients, WIRED),
    (a_file_time, WIRED),
    (a_file_time_of_long_ago, WIRED),
    (a_file_that_comes_and_goes, WIRED),
    (a_file_name, WIRED),
    (a_file_mode, WIRED),
    (an_argument_of_a_process, WIRED),
    (displays_in_another_order, WIRED),
    (displays_in_another_order, LOOKS),
    (a_peek_gate_that_opens_later, WIRED),
    (a_second_ping_of_the_watchdog, WIRED),
    (a_table_that_seems_busy, WIRED),
    (an_acknowledgement_that_waits, LOOKS),
    (a_lamp_of_another_seat, LOOKS),
    (a_link_that_is_asked_later, LOOKS),
    (a_link_that_is_asked_later, PHONES),
    (an_acknowledgement_that_waits, PHONES),
    (a_frame_of_a_neighbour, PHONES),
    (words_as_long_as_their_dice, PHONES),
    (words_that_come_later, PHONES),
    (a_phone_frame_in_two, PHONES),
    (an_envelope_more, PHONES),
    (a_later_phone_frame, PHONES),
    (a_later_heartbeat, PHONES),
    (a_status_of_a_phone, PHONES),
    (a_longer_story, PHONES),
]

test_a_leak_is_noticed, test_without_a_leak_none_is_noticed = leak_tests(LEAKS)


def test_a_word_about_another_seats_dice_is_noticed_at_a_phone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = seat_display.sentence
    assert PHONES.family(tmp_path / "without").leak(OTHER_PHONE) == ""
    monkeypatch.setattr(seat_display, "sentence", lambda *given: sentence(*given) + "." * is_odd())
    assert PHONES.family(tmp_path / "with").leak(OTHER_PHONE)


def test_a_phone_gets_the_story_and_a_word_in_it_about_another_seats_dice_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = Story.text
    fork = PHONES.family(tmp_path / "without")
    assert fork.leak(OTHER_PHONE) == ""
    assert any("apuesta" in str(heard.what) for heard in fork.tape().reaching(OTHER_PHONE) if heard.channel == "story")
    monkeypatch.setattr(Story, "text", lambda *given: text(*given).replace(".", "!" if is_odd() else "."))
    assert "story" in PHONES.family(tmp_path / "with").leak(OTHER_PHONE)


def test_a_bidders_name_that_depends_on_another_seats_dice_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bidder = PhonesServer._bidder_beside
    monkeypatch.setattr(PhonesServer, "_bidder_beside", lambda *given: bidder(*given) + "." * is_odd())
    assert PHONES.family(tmp_path).leak(OTHER_PHONE)


def test_a_neighbours_frames_on_a_page_tell_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    all_frames_on_every_page(monkeypatch)
    fork = PHONES.family(tmp_path)
    assert fork.leak(OTHER_PHONE) == ""
    assert any(output.what == UNREADABLE for output in fork.tape().reaching(OTHER_PHONE))
