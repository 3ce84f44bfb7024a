"""The documents, and the programs that make their pictures and the golden pictures of tests."""
