"""A declaration beyond doubt: where the look says so, every rule says nothing."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from wizard.lint import plainspec
from wizard.lint.checking import check_source
from wizard.lint.fieldnames import is_a, is_amount, key_kind, repeats, secret_kind
from wizard.lint.model import Context
from wizard.lint.plainspec import is_beyond_doubt, look
from wizard.lint.plainwords import FIELD, NO_AMOUNT, PATH, PLAIN_WORDS, plain_words, plain_words_text
from wizard.lint.quick import FILE_FAMILIES, families_for, prose_signs
from wizard.operation.model import Operation
from wizard.skill.document import parse_skill
from wizard.source import Source
from wizard.yamltext.plain_reading import plain_values

sys.path.insert(0, str(Path(__file__).parent))
from rule_cases import FOLDER, read_cases

KNOWN = (plain_words() or {"words": {}})["words"]
SPEC = """\
---
name: charge
description: Charges a payment account. Use when a booking is to be paid.
operation:
  method: POST
  url: https://pay.example.com/v1/accounts/{account_id}/charges
  body: [booking_id, amount_pence]
  identity: [booking_id, amount_pence]
  key: {in: header, name: Idempotency-Key, for: 24h}
  money: {amount: amount_pence, currency: GBP}
---

# Charge an account

Ask for the booking and the amount, and call it once. The host derives the key and sends it.
"""


def beyond_doubt(text: str) -> bool:
    return is_beyond_doubt(text, prose_signs())


def silent(text: str) -> bool:
    return look(text, prose_signs()).silent


def said_in_prose(text: str) -> list[str]:
    found = check_source(Context(source=Source("charge.md", text), folder="a"), families=("prose-key", "prose"))
    assert found.broken == ()
    return [f"{one.rule}: {one.message}" for one in found.findings]


def said(text: str) -> list[str]:
    context = Context(source=Source("charge.md", text), folder="a", exists=lambda path: False)
    found = check_source(context, families=(*FILE_FAMILIES, "repository"))
    assert found.broken == ()
    return [f"{one.rule}: {one.message}" for one in found.findings]


def test_the_file_that_travels_with_the_package_is_that_of_its_words() -> None:
    """`python -c "from wizard.lint.quick import write_signs; write_signs()"` writes it anew."""
    assert Path(PLAIN_WORDS).read_text(encoding="utf-8") == plain_words_text()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("body: [booking_id, amount_pence]", "body:\n    - booking_id\n    - amount_pence\n    - note"),
        (
            "key: {in: header, name: Idempotency-Key, for: 24h}",
            "key:\n    in: header\n    name: 'X-Idempotency-Key'\n    for: forever",
        ),
        ("POST", "DELETE"),
        ("pence]\n  key", "pence ]\n  key"),
        ("\n", "\r\n"),
    ],
)
def test_a_sound_declaration_is_beyond_doubt(old: str, new: str) -> None:
    text = SPEC.replace(old, new)
    assert beyond_doubt(text)
    assert said(text) == []
    assert families_for(text.encode(), prose_signs(), strict=False, spec=True) == ()
    assert families_for(text.encode(), prose_signs(), strict=False, spec=False) != ()
    assert families_for(text.encode(), prose_signs(), strict=True, spec=True) != ()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("POST", "GET"),
        ("POST", "post"),
        ("[booking_id, amount_pence]\n  key", "[booking_id, booking_id]\n  key"),
        ("[booking_id, amount_pence]\n  key", "[booking_id, reason]\n  key"),
        ("[booking_id, amount_pence]", "[booking_id, created_at]"),
        ("[booking_id, amount_pence]", "[booking_id, request_id]"),
        ("[booking_id, amount_pence]", "[no, on]"),
        ("[booking_id, amount_pence]", "[booking_id, ]"),
        (", for: 24h", ""),
        (", for: 24h", ", for: 24h, for: 2h"),
        (", for: 24h", ", for: 24"),
        ("Idempotency-Key", "X-Request-Id"),
        ("  money: {amount: amount_pence, currency: GBP}\n", ""),
        ("charges\n", "log_lines\n"),
        ("https:", "ftp:"),
        ("pay.example", "user@pay.example"),
        ("  method", "  status: proposed\n  method"),
        ("  method", "  # a comment\n  method"),
        ("  method", "  methods: POST\n  method"),
        ("name: charge\n", ""),
        ("call it once", "never retry it"),
        ("call it once", "before you charge, check whether it exists"),
        ("call it once", "the recipient does not support idempotency keys"),
        ("The host", "Send a new UUID as `Idempotency-Key`. The host"),
        ("The host", "\n\nPUT `https://pay.example.com/v1/accounts/{account_id}/charges`\n\nThe host"),
        ("The host", "\n\n```sh\ncurl -X PUT https://pay.example.com/v1/accounts/a/charges\n```\n\nThe host"),
        ("The host", "\n\n- `booking_id` (text, optional)\n\nThe host"),
        ("Charges a payment account.", "Build the idempotency key as charge-<id>."),
    ],
)
def test_what_may_be_wrong_is_left_to_the_rules(old: str, new: str) -> None:
    assert not beyond_doubt(SPEC.replace(old, new, 1 if old in ("POST",) else -1))


FIRING = [
    case
    for path in sorted(FOLDER.glob("*.yml"))
    for case in read_cases(path.stem.replace("_", "-"))
    if case.document is None and case.config is None and case.name.endswith(".md") and not case.files
]


@pytest.mark.parametrize("case", FIRING, ids=lambda case: f"{case.rule}: {case.title}")
def test_no_case_of_a_rule_is_beyond_doubt_where_a_rule_speaks(case: object) -> None:
    text = case.skill  # type: ignore[attr-defined]
    if beyond_doubt(text):
        assert said(text) == []
    if silent(text):
        assert said_in_prose(text) == []


WORDS = st.sampled_from(sorted(KNOWN))
NAMES = st.lists(WORDS, min_size=1, max_size=3).map("_".join)


def has(name: str, bit: int) -> bool:
    return all(KNOWN[word] & bit for word in name.split("_"))


@settings(max_examples=600)
@given(NAMES)
def test_a_name_of_plain_words_is_in_no_list(name: str) -> None:
    if plainspec._is_plain(name, KNOWN, (plain_words() or {})["never"]):
        assert not is_a(name, "note", "content", "nonce", "clock", "window", "lock")
        assert secret_kind(name) == ""
        assert key_kind(name) not in ("key", "tracing")
    if has(name, NO_AMOUNT):
        assert not is_amount(name)


@settings(max_examples=400)
@given(st.lists(NAMES, min_size=1, max_size=3), st.booleans())
def test_a_path_of_plain_words_makes_nothing_that_is_repeated(parts: list[str], variable: bool) -> None:
    assume(all(has(part, PATH) for part in parts))
    path = "/".join(f"{{{part}}}" if variable and at else part for at, part in enumerate(parts))
    assert not repeats(Operation(method="POST", url=f"https://example.com/{path}"))


def test_there_are_many_plain_words() -> None:
    usual = ("booking", "id", "amount", "pence", "room", "arrival", "guest", "charges", "order", "customer", "invoice")
    assert all(word in KNOWN for word in usual)
    for bit in (FIELD, PATH, NO_AMOUNT):
        assert sum(bool(bits & bit) for bits in KNOWN.values()) > 500


PROSE = st.sampled_from(
    [
        "Call it once.",
        "Never retry it.",
        "Never\n> retry it.",
        "Do *not*\nsend it again.",
        "Do __not__ retry.",
        "Retry until it works.",
        "The API takes no idempotency key.",
        "Before you charge, check whether it exists.",
        "- `booking_id` (text, optional)",
        "- `booking_id` (text, required)",
        "POST `https://example.com/bookings`",
        "DELETE `https://example.com/bookings`",
        "Ask for the room.",
        "If it fails, look it up by its number.",
        "- a\n- b",
        "| a | b |\n|---|---|\n| c | d |",
        "Make a fresh UUID.",
        "重试时使用新的幂等键。",
        "不要重试。",
        "失败したら再試行しないでください。",
        "Do not&nbsp;retry.",
        "```sh\ncurl -H 'Idempotency-Key: 1'\n```",
        "The request\u00a0again?",
        "Don\u2019t repeat the charge.",
    ]
)
FIELDS = (
    st.just("booking_id")
    | st.just("amount_pence")
    | NAMES
    | st.sampled_from(["booking_id", "amount_pence", "note", "request_id", "created_at", "password", "key"])
)


@settings(max_examples=300, deadline=None)
@given(
    fields=st.lists(FIELDS, min_size=1, max_size=3, unique=True),
    path=NAMES,
    prose=st.lists(PROSE, max_size=3),
    block=st.booleans(),
    money=st.booleans(),
    described=PROSE | st.just("Charges an account."),
    optional=st.booleans(),
    more=st.sampled_from(
        [
            "",
            "  keep: 1h\n",
            "  query: [dry_run]\n  content: multipart/form-data\n",
            "  probe: {url: 'https://example.com/a'}\n",
            "  probe:\n    url: https://example.com/a?b={booking_id}\n    items: $.a[*]\n"
            "    match: [booking_id, amount_pence]\n",
            "  probe:\n    url: https://example.com/a/{booking_id}\n    match: {amount_pence: sum.pence}\n"
            "    absent: '404'\n",
            "  probe:\n    url: https://example.com/a/{booking_id}\n    match: {amount_pence: 'sum'}\n"
            "    absent: empty\n",
        ]
    ),
    key=st.sampled_from(
        [
            "",
            "{in: header, name: Idempotency-Key, for: 1d}",
            "header Idempotency-Key",
            "{in: field, name: key, for: 1h}",
        ]
    ),
)
def test_where_a_declaration_is_beyond_doubt_no_rule_speaks(
    fields: list[str],
    path: str,
    prose: list[str],
    block: bool,
    money: bool,
    described: str,
    optional: bool,
    more: str,
    key: str,
) -> None:
    told = [f"'{name}?'" if optional and not at else name for at, name in enumerate(fields)]
    listed, identity = (
        "".join(f"\n    - {name}" for name in names) if block else f" [{', '.join(names)}]" for names in (fields, told)
    )
    described = " ".join(described.split()).replace(":", "")
    moved = "  money: {amount: amount_pence, currency: GBP}\n" if money else ""
    keyed = f"  key: {key}\n" if key else ""
    text = (
        f"---\nname: a\ndescription: {described}\noperation:\n  method: POST\n  url: https://example.com/{path}\n"
        f"  body:{listed}\n  identity:{identity}\n{keyed}{more}{moved}---\n\n" + "\n\n".join(prose) + "\n"
    )
    if beyond_doubt(text):
        assert said(text) == []
        operation = plainspec._OPERATION.search(text)
        assert operation is not None
        read = plain_values(f"operation:\n{operation[1]}")["operation"]
        assert read == (parse_skill(Source("a.md", text)).frontmatter or {})["operation"]
    if silent(text):
        assert said_in_prose(text) == []


@pytest.mark.parametrize("key", ["header X-Once", "{in: field, name: once_id}", "query onceId", "header", "[a]"])
def test_a_key_of_another_name_is_looked_for_in_the_prose(key: str) -> None:
    text = SPEC.replace("{in: header, name: Idempotency-Key, for: 24h}", key)
    assert silent(text) is (" " in key)
    for name in ("X-Once", "x once", "once_id", "onceId"):
        told = text + f"\nBuild the {name} from the booking.\n"
        if silent(told):
            assert said_in_prose(told) == []


@given(st.lists(PROSE, max_size=3), FIELDS, st.sampled_from(["", "  key: header X-Once\n", "  reference: field ref\n"]))
def test_where_the_prose_is_silent_no_rule_of_it_speaks(prose: list[str], name: str, more: str) -> None:
    text = (
        "---\nname: a\ndescription: Books.\noperation:\n  method: POST\n  url: https://example.com/bookings\n"
        f"  body: [{name}]\n  identity: [{name}]\n{more}---\n\n"
        + "\n\n".join([*prose, "Send a new X-Once."][:3])
        + "\n"
    )
    if silent(text):
        assert said_in_prose(text) == []


LINES = st.sampled_from(
    [
        "method: POST",
        "url: https://example.com/orders",
        "body: [a, b]",
        "body:",
        "  - a",
        "  - 'b'",
        " - a",
        "- a",
        "identity: [a]",
        "identity: ['a']",
        "identity: [null]",
        "identity: [yes]",
        "key: {in: header, name: Idempotency-Key, for: 1h}",
        "key:",
        "  in: header",
        "  name: Idempotency-Key",
        "  for: 1h",
        "money: {amount: a, currency: NO}",
        "",
        "  ",
        "a",
        "body: [a, b",
        "body: a",
        "method: 'POST'",
        'method: "POST"',
        "method: POST # x",
        "url: a: b",
        "? x",
        "key: &a b",
    ]
)


@settings(max_examples=400)
@given(st.lists(LINES, min_size=1, max_size=8), st.sampled_from(["  ", " ", "    "]))
def test_a_mapping_is_read_as_the_parser_reads_it(lines: list[str], indent: str) -> None:
    operation = "operation:\n" + "".join(f"{indent}{line}\n" for line in lines)
    read = (plain_values(operation) or {}).get("operation")
    if not (isinstance(read, dict) and plainspec._is_usual(read)):
        return
    text = f"---\nname: a\n{operation}---\n"
    skill = parse_skill(Source("a.md", text))
    assert not [problem for problem in skill.problems if problem.rule.startswith("frontmatter")]
    assert read == (skill.frontmatter or {})["operation"]


def test_the_letters_of_a_text_do_not_matter() -> None:
    """What is looked for in the prose is found however it is wrapped and marked."""
    chance = random.Random(7)
    for sentence in ("Never send it again.", "Before you charge, check whether it exists."):
        for _ in range(20):
            wrapped = re.sub(" ", lambda _: chance.choice([" ", "\n", "\n> ", "  "]), sentence)
            assert not beyond_doubt(SPEC + "\n" + wrapped.replace("send", "**send**") + "\n")
