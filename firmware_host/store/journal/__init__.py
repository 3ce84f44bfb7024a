"""The journal: the state of the table on disk, before anybody sees it."""
