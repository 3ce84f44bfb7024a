"""Drawing on 128 × 64 pixels: canvas, text, glyphs and fixed regions."""
