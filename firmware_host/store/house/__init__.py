"""What a house remembers of its matches: facts of each record, a database of them, and figures from it."""
