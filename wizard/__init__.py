"""Declarations that keep an agent's writes single."""

__version__ = "0.1.0"
