"""Names that a text itself gives to its key."""

from __future__ import annotations

import pytest

from wizard.lint.keyprose.found import hits_of
from wizard.lint.keyprose.introduced import MOST, introduced
from wizard.lint.keyprose.lexicon import lexicon
from wizard.lint.model import Context
from wizard.skill.prose import parse_prose
from wizard.source import Source


def names_in(text: str) -> tuple[str, ...]:
    return introduced(parse_prose(Source("a/SKILL.md", text)), lexicon().names(), lexicon())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Every write is idempotent through the `stayRef` field.", ("stayRef",)),
        ("Idempotency goes by a header called `x-hotel-stay-id`.", ("x-hotel-stay-id",)),
        ("`room_token` is used for idempotency.", ("room_token",)),
        ("`night_no` 用于保证幂等。", ("night_no",)),
        ("| `stay-nonce` | string | Makes the call idempotent |", ("stay-nonce",)),
        ("| Name | About |\n|---|---|\n| `stay_key` | Idempotency |", ("stay_key",)),
        ("Idempotency guard: look at the state of `scene_id` first.", ()),
        ("The call is not idempotent by the `stay_ref` field.", ()),
        ("Idempotency is by the `api_key` field.", ()),
        ("Idempotency is by the `Idempotency-Key` header.", ()),
        ("Idempotency is by the `name` field.", ()),
        ("```\nidempotent through the `stay_ref` field\n```", ()),
    ],
)
def test_a_text_that_says_by_what_it_is_idempotent_names_a_key(text: str, found: tuple[str, ...]) -> None:
    assert names_in(text) == found


def test_only_so_many_names_are_taken() -> None:
    assert len(names_in("\n\n".join(f"Idempotent through the `stay{n}_ref` field." for n in range(2 * MOST)))) == MOST


def test_a_sample_that_fills_such_a_name_is_found() -> None:
    sample = '```bash\ncurl -X POST https://a.example/stays -d \'{"stay_ref": "s-1", "room": 2}\'\n```'
    said = "Bookings are idempotent through the `stay_ref` field.\n\n"

    def rules(body: str) -> list[str]:
        text = f"---\nname: a\ndescription: b\n---\n\n# Stays\n\n{body}\n"
        return [hit.rule for hit in hits_of(Context(source=Source("a/SKILL.md", text)))]

    assert rules(said + sample) == ["sample-fills-key"]
    assert rules(sample) == []


@pytest.mark.parametrize(
    ("sample", "rules"),
    [
        ('pay charge --amount 5 --idempotency "stay-7"', ["sample-fills-key"]),
        ('curl -X POST https://a.example/stays -d \'{"idem": "stay-7", "room": 2}\'', ["sample-fills-key"]),
        ("run --config '{\"idempotency\": true}'", []),
        ("KEY=$(uuidgen)\ncurl -X POST https://a.example/stays -d client_token=$KEY", ["sample-fills-key"]),
    ],
)
def test_a_key_is_known_by_its_purpose_or_by_what_makes_it(sample: str, rules: list[str]) -> None:
    text = f"---\nname: a\ndescription: b\n---\n\n# Safe retries\n\n```bash\n{sample}\n```\n"
    assert [hit.rule for hit in hits_of(Context(source=Source("a/SKILL.md", text)))] == rules
