"""The files that an owner writes, layouts and custom rule sets: their lookup, and which of them is in force."""
