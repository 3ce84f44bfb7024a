"""What fails, fails alone: drivers watched and made anew, and what nobody caught told to the log."""
