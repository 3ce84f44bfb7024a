"""An owner's files, layouts and custom rule sets: their lookup, and which of them is in effect."""

DEFAULT_LAYOUT = "/etc/dudo-table/table.toml"
"""The default layout of commands."""
