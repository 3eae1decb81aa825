"""Text of an API's document made fit to stand in a skill: it is data for a model, whoever wrote it.

It is bounded; it cannot end the place in which it stands (a frontmatter, a fence, a quotation, a comment); what cannot
be seen is taken out; and what reads like instructions to a model is found, so that it is left out and said.
"""

from __future__ import annotations

import html
import json
import re
from functools import cache

from wizard.emit.words import words

MAX_READ = 20_000
"""What stands behind that many characters of a text is not looked at, and not used."""

# Controls, marks that change the direction of text, signs without width, tags, and halves of characters.
_UNSEEN = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    r"\ufff0-\uffff\ud800-\udfff\U000e0000-\U000e0fff]"
)
_LINE_ENDS = re.compile("\r\n|[\r\n\x0b\x0c\x85\u2028\u2029]")
_OTHER_LINE_ENDS = re.compile(r"[\x85\u2028\u2029]")
_BLANKS = re.compile(r"\s+")
_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]{0,15})(?:\s[^<>]{0,300})?/?>")
_LAYOUT_TAGS = frozenset(
    [
        "a",
        "abbr",
        "b",
        "big",
        "blockquote",
        "br",
        "caption",
        "center",
        "code",
        "dd",
        "del",
        "details",
        "div",
        "dl",
        "dt",
        "em",
        "font",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "i",
        "img",
        "ins",
        "kbd",
        "li",
        "mark",
        "ol",
        "p",
        "pre",
        "q",
        "s",
        "samp",
        "section",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "summary",
        "sup",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "tt",
        "u",
        "ul",
        "var",
        "wbr",
    ]
)
_BREAKING_TAGS = frozenset(
    [
        "br",
        "dd",
        "dl",
        "dt",
        "div",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "li",
        "ol",
        "p",
        "pre",
        "table",
        "tr",
        "ul",
    ]
)
_FENCE = re.compile(r"`{2,}|~{3,}")
_RULE = re.compile(r"-{3,}|={3,}|_{3,}|\*{3,}")
_SENTENCE = re.compile(r"[^.!?。！？\n]+(?:[.!?。！？]+(?=[\s）)\"'”]|\Z|[^\x00-\x7f])|\Z|\n|[.!?。！？])")


def seen(text: str) -> str:
    """The text in the signs that a person sees, line ends as LF."""
    return _UNSEEN.sub("", _LINE_ENDS.sub("\n", text[:MAX_READ]))


def plain(text: str) -> str:
    """The text without the tags and entities of HTML that lay it out."""
    text = html.unescape(seen(text)) if "&" in text else seen(text)
    if "<" in text:
        text = _TAG.sub(_tag, text)
    return seen(text)


def _tag(found: re.Match[str]) -> str:
    name = found[1].lower()
    if name not in _LAYOUT_TAGS:
        return found[0]
    return "\n" if name in _BREAKING_TAGS else ""


def instructions_in(text: str) -> str:
    """The words of a text that read like instructions to a model; empty where none do."""
    hidden = _UNSEEN.search(text[:MAX_READ].removeprefix("\ufeff"))
    flat = _BLANKS.sub(" ", seen(html.unescape(text[:MAX_READ])))
    found = _instructions().search(flat)
    if found is not None:
        return flat[max(0, found.start() - 10) : found.end() + 20].strip()
    if hidden is not None and hidden[0] >= "\u200e" and hidden[0] != "\u2060":
        return f"the invisible character U+{ord(hidden[0]):04X}"
    return ""


@cache
def _instructions() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in words("instructions")["patterns"]), re.IGNORECASE)


@cache
def _key_words() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in words("keys")["sentences"]), re.IGNORECASE)


def without_keys(text: str, names: tuple[str, ...] = ()) -> str:
    """The text without the sentences that speak of telling repeats from new writes, or that name one of `names`."""
    named = [_naming(name) for name in names if name]

    def speaks(sentence: str) -> bool:
        return _key_words().search(sentence) is not None or any(one.search(sentence) for one in named)

    if not speaks(text):
        return text
    return "".join(found[0] for found in _SENTENCE.finditer(text) if not speaks(found[0])).strip()


def without_unique(text: str) -> str:
    """The text of a field that a model fills in, without the word that has it make up a value for each call."""
    kept: list[str] = []
    at = 0
    for found in _unique().finditer(text):
        following = text[found.end() : found.end() + 1]
        kept.append(text[at : found.start()])
        article = found["article"]
        if article:
            fitting = "an" if following.lower() in "aeio" else "a"
            kept.append(f"{fitting.capitalize() if article[0].isupper() else fitting} {following}")
        else:
            kept.append(following.upper() if found[0][0].isupper() else following)
        at = found.end() + 1
    return "".join(kept) + text[at:]


@cache
def _unique() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in words("keys")["unique"]), re.IGNORECASE)


@cache
def _naming(name: str) -> re.Pattern[str]:
    """Finds a name; one that is a word of the language only as code or in quotes."""
    escaped = re.escape(name)
    if re.fullmatch(r"[A-Za-z]?[a-z]+", name):
        return re.compile(f"[`\"'“]{escaped}[`\"'”]")
    return re.compile(rf"(?<![\w-]){escaped}(?![\w-])", re.IGNORECASE)


def inline(text: str, limit: int = 300) -> str:
    """A text in one line of Markdown prose, at most `limit` characters."""
    return _cut(_disarmed(_BLANKS.sub(" ", plain(text)).strip()), limit)


def quoted(text: str, limit: int = 1500, lines: int = 30) -> str:
    """A text of several lines as a quotation of Markdown, each line with its `> `; empty for an empty text."""
    kept: list[str] = []
    for line in _cut(plain(text).strip(), limit).split("\n"):
        clean = _disarmed(line.rstrip().replace("\t", " "))
        if clean.strip() or (kept and kept[-1] != ">"):
            kept.append(f"> {clean}" if clean.strip() else ">")
    if len(kept) > lines:
        kept = [*kept[:lines], "> …"]
    while kept and kept[-1] == ">":
        kept.pop()
    return "\n".join(kept)


def _disarmed(text: str) -> str:
    """Markdown that neither opens nor closes anything around it."""
    text = _RULE.sub("–", _FENCE.sub("'", text))
    if text.count("`") % 2:
        text = text.replace("`", "'")
    text = text.replace("<", "‹").replace(">", "›").replace("](", "] (").replace("![", "! [")
    # Two braces are what templates fill in, in some clients.
    return text.replace("{{", "{ {").replace("}}", "} }")


def _cut(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    space = head.rfind(" ")
    return (head[:space] if space > limit // 2 else head).rstrip(" ,;:") + "…"


_SAFE_NAME = re.compile(r"[^\s`<>\x00-\x1f\x7f-\x9f]+(?: [^\s`<>\x00-\x1f\x7f-\x9f]+)*")


def code(text: str, limit: int = 200) -> str:
    """A name or a value as code in a line; with the escapes of JSON where it has signs that would break out of it."""
    text = _cut(text, limit)
    if _SAFE_NAME.fullmatch(text) and seen(text) == text and not _RULE.search(text) and "{{" not in text:
        return f"`{text}`"
    return f"`{escaped_json(text)}`"


def value(thing: object, limit: int = 80) -> str:
    """A value of a document, such as an example or a default, as code."""
    if isinstance(thing, str):
        return code(thing, limit)
    return "`" + _cut(escaped_json(thing), limit) + "`"


def escaped_json(thing: object, indent: int | None = None) -> str:
    """JSON whose texts cannot end a fence, a comment or a tag, and hold nothing that cannot be seen."""
    text = json.dumps(thing, ensure_ascii=False, indent=indent, default=str)
    for sign in "<>`":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    text = text.replace("{{", "{ {") if indent is None and isinstance(thing, str) else text
    return _UNSEEN.sub(_escape, _OTHER_LINE_ENDS.sub(_escape, text))


def _escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


def described(text: str, limit: int = 1024) -> str:
    """A text for a frontmatter's `description`: one line, no brackets, no dashes that could end a frontmatter."""
    line = inline(text, limit).replace("‹", "(").replace("›", ")").replace("`", "'")
    return _cut(line, limit)
