"""What fails, fails alone: drivers watched and built again, and what nobody caught told to the log."""
