"""The documents, and the programs that draw their pictures and the tests' golden pictures."""
