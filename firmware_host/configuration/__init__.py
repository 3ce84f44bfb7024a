"""The files that an owner writes, layouts and custom rule sets: their lookup, and which of them is in force."""

DEFAULT_LAYOUT = "/etc/dudo-table/table.toml"
"""The layout of a command that names none."""
