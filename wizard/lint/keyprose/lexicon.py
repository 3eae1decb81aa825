"""The words and patterns of the data files, read once, each pattern compiled when it is needed.

`words/names.toml` and `words/code.toml` hold what needs no language; every other file is a language. A language's forms
are regular expressions over a sentence's reading (`reading.py`); how they are written stands at the head of `en.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from wizard.lint.keyprose import lazy
from wizard.lint.keyprose.lazy import Needs
from wizard.lint.keyprose.names import CLASSES, NameClass, Names, with_declared
from wizard.lint.keyprose.shipped import LEXICON, kept, pattern_digest, text_of
from wizard.lint.keyprose.signs import AnyOf, Signs, signs_of
from wizard.lint.model import Confidence

MARKS: Final[Mapping[str, str]] = {
    name: chr(0xE000 + index)
    for index, name in enumerate(
        ("key", "token", "ref", "ask", "that", "fresh", "it", "made", "template", "code", "url", "value", "named")
    )
}
"""What was recognised stands as one private character in a reading, so that forms need not know how it was written."""

_WIDER = {"ask": ("ask", "token"), "code": ("code", "named")}
"""Marks that are also meant where a form speaks of one."""
_MARK = re.compile(r"(?<!\?P)<([a-z]+(?:\|[a-z]+)*)>")
_CLASS = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, slots=True)
class Form:
    """A form that a sentence may have."""

    pattern: re.Pattern[str]
    rule: str = ""
    """The rule that it speaks for; empty for what silences."""
    confidence: Confidence | None = None
    samples: bool = False
    """Of what silences: whether it also silences a sample that stands in the sentence."""
    whole: bool = False
    """Of what silences a clause: whether it also silences the sentence around it."""
    declared: bool = False
    """Whether it speaks only in a file that declares a write."""
    named: bool = False
    """Whether it speaks only in a file that names a key."""
    about: str = ""
    """Which of several things it says, for a rule that listens to more than one."""
    unless: re.Pattern[str] | None = None
    """A sentence that holds this is not meant."""
    signs: Signs | None = None
    """Without one of these it cannot match; None where nothing is known."""
    also: Signs | None = None
    """Without one of these, beside `signs`, it cannot match either."""

    def may_match(self, text: str) -> bool:
        """Whether the form can match in a text in lower case."""
        return all(signs is None or signs.in_text(text) for signs in (self.signs, self.also))


@dataclass(frozen=True, slots=True)
class Language:
    """The forms of one language."""

    name: str
    script: re.Pattern[str]
    """What a text must hold for the language to be tried."""
    not_script: re.Pattern[str] | None
    """What it must not hold."""
    sure: tuple[Form, ...]
    """What speaks whatever else its sentence says."""
    hush: tuple[Form, ...]
    """A sentence of such a form says nothing to us."""
    quiet: tuple[Form, ...]
    """What it overlaps does not count."""
    fire: tuple[Form, ...]
    bare: tuple[Form, ...]
    """What asks for a key without naming one."""
    spoken: tuple[Form, ...]
    """What asks for one where keys were spoken of right before, whether it names one or not."""
    say: tuple[Form, ...]
    """What else is said of repeating a write."""
    context: re.Pattern[str]
    """What a heading or a sentence holds that speaks of keys."""
    away: re.Pattern[str]
    """Headings that say that the text under them tells the caller nothing."""
    report: re.Pattern[str]
    """Headings that say that the sentences under them report or check something."""
    wrong: re.Pattern[str]
    """Headings and sentences that say that the sample under them shows what not to do."""
    host: str
    """What stands in the place of a sentence that was taken out; `{name}` is the key's name."""
    once: str
    """What stands in the place of a sentence on repeating a write."""
    ask: re.Pattern[str]
    """Words that mean the key where it was spoken of before."""
    fresh: re.Pattern[str]
    """Words for a value made on the spot, which mean the key where it was spoken of before."""
    it: re.Pattern[str]
    """Pronouns that mean the key where it was spoken of before; what nothing matches where there is none."""
    row: re.Pattern[str]
    """Words of making in the description of a parameter."""
    example: re.Pattern[str]
    """Titles of a table's columns that show a value to copy."""
    optional: re.Pattern[str]
    """Words that say that a field may be left out."""
    required: re.Pattern[str]
    """Words that say that it may not."""
    units: Mapping[str, int]
    """Words for units of time, in seconds."""

    def written_in(self, text: str) -> bool:
        """Whether a text in lower case may be in this language."""
        if self.not_script is not None and self.not_script.search(text):
            return False
        return self.script.search(text) is not None


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """All of it."""

    named: tuple[tuple[str, NameClass], ...]
    """The general names, each as its words with a space between them, with their classes."""
    languages: tuple[Language, ...]
    code: Mapping[str, re.Pattern[str]]
    program_languages: frozenset[str]
    context: re.Pattern[str]
    """What a text holds that speaks of keys, in any language."""
    signs: Signs
    say_signs: Signs
    """Of what else is said of repeating a write, in files that declare nothing."""
    phrases: tuple[str, ...]
    """What `signs` and `say_signs` hold beside the names."""
    bare_signs: AnyOf
    """Texts without one of which nothing asks for a key that names none."""

    def every_sign(self) -> Signs:
        """The signs of all that the prose rules look for in a file that declares nothing."""
        return signs_of((words for words, _ in self.named), self.phrases)

    def names(self, declared: tuple[str, ...] = (), introduced: tuple[str, ...] = ()) -> Names:
        """The matcher of the general names, those that a declaration names and those that a text introduces."""
        return with_declared(self.named, declared, introduced)

    def may_ask(self, text: str) -> bool:
        """Whether a text in lower case holds what asks for a key without naming one."""
        return self.bare_signs.stands_in(text)

    def speaks(self, text: str) -> bool:
        """Whether a text in lower case says what keys are for."""
        return self.context.search(text) is not None


NeedsOf = Callable[[str, int], Needs]
"""Gives what a pattern needs, as far as it is known."""


@cache
def lexicon() -> Lexicon:
    """The lexicon of the data files that travel with the package."""
    found = kept(LEXICON)
    if found is None:
        return make_lexicon(read_words())
    needs: Mapping[str, list[list[str]]] = found["needs"]
    return make_lexicon(found["data"], lambda text, _: tuple(map(tuple, needs.get(pattern_digest(text), ()))))


def read_words() -> dict[str, Any]:
    """The contents of the data files, by name."""
    import tomllib
    from importlib.resources import files

    folder = files("wizard.lint.keyprose") / "words"
    return {
        entry.name.removesuffix(".toml"): tomllib.loads(entry.read_text(encoding="utf-8"))
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith(".toml")
    }


def lexicon_text() -> str:
    """What the file of the lexicon that travels with the package should hold."""
    from wizard.lint.keyprose.needs import needs_of

    data = read_words()
    needs: dict[str, Needs] = {}

    def asked(text: str, flags: int) -> Needs:
        found = needs_of(text, flags)
        if found:
            needs[pattern_digest(text)] = found
        return found

    make_lexicon(data, asked)
    return text_of(data=data, needs=needs)


def language_of(text: str) -> Language:
    """The language that a sentence to stand in a text's place is written in: English where no other one fits."""
    lowered = text.lower()
    known = {language.name: language for language in lexicon().languages}
    return next((one for name, one in known.items() if name != "en" and one.written_in(lowered)), known["en"])


def make_lexicon(data: Mapping[str, Mapping[str, Any]], needs: NeedsOf = lambda text, flags: ()) -> Lexicon:
    """A lexicon from the files' contents by name. Raises KeyError where one is wrong."""

    def lazily(text: str, flags: int = 0) -> re.Pattern[str]:
        return lazy.lazily(text, flags, needs(text, flags))

    by_class: dict[NameClass, list[str]] = {kind: [] for kind in CLASSES}
    phrases: list[str] = []
    bare: list[str] = []
    said: list[str] = []
    languages = []
    for name, content in data.items():
        named = content if name == "names" else content.get("names", {})
        for kind in CLASSES:
            by_class[kind].extend(named.get(kind, ()))
        phrases.extend(content.get("context", ()))
        # Forms that speak only beside a key's name need no signs of their own.
        free = [form for form in content.get("say", ()) if not (form.get("declared") or form.get("named"))]
        said.extend(sign for form in free for sign in form["signs"])
        bare.extend(sign for form in content.get("bare", ()) for sign in form["signs"])
        if name not in ("names", "code"):
            languages.append(_language(name, content, lazily))
    # English is tried on every text, and so after those that a text is written in.
    languages.sort(key=lambda language: language.name == "en")
    code = {
        name: lazily("|".join(f"(?:{form})" for form in forms), re.MULTILINE | re.ASCII)
        for name, forms in data["code"].items()
        if name != "program_languages"
    }
    programs = frozenset(data["code"]["program_languages"])
    named = tuple(sorted((words, kind) for kind, forms in by_class.items() for words in set(forms)))
    signs = signs_of((words for words, _ in named), [*phrases, *bare])
    says = signs_of((), said)
    context = lazily("|".join(map(re.escape, sorted(phrases))))
    every = (*phrases, *bare, *said)
    return Lexicon(named, tuple(languages), code, programs, context, signs, says, every, AnyOf(bare))


def _language(name: str, content: Mapping[str, Any], lazily: Callable[[str], re.Pattern[str]]) -> Language:
    classes: dict[str, str] = {}
    for word, forms_of_word in {**content["classes"], **content["gaps"]}.items():
        # A class may hold those that stand before it.
        written = _CLASS.sub(lambda found: classes[found[1]], _either(forms_of_word))
        classes[word] = written if word in content["gaps"] else f"(?:{written})"

    def compiled(form: str | Sequence[str]) -> re.Pattern[str]:
        written = _CLASS.sub(lambda found: classes[found[1]], _either(form))
        return lazily(_MARK.sub(lambda found: _marks(found[1]), written))

    def forms(entries: Sequence[Mapping[str, Any]]) -> tuple[Form, ...]:
        return tuple(
            Form(
                compiled(entry["form"]),
                entry.get("rule", ""),
                entry.get("confidence"),
                samples=entry.get("samples", False),
                whole=entry.get("whole", False),
                declared=entry.get("declared", False),
                named=entry.get("named", False),
                about=entry.get("about", ""),
                unless=compiled(entry["unless"]) if "unless" in entry else None,
                signs=signs_of((), entry["signs"]) if "signs" in entry else None,
                also=signs_of((), entry["also"]) if "also" in entry else None,
            )
            for entry in entries
        )

    return Language(
        name,
        lazily(content["script"]),
        lazily(content["not_script"]) if "not_script" in content else None,
        forms(content.get("sure", ())),
        forms(content["hush"]),
        forms(content.get("quiet", ())),
        forms(content["fire"]),
        forms(content.get("bare", ())),
        forms(content.get("spoken", ())),
        forms(content.get("say", ())),
        lazily("|".join(map(re.escape, content["context"]))),
        compiled(content["away"]),
        compiled(content.get("report", "(?!)")),
        compiled(content["wrong"]),
        content["host"],
        content["once"],
        compiled(content["ask"]),
        compiled(content["fresh"]),
        compiled(content.get("it", "(?!)")),
        compiled(content["row"]),
        compiled(content.get("example", "(?!)")),
        compiled(content.get("optional", "(?!)")),
        compiled(content.get("required", "(?!)")),
        content.get("units", {}),
    )


def _either(forms: str | Sequence[str]) -> str:
    """One form as it is; several, of which any will do, as one."""
    return forms if isinstance(forms, str) else "|".join(forms)


def _marks(names: str) -> str:
    # A name that needs words of making beside it is asked for wherever a vaguer one is.
    found = [MARKS[name] for part in names.split("|") for name in _WIDER.get(part, (part,))]
    return found[0] if len(found) == 1 else f"[{''.join(found)}]"
