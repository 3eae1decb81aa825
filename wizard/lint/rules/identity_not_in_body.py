"""The identity names a field that stands in none of `body`, `query` and `header`.

Why: the host takes the values of the identity out of the request that the model makes. A field that no request has
stops every call: an identity field that is missing, and not marked with `?`, is refused before anything is sent.

Before:

    body: [room_id, guest_name]
    identity: [room_id, guest]

After:

    body: [room_id, guest_name]
    identity: [room_id, guest_name]
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.declared import element, operation_of, quoted_name, touches
from wizard.lint.model import Context, Edit, Finding, Fix, Rule
from wizard.operation.parsing import nearest


def check(context: Context) -> Iterator[Finding]:
    operation = operation_of(context)
    if operation is None:
        return
    for path in operation.identity:
        if path.place == "body":
            known = [sent.name for sent in operation.body]
            there = any(touches(sent, path) for sent in operation.body)
        else:
            known = [
                f"{path.place}:{name}" for name in (operation.query if path.place == "query" else operation.header)
            ]
            names = [name.removeprefix(f"{path.place}:") for name in known]
            own = path.segments[0].name
            there = own in names or (path.place == "header" and own.lower() in map(str.lower, names))
        if there:
            continue
        span = element(context, "identity", path)
        near = nearest(path.name, known)
        where = "body" if path.place == "body" else path.place
        hint = f"; did you mean `{near}`?" if near else f"; list it under `{where}` if the model is to send it"
        fix = None
        if near:
            new = near + ("?" if path.optional else "")
            fix = Fix(f"Write `{near}`", (Edit(span, quoted_name(new)),), "unsafe")
        yield Finding(span=span, message=f"`{path.name}` is not in `{where}`{hint}", fix=fix)


RULE = Rule(
    name="identity-not-in-body",
    family="declaration",
    severity="error",
    confidence="high",
    summary="the identity names a field that the model does not send",
    check=check,
    why=__doc__ or "",
)
