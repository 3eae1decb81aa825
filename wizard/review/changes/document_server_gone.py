"""The API document no longer names the server that the declaration goes to."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from wizard.review.effects import moved_twice
from wizard.review.kind import Declared, Found, InDocument, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm


def check(pair: Pair) -> Iterator[Found]:
    both = pair.compared
    if both is None or not both[1].operation.is_write or not pair.knew:
        return
    before, after = both
    host = urlsplit(after.operation.url.replace("{", "").replace("}", "")).netloc.lower()
    old, new = _hosts(before), _hosts(after)
    if not new or host in new or (host not in old and not pair.drifted):
        return
    assert after.api is not None
    said = ", ".join(f"`{one}`" for one in sorted(new))
    yield Found(
        grade=Grade.RISKY,
        harm=Harm.REFUSED,
        subject=host,
        title=f"The document no longer names the server `{host}`; it names {said}.",
        effect=(
            "Writes go on to the old one as long as it answers. Declared under the new one, every write has another "
            f"key: the recipient does not know a write of before again.{moved_twice(after.operation)}"
        ),
        remedy="Change the URL when no write is attempted; live records are carried over then.",
        before=host,
        after=", ".join(sorted(new)),
        at=(InSkill("head", ("url",)), InDocument("head", "#/servers")),
    )


def _hosts(side: Declared) -> set[str]:
    if side.api is None or side.document is None:
        return set()
    servers = side.api.servers or side.document.servers
    return {urlsplit(one).netloc.lower() for one in servers if "://" in one} - {""}


KIND = Kind(
    name="document-server-gone",
    summary="the document no longer names the server",
    check=check,
    why=__doc__ or "",
    of_document=True,
)
