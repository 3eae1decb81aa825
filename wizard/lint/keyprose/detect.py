"""All that a skill's prose asks about keys: one pass over its blocks, shared by the rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from wizard.lint.keyprose.folding import fold
from wizard.lint.keyprose.lexicon import Lexicon
from wizard.lint.keyprose.names import Names
from wizard.lint.keyprose.reading import read
from wizard.lint.keyprose.rows import row_verdict
from wizard.lint.keyprose.samples import Site, is_made_in, nameless, sites
from wizard.lint.keyprose.sentences import Judgement, Verdict, is_away, is_report, is_wrong, judge
from wizard.lint.keyprose.setting import command_of, is_program, looks_like_code, setting_of
from wizard.lint.model import Confidence
from wizard.skill.prose import Block
from wizard.skill.prose_text import CODE_SPAN, Text, clauses, plain, sentences
from wizard.source import Span

_DANGER = ("prose-new-key-on-retry", "prose-builds-key", "prose-reuses-key", "row-asks-for-key", "key-required")
"""Of what one sentence says the worst is reported."""

_PROSE_LANGUAGES = frozenset({"md", "markdown", "text", "txt", "plaintext", "prompt"})
"""Fences that hold text for a reader, as a prompt to be copied does."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A place that asks for a key."""

    rule: str
    span: Span
    """The words that matter."""
    name: str
    """The key's name as it is written there; empty where none is."""
    unit: Span
    """The sentence, the row's line or the sample's line that would have to go."""
    block: Block
    confidence: Confidence | None = None
    site: Site | None = None
    """Where a sample fills it; offsets of the block's text."""
    part_of_sample: bool = False
    """Whether text in a line shows more of the call than the key."""

    @property
    def in_sample(self) -> bool:
        """Whether only a place of a sample has to go, and not the sentence around it."""
        return self.site is not None and (self.block.kind == "code" or self.part_of_sample)


def detect(blocks: tuple[Block, ...], names: Names, lexicon: Lexicon) -> Iterator[Hit]:
    """The places of a skill's prose that ask for a key, in their order."""
    return _Detector(names, lexicon).hits(blocks)


class _Detector:
    def __init__(self, names: Names, lexicon: Lexicon) -> None:
        self.names = names
        self.lexicon = lexicon
        self.general = names is lexicon.names()
        """Whether the signs know all names; a declaration brings its own."""
        self.over: dict[tuple[str, ...], tuple[bool, bool]] = {}
        """Headings to whether they lead away from the caller, and whether they speak of keys."""
        self.seen: dict[str, tuple[bool, bool]] = {}
        """Texts to what `look` says of them; a text is looked at as itself and as what leads to the next."""

    def hits(self, blocks: tuple[Block, ...]) -> Iterator[Hit]:
        for before, block, behind in zip((None, *blocks), blocks, (*blocks[1:], None), strict=False):
            # The lines of a program's comment (`/**` and `*`) look like a list.
            if block.kind == "heading" or (block.kind == "item" and block.lead.strip("* ") == "/"):
                continue
            away, headed = self.headings(block.headings)
            if away or (block.kind != "code" and is_report(block.headings, self.lexicon)):
                continue
            spoken_of = headed or (block.lead != "" and self.look(block.lead)[1])
            spoken_of = spoken_of or (block.kind == "item" and self.goes_on(block, before, behind))
            named, speaks = self.look(block.text.text)
            if not (named or speaks or spoken_of or self.lexicon.may_ask(block.text.text.lower())):
                continue
            text = fold(block.text.text)
            as_code = block.kind == "code" and block.language not in _PROSE_LANGUAGES
            unfenced = named and block.kind in ("paragraph", "item") and looks_like_code(text, self.lexicon)
            if as_code or unfenced or (named and is_program(text, self.lexicon)):
                yield from self.code(block, text, spoken_of=spoken_of)
            elif block.kind == "row":
                yield from self.row(block, spoken_of=spoken_of)
            else:
                yield from self.prose(block, self.filled(block, text) if named else [], spoken_of=spoken_of)

    def goes_on(self, block: Block, *beside: Block | None) -> bool:
        """Whether an item makes a value (`Generate a UUID`) that the item before or behind it names as a key."""
        if not any(language.fresh.search(fold(block.text.text)) for language in self.lexicon.languages):
            return False
        return any(
            other is not None
            and other.kind == "item"
            and (
                self.look(other.text.text)[1]
                or any(name.kind != "request" for name in self.names.find(fold(other.text.text)))
            )
            for other in beside
        )

    def headings(self, headings: tuple[str, ...]) -> tuple[bool, bool]:
        """Whether a block under headings tells the caller nothing, and whether they speak of keys."""
        known = self.over.get(headings)
        if known is None:
            speaks = any(self.look(heading)[1] for heading in headings[-2:]) or self.is_name(headings[-1:])
            known = self.over[headings] = (is_away(headings, self.lexicon), speaks)
        return known

    def is_name(self, headings: tuple[str, ...]) -> bool:
        """Whether a heading is little else than a name that may be a key's, as over a parameter's description."""
        for heading in headings:
            folded = fold(heading)
            for name in self.names.find(folded):
                beside = folded[: name.start] + " " + folded[name.end :]
                if name.kind != "request" and self.lexicon.code["beside"].fullmatch(beside):
                    return True
        return False

    def look(self, text: str) -> tuple[bool, bool]:
        """Whether a text holds a name that may be a key's, and whether it speaks of keys."""
        known = self.seen.get(text)
        if known is None:
            folded = fold(text)
            if self.general and not self.lexicon.signs.in_text(folded):
                known = (False, False)
            else:
                kinds = {name.kind for name in self.names.find(folded)}
                known = (bool(kinds), "key" in kinds or self.lexicon.speaks(folded))
            self.seen[text] = known
        return known

    def prose(self, block: Block, filled: list[Hit], *, spoken_of: bool) -> Iterator[Hit]:
        parted = tuple(sentences(plain(block.text)) if block.kind == "code" else block.sentences())
        if not spoken_of and len(parted) > 1 and self.look(block.text.text)[1]:
            # What keys are for may be said behind what tells to make one.
            spoken_of = not any(self.judge(sentence, spoken_of=False).samples_hushed for sentence in parted)
        for sentence in parted:
            whole = sentence.whole
            inside = [hit for hit in filled if whole.start <= hit.span.start < whole.end]
            verdicts: list[Verdict] = []
            hushed = False
            parts = list(clauses(sentence))
            if len(parts) > 1:
                # What names the key may stand before a semicolon, and what says how to make it behind.
                judged = self.judge(sentence, spoken_of=spoken_of)
                verdicts += [judged.verdict] if judged.verdict is not None else []
                if judged.whole_hushed:
                    continue
            for clause in parts:
                judged = self.judge(clause, spoken_of=spoken_of)
                verdicts += [judged.verdict] if judged.verdict is not None else []
                hushed = hushed or judged.samples_hushed
                # Who was told that there is none, or that it is made for him, is told nothing by what follows.
                spoken_of = spoken_of or (not judged.samples_hushed and self.look(clause.text)[1])
            sample = next((hit for hit in inside if hit.part_of_sample), None)
            if sample is not None and not hushed:
                yield sample
            elif verdicts:
                worst = min(verdicts, key=lambda verdict: _DANGER.index(verdict.rule))
                yield Hit(worst.rule, worst.span, worst.name, whole, block, worst.confidence)
            elif not hushed:
                yield from inside[:1]

    def judge(self, text: Text, *, spoken_of: bool) -> Judgement:
        """What a sentence or a clause asks for; most ask for nothing, and are not read."""
        folded = fold(text.text)
        named, speaks = self.look(text.text)
        if not (named or speaks or self.may_say(folded, spoken_of=spoken_of)):
            return Judgement(None)
        reading = read(text, self.names, self.lexicon)
        return judge(reading, self.lexicon, spoken_of=spoken_of, speaks=self.lexicon.speaks(folded))

    def may_say(self, text: str, *, spoken_of: bool) -> bool:
        """Whether a sentence without a name, in lower case, can have a form at all."""
        return spoken_of or self.lexicon.may_ask(text)

    def filled(self, block: Block, text: str) -> list[Hit]:
        """The places that a paragraph's own code fills: within a line, or a sample that no fence holds."""
        found = []
        setting = setting_of(block, text, self.lexicon)
        for site in sites(text, self.names, self.lexicon):
            value = text[slice(*site.value)]
            # A name in backticks with a colon behind it begins an explanation.
            quoted = site.in_quotes and text[max(0, site.name[0] - 1)] != "`"
            said = site.kind == "member" and not quoted and " " in value and value[:1] not in "\"'`"
            if site.optional or site.name_class == "request" or said:
                continue
            line = site.kind == "header" and ":" in text[site.name[1] : site.value[0]]
            if site.kind == "header" and not line and site.value_kind == "literal" and value[:1] not in "\"'`":
                continue  # the argument of a call (`set("…", key)`), whatever it holds
            sent = ("literal", "place", "variable") if line else ("literal", "place")
            sure = site.value_kind in ("made", "template") or (
                site.value_kind in sent
                and (site.name_class == "key" or (site.name_class == "token" and site.kind == "flag"))
                and self.is_sample(text, site)
            )
            if sure and not setting.in_answer(site.name[0]):
                alone = _alone(text, site)
                found.append(replace(self.hit("sample-fills-key", block, site), part_of_sample=not alone))
        return found

    def is_sample(self, text: str, site: Site) -> bool:
        """Whether text around a place is code: quoted, or of a command."""
        command = command_of(text, site.name[0], site.name[1])
        value = text[slice(*site.value)]
        raw = site.kind == "header" and (" " not in value or (value[0] == "<" and value[-1] == ">"))
        written = site.kind == "parameter" and text[site.value[0]] in "\"'"
        called = command.count(" --") >= 2 or self.lexicon.code["clients"].search(command) is not None
        return site.in_quotes or raw or written or called

    def row(self, block: Block, *, spoken_of: bool) -> Iterator[Hit]:
        verdict = row_verdict(block, self.names, self.lexicon, spoken_of=spoken_of)
        if verdict is not None:
            yield Hit(verdict.rule, verdict.span, verdict.name, block.span, block, verdict.confidence)

    def code(self, block: Block, text: str, *, spoken_of: bool) -> Iterator[Hit]:
        setting = setting_of(block, text, self.lexicon)
        yield from self.told(block, text)
        if setting.side == "none" or is_wrong(" ".join([*block.headings[-1:], block.lead[-80:]]), self.lexicon):
            return
        rule = "sample-fills-key" if setting.side == "request" else "app-code-fills-key"
        spoken_of = spoken_of or self.look(block.text.text)[1]
        variables: list[Site] = []
        filled = False
        found = sites(text, self.names, self.lexicon)
        for place in [*found, *(nameless(text, self.lexicon) if spoken_of and not found else ())]:
            made = place.value_kind == "variable" and is_made_in(text, place, self.lexicon)
            site = replace(place, value_kind="made") if made else place
            if site.optional or site.value_kind in ("none", "type"):
                continue
            if setting.in_answer(site.name[0]):
                continue
            if site.kind == "variable" and setting.side == "request":
                variables.append(site)
                continue
            if self.counts(text, site, spoken_of=spoken_of):
                filled = True
                yield self.hit(rule, block, site)
        if not filled:
            for site in variables[:1]:
                if site.value_kind in ("made", "template", "literal") and site.name_class != "request":
                    yield self.hit(rule, block, site)

    def told(self, block: Block, text: str) -> Iterator[Hit]:
        """What a text in a program's quotes, as a tool's description is, says of a retry."""
        for quoted in self.lexicon.code["sentences"].finditer(text):
            for sentence in sentences(block.text.part(quoted.start("said"), quoted.end("said"))):
                verdict = self.judge(sentence, spoken_of=False).verdict
                if verdict is None or verdict.rule == "key-required":
                    continue
                if verdict.rule != "prose-builds-key" or self.lexicon.code["again"].search(quoted["said"]):
                    whole = sentence.whole
                    yield Hit(verdict.rule, verdict.span, verdict.name, whole, block, verdict.confidence)

    def counts(self, text: str, site: Site, *, spoken_of: bool) -> bool:
        """Whether a filled place of a request asks the reader for a key."""
        command = command_of(text, site.name[0], site.value[1])
        code = self.lexicon.code
        reads = not code["writes"].search(command) and ("curl" in command or code["reads"].search(command) is not None)
        made_up = site.value_kind in ("made", "template")
        if site.kind == "flag" and site.value_kind == "place" and command.lstrip()[:1] in ("-", "[", "|"):
            return site.name_class == "key"  # a list of options, and no command
        match site.name_class:
            case "key":
                return site.kind != "variable" or site.value_kind != "variable"
            case "token":
                return made_up or spoken_of or site.kind == "flag" or site.value_kind == "variable"
            case "reference":
                return not reads and site.value_kind != "place" and not code["removes"].search(command)
            case _:
                said = "unique" in text[slice(*site.value)] or "dedup" in text[slice(*site.name)]
                run = site.kind == "flag" and "$(" in text[slice(*site.value)]
                return made_up and not reads and (spoken_of or said or run)

    def hit(self, rule: str, block: Block, site: Site) -> Hit:
        start, end = site.name[0], site.value[1]
        written = block.text.text[slice(*site.name)]
        return Hit(rule, block.text.span(start, end), written, line_of(block.text, start, end), block, site=site)


def _alone(text: str, site: Site) -> bool:
    """Whether the code around a place in a line of text shows nothing but it."""
    for found in CODE_SPAN.finditer(text):
        if found.start() <= site.name[0] < found.end():
            return not (text[found.start() : site.whole[0]] + text[site.whole[1] : found.end()]).strip("` -'\"")
    return "\n" not in text and site.kind == "header"


def line_of(text: Text, start: int, end: int) -> Span:
    """The lines of a text that a stretch lies in."""
    first = text.text.rfind("\n", 0, start) + 1
    last = text.text.find("\n", end)
    return text.span(first, last if last >= 0 else len(text.text))
