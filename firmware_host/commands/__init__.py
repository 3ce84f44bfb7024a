"""The commands of `dudo-table`, one a file: `add_to` declares its flags, and the chosen one is run by `cli.main`."""


class Refusal(ValueError):
    """Something the owner asked for that can't be done; the text is for the owner, one line for each thing wrong."""
