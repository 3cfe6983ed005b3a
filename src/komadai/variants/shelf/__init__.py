"""Classic variants beside the games of the house, one module each."""
