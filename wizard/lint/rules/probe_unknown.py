"""The probe's URL is no GET of the API document, or has a query parameter that the GET does not take.

Why: a probe that is answered with 404 proves nothing, and a filter that the recipient does not know filters nothing:
the answer is a list of everything, and its first page seldom has the write.

Before:

    probe:
      url: https://api.example.com/bookings?room={room_id}

After:

    probe:
      url: https://api.example.com/bookings?room_id={room_id}
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.against import probed, query_of
from wizard.lint.declared import operation_of, place
from wizard.lint.matching import nearest_path
from wizard.lint.model import Context, Finding, Rule
from wizard.operation.model import Operation
from wizard.operation.parsing import nearest


def check(context: Context) -> Iterator[Finding]:
    operation = operation_of(context)
    if operation is None or operation.probe is None or context.document is None:
        return
    probe = operation.probe
    found = probed(context, probe)
    if found is None:
        near = nearest_path(context.document, Operation(method="GET", url=probe.url))
        hint = f"; did you mean `{near}`?" if near else ""
        yield Finding(
            span=place(context, "probe", "url"), message=f"{context.document.source} has no GET under this path{hint}"
        )
        return
    known = [parameter.name for parameter in found.parameters_in("query")]
    for name, _ in query_of(probe.url):
        if name not in known:
            near_name = nearest(name, known)
            hint = f"; did you mean `{near_name}`?" if near_name else ""
            yield Finding(
                span=place(context, "probe", "url"),
                message=f"{found.name} takes no query parameter `{name}`, which would filter nothing{hint}",
                severity="warning",
            )


RULE = Rule(
    name="probe-unknown",
    family="document",
    needs_document=True,
    severity="error",
    confidence="high",
    summary="the API document has no such probe",
    check=check,
    why=__doc__ or "",
)
