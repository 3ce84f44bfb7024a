"""A phone's driver: a board's, but for a page that anybody may have written."""

from collections.abc import Callable, Iterator

import pytest
from PIL import Image
from support.link.scripted_device import ScriptedDevice

from drivers.link.devices import PHONE_IS_AWAY, PhoneBoard
from drivers.messages import Device, Found, Introduced, KeyTurned, Lost, Message
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.link import messages as link
from hardware.link.phone_messages import Person, Words

Wait = Callable[[float], None]
ALL = link.TILT | link.BUTTONS | link.DUDO | link.PANEL | link.LIGHT | link.KEY

pytestmark = pytest.mark.usefixtures("unraised")


@pytest.fixture
def page(loop: VirtualLoop) -> ScriptedDevice:
    """Give a guest's page at the link."""
    return ScriptedDevice(loop, link.Hello(5, ALL, 1, "phone/2"))


@pytest.fixture
def phone(page: ScriptedDevice, loop: VirtualLoop, inbox: list[Message]) -> Iterator[PhoneBoard]:
    with PhoneBoard(1, page.open, loop=loop, post=inbox.append, identity="phone/2") as driver:
        yield driver


def test_a_phone_is_found_and_lost_as_a_phone(
    page: ScriptedDevice, phone: PhoneBoard, inbox: list[Message], wait: Wait
) -> None:
    wait(1)
    assert phone.is_up
    assert inbox == [Found(1, Device.PHONE)]
    page.hang_up()
    page.end.close()
    wait(1)
    assert inbox[1] == Lost(1, Device.PHONE, PHONE_IS_AWAY)


def test_a_phone_that_takes_no_picture_is_not_told_of_a_cable(
    page: ScriptedDevice, phone: PhoneBoard, inbox: list[Message], wait: Wait
) -> None:
    wait(1)
    page.takes_pictures = False
    phone.show(Image.new("1", (128, 64), 1))
    wait(60)
    assert inbox[1:] == [Lost(1, Device.PANEL, PHONE_IS_AWAY)]


def test_a_page_turns_no_service_key(page: ScriptedDevice, phone: PhoneBoard, inbox: list[Message], wait: Wait) -> None:
    wait(1)
    page.send(link.Event(5, 1, 1_000_000, link.KEY_ON))
    wait(1)
    assert phone.is_up
    assert not [message for message in inbox if isinstance(message, KeyTurned)]


@pytest.mark.parametrize(
    "said",
    [
        [link.Hello(5, ALL, 1, "phone/3")],  # its neighbour's seat
        [link.Hello(5, link.TILT, 1, "phone/2")],
        [link.Hello(5, ALL, 1, "buy-cheap-dice", version=1)],
    ],
)
def test_a_page_that_says_it_is_another_gets_no_seat_and_no_word_into_the_log(
    page: ScriptedDevice, phone: PhoneBoard, inbox: list[Message], wait: Wait, said: list[link.LinkMessage]
) -> None:
    page.answers = said
    wait(5)
    assert not phone.is_up
    assert inbox == [Lost(1, Device.PHONE, PHONE_IS_AWAY)]


def test_a_page_that_plays_a_micropython_prompt_is_told_nothing_and_quoted_nowhere(
    page: ScriptedDevice, phone: PhoneBoard, inbox: list[Message], wait: Wait
) -> None:
    page.answers = []
    wait(0.3)
    page.send_bytes(b"\nRuntimeError: the owner of this bar cheats\n>>> ")
    wait(5)
    assert inbox == [Lost(1, Device.PHONE, PHONE_IS_AWAY)]


def test_a_phone_has_its_display_in_words_and_after_its_return_again(
    page: ScriptedDevice, phone: PhoneBoard, wait: Wait
) -> None:
    phone.say("OK: join in", dice=False)
    wait(1)
    phone.say("OK: join in", dice=False)
    phone.say("Your dice: ace", dice=True)
    wait(1)
    heard = [Words("OK: join in"), Words("Your dice: ace", peek=True)]
    assert page.received_of(Words) == heard
    page.hang_up()
    page.end.close()
    wait(1)
    assert page.received_of(Words) == [*heard, heard[-1]]


def test_a_phone_introduces_its_person_once_a_connection(
    page: ScriptedDevice, phone: PhoneBoard, inbox: list[Message], wait: Wait
) -> None:
    wait(1)
    for person in (Person("es", "Ana"), Person("es", "Ana"), Person("fr", "Ana")):
        page.send(person)
        wait(0.1)
    assert inbox[1:] == [Introduced(1, "es", "Ana")]
    page.hang_up()
    page.end.close()
    wait(1)
    page.send(Person("fr", "Ana"))
    wait(0.1)
    assert inbox[-1] == Introduced(1, "fr", "Ana")
    assert len([message for message in inbox if isinstance(message, Introduced)]) == 2
