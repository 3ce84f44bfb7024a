"""The guided test of `dudo-table doctor --try`."""
