"""The journal: table state, on disk before anybody sees it."""
