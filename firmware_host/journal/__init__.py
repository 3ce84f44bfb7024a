"""The journal: what the evening rests on, on disk before anybody sees it."""
