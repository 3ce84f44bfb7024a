"""The texts of a page in a browser: their sizes, which of them overlap, and their contrast with what is behind them."""

import io
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Page

HIGH_TEXT = 0.75
"""The part of a line's box that letters fill; lines may be closer than their boxes are."""
SAMPLED = (24, 8)
OUTLIERS = 9
"""The lightest and the darkest samples behind a text that don't count."""
_TEXTS = """() => {
    const brush = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const inkOf = (color) => {
        brush.fillStyle = color;
        brush.fillRect(0, 0, 1, 1);
        return [...brush.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const parts = document.querySelectorAll("#stage *, #link");
    const DRAWN = "#phones img, .figure .die, .meter, .seat:not([data-up]) .cup-side, .seat[data-up] .under .die";
    const seen = { checkOpacity: true, visibilityProperty: true };
    const blocks = [...document.querySelectorAll("p, li, figure, header")];
    const found = [];
    for (const part of parts) {
        const isDrawn = part.matches(DRAWN);
        const own = [...part.childNodes].filter((each) => each.nodeType === 3 && each.data.trim());
        const isOther = part.closest("svg:not(.cup, .die), .unseen, text");
        if ((!own.length && !isDrawn) || isOther || !part.checkVisibility(seen)) continue;
        const range = document.createRange();
        const rects = isDrawn ? [part.getBoundingClientRect()] : own.flatMap((text) => {
            range.selectNodeContents(text);
            return [...range.getClientRects()];
        });
        let [dimmed, alpha] = [1, 1];
        for (let each = part; each; each = each.parentElement) {
            const { filter, opacity } = getComputedStyle(each);
            dimmed *= Number(/brightness\\(([\\d.]+)\\)/.exec(filter)?.[1] ?? 1);
            alpha *= Number(opacity);
        }
        const block = part.closest("p, li, figure, header");
        const { fontSize, color } = getComputedStyle(part);
        found.push({
            name: (isDrawn ? part.getAttribute("class") || part.tagName : part.textContent).trim(),
            block: blocks.indexOf(block),
            is_text: !isDrawn,
            is_of_seats: Boolean(part.closest("#seats")),
            size: Number.parseFloat(fontSize),
            color: inkOf(color),
            dimmed, alpha,
            boxes: rects.filter(({ width }) => width).map(({ left, top, right, bottom }) => [left, top, right, bottom]),
        });
    }
    return found;
}"""
_HIDE = """() => document.styleSheets[0].insertRule(
    "* { color: transparent !important; text-shadow: none !important }")"""
_SHOW = "() => document.styleSheets[0].deleteRule(0)"
Box = tuple[float, float, float, float]


class ShownText(NamedTuple):
    """A text, or a drawing that no text may cover, with its lines' boxes."""

    name: str
    block: int
    is_text: bool
    is_of_seats: bool
    size: float
    color: tuple[float, float, float]
    dimmed: float
    alpha: float
    boxes: tuple[Box, ...]


def shown_texts(page: "Page") -> list[ShownText]:
    """Return all texts and drawings in view."""
    return [msgspec.convert(list(each.values()), ShownText) for each in page.evaluate(_TEXTS)]


def overlaps(texts: list[ShownText]) -> list[str]:
    """Return the pairs that lie on each other. A note lies on its cup on purpose."""
    return [
        f"{one.name} on {other.name}"
        for one, other in combinations(texts, 2)
        if one.is_text or other.is_text
        if one.block != other.block
        if not (one.is_of_seats and other.is_of_seats)
        if any(_meet(_core(one, box), _core(other, room)) for box in one.boxes for room in other.boxes)
    ]


def low_contrasts(page: "Page", texts: list[ShownText], least: float) -> dict[str, float]:
    """Return the texts with too little contrast to a part behind them, each with its lowest contrast."""
    page.evaluate(_HIDE)
    behind = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    page.evaluate(_SHOW)
    found: dict[str, float] = {}
    for text in texts:
        for left, top, right, bottom in text.boxes if text.is_text else ():
            ground = behind.crop((max(0, int(left)), max(0, int(top)), int(right) + 1, int(bottom) + 1))
            samples = ground.resize(SAMPLED).tobytes()
            pixels = sorted(_luminance([*samples[at : at + 3]]) for at in range(0, len(samples), 3))
            ink = _luminance([text.dimmed * each for each in text.color])
            grounds = pixels[OUTLIERS], pixels[-1 - OUTLIERS]
            worst = min(_contrast(text.alpha * ink + (1 - text.alpha) * each, each) for each in grounds)
            if worst < least:
                found[text.name] = round(worst, 2)
    return found


def _core(text: ShownText, box: Box) -> Box:
    left, top, right, bottom = box
    spare = (bottom - top) * (1 - HIGH_TEXT) / 2 if text.is_text else 1
    return left + 1, top + spare, right - 1, bottom - spare


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def linear(color: "Sequence[float]") -> tuple[float, ...]:
    """Return the light of an sRGB colour's red, green and blue of 0 to 255, as shares of white's."""
    parts = [each / 255 for each in color]
    return tuple(each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts)


def _luminance(color: "Sequence[float]") -> float:
    red, green, blue = linear(color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: float, other: float) -> float:
    low, high = sorted((one, other))
    return (high + 0.05) / (low + 0.05)
