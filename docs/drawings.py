"""`make drawings`: the drawings of hardware/README.md, made anew from the layouts and from what is fitted to a Pico."""

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace

from firmware_host.drawing.wiring import render_svg, seat_board_diagram, table_diagram
from hardware.cup import wiring
from hardware.layout import load_builtin

FOLDER = Path(__file__).parent / "pictures"
TABLES = ("wired-4", "wired-8", "boards-8")


def drawings() -> Mapping[str, str]:
    """The text of every drawing by the name of its file."""
    tables = {f"wiring-{name}.svg": render_svg(table_diagram(load_builtin(name))) for name in TABLES}
    sensed = SimpleNamespace(**{**vars(wiring), "TILT": None, "ACCELEROMETER": 0x18})
    boards = {
        "wiring-seat-board.svg": render_svg(seat_board_diagram(wiring)),
        "wiring-seat-board-lis3dh.svg": render_svg(seat_board_diagram(sensed)),
    }
    return {**tables, **boards}


def main() -> None:
    """Write those that have changed, and name them."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in drawings().items():
        file = FOLDER / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
            print(file.name)


if __name__ == "__main__":
    main()
