"""The robots that play at a table, real or emulated: their decisions come from opponents in a process of their own."""
