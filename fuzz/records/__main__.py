"""Run it."""

from .processes import main

if __name__ == "__main__":
    main()
