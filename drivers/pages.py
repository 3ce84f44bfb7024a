"""A picture in the bytes a panel's memory holds: eight pages of 128 columns of eight dots, the topmost in bit 0."""

from PIL import Image

from hardware.link.messages import PANEL_PAGES, PANEL_WIDTH

SIZE = (PANEL_WIDTH, 8 * PANEL_PAGES)


def pages_of(image: Image.Image) -> bytes:
    """Return the 1024 bytes of a 128x64 picture in mode "1". ValueError for any other."""
    if image.size != SIZE or image.mode != "1":
        raise ValueError(f"a picture of {image.size} in mode {image.mode!r}; a panel shows {SIZE} in mode '1'")
    # Turned clockwise, each row is a column read from the bottom, so its bytes are the pages, the last one first.
    columns = image.transpose(Image.Transpose.ROTATE_270).tobytes()
    return b"".join(columns[PANEL_PAGES - 1 - page :: PANEL_PAGES] for page in range(PANEL_PAGES))
