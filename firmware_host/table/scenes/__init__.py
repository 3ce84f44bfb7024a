"""The scenes of a session, one for each phase from joining to the winner."""
