"""What was worked out from the word lists when they were released, so that a run need not do it again.

The files hold the digest of the words that they were made from; with other words they are not used.
`python -c "from wizard.lint.quick import write_signs; write_signs()"` writes them anew.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from functools import cache
from typing import Any

_HERE = os.path.dirname(os.path.abspath(__file__))
WORDS = os.path.join(_HERE, "words")
SIGNS = os.path.join(os.path.dirname(_HERE), "words", "signs.json")
LEXICON = os.path.join(os.path.dirname(_HERE), "words", "lexicon.json")


def kept(path: str) -> Mapping[str, Any] | None:
    """What a file of the kind holds; None where it cannot be read or belongs to other words."""
    try:
        with open(path, "rb") as file:
            found = json.loads(file.read())
        return found if isinstance(found, dict) and found["words"] == words_digest() else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


@cache
def words_digest() -> str:
    """Of all the word lists."""
    digest = hashlib.blake2b(digest_size=16)
    for name in sorted(os.listdir(WORDS)):
        if name.endswith(".toml"):
            with open(os.path.join(WORDS, name), "rb") as file:
                digest.update(name.encode() + b"\0" + file.read().replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()


def pattern_digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8"), digest_size=8).hexdigest()


def text_of(**content: Any) -> str:
    """What such a file should hold."""
    return json.dumps({"words": words_digest(), **content}, ensure_ascii=False, separators=(",", ":")) + "\n"
