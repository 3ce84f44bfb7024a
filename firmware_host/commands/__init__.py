"""The commands of `dudo-table`, one a module: `add_to` declares its flags, and `cli.main` runs the chosen one."""
