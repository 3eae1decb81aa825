"""The sentences of a proposal: why this identity, what is unsure, what a person should know before confirming it."""

from __future__ import annotations

from collections.abc import Sequence

from wizard.infer.composed import Composed
from wizard.infer.lexicon import phrase, says, small_words, word_list
from wizard.infer.model import IdentityProposal, KeyProposal, Kind
from wizard.infer.naming import singular, words
from wizard.infer.picking import Weighed
from wizard.operation.field_path import FieldPath
from wizard.spec.model import ApiOperation, Field

_MOST_NAMED = 6
_NOT_SPOKEN = frozenset({"id", "ids", "uuid", "sid"})


def human(path: str) -> str:
    """A field in plain words: `room_id` is "room", `items[].sku` is "sku of each item"."""
    found = FieldPath.parse(path)
    if found.whole_body:
        return "whole list"
    spoken = _spoken(found.segments[-1].name)
    lists = [one for one in found.segments[:-1] if one.each]
    if lists:
        return f"{spoken} of each {singular(_spoken(lists[-1].name))}"
    return spoken


def _spoken(name: str) -> str:
    """A name in plain words, without what it is counted in: `amount_pence` is "amount", `bill_to` "bill-to party"."""
    spoken = list(words(name)) or [name]
    while len(spoken) > 1 and _counts(spoken) and _is_money(spoken[:-1]):
        spoken = spoken[:-1]
    if len(spoken) == _PAIR and spoken[-1] == "to":
        return f"{spoken[0]}-to party"
    if len(spoken) > 1 and spoken[-1] in _NOT_SPOKEN:
        spoken = spoken[:-1]
    if len(spoken) > 1 and spoken[0] == "id":
        spoken = spoken[1:]
    return " ".join(spoken)


def _counts(spoken: list[str]) -> bool:
    """Whether the last word says what is counted in; `unit` of `price_per_unit` does not."""
    return singular(spoken[-1]) in small_words("money_units") and spoken[-2] not in ("per", "of")


def _is_money(spoken: list[str]) -> bool:
    """Whether words speak of money."""
    plain = tuple(singular(word) for word in spoken)
    return any(word_list("fields", "amount").match((word,)) for word in plain)


_PAIR = 2


def listed(names: Sequence[str], *, most: int = _MOST_NAMED) -> str:
    """`a`, `a and b`, `a, b and c`, with a count instead of what is too many."""
    unique = list(dict.fromkeys(names))
    if len(unique) > most:
        unique = [*unique[: most - 1], f"{len(unique) - most + 1} more"]
    if len(unique) < 2:
        return "".join(unique)
    return f"{', '.join(unique[:-1])} and {unique[-1]}"


def article(noun: str) -> str:
    """`a booking`, `an order`."""
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def noun_of(composed: Composed) -> str:
    return composed.about.noun or "write"


def why(kind: Kind, composed: Composed, fields: Sequence[str], operation: ApiOperation) -> str:
    """One sentence a reviewer would accept."""
    noun = noun_of(composed)
    named = listed([human(path) for path in fields])
    aside = _aside(composed)
    whole = article(noun)
    if not fields:
        return _why_nothing(kind, composed, operation)
    if kind == "update":
        where = "The path says which one; " if "{" in operation.path else ""
        return _sentence(f"{where}{named} {_are(fields)} what this changes{aside}.")
    if kind in ("action", "delete"):
        where = "The path says which one; " if "{" in operation.path else ""
        return _sentence(f"{where}{named} {_are(fields)} what it is done to or with{aside}.")
    if kind == "bulk":
        return f"The call is its {named}{aside}."
    return _sentence(f"{whole} is its {named}{aside}.")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _are(fields: Sequence[str]) -> str:
    return "is" if len(fields) == 1 else "are"


def _is_or_are(name: str) -> str:
    last = (words(name) or (name,))[-1]
    return "are" if singular(last) != last else "is"


def _aside(composed: Composed) -> str:
    """What was left out though each request has it, or though it stands out: the two that a reader would ask for."""
    chosen = {one.unit.path for one in composed.chosen}
    out = [one for one in composed.weighed if one.unit.path not in chosen and one.doubt]
    asked = [one for one in out if one.required] or [one for one in out if one.doubt == says("note")]
    if not asked:
        return ""
    said = [f"{human(one.unit.path)} {_is_or_are(one.unit.name)} {one.doubt}" for one in asked[:2]]
    return f"; {' and '.join(said)}"


def _why_nothing(kind: Kind, composed: Composed, operation: ApiOperation) -> str:
    noun = noun_of(composed)
    if kind in ("action", "delete", "update") and "{" in operation.path:
        return f"The path alone says what this is done to{_aside(composed)}."
    if composed.by == "path":
        return f"The path already carries the client's own name for the {noun}."
    if composed.by == "repeats":
        return f"The same {noun} made again means something, as the document says: each call is a {noun} of its own."
    if composed.by == "log":
        return f"{_sentence(_plural(noun))} are told apart by their text alone, which a model words anew."
    if not composed.weighed and "{" in operation.path:
        return "The request has nothing but its path."
    if not composed.weighed:
        return "The document shows no field that the request could have."
    return f"Nothing in the request tells one {noun} from another{_aside(composed)}."


def unsure(
    kind: Kind, composed: Composed, fields: Sequence[str], optional: frozenset[str], operation: ApiOperation
) -> tuple[str, ...]:
    """What the proposal was unsure of, a sentence each."""
    said: list[str] = []
    noun = noun_of(composed)
    if composed.by == "guess":
        said.append(f"What kind of thing {article(noun)} is was guessed from its fields.")
    have = {role for one in composed.chosen for role in one.roles}
    for group in composed.missing:
        told = any(set(alternative.split("+")) <= have for alternative in group)
        if kind in ("create", "upsert") and not told:
            said.append(f"No field was found that says {_role_words(group)}.")
    missing = [path for path in fields if path in optional]
    if missing and kind in ("create", "upsert"):
        some = listed([f"`{path}`" for path in missing], most=4)
        verb = "may be left out" if len(missing) == 1 else "may each be left out"
        said.append(f"{some} {verb}: two requests without {'it' if len(missing) == 1 else 'them'} count as one.")
    if kind == "create" and not fields and operation.body is None and "{" not in operation.path:
        said.append(_no_body(operation))
    if kind == "update" and fields:
        said.append("An update that changes only other fields within `keep` counts as a repeat.")
    return tuple(said)


def _no_body(operation: ApiOperation) -> str:
    """The document may leave the body out although the operation takes one: then its answer shows what there is."""
    answer = operation.success
    body = answer.body if answer is not None else None
    names = [f"`{field.path}`" for field in body.fields if _could_tell(field)][:_MOST_SHOWN] if body is not None else []
    shows = f" (its answer shows {listed(names)})" if names else ""
    return f"The document shows no body; if the operation takes one, its identity is for a person to name{shows}."


_MOST_SHOWN = 4


def _could_tell(field: Field) -> bool:
    name = phrase(field.name)
    roles = ("reference", "name", "party", "amount", "start", "date", "email")
    return field.depth <= 1 and not field.composite and any(word_list("fields", role).match(name) for role in roles)


def _role_words(group: Sequence[str]) -> str:
    """A group of roles as a question's answer: "when it begins"."""
    for role in group:
        name = role.split("+")[0].strip("*~")
        if name == "path":
            continue
        text = _ASKED.get(name)
        if text:
            return text
    return "what it is about"


_ASKED = {
    "start": "when it is",
    "resource": "what it is for",
    "party": "who it is for",
    "amount": "how much",
    "origin": "what it settles",
    "counterparty": "whom it is with",
    "content": "what it says",
    "recipient": "whom it is for",
    "email": "which person it is",
    "reference": "its own number",
    "name": "its name",
    "address": "where it calls",
    "file": "which file",
    "quantity": "how much",
    "kind": "what happened",
    "place": "where",
    "process": "what it runs",
    "measure": "what it says",
}


def warnings(
    kind: Kind, composed: Composed, identity: IdentityProposal, key: KeyProposal | None, operation: ApiOperation
) -> tuple[str, ...]:
    """What could go wrong with the proposal as it stands, a sentence each."""
    said: list[str] = []
    thing = composed.about.thing
    noun = noun_of(composed)
    path_says = "{" in operation.path and (kind in ("action", "delete", "update", "upsert") or composed.by == "path")
    if not identity.fields and not path_says:
        said.append(
            "No identity, so it is recorded per call: a crash replay of the same call is covered, the model's own"
            " repeats are not."
        )
    elif not identity.fields and kind == "create":
        said.append(f"The identity is the path alone: a second {noun} of the same path counts as a repeat.")
    chosen_roles = {role for one in composed.chosen for role in one.roles}
    if identity.fields and kind == "create" and thing is not None:
        if thing.money and "reference" not in chosen_roles:
            said.append(
                f"Two equal {_plural(noun)} within `keep` become one; a reference or another number of their own would"
                " tell them apart."
            )
        if thing.name == "person" and not (
            chosen_roles & {"email", "phone", "document", "reference", "birth", "login"}
        ):
            said.append("By name alone two namesakes become one.")
        if thing.repeats or composed.about.happening:
            said.append(f"An equal {noun} made again on purpose within `keep` counts as a repeat.")
        if thing.keep:
            said.append(f"The same words twice may be meant: `keep` is short ({thing.keep}).")
    if key is not None and key.place == "field" and key.name in identity.fields:
        said.append(
            f"The recipient dedupes by `{key.name}`, which is a number of the matter: the model fills it, so it is"
            " identity and not the host's key."
        )
    if operation.method in ("GET", "HEAD"):
        said.append("A GET that changes something: clients and caches may repeat it.")
    return tuple(said)


def _plural(noun: str) -> str:
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def whole(kind: Kind, operation: ApiOperation, identity: IdentityProposal, key: KeyProposal | None, probe: bool) -> str:
    """One sentence for the proposal: what the write is, and how it is kept single."""
    if key is not None:
        how = "the recipient dedupes by its key"
        if probe:
            how += ", and a read shows whether it is there"
    elif probe:
        how = "the host remembers it, and a read shows whether it is there"
    else:
        how = "the host remembers it; no read was found that shows whether it is there"
    names = {
        "create": "Makes something", "upsert": "Makes or replaces something", "update": "Changes something",
        "action": "Does something", "delete": "Removes something", "bulk": "Changes many things at once",
    }  # fmt: skip
    return f"{names.get(kind, 'Writes')}: {how}."


def left_out(composed: Composed) -> dict[str, str]:
    """Field to the reason why it is not in the identity. Fields that merely add nothing are named when they are few."""
    chosen = {one.unit.path for one in composed.chosen}
    rest = [one for one in composed.weighed if one.unit.path not in chosen]
    found = {one.unit.path: _reason(one) for one in rest if one.doubt}
    plain = [one for one in rest if not one.doubt]
    if len(plain) <= _MOST_PLAIN:
        found.update({one.unit.path: "not needed to tell two apart" for one in plain})
    return found


_MOST_PLAIN = 12


def _reason(one: Weighed) -> str:
    return one.barred or one.doubt


__all__ = ["human", "left_out", "listed", "unsure", "warnings", "whole", "why"]
