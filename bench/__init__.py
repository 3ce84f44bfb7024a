"""What the table costs: `make bench` measures it and prints figures beside what they are compared with.

Nothing here is a test and nothing here is installed: a figure that misses its target is printed as short.
"""
