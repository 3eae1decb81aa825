"""The wizard on a screen."""
