"""Data on disk: the journal, match records, and statistics and names made from them."""
