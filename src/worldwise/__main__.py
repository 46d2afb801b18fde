"""``python -m worldwise`` is the command line."""

from worldwise.cli.main import main

if __name__ == "__main__":
    main()
