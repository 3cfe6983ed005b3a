"""How a game is shown to people: steps, marks and descriptions that a client displays without knowing a rule."""
