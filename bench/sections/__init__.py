"""The sections of `make bench`, a module each: its `measure(progress)` returns what is printed."""
