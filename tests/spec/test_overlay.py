import copy
import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wizard.errors import DocumentError, LimitError
from wizard.spec.overlay import apply_overlay
from wizard.spec.reader import read_bytes, read_document

HOUSE = """
openapi: 3.1.0
info: {title: House, version: '1'}
tags: [{name: rooms}]
paths:
  /bookings:
    post:
      tags: [bookings]
      requestBody: &body {content: {application/json: {schema: {properties: {room_id: {}}}}}}
    get: {}
  /charges:
    post: {requestBody: *body}
"""


def overlaid(actions, house=HOUSE, version="1.0.0"):
    overlay = f"overlay: {version}\ninfo: {{title: O, version: '1'}}\nactions:\n" + textwrap.dedent(actions)
    return read_bytes(house.encode(), "house.yaml", overlays={"o.yaml": overlay.encode()})


def test_an_update_merges_mappings_and_lengthens_lists():
    document = overlaid("""
        - target: $.paths['/bookings'].post
          update:
            tags: [money]
            summary: Book
            x-outturn-identity: [room_id]
        - target: $.info
          update: {title: Another}
        - target: $.tags
          update: {name: guests}
        - target: $.tags
          update: [{name: a}, {name: b}]
    """)
    assert document.problems == ()
    assert (document.title, document.version) == ("Another", "1")
    assert list(document.tags) == ["rooms", "guests", "a", "b"]
    found = document.by_name["POST /bookings"]
    assert (found.tags, found.summary) == (("bookings", "money"), "Book")
    assert found.extensions == {"x-outturn-identity": ["room_id"]}
    assert document.by_name["POST /charges"].extensions == {}


def test_what_an_alias_shares_is_changed_where_it_was_meant():
    document = overlaid("""
        - target: $.paths['/charges'].post.requestBody.content
          update: {application/json: {schema: {properties: {amount: {}}}}}
    """)
    assert [field.path for field in document.by_name["POST /bookings"].fields] == ["room_id"]
    assert [field.path for field in document.by_name["POST /charges"].fields] == ["room_id", "amount"]


def test_actions_follow_each_other():
    document = overlaid("""
        - target: $.paths
          update: {/new: {get: {}}}
        - target: $.paths['/new']
          update: {post: {summary: too}}
        - target: $.paths['/new'].get
          remove: true
    """)
    assert [found.name for found in document.operations if found.path == "/new"] == ["POST /new"]


def test_removing():
    document = overlaid("""
        - target: $.paths.*.get
          remove: true
        - target: $.paths['/bookings'].post.tags[*]
          remove: true
        - target: $.paths['/charges']
          remove: true
          update: {x-kept: no}
    """)
    assert [found.name for found in document.operations] == ["POST /bookings"]
    assert document.operations[0].tags == ()


def test_a_filter_selects():
    document = overlaid("""
        - target: $.paths.*[?@.tags]
          update: {deprecated: true}
    """)
    assert [found.name for found in document.operations if found.deprecated] == ["POST /bookings"]


def test_copying():
    document = overlaid(
        """
        - target: $.paths['/bookings'].get
          copy: $.paths['/bookings'].post
        - target: $.paths['/charges']
          copy: $.paths['/bookings']
        """,
        version="1.1.0",
    )
    assert document.by_name["GET /bookings"].tags == ("bookings",)
    assert document.by_name["GET /charges"].tags == ("bookings",)


def test_a_copy_of_the_whole_into_itself_is_what_it_was_before():
    document = overlaid("- {target: $.info, copy: $}\n", version="1.1.0")
    info = document.resolve("#/info")
    assert (info["title"], info["info"]["title"], "info" in info["info"]) == ("House", "House", False)
    assert list(info["paths"]) == ["/bookings", "/charges"]


def test_a_target_inside_another_that_was_replaced_is_said():
    document = overlaid("- {target: $, update: {a: {b: {b: 1}}}}\n- {target: $.a..b, update: [1]}\n")
    assert document.resolve("#/a") == {"b": [1]}
    assert [problem.pointer for problem in document.problems] == ["o.yaml#/actions/1/update"]


def test_a_scalar_is_replaced():
    document = overlaid("- {target: $.info.title, update: New}\n")
    assert document.title == "New"


@pytest.mark.parametrize(
    ("actions", "said", "pointer"),
    [
        ("- {target: $.paths.missing, update: {}}", "`$.paths.missing` selects nothing", "actions/0/target"),
        ("- {target: 'paths..', update: {}}", "`paths..` is no JSONPath", "actions/0/target"),
        ("- {target: '$[?match(@.a, \"(a+)+$\")]', update: {}}", "is no JSONPath that can be used", "actions/0/target"),
        ("- {target: 1, update: {}}", "a JSONPath is a text", "actions/0/target"),
        ("- {update: {}}", "a JSONPath is a text", "actions/0/target"),
        ("- x", "an action is a mapping", "actions/0"),
        ("- {target: $.info}", "says neither `update` nor `remove`", "actions/0"),
        ("- {target: $, remove: true}", "the whole document cannot be removed", "actions/0/target"),
        ("- {target: $.info, copy: $.missing}", "selects nothing; a copy needs one", "actions/0/copy"),
        ("- {target: $.info, copy: $.paths.*}", "selects more than one value; a copy needs one", "actions/0/copy"),
    ],
)  # fmt: skip
def test_what_cannot_be_applied_is_a_problem_and_the_rest_is_applied(actions, said, pointer):
    document = overlaid(f"{actions}\n- {{target: $.info, update: {{title: Rest}}}}\n")
    assert document.title == "Rest"
    assert len(document.problems) == 1
    problem = document.problems[0]
    assert problem.message.startswith("overlay: ")
    assert said in problem.message
    assert problem.pointer == f"o.yaml#/{pointer}"
    place = document.place(problem.pointer)
    assert (place.name, place.position.line) == ("o.yaml", 4)


def test_an_unknown_version_is_applied_and_said():
    document = overlaid("- {target: $.info, update: {title: New}}\n", version="2.0.0")
    assert document.title == "New"
    assert "version `2.0.0` of overlays is not known" in document.problems[0].message


def test_what_an_overlay_brought_has_its_place_there():
    document = overlaid("""
        - target: $.paths['/bookings'].post
          update:
            x-outturn-identity:
            - room_id
            tags:
            - first
            - second
    """)
    at = "#/paths/~1bookings/post"
    assert str(document.place(f"{at}/x-outturn-identity/0")) == "o.yaml:8:7"
    assert str(document.place(f"{at}/tags/0")) == "house.yaml:8:14"
    assert str(document.place(f"{at}/tags/2")) == "o.yaml:11:7"
    assert str(document.place(f"{at}/requestBody")) == "house.yaml:9:20"


@pytest.mark.parametrize(
    "data",
    [b"", b"a: 1\n", b"[]", b"openapi: 3.1.0\n", b"overlay: 1.0.0\n", b"overlay: 1.0.0\nactions: 1\n", b"a: b: c\n"],
)
def test_what_is_no_overlay_is_refused(data):
    with pytest.raises(DocumentError) as caught:
        read_bytes(HOUSE.encode(), overlays={"o.yaml": data})
    assert caught.value.place.startswith("o.yaml")


def test_overlays_are_files_too(tmp_path):
    (tmp_path / "house.yaml").write_text(HOUSE)
    (tmp_path / "o.yaml").write_text("overlay: 1.0.0\nactions: [{target: $.info, update: {title: New}}]\n")
    assert read_document(tmp_path / "house.yaml", overlays=[tmp_path / "o.yaml"]).title == "New"
    with pytest.raises(DocumentError, match="there is no such file"):
        read_document(tmp_path / "house.yaml", overlays=[tmp_path / "none.yaml"])


def test_a_growing_overlay_is_refused(monkeypatch):
    monkeypatch.setattr("wizard.spec.overlay.MAX_OVERLAID", 10_000)
    doubling = "- {target: $.tags, copy: $.tags}\n" * 40
    with pytest.raises(LimitError, match="it brings more than"):
        overlaid(doubling)
    deep = "- {target: $.info, update: " + "{x: " * 100 + "1" + "}" * 100 + "}\n"
    deep += "- {target: $.info" + ".x" * 99 + ", copy: $}\n- {target: $.tags, copy: $}\n"
    with pytest.raises(LimitError, match="nested deeper"):
        overlaid(deep)
    nesting = "- {target: $.info, update: {x: {}}}\n" + "- {target: $.info.x, copy: $.info}\n" * 200
    with pytest.raises(LimitError):
        overlaid(nesting)


VALUES = st.recursive(
    st.none() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=10,
)
PATHS = st.lists(st.sampled_from([".a", ".b", ".*", "..b", "[0]", "[-1]", "['c']"]), max_size=3).map(
    lambda steps: "$" + "".join(steps)
)
ACTIONS = st.lists(
    st.builds(
        lambda target, what: {"target": target, what[0]: what[1]},
        PATHS,
        st.tuples(st.just("update"), VALUES) | st.just(("remove", True)) | st.tuples(st.just("copy"), PATHS),
    ),
    max_size=5,
)  # fmt: skip


@given(st.dictionaries(st.sampled_from("abc"), VALUES, max_size=3), ACTIONS)
@settings(deadline=None, max_examples=200)
def test_no_overlay_changes_the_document_that_was_given(root, actions):
    before, given_actions = copy.deepcopy(root), copy.deepcopy(actions)
    said = []
    made = apply_overlay(root, {"overlay": "1.1.0", "actions": actions}, "o", lambda *words: said.append(words))
    assert root == before
    assert actions == given_actions
    for names, source in made.added.items():
        assert source[0] == "actions"
        assert names
