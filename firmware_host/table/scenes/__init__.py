"""Session scenes, one for each phase from joining to the winner."""
