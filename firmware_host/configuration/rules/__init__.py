"""Rule sets: custom ones, their lookup by name or file, their description and their export."""
