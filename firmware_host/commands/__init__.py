"""The `dudo-table` commands, a module each: `add_to` declares the flags, and `cli.main` runs the chosen one."""
