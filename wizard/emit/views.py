"""What a template sees of an operation: texts that are fit to stand in a skill, and facts to choose by."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from wizard.emit.safety import code, inline, instructions_in, plain, quoted, value, without_keys, without_unique
from wizard.emit.wording import summary, title_of
from wizard.emit.words import words
from wizard.operation.duration import Duration
from wizard.operation.field_path import FieldPath
from wizard.operation.model import Level, Operation, Scope
from wizard.spec.model import ApiOperation, Body, Field, Parameter, Shape

MAX_FIELDS = 80
MAX_QUERY = 40
MAX_CHOICES = 20
MAX_ANSWERS = 16

_TYPES = {
    "string": "text", "integer": "whole number", "number": "number", "boolean": "true or false", "array": "list",
    "object": "object",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldView:
    """One value that the model fills in, or finds in an answer."""

    name: str
    """As code."""
    kind: str
    """`text`, `whole number`, `list of texts`, …; empty where the document does not say."""
    form: str
    """`a day, as ‘2026-11-14’`; empty for plain values."""
    required: bool
    meaning: str
    """The document's words for it."""
    unit: str
    choices: tuple[str, ...]
    """As code."""
    more_choices: int
    default: str
    example: str
    limits: str
    depth: int
    """0 for a field of the body, more for those inside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerView:
    """One answer of the recipient."""

    status: str
    meaning: str
    holds: tuple[str, ...]
    """Names in its body, as code."""
    lists: bool
    """Its body is one list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationView:
    """One operation, ready to be put into words. Every text is neutralised and bounded."""

    name: str
    title: str
    api: str
    """The API's name."""
    method: str
    url: str
    """As code."""
    write: bool
    reads: bool
    """It only reads, whatever the method."""
    harmless: bool
    """It changes something and is not recorded: sent twice it leaves what one leaves."""
    deprecated: bool
    about: str
    """The document's description as a quotation; empty where there is none, or none that may stand."""
    withheld: bool
    """The description is left out because it reads like instructions to a model."""
    content: str
    path: tuple[FieldView, ...]
    query: tuple[FieldView, ...]
    more_query: int
    header: tuple[FieldView, ...]
    body: tuple[FieldView, ...]
    more_fields: int
    whole_body: bool
    """The body is one value, and its fields are those of each element."""
    host_fills: tuple[str, ...]
    """Fields and headers that the host fills in, as code."""
    identity: tuple[str, ...]
    """As code; empty where the write has none, or none that a person confirmed."""
    in_path: tuple[str, ...]
    """The path's names, as code: they are always part of the identity."""
    scope: str
    """`identity`, `call` or `arguments`."""
    level: str
    finds_out: bool
    """The host can find out about an outcome that nobody saw: the recipient knows the key, or can be asked."""
    kept: str
    """How long a repeat is answered from the record: `within 24 hours`, or `for ever`."""
    money: tuple[str, str] | None
    answers: tuple[AnswerView, ...]
    accepted: bool
    """A success may be a 202: taken, not done yet."""


def view(
    name: str, operation: Operation, api: ApiOperation, title: str, warn: Callable[[str, str], None]
) -> OperationView:  # fmt: skip
    """The view of an operation. `warn(pointer, words)` is told of texts that read like instructions to a model."""
    now = operation.effective()
    hidden = _hidden_names(operation)
    writer = _Writer(hidden, warn)
    about = "\n\n".join(dict.fromkeys(text for text in (api.description, _of_body(api.body)) if text.strip()))
    withheld = bool(found := instructions_in(about))
    if withheld:
        warn(api.pointer, found)
    if api.summary and (found := instructions_in(api.summary)):
        warn(api.pointer, found)
    fields, more_fields = writer.body(operation, api.body)
    identity = tuple(code(path.name) for path in now.identity)
    keyed = operation.key is not None
    return OperationView(
        name=name,
        title=summary(api, hidden),
        api=title_of(title),
        method=operation.method,
        url=code(operation.url, 500),
        write=operation.is_write,
        reads=operation.write is False or (operation.write is None and operation.method in ("GET", "HEAD")),
        harmless=not operation.is_write and operation.method not in ("GET", "HEAD") and operation.write is None,
        deprecated=api.deprecated,
        about="" if withheld else quoted(without_keys(plain(about), hidden)),
        withheld=withheld,
        content=code(operation.content),
        path=tuple(writer.parameter(operation, api, "path", variable) for variable in operation.path_variables),
        query=tuple(writer.parameter(operation, api, "query", one) for one in operation.query[:MAX_QUERY]),
        more_query=max(0, len(operation.query) - MAX_QUERY),
        header=tuple(writer.parameter(operation, api, "header", one) for one in operation.header),
        body=fields,
        more_fields=more_fields,
        whole_body=any(path.whole_body for path in operation.body),
        host_fills=tuple(code(one) for one in _filled_by_host(operation)),
        identity=identity,
        in_path=tuple(code(variable) for variable in operation.path_variables),
        scope=str(operation.record_scope) if operation.is_write else str(Scope.CALL),
        level=str(operation.level),
        finds_out=operation.level == Level.KEYED or now.probe is not None,
        kept=_kept(operation.kept_for),
        money=None if operation.money is None else (code(operation.money.amount), code(operation.money.currency)),
        answers=tuple(writer.answers(api, keyed)),
        accepted=any(answer.status == "202" for answer in api.responses),
    )


def _kept(duration: Duration) -> str:
    if duration.seconds is None:
        return "for ever"
    for unit, seconds in (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1)):
        count, rest = divmod(duration.seconds, seconds)
        if not rest and (count > 1 or seconds == 1 or (count == 1 and seconds < 86400)):
            return f"within {count} {unit}{'' if count == 1 else 's'}"
    return f"within {duration}"


def _filled_by_host(operation: Operation) -> Iterator[str]:
    if operation.key is not None:
        yield operation.key.name
    if operation.reference is not None and operation.host_fills_reference:
        yield operation.reference.name


def _hidden_names(operation: Operation) -> tuple[str, ...]:
    """Names whose sentences in the document's prose are not for the model."""
    return tuple(name.rsplit(".", 1)[-1].removesuffix("[]") for name in _filled_by_host(operation))


def _of_body(body: Body | None) -> str:
    return body.description if body is not None else ""


class _Writer:
    """Puts fields and answers into words."""

    def __init__(self, hidden: tuple[str, ...], warn: Callable[[str, str], None]) -> None:
        self.hidden = hidden
        self.warn = warn

    def words_of(self, text: str, pointer: str, limit: int = 300) -> str:
        if not text.strip():
            return ""
        if found := instructions_in(text):
            self.warn(pointer, found)
            return ""
        return inline(without_keys(plain(text), self.hidden), limit)

    def body(self, operation: Operation, body: Body | None) -> tuple[tuple[FieldView, ...], int]:
        """The fields that the model fills in, each with what is inside it: the first of them, and how many more."""
        shown: list[FieldView] = []
        more = 0
        for one, path in _filled(operation, body):
            if len(shown) == MAX_FIELDS:
                more += 1
            else:
                shown.append(self.unknown(path) if one is None else self.field(one, path))
        return tuple(shown), more

    def field(self, one: Field, under: FieldPath) -> FieldView:
        here = _parsed(one.path)
        return self.described(
            one.path, one.shape, required=one.required, pointer=one.pointer, example=not one.composite,
            depth=max(0, len(here.segments) - max(1, len(under.segments))),
        )  # fmt: skip

    def unknown(self, path: FieldPath) -> FieldView:
        return FieldView(
            name=code(path.name), kind="", form="", required=not path.optional, meaning="", unit="", choices=(),
            more_choices=0, default="", example="", limits="", depth=0,
        )  # fmt: skip

    def parameter(self, operation: Operation, api: ApiOperation, place: str, name: str) -> FieldView:
        found: Parameter | None = next(
            (one for one in api.parameters if one.location == place and one.name == name), None
        )
        if found is None:
            return self.unknown(FieldPath.body(name))
        text = found.description or found.shape.description
        return self.described(
            name, found.shape, required=found.required or place == "path", pointer=found.pointer, text=text,
            example=True,
        )  # fmt: skip

    def described(
        self, name: str, shape: Shape, *, required: bool, pointer: str, example: bool, text: str | None = None,
        depth: int = 0,
    ) -> FieldView:  # fmt: skip
        meaning = without_unique(self.words_of(shape.description if text is None else text, pointer))
        choices = [value(one) for one in shape.enum if one is not None]
        return FieldView(
            name=code(name),
            kind=_kind(shape),
            form=words("units")["format"].get(shape.format, ""),
            required=required,
            meaning=meaning,
            unit=_unit(name, meaning, shape),
            choices=tuple(choices[:MAX_CHOICES]),
            more_choices=max(0, len(choices) - MAX_CHOICES),
            default="" if shape.default is None or isinstance(shape.default, dict | list) else value(shape.default),
            example=_example(shape) if example and not choices else "",
            limits=_limits(shape),
            depth=depth,
        )

    def answers(self, api: ApiOperation, keyed: bool) -> Iterator[AnswerView]:
        for answer in api.responses[:MAX_ANSWERS]:
            meaning = self.words_of(answer.description, answer.pointer, 240)
            holds: tuple[str, ...] = ()
            lists = False
            if answer.status.startswith("2") and answer.body is not None:
                tops = [one.path for one in answer.body.fields if one.depth == 0 and one.path != "$body"]
                holds = tuple(code(one) for one in tops if one not in self.hidden)[:12]
                lists = answer.body.shape.type == "array"
            status = inline(answer.status, 10) or "default"
            if not meaning and not holds and not status.startswith("2"):
                continue
            yield AnswerView(
                status="anything else" if status == "default" else status, meaning=meaning, holds=holds, lists=lists
            )


def _filled(operation: Operation, body: Body | None) -> Iterator[tuple[Field | None, FieldPath]]:
    """Each field of the body under a declared name that covers it; no field where the document has none."""
    known: dict[str, list[tuple[Field, FieldPath]]] = {}
    for one in () if body is None else body.fields:
        parsed = _parsed(one.path)
        for first in ("", parsed.segments[0].name if parsed.segments else ""):
            known.setdefault(first, []).append((one, parsed))
    host = [FieldPath.parse(name) for name in _filled_by_host(operation) if not _is_parameter(operation, name)]
    seen: set[str] = set()
    for path in operation.body:
        wanted = path.required()
        # Only what begins with the same name can be under it; the whole body has no name.
        near = known.get("" if path.whole_body or not path.segments else path.segments[0].name, ())
        found = [(one, parsed) for one, parsed in near if wanted.covers(parsed)]
        if not found and not path.whole_body:
            yield None, path
        for one, parsed in found:
            if one.path not in seen and not one.shape.read_only and not any(each.covers(parsed) for each in host):
                seen.add(one.path)
                yield one, path


def _parsed(path: str) -> FieldPath:
    try:
        return FieldPath.parse(path)
    except ValueError:
        return FieldPath.body(path)


def _is_parameter(operation: Operation, name: str) -> bool:
    return operation.key is not None and operation.key.name == name and operation.key.place != "field"


def _kind(shape: Shape) -> str:
    if shape.type == "array" and shape.item_type in _TYPES:
        inner = _TYPES[shape.item_type]
        return f"list of {inner}s" if inner not in ("true or false", "list") else "list"
    return _TYPES.get(shape.type, "")


def _unit(name: str, meaning: str, shape: Shape) -> str:
    if shape.type not in ("integer", "number", ""):
        return ""
    last = _parsed(name).segments[-1].name.lower() if _parsed(name).segments else ""
    fits = [suffix for suffix in words("units")["suffix"] if last.endswith(suffix) or last == suffix.lstrip("_")]
    if not fits:
        return ""
    unit = str(words("units")["suffix"][max(fits, key=len)])
    return "" if unit.removeprefix("in ") in meaning.lower() else unit


def _example(shape: Shape) -> str:
    for one in shape.examples:
        if isinstance(one, str | int | float) and not isinstance(one, bool) and not instructions_in(str(one)):
            return value(one)
    return ""


def _limits(shape: Shape) -> str:
    if shape.type not in ("string", "") or shape.enum:
        return ""
    least, most = shape.min_length, shape.max_length
    if least and most:
        return f"{least} characters" if least == most else f"{least} to {most} characters"
    if most:
        return f"at most {most} characters"
    return f"at least {least} characters" if least and least > 1 else ""
