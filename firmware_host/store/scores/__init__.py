"""Records of matches: made from public events, archived in files, and replayed."""
