"""The API document still shows the place of the key, and says something else of it: that it is no key any more, that
keys are remembered for less long, or that the key of a request that failed is not remembered.

The host goes by the declaration. It resends as long as that says, and what the recipient has forgotten lands twice.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.operation.model import KeyPlace
from wizard.review.effects import key_shown, moved_twice, unsettled
from wizard.review.kind import Declared, Found, InDocument, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm
from wizard.spec.model import Field, Parameter


def check(pair: Pair) -> Iterator[Found]:
    both = pair.compared
    if both is None or pair.drifted:
        return
    before, after = both
    old, new = before.operation.key, after.operation.key
    if old is None or new is None or before.api is None or (old.place, old.name) != (new.place, new.name):
        return
    shown, now = _site(before, old), _site(after, new)
    if shown is None or now is None or _words(before, shown) == _words(after, now):
        return
    yield from _compared(before, after, new, (shown, now))


def _compared(before: Declared, after: Declared, key: KeyPlace, sites: tuple[_Site, _Site]) -> Iterator[Found]:
    from wizard.rehearse.facts import facts_of

    old, new = (facts_of(side.operation, side.api, side.document).key for side in (before, after))
    place = f"{key.place} {key.name}"
    at = (InDocument("base", sites[0].pointer), InSkill("head", ("key",)), InDocument("head", sites[1].pointer))
    if old is None or old.by != "document" or (old.place, old.name.lower()) != (key.place, key.name.lower()):
        # It was none by its words before, or the words were silent: there is nothing that changed.
        return
    honoured = new is not None and (new.place, new.name.lower()) == (key.place, key.name.lower())
    if new is None or not honoured or sites[1].shape.deprecated > sites[0].shape.deprecated:
        yield Found(
            grade=Grade.BREAKS,
            harm=Harm.TWICE,
            subject=place,
            title=f"The document no longer takes the {_what(key)} `{key.name}` for a key.",
            effect=(
                "If the recipient no longer makes one write of two requests with one key, every resend after a lost "
                "answer makes a second write; the attempted ones of before the change are resent, too."
                f"{moved_twice(after.operation)}"
            ),
            remedy=(
                "Ask the vendor. If it takes none any more, take `key` out of the declaration before the change is "
                "live, and declare a probe."
            ),
            before=key_shown(before.operation),
            at=at,
        )
        return
    declared, told, earlier = key.memory.seconds, new.memory.seconds, old.memory.seconds
    if told is not None and (declared is None or declared > told) and (earlier is None or earlier > told):
        yield Found(
            grade=Grade.BREAKS,
            harm=Harm.TWICE,
            subject=f"{place} for",
            title=f"The document says now that keys are remembered for {new.memory}; {key.memory} is declared.",
            effect=(
                f"By the declaration an attempted write is sent again until {key.memory} after its first send, those "
                "of before the change too, and a recipient that has forgotten its key makes a second write."
                f"{moved_twice(after.operation)}"
            ),
            remedy=f"Declare `for: {new.memory}`.",
            before=str(old.memory),
            after=str(new.memory),
            at=at,
        )
    if new.remembers == "success" and old.remembers == "all" and key.remembers == "all":
        yield Found(
            grade=Grade.BREAKS,
            harm=Harm.TWICE,
            subject=f"{place} remembers",
            title="The document says that the key of a request that failed is no longer remembered.",
            effect=(
                "After a 5xx the write is sent again under its key, and where the first one was made after all, a "
                f"second one is. With `remembers: success` "
                f"{unsettled(after.operation)} instead."
                f"{moved_twice(after.operation)}"
            ),
            remedy="Declare `remembers: success`.",
            before="all",
            after="success",
            at=at,
        )


_Site = Field | Parameter


def _site(side: Declared, key: KeyPlace) -> _Site | None:
    """Where the document shows the key's place."""
    if key.place == "field":
        return side.fields.get(key.path.name)
    return side.parameter(key.place, key.name)


def _words(side: Declared, site: _Site) -> tuple[object, ...]:
    """All from which a document's meaning is read: the place's own words, and the operation's."""
    api = side.api
    own = site.description if isinstance(site, Parameter) else ""
    around = (api.summary, api.description, *((one.status, one.description) for one in api.responses)) if api else ()
    return (own, site.shape.description, site.shape.deprecated, *around)


def _what(key: KeyPlace) -> str:
    return "query parameter" if key.place == "query" else key.place


KIND = Kind(
    name="document-key-words",
    summary="the document says something else of the key",
    check=check,
    why=__doc__ or "",
    of_document=True,
    of_host=True,
)
