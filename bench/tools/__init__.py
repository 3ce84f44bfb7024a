"""The sections' tools: counted tables, measured processes, clocks."""
