"""A text that a regular expression matches, drawn by rstr, the same for the same seed on every machine."""

from __future__ import annotations

import random
import string
from typing import Any

_PLAIN = string.ascii_letters + string.digits
_MORE = 4
"""How often more than at least a repetition is drawn."""


def draw(pattern: str, source: random.Random) -> str:
    """A text that matches, short and of letters and digits where the pattern leaves the choice.

    Raises what the pattern makes `re` or rstr raise.
    """
    from rstr.xeger import Xeger

    class Orderly(Xeger):
        def _handle_in(self, value: Any) -> Any:
            found = {one for part in value for one in self._handle_state(part)}
            if False in found:
                found = set(string.printable[:95]) - {one for one in found if one is not False}
            candidates = sorted(set(found) & set(_PLAIN)) or sorted(found)
            return self._random.choice(candidates)

        def _handle_repeat(self, start_range: int, end_range: int, value: Any) -> str:
            most = min(end_range, start_range + _MORE)
            times = self._random.randint(start_range, most)
            return "".join("".join(self._handle_state(part) for part in value) for _ in range(times))

    return str(Orderly(source, printable=_PLAIN).xeger(pattern))
