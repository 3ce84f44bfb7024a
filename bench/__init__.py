"""What the table costs: `make bench` measures it and prints figures beside what they are compared with.

It is no test and is not installed. A figure that misses its target is marked `short`.
"""
