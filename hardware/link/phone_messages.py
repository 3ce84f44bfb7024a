"""The link's messages for guests' phones, which have a screen reader and a person's name beside a board's parts.
Not part of a board's program: a board ignores them, as it does every unknown kind.
"""

import struct

from hardware.link.messages import KINDS, LinkMessage, MessageError

WORDS_BYTES = 768
"""Bytes of a display's words, always as many: the length of a frame on the Wi-Fi reveals no dice."""

NAME_CHARACTERS = 40


class Words(LinkMessage):
    """Host to phone: the display in words. With `peek` they have dice, for this seat's person only."""

    KIND = 0x12

    def __init__(self, text: str, peek: bool = False) -> None:
        self.text = text
        self.peek = peek

    def pack(self) -> bytes:
        """Return the payload: peek, the text in UTF-8, filled with blanks; what is too long is cut.
        Zeros would take another time to decode for another text.
        """
        text = self.text.encode()[:WORDS_BYTES].decode(errors="ignore").encode()
        return struct.pack("<B", self.peek) + text.ljust(WORDS_BYTES)

    @staticmethod
    def unpack(payload: bytes) -> "Words":
        """Read a payload."""
        if len(payload) != 1 + WORDS_BYTES or payload[0] > 1:
            raise MessageError(f"words are a byte 0 or 1, and {WORDS_BYTES} bytes")
        return Words(payload[1:].rstrip(b" ").decode(errors="replace"), bool(payload[0]))

    def __repr__(self) -> str:
        return "Words(dice)" if self.peek else f"Words({self.text!r})"


class Person(LinkMessage):
    """Phone to host, the answer to the first Words after a Hello: the person's language and name.
    `language` is a code of two letters. `name` is empty for a person who goes by their seat.
    """

    KIND = 0x13

    def __init__(self, language: str, name: str) -> None:
        self.language = language
        self.name = name

    def pack(self) -> bytes:
        """Return the payload: language, name to the end."""
        return self.language.encode() + self.name.encode()

    @staticmethod
    def unpack(payload: bytes) -> "Person":
        """Read a payload."""
        try:
            text = payload.decode()
        except UnicodeError as error:
            raise MessageError("a person's language and name are UTF-8") from error
        language, name = text[:2], text[2:]
        if not (len(language) == 2 and language.isascii() and language.islower()) or len(name) > NAME_CHARACTERS:
            raise MessageError(f"a language has two small letters, a name at most {NAME_CHARACTERS} characters")
        return Person(language, name)

    def __repr__(self) -> str:
        return f"Person({self.language})"  # names stay out of the log


KINDS.update({kind.KIND: kind for kind in (Words, Person)})
