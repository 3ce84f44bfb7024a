"""A display's picture in a terminal: 2 by 4 pixels a character, as Unicode braille patterns."""

from functools import lru_cache

from PIL import Image

COLUMNS, ROWS = 64, 16
"""Size in characters of a picture of 128 by 64 dots."""

# A pattern's bits by row and column; Unicode numbers the dots down the left side first, the lowest pair last.
_BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))


def dots(picture: Image.Image) -> str:
    """Return the picture (mode "1", 128 by 64) as sixteen lines of text."""
    return _dots(picture.size, picture.tobytes())


@lru_cache(maxsize=64)
def _dots(size: tuple[int, int], packed: bytes) -> str:
    pixels = Image.frombytes("1", size, packed).load()
    assert pixels is not None

    def pattern(column: int, row: int) -> str:
        lit = (bit for y, bits in enumerate(_BITS) for x, bit in enumerate(bits) if pixels[2 * column + x, 4 * row + y])
        return chr(0x2800 + sum(lit))

    return "\n".join("".join(pattern(column, row) for column in range(COLUMNS)) for row in range(ROWS))
