"""The words that a display shows, in English, Spanish and French."""
