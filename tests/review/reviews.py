"""Reviews made by hand, one for each thing that a format has to show."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from wizard.review.model import (
    Approval,
    Change,
    Example,
    Excerpt,
    Grade,
    Harm,
    KeyChange,
    OperationReview,
    Review,
    Undeclared,
)

FOLDER = "skills/hollowbrook/operations"
CHARGES = "POST http://outturn-hollowbrook:8084/charges"
BOOKINGS = "POST http://outturn-hollowbrook:8084/bookings"


def excerpt(
    side: Literal["base", "head"], path: str, line: int, text: str, marked: str = "",
    where: Literal["skill", "document"] = "skill",
) -> Excerpt:  # fmt: skip
    """The place of `marked` in a text of some lines, the first of which is `line`; without it all of the text."""
    lines = tuple(text.split("\n"))
    column = lines[0].index(marked) + 1 if marked else len(lines[0]) - len(lines[0].lstrip()) + 1
    end_column = column + len(marked) if marked else len(lines[-1]) + 1
    return Excerpt(
        side=side, where=where, path=path, line=line, column=column, end_line=line + len(lines) - 1,
        end_column=end_column, lines=lines,
    )  # fmt: skip


CHARGE = f"{FOLDER}/charge-payment-account.md"

KEY_GONE = Change(
    kind="key-removed",
    grade=Grade.BREAKS,
    harm=Harm.TWICE,
    operation="charge-payment-account",
    request=CHARGES,
    subject="idempotency_key",
    title="The key in `idempotency_key` is no longer declared.",
    effect=(
        "The host sends no key, so Hollowbrook cannot tell a repeat from a new charge. A charge whose answer was lost"
        " waits for a person or the probe; sent again, it takes the amount in `amount_pence` a second time."
    ),
    remedy="Declare the key again: the document still has the field.",
    money=True,
    before="{in: field, name: idempotency_key, for: 24h}",
    excerpts=(
        excerpt("base", CHARGE, 9, "  key: {in: field, name: idempotency_key, for: 24h}"),
        excerpt("head", CHARGE, 4, "operation:"),
    ),
    fingerprint="5f0c7a1be2d94c38",
)

NARROWER = Change(
    kind="identity-narrower",
    grade=Grade.BREAKS,
    harm=Harm.SWALLOWED,
    operation="charge-payment-account",
    request=CHARGES,
    subject="description",
    title="The identity loses `description`.",
    effect=(
        "Two charges of one amount on one booking become one: the second is answered with the first one's answer, and"
        " nothing is sent. Attempted charges are found again, because their stored requests have all the fields."
    ),
    remedy="Keep `description` in the identity, or write down why two equal amounts on one booking are one charge.",
    money=True,
    before="[booking_id, amount_pence, description]",
    after="[booking_id, amount_pence]",
    example=Example(
        says="Two charges that differ in their description only become one.",
        keys=(
            KeyChange(
                label="first",
                request='{"booking_id": "bk_4f2a", "amount_pence": 1250, "description": "Bar"}',
                before="2f1d0c5e-7a61-5d0e-9c1e-0a6b8f1a2c3d",
                after="9b0c41d7-55a0-5b9f-8e11-6f2d3c4b5a69",
            ),
            KeyChange(
                label="second",
                request='{"booking_id": "bk_4f2a", "amount_pence": 1250, "description": "Breakfast for two"}',
                before="c4e8b2a0-13f7-5c66-b0d5-7e9f1a2b3c4d",
                after="9b0c41d7-55a0-5b9f-8e11-6f2d3c4b5a69",
            ),
        ),
    ),
    excerpts=(
        excerpt("base", CHARGE, 8, "  identity: [booking_id, amount_pence, description]", "description"),
        excerpt("head", CHARGE, 8, "  identity: [booking_id, amount_pence]", "[booking_id, amount_pence]"),
    ),
    fingerprint="91d3e07c44ab5f26",
)

SHORTER = Change(
    kind="key-memory",
    grade=Grade.RISKY,
    harm=Harm.TWICE,
    operation="charge-payment-account",
    request=CHARGES,
    subject="for",
    title="The recipient is said to remember the key for 30d, no longer for 24h.",
    effect="A charge is sent again for 30 days. If Hollowbrook forgets the key sooner, that makes a second one.",
    remedy="See that the document says so.",
    money=True,
    before="24h",
    after="30d",
    fingerprint="0a44c9d2b17e6f58",
    approved=Approval(
        fingerprint="0a44c9d2b17e6f58", who="Ada Byron", why="Hollowbrook's contract says 30 days.", when="2026-11-29"
    ),
)

PROBE_LOST = Change(
    kind="probe-lost",
    grade=Grade.RISKY,
    harm=Harm.ASKED,
    operation="create-booking",
    request=BOOKINGS,
    subject="arrival",
    title="The list of bookings can no longer be asked for an `arrival`.",
    effect=(
        "The probe's URL has a parameter that the newer document does not know. A booking whose answer was lost is"
        " settled by a person from now on."
    ),
    remedy="Ask by `room_id` alone, and let `match` compare the day.",
    before="http://outturn-hollowbrook:8084/bookings?room_id={room_id}&arrival={arrival}",
    after="http://outturn-hollowbrook:8084/bookings?room_id={room_id}",
    excerpts=(
        excerpt(
            "base", f"{FOLDER}/create-booking.md", 10,
            "    url: http://outturn-hollowbrook:8084/bookings?room_id={room_id}&arrival={arrival}", "{arrival}",
        ),
        excerpt("base", "openapi.yaml", 214, "        - in: query\n          name: arrival", where="document"),
        excerpt("head", "openapi.yaml", 209, "      parameters:", where="document"),
    ),
    fingerprint="7be1f0a9d8c63524",
)  # fmt: skip

PROSE = Change(
    kind="prose-builds-keys",
    grade=Grade.BREAKS,
    harm=Harm.TWICE,
    operation="create-booking",
    request=BOOKINGS,
    subject="",
    title="The prose tells the model to make the key again.",
    effect="The host replaces what the model puts there, so the key is right; but the text sends the model on errands.",
    remedy="Take the sentence out; `skill-wizard lint --fix` does it.",
    excerpts=(
        excerpt(
            "head", f"{FOLDER}/create-booking.md", 41,
            "Generate a fresh UUID for every attempt and send it as `Idempotency-Key`.",
        ),
    ),
    fingerprint="3c5d9e8f7a6b1402",
)  # fmt: skip

OPTIONAL = Change(
    kind="body-wider",
    grade=Grade.SAFE,
    operation="create-guest",
    request="POST http://outturn-hollowbrook:8084/guests",
    subject="phone",
    title="The model may now send `phone`.",
    effect="It is not part of the identity, so keys and records stay as they are.",
    before="[name, email]",
    after="[name, email, phone]",
    excerpts=(excerpt("head", f"{FOLDER}/create-guest.md", 7, "  body: [name, email, phone]", "phone"),),
    fingerprint="e9f8d7c6b5a43210",
)

NEW = Change(
    kind="declared",
    grade=Grade.SAFE,
    operation="refund-payment",
    request="POST http://outturn-hollowbrook:8084/payments/{payment_id}/refunds",
    subject="",
    title="The operation is declared for the first time.",
    effect="There are no records of it yet.",
    money=True,
    excerpts=(excerpt("head", f"{FOLDER}/refund-payment.md", 4, "operation:"),),
    fingerprint="1122334455667788",
)

STALE = Approval(fingerprint="ffff000011112222", who="Grace Hopper", why="It was only a rename.", when="2026-10-01")


def everything() -> Review:
    """Several operations, money, approvals, problems, undeclared writes, all grades."""
    return Review(
        base="main",
        head="HEAD",
        operations=(
            OperationReview(
                name="charge-payment-account", request=CHARGES, money=True, moves="amount_pence in GBP",
                level_before="keyed", level_after="cached", changes=(KEY_GONE, NARROWER, SHORTER),
            ),
            OperationReview(
                name="create-booking", request=BOOKINGS, money=False, level_before="cached", level_after="cached",
                changes=(PROSE, PROBE_LOST),
            ),
            OperationReview(
                name="refund-payment", request=NEW.request, money=True, moves="amount_pence in GBP",
                level_before="", level_after="keyed", changes=(NEW,),
            ),
            OperationReview(
                name="create-guest", request=OPTIONAL.request, money=False, level_before="cached",
                level_after="cached", changes=(OPTIONAL,),
            ),
        ),
        unchanged=28,
        undeclared=(
            Undeclared(operation="POST /vouchers", new=True),
            Undeclared(operation="DELETE /rooms/{room_id}", new=False),
        ),
        stale_approvals=(STALE,),
        problems=("skills/old/SKILL.md:3:1: the frontmatter is no YAML: put the description in quotes",),
    )  # fmt: skip


def money() -> Review:
    """One change, that swallows a payment."""
    whole = everything()
    charge = replace(whole.operations[0], level_after="keyed", changes=(NARROWER,))
    return Review(base="v1.4.0", head="v1.5.0", operations=(charge,), unchanged=31)


def nothing() -> Review:
    """Compared, and the same."""
    return Review(base="main", head="HEAD", unchanged=32)


def safe() -> Review:
    """Safe changes only."""
    return Review(base="main", head="HEAD", operations=everything().operations[2:], unchanged=30)


def approved() -> Review:
    """One change, and it is approved."""
    charge = replace(everything().operations[0], level_after="keyed", changes=(SHORTER,))
    return Review(base="main", head="HEAD", operations=(charge,), unchanged=31)


EVIL = "<img src=x onerror=alert(1)> @everyone | `rm -rf` ``` --> ]]> \u202egnp.exe <!-- </details> **x** #1 \\ &amp;"


def hostile() -> Review:
    """Names and texts that try to be HTML, Markdown, mentions, commands of a runner and of a terminal."""
    change = replace(
        NARROWER,
        operation=f"book{EVIL}",
        request=f"POST https://evil.example/{EVIL}?a=%0A::error::x",
        subject=EVIL,
        title=f"The identity loses `{EVIL}`.\n::error::stolen",
        effect=f"{EVIL}\n\n# A heading\n\n- [click](https://evil.example)\n\x1b[31mred\x1b[0m www.evil.example GH-12",
        remedy=f"```\n{EVIL}\n```",
        before=f"[{EVIL}]\n```\n</code></pre>",
        after=f"{EVIL}\r\n@team/owners",
        example=Example(
            says=EVIL,
            keys=(
                KeyChange(label="a|b", request=EVIL, before="2f1d", after=""),
                KeyChange(request="", before="", after="9"),
            ),
        ),
        excerpts=(excerpt("head", "skills/a b,c:d%/`x`|<b>.md", 3, f"name: {EVIL}\x1b[2J", "name"),),
        fingerprint="0123456789abcdef",
    )  # fmt: skip
    told = replace(
        change,
        kind="key-removed",
        approved=Approval(fingerprint="ab", who=f"Mallory {EVIL}", why=f"because\n{EVIL}", when="<b>"),
    )
    quiet = replace(OPTIONAL, title=EVIL, effect=EVIL, operation=f"quiet{EVIL}")
    return Review(
        base=f"main {EVIL}",
        head="HEAD$(touch owned)",
        operations=(
            OperationReview(
                name=change.operation, request=change.request, money=True, moves=f"{EVIL} in GBP", level_before="keyed",
                level_after="keyed", changes=(change, told),
            ),
            OperationReview(
                name=quiet.operation, request="GET |", money=False, level_before="none", level_after="",
                changes=(quiet,),
            ),
        ),
        unchanged=1,
        undeclared=(Undeclared(operation=f"POST /{EVIL}", new=True),),
        stale_approvals=(Approval(fingerprint=EVIL, who="@octocat", why=EVIL),),
        problems=(f"{EVIL}: cannot be read",),
        notes={"a": EVIL},
    )  # fmt: skip


def long() -> Review:
    """Hundreds of operations with long texts."""
    words = "The amount is moved again where the answer was lost and nobody looks. " * 40
    operations = []
    for number in range(300):
        grade = (Grade.BREAKS, Grade.RISKY, Grade.SAFE)[number * 3 // 300]
        change = replace(
            NARROWER,
            grade=grade,
            operation=f"charge-{number:03}",
            title=f"The identity loses `field_{number}`, which {words[:200]}",
            effect=words,
            remedy=words,
            before="[" + ", ".join(f"field_{one}" for one in range(200)) + "]",
            after="\n".join(f"- field_{one}" for one in range(200)),
            fingerprint=f"{number:016x}",
        )
        operations.append(
            OperationReview(
                name=change.operation, request=CHARGES, money=number < 50, level_before="keyed", level_after="keyed",
                changes=(change,),
            )
        )  # fmt: skip
    return Review(
        base="main",
        head="HEAD",
        operations=tuple(operations),
        undeclared=tuple(Undeclared(operation=f"POST /things/{number}", new=number < 9) for number in range(400)),
        problems=tuple(f"skills/{number}.md: {words}" for number in range(50)),
    )


def chinese() -> Review:
    """Names and texts of two cells a sign."""
    change = replace(
        NARROWER,
        operation="预订房间",
        subject="离店日期",
        title="The identity loses `离店日期`.",
        before="[房间号, 入住日期, 离店日期]",
        after="[房间号, 入住日期]",
        money=False,
        example=Example(
            says="Two bookings that differ in `离店日期` only become one.",
            keys=tuple(
                KeyChange(
                    label=label,
                    request=f'{{"房间号": "R-12", "入住日期": "2026-11-14", "离店日期": "2026-11-1{day}"}}',
                    before=f"{day}" * 64,
                    after="a" * 64,
                )
                for label, day in (("第一", 6), ("第二", 7))
            ),
        ),
        excerpts=(
            excerpt("base", "skills/预订/book.md", 12, "  identity: [房间号, 入住日期, 离店日期]", "离店日期"),
            excerpt("head", "skills/预订/book.md", 12, "  identity: [房间号, 入住日期]", "[房间号, 入住日期]"),
        ),
    )  # fmt: skip
    operation = OperationReview(
        name="预订房间", request="POST https://例子.example/预订", money=False, level_before="keyed",
        level_after="keyed", changes=(change,),
    )  # fmt: skip
    return Review(base="main", head="HEAD", operations=(operation,))


REVIEWS = {one.__name__: one for one in (everything, money, nothing, safe, approved, hostile, long, chinese)}
