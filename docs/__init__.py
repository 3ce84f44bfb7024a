"""What is told and shown of the table, and the programs that draw its pictures: `make pictures`, `make screens`."""
