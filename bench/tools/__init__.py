"""What the sections measure with: tables at counted wires, processes to look at, clocks."""
