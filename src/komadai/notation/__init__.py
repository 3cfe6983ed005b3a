"""Text in and out: position strings, move strings, and the notations people write."""
