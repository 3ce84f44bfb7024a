"""A value in a JSON file with its path: `engine.rule_cases` reads it as the expected type, or gets an error."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from engine.errors import nearest


def one_line(text: str) -> str:
    """Return `text` with every unprintable character escaped."""
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


class FieldError(ValueError):
    """`field: problem`, one line."""


@dataclass(frozen=True, slots=True)
class JsonField:
    """One value in a JSON file. Each method returns it as one type, or raises `FieldError` with its path."""

    value: Any
    path: str = ""

    def fail(self, problem: str) -> NoReturn:
        """Raise an error with this field's path."""
        raise FieldError(f"{self.path}: {problem}" if self.path else problem)

    def table(self) -> Mapping[str, "JsonField"]:
        """Return a table with any keys."""
        if not isinstance(self.value, dict):
            self.fail("is not a table")
        return {key: JsonField(value, f"{self.path}.{key}" if self.path else key) for key, value in self.value.items()}

    def fields(self, needed: Iterable[str], optional: Iterable[str] = ()) -> Mapping[str, "JsonField"]:
        """Return a table with all the `needed` keys, perhaps some `optional` ones, and no other."""
        needed = tuple(needed)
        known = (*needed, *optional)
        fields = self.table()
        for name, field in fields.items():
            if name not in known:
                near = nearest(name, known)
                field.fail("unknown field" + (f"; did you mean {near}?" if near else ""))
        for name in needed:
            if name not in fields:
                JsonField(None, f"{self.path}.{name}" if self.path else name).fail("is missing")
        return fields

    def items(self) -> tuple["JsonField", ...]:
        """Return a list's items."""
        if not isinstance(self.value, list):
            self.fail("is not a list")
        return tuple(JsonField(value, f"{self.path}[{place}]") for place, value in enumerate(self.value))

    def text(self) -> str:
        """Return a non-empty text."""
        if not isinstance(self.value, str) or not self.value:
            self.fail("is not text")
        return self.value

    def whole(self, least: int, most: int | None = None) -> int:
        """Return a whole number from `least` to `most`."""
        if type(self.value) is not int or self.value < least or (most is not None and self.value > most):
            self.fail(f"is not a whole number from {least}" + ("" if most is None else f" to {most}"))
        return self.value

    def flag(self) -> bool:
        """Return true or false."""
        if not isinstance(self.value, bool):
            self.fail("is neither true nor false")
        return self.value

    def one_of(self, words: Iterable[str]) -> str:
        """Return one of these words."""
        words = tuple(words)
        if not isinstance(self.value, str) or self.value not in words:
            self.fail(f"is none of {', '.join(words)}")
        return self.value
