"""Table costs: `make bench` measures them and prints each figure beside its comparison.

It is not a test and is not installed. A figure that misses its target is marked `short`.
"""
