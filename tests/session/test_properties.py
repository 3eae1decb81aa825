"""Whatever an author does, in whatever order: nothing is lost, and everything can be taken back."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from wizard.errors import UsageError
from wizard.infer.propose import propose_document
from wizard.operation.duration import Duration
from wizard.operation.model import KeyPlace
from wizard.operation.parsing import parse_operation
from wizard.operation.printing import print_operation
from wizard.session import steps
from wizard.session.drafts import print_drafts, read_drafts
from wizard.session.fields import field_rows
from wizard.session.state import Session
from wizard.spec.reader import read_document

DOCUMENT = read_document(Path(__file__).resolve().parents[2] / "samples" / "hollowbrook" / "openapi.yaml")
PROPOSALS = propose_document(DOCUMENT)
FRESH = steps.begin(DOCUMENT)
HOTEL = steps.with_proposals(FRESH, *PROPOSALS)
NAMES = list(HOTEL.entries)
FIELDS = {
    entry.name: [row.path for row in field_rows(entry) if not row.fixed and row.pointer]
    for entry in HOTEL
    if entry.is_write
}

names = st.sampled_from(NAMES)
moves = st.one_of(
    st.tuples(st.just("confirm"), names),
    st.tuples(st.just("skip"), names),
    st.tuples(st.just("no"), names),
    st.tuples(st.just("yes"), names),
    st.tuples(st.just("reopen"), names),
    st.tuples(st.just("proposed"), names),
    st.tuples(st.just("key"), names, st.sampled_from(["header Once", "query once", "field once.id", ""])),
    st.tuples(st.just("keep"), names, st.sampled_from([None, 60, 3600])),
    st.tuples(st.just("prose"), names, st.sampled_from([None, "Mind the step.\n"])),
    st.tuples(st.just("scope"), names, st.sampled_from(["call", "arguments"])),
    st.sampled_from(sorted(FIELDS)).filter(lambda name: FIELDS[name]).flatmap(
        lambda name: st.tuples(st.just("toggle"), st.just(name), st.sampled_from(FIELDS[name]))
    ),
    st.tuples(st.just("add"), names, st.sampled_from(["their.number", "query:tenant", "lines[].sku"])),
)  # fmt: skip


def moved(session: Session, move: tuple[str, ...]) -> Session:
    kind, name, *rest = move
    value = rest[0] if rest else None
    try:
        match kind:
            case "confirm":
                return steps.confirm(session, name)
            case "skip":
                return steps.skip(session, name, "later")
            case "no":
                return steps.not_a_write(session, name)
            case "yes":
                return steps.is_a_write(session, name)
            case "reopen":
                return steps.reopen(session, name)
            case "proposed":
                return steps.as_proposed(session, name)
            case "key":
                place, _, field = str(value).partition(" ")
                key = KeyPlace(place, field) if place else None  # type: ignore[arg-type]
                return steps.set_key(session, name, key, source="a page")
            case "keep":
                return steps.set_keep(session, name, None if value is None else Duration(int(value)))
            case "prose":
                return steps.set_prose(session, name, value)
            case "scope":
                return steps.set_scope(session, name, str(value))
            case "toggle":
                return steps.toggle_identity(session, name, str(value))
            case _:
                return steps.add_field(session, name, str(value))
    except UsageError:
        # A step that is refused changes nothing.
        return session


def walk(found: list[tuple[str, ...]]) -> Session:
    session = HOTEL
    for move in found:
        session = moved(session, move)
    return session


@settings(max_examples=60, deadline=None)
@given(st.lists(moves, max_size=12))
def test_all_that_was_done_can_be_taken_back_and_done_again(found: list[tuple[str, ...]]) -> None:
    session = walk(found)
    back = session
    while back.past:
        back = steps.undo(back)
    assert back.entries == HOTEL.entries
    while back.future:
        back = steps.redo(back)
    assert back.entries == session.entries


@settings(max_examples=60, deadline=None)
@given(st.lists(moves, max_size=12))
def test_drafts_bring_all_of_it_back(found: list[tuple[str, ...]]) -> None:
    session = walk(found)
    text = print_drafts(session)
    later = steps.resume(HOTEL, None, {}, read_drafts(text, FRESH, "drafts.json"))
    assert print_drafts(later) == text
    for entry in session:
        again = later[entry.name]
        assert (again.choice, again.declaration, again.as_write) == (entry.choice, entry.declaration, entry.as_write)
        assert (again.prose or None, again.key_source) == (entry.prose or None, entry.key_source)


@settings(max_examples=60, deadline=None)
@given(st.lists(moves, max_size=12))
def test_every_declaration_that_stands_can_be_written(found: list[tuple[str, ...]]) -> None:
    for entry in walk(found):
        operation = entry.to_write
        assert operation is not None
        assert parse_operation(print_operation(operation)) == (operation, ())


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_toggling_a_field_that_stands_alone_twice_changes_nothing(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(name for name, found in FIELDS.items() if found)))
    field = data.draw(st.sampled_from(FIELDS[name]))
    once = steps.toggle_identity(HOTEL, name, field)
    twice = steps.toggle_identity(once, name, field)
    first, after = HOTEL[name].declaration, twice[name].declaration
    assert first is not None
    assert after is not None
    related = [
        path
        for path in first.identity
        if path.name != field and (path.name.startswith(field) or field.startswith(path.name))
    ]
    if not related:
        assert {path.name for path in after.identity} == {path.name for path in first.identity}
    assert not (related and any(path in after.identity for path in related))
