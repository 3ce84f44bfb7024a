"""A house's memory of its matches: facts from each record, a database for them, and statistics."""
