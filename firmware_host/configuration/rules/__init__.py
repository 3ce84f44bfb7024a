"""Rule sets: custom ones in TOML, their checks, and their description."""
