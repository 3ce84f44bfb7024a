"""A number with its noun, singular or plural, in the English output of commands and logs."""


def counted(number: float, one: str, many: str = "") -> str:
    """Return a number with its noun: "1 match", "2 matches". Without `many` the plural has an s."""
    return f"{number:g} {one}" if number == 1 else f"{number:g} {many or one + 's'}"
