"""The places of a sample where a key is filled in, and what is left when they are taken out."""

from __future__ import annotations

import pytest

from wizard.lint.keyprose.folding import fold
from wizard.lint.keyprose.found import hits_of
from wizard.lint.keyprose.lexicon import lexicon
from wizard.lint.keyprose.removal import without_site
from wizard.lint.keyprose.samples import sites
from wizard.lint.keyprose.values import value_kind
from wizard.lint.model import Context
from wizard.skill.prose_text import Text
from wizard.source import Source


def read(sample: str) -> list[tuple[str, str, str, str]]:
    """Kind, name, value and the value's kind of each place."""
    return [
        (site.kind, sample[slice(*site.name)], sample[slice(*site.value)], site.value_kind)
        for site in sites(fold(sample), lexicon().names(), lexicon())
    ]


@pytest.mark.parametrize(
    ("sample", "found"),
    [
        ('-H "Idempotency-Key: $(uuidgen)"', ("header", "Idempotency-Key", "$(uuidgen)", "made")),
        ("--header 'X-Idempotency-Key: abc-1'", ("header", "X-Idempotency-Key", "abc-1", "literal")),
        ("POST /x\nIdempotency-Key: 7b92-4", ("header", "Idempotency-Key", "7b92-4", "literal")),
        ("http POST a.example Idempotency-Key:abc a=1", ("header", "Idempotency-Key", "abc", "literal")),
        ('{"idempotency_key": "pay-{id}", "a": 1}', ("member", "idempotency_key", '"pay-{id}"', "template")),
        ('{\\"clientToken\\":\\"x-1\\"}', ("member", "clientToken", '\\"x-1\\"', "literal")),
        ("request_id: $REQUEST", ("member", "request_id", "$REQUEST", "variable")),
        ("pay --idempotency-key=order-1 --now", ("flag", "idempotency-key", "order-1", "literal")),
        ("pay --client-token <unique-token> --now", ("flag", "client-token", "<unique-token>", "made")),
        ("pay --client-token <token>", ("flag", "client-token", "<token>", "place")),
        ("pay --client-token \\\n  abc", ("flag", "client-token", "abc", "literal")),
        ("https://a.example/x?idempotency_key=a-1&b=2", ("parameter", "idempotency_key", "a-1", "literal")),
        ("CLIENT_TOKEN=$(uuidgen)", ("variable", "CLIENT_TOKEN", "$(uuidgen)", "made")),
        ("const idempotencyKey = crypto.randomUUID();", ("variable", "idempotencyKey", "crypto.randomUUID()", "made")),
        ("{ idempotencyKey: `a-${id}` }", ("member", "idempotencyKey", "`a-${id}`", "template")),
        ("idempotencyKey: string;", ("member", "idempotencyKey", "string", "type")),
        ('"idempotency_key": null', ("member", "idempotency_key", "null", "none")),
        ('.header("Idempotency-Key", UUID.randomUUID())', ("header", "Idempotency-Key", "UUID.randomUUID()", "made")),
        ('--t "$(uuidgen || echo "t-$(date +%s)")" idempotency_key="$(uuidgen || echo "t")"',
         ("parameter", "idempotency_key", '"$(uuidgen || echo "t")"', "made")),
    ],
)  # fmt: skip
def test_a_filled_place_is_read(sample: str, found: tuple[str, str, str, str]) -> None:
    assert read(sample) == [found]


@pytest.mark.parametrize(
    "sample",
    [
        "data.idempotency_key",
        '["task", "idempotency_key"]',
        "echo $CLIENT_TOKEN",
        "gen_ai_client_token_usage: 4",
        "--client-token",
        "Idempotency Key: of a kind",
    ],
)
def test_a_name_alone_is_no_place(sample: str) -> None:
    assert read(sample) == []


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("$(date +%s)", "made"),
        ('"order-{id}"', "template"),
        ("<key>", "place"),
        ('"abc"', "literal"),
        ("key", "variable"),
        ("optional[str]", "type"),
        ('"..."', "none"),
        ('"my-unique-key"', "made"),
        ('f"{a}-{b}"', "template"),
        ("hashlib.sha256(b)", "made"),
    ],
)
def test_a_value_is_known_for_what_it_is(value: str, kind: str) -> None:
    assert value_kind(value, lexicon()) == kind


def without(sample: str) -> str:
    """The sample with its first place taken out, as a whole file."""
    source = Source("a.md", sample)
    site = sites(fold(sample), lexicon().names(), lexicon())[0]
    edits = without_site(source, Text.of(sample, 0, len(sample)), site)
    assert edits is not None
    for edit in sorted(edits, reverse=True):
        sample = sample[: edit.span.start] + edit.text + sample[edit.span.end :]
    return sample


@pytest.mark.parametrize(
    ("sample", "left"),
    [
        ('curl \\\n  -H "Idempotency-Key: a" \\\n  -d x', "curl \\\n  -d x"),
        ('curl -d x \\\n  -H "Idempotency-Key: a"\n', "curl -d x\n"),
        ('curl -H "Idempotency-Key: a" -d x', "curl -d x"),
        ('curl -d x -H "Idempotency-Key: a"', "curl -d x"),
        ("POST /x\nIdempotency-Key: a\nHost: b\n", "POST /x\nHost: b\n"),
        ('{"idempotency_key": "a", "b": 1}', '{"b": 1}'),
        ('{"b": 1, "idempotency_key": "a"}', '{"b": 1}'),
        ('{"idempotency_key": "a"}', "{}"),
        ('{\n  "b": 1,\n  "idempotency_key": "a"\n}', '{\n  "b": 1\n}'),
        ('{\n  "idempotency_key": "a",\n  "b": 1\n}', '{\n  "b": 1\n}'),
        ("pay --idempotency-key a --now", "pay --now"),
        ("pay --now --idempotency-key a", "pay --now"),
        ("curl 'https://a.example?idempotency_key=a&b=1'", "curl 'https://a.example?b=1'"),
        ("curl 'https://a.example?b=1&idempotency_key=a'", "curl 'https://a.example?b=1'"),
        ("curl 'https://a.example?idempotency_key=a'", "curl 'https://a.example'"),
        ("headers:\n  Idempotency-Key: a\n  Accept: b\n", "headers:\n  Accept: b\n"),
        ('-H "Idempotency-Key: $KEY"\n', ""),
    ],
)  # fmt: skip
def test_what_is_left_is_whole(sample: str, left: str) -> None:
    assert without(sample) == left


def test_the_variable_goes_with_its_last_use() -> None:
    assert without_second('KEY=$(uuidgen)\ncurl -d x \\\n  -H "Idempotency-Key: $KEY"\n') == "curl -d x\n"
    kept = 'KEY=$(uuidgen)\necho $KEY\ncurl -d x \\\n  -H "Idempotency-Key: $KEY"\n'
    assert without_second(kept) == "KEY=$(uuidgen)\necho $KEY\ncurl -d x\n"


def without_second(sample: str) -> str:
    """The sample without the header, of which the variable is none."""
    source = Source("a.md", sample)
    site = next(site for site in sites(fold(sample), lexicon().names(), lexicon()) if site.kind == "header")
    for edit in sorted(without_site(source, Text.of(sample, 0, len(sample)), site) or (), reverse=True):
        sample = sample[: edit.span.start] + edit.text + sample[edit.span.end :]
    return sample


@pytest.mark.parametrize(
    "lead", ["It returns:", "The response is:", "响应：", "レスポンス:"],
)  # fmt: skip
def test_an_answer_is_not_filled_by_the_reader(lead: str) -> None:
    body = f'---\nname: a\n---\n\n{lead}\n\n```json\n{{"idempotency_key": "a"}}\n```\n'
    assert hits_of(Context(source=Source("a.md", body))) == ()
    asked = body.replace(lead, "Send this body:")
    assert len(hits_of(Context(source=Source("a.md", asked)))) == 1
