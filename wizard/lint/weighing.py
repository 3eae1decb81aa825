"""What is reported of what was found: severities, selections, thresholds, suppressions and their own faults."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from wizard.lint.located import LocatedFinding, at_path
from wizard.lint.rulebook import ALL, known_words, load_families, load_rule, rule_names, selects
from wizard.lint.settings import CONFIDENCES, SEVERITIES, PerPath, Settings
from wizard.lint.suppression import Allowed, Suppression

if TYPE_CHECKING:
    from wizard.lint.model import Remark
    from wizard.source import Span

ASKED_FOR = "warning"
"""The severity of a rule that is off and was asked for by its name."""


class Weigher:
    """Weighs the findings of a run by its settings."""

    def __init__(self, settings: Settings, settings_of: Callable[[str], Iterable[PerPath]]) -> None:
        self.settings = settings
        self.settings_of = settings_of
        self.severities = dict(settings.rules)

    def severity(self, rule: str, family: str, own: str, here: Iterable[PerPath] = ()) -> str | None:
        """The severity with which a rule speaks in a file; None where it does not."""
        said, of_family = self.severities.get(rule), self.of_family(self.severities, family)
        for one in here:
            said = dict(one.rules).get(rule, said)
            of_family = self.of_family(dict(one.rules), family) or of_family
        if selects(self.settings.ignore, rule, family) or ALL in self.settings.ignore:
            return None
        chosen = self.settings.select
        if chosen and not selects(chosen, rule, family) and ALL not in chosen and said is None:
            return None
        if said is None and own != "off":
            said = of_family
        if said is not None:
            return None if said == "off" else said
        if own == "off":
            return ASKED_FOR if rule in chosen else None
        return own

    @staticmethod
    def of_family(severities: Mapping[str, str], family: str) -> str | None:
        """What is said of a whole family, or of all rules; the rule's own name goes before it."""
        return severities.get(family, severities.get(ALL))

    def runs(self, rule: str, here: Iterable[PerPath] = ()) -> bool:
        """Whether a rule that is known speaks in a file at all."""
        loaded = load_rule(rule)
        return self.severity(rule, loaded.family, loaded.severity, here) is not None

    def shown(self, severity: str, confidence: str) -> bool:
        """Whether the thresholds let a finding through."""
        return SEVERITIES.index(severity) <= SEVERITIES.index(self.settings.severity) and CONFIDENCES.index(
            confidence
        ) <= CONFIDENCES.index(self.settings.confidence)

    def weighed(self, found: LocatedFinding, here: Iterable[PerPath] = ()) -> LocatedFinding | None:
        """A finding as it is reported, whatever a comment allows; None where it is not."""
        severity = self.severity(found.rule, found.family, found.severity, here)
        if severity is None or not self.shown(severity, found.confidence):
            return None
        found = found._replace(severity=severity)
        for one in here:
            if selects(one.ignore, found.rule, found.family) or ALL in one.ignore:
                return found._replace(suppressed="configuration", reason=one.reason)
        return found

    def file(
        self, path: str, data: bytes, findings: Iterable[LocatedFinding], suppressions: Iterable[Suppression]
    ) -> list[LocatedFinding]:
        """What is reported of one file, what a comment allows included and marked."""
        here = tuple(self.settings_of(path))
        comments = tuple(suppressions)
        used: set[tuple[int, str]] = set()
        reported = []
        for found in findings:
            allowed = ""
            reason = ""
            for comment in comments:
                if comment.covers(found.spot.line, max(found.spot.line, found.spot.end_line)):
                    for name in comment.rules:
                        if name.rule in (found.rule, found.family):
                            used.add((comment.start, name.rule))
                            allowed, reason = "comment", comment.reason
            weighed = self.weighed(found, here)
            if weighed is not None:
                if allowed and not weighed.suppressed:
                    weighed = weighed._replace(suppressed=allowed, reason=reason)
                reported.append(weighed)
        if comments:
            reported.extend(self.comments(path, data, comments, used, here))
        return reported

    def comments(
        self, path: str, data: bytes, comments: tuple[Suppression, ...], used: set[tuple[int, str]],
        here: tuple[PerPath, ...],
    ) -> list[LocatedFinding]:  # fmt: skip
        """What the rules of the family `linter` say of a file's suppressions."""
        from wizard.lint.model import Remark
        from wizard.source import Span

        known = {*known_words()} - {ALL}  # what is allowed is said by its name
        remarks: list[Remark] = []
        text = data.decode("utf-8", "replace")
        for comment in comments:
            for name in comment.rules:
                if name.rule not in known:
                    remarks.append(unknown(name.rule, Span(name.start, name.end)))
                elif (comment.start, name.rule) not in used and self.could_speak(name.rule, here):
                    remarks.append(_unused(text, comment, name))
            if not comment.reason:
                names = " and ".join(f"`{name.rule}`" for name in comment.rules) or "no rule"
                remarks.append(
                    Remark(
                        rule="suppression-without-reason",
                        span=Span(comment.start, comment.end),
                        message=f"this allows {names} and does not say why",
                    )
                )
        return self.remarked(path, text, tuple(remarks), here)

    def could_speak(self, word: str, here: tuple[PerPath, ...]) -> bool:
        """Whether a rule, or any of a family, speaks in a file; else a suppression of it says nothing of being
        unused."""
        if word in rule_names():
            return self.runs(word, here)
        return any(self.runs(rule.name, here) for rule in load_families((word,)))

    def remarked(
        self, path: str, text: str, remarks: tuple[Remark, ...], here: tuple[PerPath, ...] = ()
    ) -> list[LocatedFinding]:
        """The findings that come of remarks on a file."""
        if not remarks:
            return []
        from wizard.lint.checking import check_source
        from wizard.lint.model import Context
        from wizard.source import Source

        context = Context(source=Source(path, text), remarks=remarks)
        names = sorted({remark.rule for remark in remarks})
        findings = (self.weighed(at_path(found, path), here) for found in check_source(context, only=names).findings)
        return [found for found in findings if found is not None]

    def configuration(self) -> list[LocatedFinding]:
        """Rules that the configuration names and nobody knows.

        A selection or a threshold does not hide them: a name that is misspelled there would switch all rules off, and
        the run would look like one that found nothing.
        """
        known = set(known_words())
        strange = [named for named in self.settings.named if named.name not in known]
        if not strange:
            return []
        from wizard.source import Position, Source, Span

        path = self.settings.file
        with open(path, encoding="utf-8") as file:
            source = Source(path, file.read())
        remarks = []
        for named in strange:
            start = source.offset(Position(max(1, named.line), max(1, named.column)))
            remarks.append(unknown(named.name, Span(start, start + len(named.name))))
        open_to_all = self.settings._replace(select=(), severity=SEVERITIES[-1], confidence=CONFIDENCES[-1])
        return Weigher(open_to_all, self.settings_of).remarked(_relative(path), source.text, tuple(remarks))


def unknown(name: str, span: Span) -> Remark:
    """The remark on a rule's name that nobody knows."""
    from difflib import get_close_matches

    from wizard.lint.model import Edit, Fix, Remark

    plain = name.lower().replace("_", "-")
    if plain == ALL:
        return Remark(
            rule="unknown-rule", span=span, message="a comment allows rules and families by name, and not all"
        )
    near = get_close_matches(plain, rule_names(), n=1, cutoff=0.6) or get_close_matches(plain, known_words(), n=1)
    hint = f"; did you mean `{near[0]}`?" if near else ""
    fix = Fix(f"Write `{near[0]}`", (Edit(span, near[0]),), "unsafe") if near else None
    return Remark(rule="unknown-rule", span=span, message=f"there is no rule named `{name}`{hint}", fix=fix)


def _unused(text: str, comment: Suppression, name: Allowed) -> Remark:
    from wizard.lint.model import Edit, Fix, Remark
    from wizard.source import Span

    if len(comment.rules) > 1:
        # The name goes with the comma before or behind it.
        position = comment.rules.index(name)
        if position:
            gone = Span(comment.rules[position - 1].end, name.end)
        else:
            gone = Span(name.start, comment.rules[1].start)
        fix = Fix(f"Take `{name.rule}` out of the comment", (Edit(gone, ""),))
    else:
        fix = Fix("Take the comment out", (Edit(whole_line(text, comment.start, comment.end), ""),))
    return Remark(
        rule="unused-suppression",
        span=Span(name.start, name.end),
        message=f"nothing here breaks `{name.rule}`, so there is nothing to allow",
        fix=fix,
    )


def whole_line(text: str, start: int, end: int) -> Span:
    """A stretch with the white space and the line end around it where nothing else stands on its lines."""
    from wizard.source import Span

    first, last = start, end
    while first > 0 and text[first - 1] in " \t":
        first -= 1
    while last < len(text) and text[last] in " \t":
        last += 1
    alone = (first == 0 or text[first - 1] in "\r\n") and (last == len(text) or text[last] in "\r\n")
    if not alone:
        return Span(first, end) if last == len(text) or text[last] in "\r\n" else Span(start, end)
    if text.startswith("\r\n", last):
        last += 2
    elif last < len(text):
        last += 1
    return Span(first, last)


def _relative(path: str) -> str:
    import os

    return os.path.relpath(path).replace(os.sep, "/")
