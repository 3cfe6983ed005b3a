"""Makes what pages show, in the types of :mod:`..schema`: positions, moves, games and remarks."""
