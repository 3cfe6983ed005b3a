"""Message catalogues and their compiler."""
