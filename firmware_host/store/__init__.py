"""What is on disk: the journal, records of matches, and figures and names made from them."""
