"""Drawing on 128 × 64 pixels: typefaces, lines fitted to boxes, glyphs, and the canvas for them."""
