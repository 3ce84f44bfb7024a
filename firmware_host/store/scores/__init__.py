"""Match records: made from public events, archived in files, and replayed."""
