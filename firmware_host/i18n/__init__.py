"""Display texts in English, Spanish and French."""
