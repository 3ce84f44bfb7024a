"""Drawing on 128 × 64 dots: canvas, text, glyphs and fixed regions."""
