"""The scenes of an evening, one for each phase between joining and the winner."""
