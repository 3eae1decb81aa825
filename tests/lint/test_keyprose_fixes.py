"""Fixes of the prose rules: what they leave can still be read, says nothing of keys, and stays as it is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from wizard.lint.keyprose.findings import check_for
from wizard.lint.model import Context, Edit, Finding
from wizard.skill.document import parse_skill
from wizard.skill.prose import parse_prose
from wizard.source import Source

SENTENCES = yaml.safe_load(Path(__file__).with_name("keyprose_sentences.yml").read_text(encoding="utf-8"))
ASKS = [sentence for sentences in SENTENCES["asks"].values() for sentence in sentences]
KEY_RULES = "prose-builds-key prose-new-key-on-retry prose-reuses-key sample-fills-key row-asks-for-key key-required"
RULES = KEY_RULES.split()
DECLARED = """\
---
name: charge
description: Charges an account.
operation:
  method: POST
  url: https://pay.example.com/charges
  body: [booking_id]
  identity: [booking_id]
  key: {key}
---

# Charge

"""
SAMPLES = [
    '```json\n{"booking_id": "b-1", "idempotency_key": "k-1"}\n```',
    '```json\n{\n  "idempotency_key": "k-1",\n  "booking_id": "b-1"\n}\n```',
    '```json\n{\n  "booking_id": "b-1",\n  "idempotency_key": "k-1"\n}\n```',
    '```bash\ncurl -X POST https://a.example/x \\\n  -H "Idempotency-Key: $(uuidgen)" \\\n  -d \'{"a": 1}\'\n```',
    '> ```bash\n> curl -X POST https://a.example/x \\\n>   -H "Idempotency-Key: k"\n> ```',
    "- Run it:\n\n  ```bash\n  pay charge --idempotency-key k-1 --amount 3\n  ```",
    "```http\nPOST /x\nIdempotency-Key: k-1\nAccept: a/b\n```",
    "| Field | Text |\n|---|---|\n| `a` | the amount |\n| `idempotency_key` | a unique value |\n| `b` | the booking |",
]
OTHER = ["Charge the account.", "- Look at the booking.", "## More", '```json\n{"a": 1}\n```', "> Quoted."]


def findings(text: str) -> list[Finding]:
    context = Context(source=Source("charge.md", text))
    return [finding for rule in RULES for finding in check_for(rule)(context)]


def made(text: str, edits: list[Edit]) -> str:
    for edit in sorted(edits, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def fixed(text: str, *, unsafe: bool = True) -> str:
    """The text after all fixes, one finding after the other."""
    for _ in range(60):
        fix = next((one.fix for one in findings(text) if one.fix and (unsafe or one.fix.safety == "safe")), None)
        if fix is None:
            return text
        text = made(text, list(fix.edits))
    raise AssertionError("the fixes do not end")


def codes(text: str) -> list[str]:
    return [block.text.text for block in parse_prose(Source("charge.md", text)) if block.kind == "code"]


@settings(deadline=None)
@given(
    st.lists(st.sampled_from([*ASKS, *SAMPLES, *OTHER]), min_size=1, max_size=6),
    st.sampled_from(["header Idempotency-Key", "field idempotency_key"]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\ufeff"]),
)
def test_fixes_leave_a_whole_text_that_asks_for_nothing(parts: list[str], key: str, newline: str, mark: str) -> None:
    text = (mark + DECLARED.format(key=key) + "\n\n".join(parts) + "\n").replace("\n", newline)
    for finding in findings(text):
        assert text[finding.span.start : finding.span.end].strip()
        for edit in finding.fix.edits if finding.fix else ():
            assert 0 <= edit.span.start <= edit.span.end <= len(text)
    left = fixed(text)
    assert findings(left) == []
    assert fixed(left) == left
    assert parse_skill(Source("charge.md", left)).operation == parse_skill(Source("charge.md", text)).operation
    assert len(codes(left)) == len(codes(text))
    for code in codes(left):
        if code.startswith("{"):
            json.loads(code)
    assert left.count("```") == text.count("```")
    assert len(re.findall(r"(?<!\r)\n", left)) == (0 if newline == "\r\n" else left.count("\n"))
    assert left.count("The host makes and sends") <= 1


@pytest.mark.parametrize("sample", [sample for sample in SAMPLES if "json" in sample])
def test_a_safe_fix_touches_the_declared_place_only(sample: str) -> None:
    own = DECLARED.format(key="field idempotency_key") + sample + "\n"
    assert "idempotency_key" not in fixed(own, unsafe=False).split("# Charge")[1]
    other = DECLARED.format(key="header Idempotency-Key") + sample + "\n"
    assert fixed(other, unsafe=False) == other


def test_a_nested_member_is_not_the_declared_one() -> None:
    text = DECLARED.format(key="field data.idempotency_key") + SAMPLES[0] + "\n"
    assert fixed(text, unsafe=False) == text


def test_without_a_declaration_nothing_goes_that_would_leave_the_write_bare() -> None:
    text = "---\nname: charge\ndescription: Charges.\n---\n\nGenerate a unique Idempotency-Key.\n"
    (finding,) = findings(text)
    assert finding.fix is None
    assert finding.severity is None


def test_what_contradicts_a_declared_key_is_an_error_and_names_it() -> None:
    text = DECLARED.format(key="header Idempotency-Key") + "Generate a unique Idempotency-Key.\n"
    (finding,) = findings(text)
    assert finding.severity == "error"
    (related,) = finding.related
    assert text[related.span.start : related.span.end] == "header Idempotency-Key"


def test_the_draft_leaves_out_what_changes_with_every_try() -> None:
    text = (
        "---\nname: charge\ndescription: Charges.\n---\n\n`POST https://pay.example.com/charges` with the header"
        " `Idempotency-Key: {booking_id}-{timestamp}-{attempt}-{uuid}`.\n"
    )
    left = fixed(text)
    operation = parse_skill(Source("charge.md", left)).operation
    assert operation is not None
    assert [path.name for path in operation.identity] == ["booking_id"]
    assert operation.status == "proposed"
    assert operation.key is not None
    assert (operation.key.place, operation.key.name) == ("header", "Idempotency-Key")
