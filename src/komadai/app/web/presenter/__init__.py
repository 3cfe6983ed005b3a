"""What a page shows: positions, moves, games and remarks, as the types of :mod:`..schema`."""
