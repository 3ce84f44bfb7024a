"""Match file verification: parsing, checking and the verdict."""
