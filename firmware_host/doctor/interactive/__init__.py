"""The interactive test of `dudo-table doctor --try`."""
