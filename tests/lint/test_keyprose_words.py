"""The data files, and that no pattern of ours takes more time than a text is long."""

from __future__ import annotations

import re
import time
import tomllib
from collections.abc import Iterator
from importlib.resources import files

import pytest

from wizard.lint.keyprose import drafts, reading, samples, sentence_edits, signs, values
from wizard.lint.keyprose.detect import detect
from wizard.lint.keyprose.found import hits_of
from wizard.lint.keyprose.lexicon import MARKS, lexicon, make_lexicon
from wizard.lint.model import Context
from wizard.lint.rulebook import load_rules
from wizard.skill import prose, prose_text
from wizard.source import Source

WORDS = files("wizard.lint.keyprose") / "words"
DATA = {
    entry.name.removesuffix(".toml"): tomllib.loads(entry.read_text(encoding="utf-8"))
    for entry in WORDS.iterdir()
    if entry.name.endswith(".toml")
}
LANGUAGES = sorted(set(DATA) - {"names", "code"})
SIZE = 1_000_000
LONGEST = 30.0
"""Seconds. A pattern that is linear takes a hundredth of it on a slow machine; one that is not takes hours."""

K = MARKS
UNITS = [
    *(
        "make unique ",
        "use a ",
        "retry with the same new ",
        "do not generate a ",
        "the host will also always then only ",
    ),
    *("- ", " ", "a" * 40 + "_", "<a", "{{a", "**", "[a](", "`", "'\"", "$(", "<!--", "https://a/{b}/", "| a ", "|-"),
    *(
        "idempotency-",
        "x-",
        "\\\n",
        "\t",
        "\n",
        "\n ",
        "0",
        "。",
        ".",
        "a.b-c_",
        ";",
        "before you create check whether it exists ",
    ),
    *(
        f"generate {K['key']} ",
        f"{K['key']} must be unique ",
        f"{K['ask']} {K['template']} ",
        f"({K['key']}",
        f"new {K['that']} ",
    ),
    *(f"the same {K['key']} again or retry ", f"重试新的{K['key']}", f"同じ{K['key']}を生成", "生成使用唯一"),
]


def hostile(size: int) -> str:
    return "".join(unit * (size // len(UNITS) // len(unit)) for unit in UNITS)


FILE = hostile(SIZE)
SENTENCES = hostile(SIZE // 5)
"""For the forms of sentences, which never see more than 2,000 characters at once."""


def patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Every compiled pattern of the detection and of the prose reader, with a name."""
    for module in (drafts, reading, samples, sentence_edits, signs, values, prose, prose_text):
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern):
                yield f"{module.__name__}.{name}", value
    words = lexicon()
    yield "names", words.names().pattern
    yield "context", words.context
    for name, pattern in words.code.items():
        yield f"code.{name}", pattern
    for language in words.languages:
        for name in ("sure", "hush", "quiet", "fire", "bare", "spoken", "say"):
            for index, form in enumerate(getattr(language, name)):
                yield f"{language.name}.{name}[{index}]", form.pattern
                if form.unless is not None:
                    yield f"{language.name}.{name}[{index}].unless", form.unless
        for name in ("script", "context", "away", "wrong", "ask", "fresh", "row", "example"):
            yield f"{language.name}.{name}", getattr(language, name)


PATTERNS = dict(patterns())


@pytest.mark.parametrize("name", PATTERNS)
def test_no_pattern_is_slow_on_hostile_text(name: str) -> None:
    began = time.process_time()
    for _ in PATTERNS[name].finditer(SENTENCES if name.partition(".")[0] in LANGUAGES else FILE):
        pass
    assert time.process_time() - began < LONGEST


HEADS = (
    "",
    "---\nname: a\noperation:\n  method: POST\n  url: https://a.example/x\n  key: header Idempotency-Key\n---\n\n",
    "```bash\n",
)


@pytest.mark.parametrize(
    "unit",
    [
        '{"idempotency_key": "a", ',
        "Generate a unique idempotency key. ",
        "| idempotency_key | unique |\n",
        'curl -H "Idempotency-Key: a" \\\n',
        "idempotency key; ",
    ],
)
def test_no_file_is_slow(unit: str) -> None:
    rules = [rule for rule in load_rules().values() if rule.family in ("prose-key", "prose")]
    for head in HEADS:
        context = Context(source=Source("a.md", head + unit * (SIZE // 5 // len(unit))))
        began = time.process_time()
        for rule in rules:
            list(rule.check(context))
        assert time.process_time() - began < LONGEST


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_language_has_all_its_parts(name: str) -> None:
    content = DATA[name]
    parts = {
        "script",
        "context",
        "ask",
        "fresh",
        "away",
        "wrong",
        "row",
        "host",
        "once",
        "classes",
        "gaps",
        "hush",
        "fire",
    }
    assert parts <= set(content)
    assert "{name}" in content["host"]
    rules = load_rules()
    for entry in (*content.get("sure", ()), *content["fire"], *content.get("bare", ()), *content.get("spoken", ())):
        assert rules[entry["rule"]].family == "prose-key"
    for entry in content.get("say", ()):
        assert rules[entry["rule"]].family == "prose"
        assert entry["signs"]
    for entry in content.get("bare", ()):
        assert entry["signs"]


def test_another_language_is_one_more_file() -> None:
    german = {
        "script": "[a-zäöü]",
        "context": ["idempoten"],
        "ask": r"\bschlüssel\b",
        "fresh": r"\bzufallszahl\b",
        "away": "^antwort",
        "wrong": "falsch",
        "row": "eindeutig",
        "host": "Der Host erzeugt und sendet `{name}`.",
        "once": "Nur einmal aufrufen.",
        "classes": {"make": "erzeuge|bilde"},
        "gaps": {"near": ".{0,40}?"},
        "hush": [],
        "quiet": [],
        "fire": [{"rule": "prose-builds-key", "form": r"\b(?:{make})\b{near}<key>"}],
        "names": {"key": ["idempotenz schlüssel"]},
    }
    words = make_lexicon({**{name: DATA[name] for name in ("names", "code", "en")}, "de": german})
    blocks = prose.parse_prose(Source("a.md", "Bilde aus Zimmer und Datum den Idempotenzschlüssel.\n"))
    assert [hit.rule for hit in detect(blocks, words.names(), words)] == ["prose-builds-key"]


def test_a_text_that_is_no_skill_is_read_all_the_same() -> None:
    assert hits_of(Context(source=Source("a.md", "\x00 idempotency key \ud800 `"))) == ()
