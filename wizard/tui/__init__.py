"""The wizard on a screen."""

import os

# A key is often answered in two or three drawings, and each waits for the next tick: 8 ms instead of 17.
os.environ.setdefault("TEXTUAL_FPS", "120")
