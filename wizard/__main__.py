"""`python -m wizard` is the command `skill-wizard`."""

from wizard.cli import entry

if __name__ == "__main__":
    entry()
