"""The kinds of changes, one module each, found by this folder."""
