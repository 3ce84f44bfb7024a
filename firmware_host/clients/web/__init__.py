"""What the servers of pages share: who may request what, how many connections they take, and the addresses to show."""
