"""Every message of the link says the same at both ends, and nonsense is refused."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.link import messages as link
from hardware.link.framing import LONGEST_BODY, frame
from hardware.link.oled import BRIGHT, DARK, DIM, DisplayMode
from hardware.link.phone_messages import WORDS_BYTES, Person, Words

U16, U32, U64 = (st.integers(0, (1 << bits) - 1) for bits in (16, 32, 64))
IDENTITIES = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=32)
PICTURES = st.binary(min_size=link.PICTURE_BYTES, max_size=link.PICTURE_BYTES)
SHINES = st.builds(DisplayMode, st.booleans(), st.sampled_from([DARK, DIM, BRIGHT]), st.integers(0, 3))
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=40).map(str.strip)
HASHES = st.binary(min_size=link.HASH_BYTES, max_size=link.HASH_BYTES)
MESSAGES = st.one_of(
    st.builds(link.Ask, st.integers(0, 255)),
    st.builds(link.Hello, st.integers(1, (1 << 31) - 1), U16, st.integers(1, (1 << 32) - 1), IDENTITIES),
    st.builds(link.Event, U32, U32, U64, st.integers(0, 255), st.binary(max_size=64)),
    st.builds(link.Ack, U32, U32),
    st.builds(link.Ping, U32, U16),
    st.builds(link.Pong, U32, U32, U64),
    st.builds(link.Picture, U16, U32, U32, SHINES, PICTURES.map(link.whole_picture), st.booleans(), st.booleans()),
    st.builds(link.PictureAck, U16, U32, st.integers(0, 1)),
    st.builds(link.Draw, HASHES),
    st.builds(link.Drawn, HASHES, HASHES),
    st.builds(link.Open, HASHES, HASHES),
    st.builds(link.Opened, HASHES, HASHES),
    st.builds(Words, TEXTS, st.booleans()),
    st.builds(Person, st.sampled_from(["en", "es", "fr"]), TEXTS),
)


@given(st.integers(0, 255), MESSAGES)
def test_a_message_arrives_as_it_was_sent(address: int, message: link.LinkMessage) -> None:
    assert link.from_body(link.to_body(address, message)) == (address, message)


@given(MESSAGES)
def test_every_message_fits_a_frame(message: link.LinkMessage) -> None:
    assert len(link.to_body(0, message)) <= LONGEST_BODY


@given(st.binary(max_size=64))
def test_any_body_is_a_message_or_unknown_or_refused(body: bytes) -> None:
    try:
        _, message = link.from_body(body)
    except link.MessageError:
        return
    assert message is None or link.from_body(link.to_body(0, message))[1] == message


@given(st.integers(0, 255).filter(lambda kind: not 1 <= kind <= 19), st.binary(max_size=20))
def test_a_kind_of_a_later_version_is_nothing(kind: int, payload: bytes) -> None:
    assert link.from_body(bytes([0, kind]) + payload) == (0, None)


@given(st.integers(0, 255).filter(lambda version: version != link.VERSION), st.binary(max_size=40))
def test_a_hello_of_another_version_says_its_version(version: int, rest: bytes) -> None:
    _, hello = link.from_body(bytes([0, link.Hello.KIND, version]) + rest)
    assert isinstance(hello, link.Hello)
    assert hello.version == version


@pytest.mark.parametrize(
    "window",
    [
        link.Window(8, 0, b"x"),
        link.Window(0, 127, b"xy"),
        link.Window(0, 0, b""),
    ],
    ids=["below the last page", "beyond the last column", "empty"],
)
def test_a_window_that_is_not_on_the_panel_is_refused(window: link.Window) -> None:
    with pytest.raises(link.MessageError):
        link.from_body(link.to_body(0, link.Picture(1, 0, 0, DisplayMode(), [window])))


@pytest.mark.parametrize("byte", [0b110, 0b1100110, 0b10000000])
def test_a_shine_that_no_panel_has_is_refused(byte: int) -> None:
    body = bytearray(link.to_body(0, link.Picture(1, 0, 0, DisplayMode(), [])))
    body[-1] = byte
    with pytest.raises(link.MessageError, match="dark, dim or bright"):
        link.from_body(bytes(body))


def test_an_event_shows_no_entropy_in_a_log() -> None:
    assert "secret" not in repr(link.Event(7, 1, 2, link.SETTLED, b"secret"))


def test_no_log_shows_what_a_cup_opened() -> None:
    assert "secret" not in repr(link.Opened(bytes(32), b"secret" * 5 + b"!!"))


def test_a_picture_shows_no_dots_in_a_log() -> None:
    picture = link.Picture(1, 0, 5, DisplayMode(), link.whole_picture(bytes(1024)))
    assert (
        repr(picture)
        == "Picture(lamp=False, number=1, peek=False, shine=DisplayMode(False, 2, 0), windows=<8 windows>)"
    )


def test_the_example_in_the_document_is_what_is_sent() -> None:
    document = Path(link.__file__).with_name("LINK.md").read_text(encoding="utf-8")
    assert f"`{frame(link.to_body(0, link.Ping(1, 500))).hex(' ')}`" in document


def test_the_document_knows_every_kind() -> None:
    document = Path(link.__file__).with_name("LINK.md").read_text(encoding="utf-8")
    for kind in link.LinkMessage.__subclasses__():
        assert f"| {kind.KIND:02x} | {kind.__name__} |" in document


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0")), st.booleans())
def test_words_are_equally_long_whatever_they_say(text: str, peek: bool) -> None:
    body = link.to_body(0, Words(text, peek))
    assert len(body) == 3 + WORDS_BYTES
    _, arrived = link.from_body(body)
    assert isinstance(arrived, Words)
    assert text.startswith(arrived.text)


def test_neither_dice_nor_names_are_in_a_repr() -> None:
    assert repr(Words("Your dice: ace", peek=True)) == "Words(dice)"
    assert repr(Person("es", "Ana")) == "Person(es)"


@pytest.mark.parametrize("payload", [b"", b"e", b"EN", "ñé".encode(), b"en\xff", b"en" + b"a" * 41])
def test_a_person_is_a_language_and_a_short_name(payload: bytes) -> None:
    with pytest.raises(link.MessageError):
        Person.unpack(payload)
