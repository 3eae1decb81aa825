"""Bodies flattened to fields: allOf, branches, null, read-only names, arrays, cycles."""

import orjson
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from wizard.operation.field_path import FieldPath
from wizard.spec.reader import read_bytes


def body(schema, *, components="", answer=False):
    """The body that has a schema (YAML), as a request or an answer."""
    content = {"content": {"application/json": {"schema": yaml.safe_load(schema)}}}
    operation = {"responses": {"200": content}} if answer else {"requestBody": content}
    root = {
        "openapi": "3.1.0",
        "paths": {"/a": {"post": operation}},
        "components": {"schemas": yaml.safe_load(components) or {}},
    }
    document = read_bytes(orjson.dumps(root))
    found = document.operations[0]
    assert document.problems == ()
    result = found.success.body if answer else found.body
    for field in result.fields:
        assert document.resolve(field.pointer) is not None
        if field.required_at:
            assert field.name in document.resolve(field.required_at)
    return result


def shown(found):
    """Each field as `path!` where it is required, `path!!` where it stands in each request, with its branch."""
    return [
        f"{field.path}{'!' * (field.required + field.always)}{f' ({field.branch})' if field.branch else ''}"
        for field in found.fields
    ]


def test_members_stand_behind_what_holds_them():
    found = body("""
        required: [customer, items]
        properties:
          customer:
            required: [email]
            properties: {email: {type: string}, name: {type: string}}
          note: {type: string}
          items:
            type: array
            items:
              required: [sku]
              properties: {sku: {type: string}, parts: {type: array, items: {properties: {id: {}}}}}
          tags: {type: array, items: {type: string}}
          grid: {type: array, items: {type: array, items: {properties: {x: {type: integer}}}}}
    """)
    assert shown(found) == [
        "customer!!", "customer.email!!", "customer.name", "note", "items!!", "items[].sku!!", "items[].parts",
        "items[].parts[].id", "tags", "grid", "grid[][].x",
    ]  # fmt: skip
    by_path = found.by_path
    assert by_path["items[].sku"].parent == "items[]"
    assert by_path["items[].parts[].id"].parent == "items[].parts[]"
    assert (by_path["items"].composite, by_path["tags"].composite) == (True, False)
    assert (by_path["tags"].shape.type, by_path["tags"].shape.item_type) == ("array", "string")
    assert [field.depth for field in found.fields] == [0, 1, 1, 0, 0, 1, 1, 2, 0, 0, 1]


def test_required_inside_an_optional_object_is_not_always_there():
    found = body("properties: {money: {required: [value], properties: {value: {type: number}}}}")
    assert shown(found) == ["money", "money.value!"]


def test_all_of_merges():
    found = body(
        """
        allOf:
        - $ref: '#/components/schemas/Base'
        - required: [b]
          properties: {b: {type: string}, id: {description: the client's choice}}
        required: [c]
        properties: {c: {type: integer}}
        """,
        components="Base: {title: A base, required: [id], properties: {id: {type: string, maxLength: 36}, a: {}}}",
    )
    assert shown(found) == ["id!!", "a", "b!!", "c!!"]
    shape = found.by_path["id"].shape
    assert (shape.type, shape.max_length, shape.description) == ("string", 36, "the client's choice")


def test_words_beside_a_ref_hold_too():
    found = body(
        "properties: {price: {$ref: '#/components/schemas/Money', description: What to pay, nullable: true}}",
        components="Money: {description: Some money, required: [value], properties: {value: {type: number}}}",
    )
    price = found.by_path["price"]
    assert (price.schema_name, price.shape.description, price.shape.nullable) == ("Money", "What to pay", True)
    assert shown(found) == ["price", "price.value!"]


def test_branches_keep_their_members():
    found = body(
        """
        required: [amount]
        properties: {amount: {type: integer}}
        oneOf:
        - $ref: '#/components/schemas/Card'
        - title: Bank transfer
          required: [kind, iban]
          properties: {kind: {const: bank}, iban: {type: string}}
        - required: [kind]
          properties: {kind: {const: cash}}
        """,
        components="Card: {required: [kind, number], properties: {kind: {const: card}, number: {type: string}}}",
    )
    assert shown(found) == ["kind!!", "number (Card)", "iban (Bank transfer)", "amount!!"]
    assert found.by_path["kind"].shape.enum == ("card", "bank", "cash")


def test_a_branch_without_title_and_name_is_named_by_its_pointer():
    found = body("anyOf: [{properties: {a: {}}}, {properties: {b: {}}}]")
    pointer = "#/paths/~1a/post/requestBody/content/application~1json/schema"
    assert shown(found) == [f"a ({pointer}/anyOf/0)", f"b ({pointer}/anyOf/1)"]


def test_a_member_that_some_branches_have_names_them():
    found = body("""
        oneOf:
        - {title: A, properties: {x: {}}}
        - {title: B, properties: {x: {}, y: {}}}
        - {title: C, properties: {z: {}}}
    """)
    assert shown(found) == ["x (A, B)", "y (B)", "z (C)"]


def test_what_every_branch_requires_is_required():
    found = body("properties: {a: {}, b: {}}\nanyOf: [{required: [a]}, {required: [b, a]}]")
    assert shown(found) == ["a!!", "b"]


def test_the_members_of_a_branch_hand_on_their_branch():
    found = body("oneOf: [{title: A, properties: {x: {properties: {y: {}}}}}, {title: B, properties: {z: {}}}]")
    assert shown(found) == ["x (A)", "x.y (A)", "z (B)"]


def test_an_object_in_all_branches_has_the_members_of_each():
    found = body(
        """
        oneOf:
        - {title: A, required: [data], properties: {data: {required: [id], properties: {id: {}, a: {}}}}}
        - {title: B, required: [data], properties: {data: {required: [id], properties: {id: {}, b: {}}}}}
        """
    )
    assert [field.path for field in found.fields] == ["data", "data.id", "data.a", "data.b"]
    assert [field.always for field in found.fields] == [True, True, False, False]
    assert found.by_path["data.a"].branch


@pytest.mark.parametrize(
    "schema",
    [
        "anyOf: [{type: string, maxLength: 9}, {type: 'null'}]",
        "oneOf: [{type: 'null'}, {type: string, maxLength: 9}]",
        "anyOf: [{type: string, maxLength: 9}, {enum: [null]}]",
        "anyOf: [{type: string, maxLength: 9}, {const: null}]",
        "{type: [string, 'null'], maxLength: 9}",
        "{type: ['null', string], maxLength: 9}",
        "{type: string, nullable: true, maxLength: 9}",
        "{type: string, x-nullable: true, maxLength: 9}",
    ],
)
def test_null_makes_the_rest_nullable(schema):
    shape = body("properties: {a: " + (schema if schema.startswith("{") else "{" + schema + "}") + "}").fields[0].shape
    assert (shape.type, shape.max_length, shape.nullable) == ("string", 9, True)


def test_null_beside_an_object_is_no_branch():
    found = body("properties: {a: {anyOf: [{required: [b], properties: {b: {}}}, {type: 'null'}]}}")
    assert shown(found) == ["a", "a.b!"]


def test_a_text_beside_an_object_is_no_branch_of_its_members():
    found = body("properties: {a: {anyOf: [{type: string, enum: ['']}, {required: [b], properties: {b: {}}}]}}")
    assert shown(found) == ["a", "a.b!"]
    assert found.by_path["a"].shape.enum == ()


def test_yaml_null_as_a_type():
    found = read_bytes(b"""
openapi: 3.1.0
paths: {/a: {post: {requestBody: {content: {application/json: {schema: {properties: {b: {type: [string, null]}}}}}}}}}
""")
    assert found.operations[0].fields[0].shape.nullable


def test_read_only_names_are_not_required_of_a_request():
    schema = "{required: [id, a, pw], properties: {id: {readOnly: true}, a: {}, pw: {writeOnly: true}}}"
    assert shown(body(schema)) == ["id", "a!!", "pw!!"]
    assert body(schema).by_path["id"].shape.read_only
    assert shown(body(schema, answer=True)) == ["id!!", "a!!", "pw"]


def test_read_only_is_seen_through_a_ref():
    found = body(
        "{required: [id], properties: {id: {$ref: '#/components/schemas/Id'}}}", components="Id: {readOnly: true}"
    )
    assert shown(found) == ["id"]


def test_required_as_a_flag_of_the_property_is_understood():
    found = body("properties: {a: {type: string}}")
    assert shown(found) == ["a"]
    root = {"properties": {"a": {"type": "string", "required": True}, "b": {"required": False}}}
    document = read_bytes(orjson.dumps({"openapi": "3.0.0", "paths": {"/a": {"post": {"requestBody": {
        "content": {"application/json": {"schema": root}}}}}}}))  # fmt: skip
    assert shown(document.operations[0].body) == ["a!!", "b"]


def test_a_required_name_that_is_no_property_is_a_problem():
    document = read_bytes(b"""
openapi: 3.0.0
paths: {/a: {post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}}}
components: {schemas: {A: {required: [nmae, id], properties: {id: {}, name: {}}}}}
""")
    assert shown(document.operations[0].body) == ["id!!", "name"]
    assert [(found.message, found.pointer) for found in document.problems] == [
        ("`required` names `nmae`, which is no property here", "#/components/schemas/A/required")
    ]


def test_a_discriminator_brings_its_subtypes():
    components = """
        Pet:
          discriminator: {propertyName: kind, mapping: {cat: '#/components/schemas/Cat', dog: Dog}}
          required: [kind]
          properties: {kind: {type: string}}
        Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {properties: {lives: {type: integer}}}]}
        Dog: {allOf: [{$ref: '#/components/schemas/Pet'}, {properties: {size: {type: string}}}]}
    """
    found = body("$ref: '#/components/schemas/Pet'", components=components)
    assert shown(found) == ["kind!!", "lives (Cat)", "size (Dog)"]
    assert shown(body("$ref: '#/components/schemas/Cat'", components=components)) == ["kind!!", "lives"]


def test_a_discriminator_without_mapping_finds_its_subtypes():
    components = """
        Pet: {discriminator: {propertyName: kind}, required: [kind], properties: {kind: {type: string}}}
        Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {properties: {lives: {type: integer}}}]}
        Dog: {allOf: [{$ref: '#/components/schemas/Pet'}, {properties: {size: {type: string}}}]}
    """
    assert shown(body("$ref: '#/components/schemas/Pet'", components=components)) == [
        "kind!!", "lives (Cat)", "size (Dog)",
    ]  # fmt: skip
    assert shown(body("$ref: '#/components/schemas/Dog'", components=components)) == ["kind!!", "size"]


def test_a_supertype_that_lists_its_subtypes():
    components = """
        Pet:
          oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]
          required: [kind]
          properties: {kind: {type: string}}
        Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {properties: {lives: {type: integer}}}]}
        Dog: {allOf: [{$ref: '#/components/schemas/Pet'}, {properties: {size: {type: string}}}]}
    """
    for first, second in (("Pet", "Cat"), ("Cat", "Pet")):
        document = read_bytes(orjson.dumps({
            "openapi": "3.0.0", "components": {"schemas": yaml.safe_load(components)},
            "paths": {f"/{name}": {"post": {"requestBody": {"content": {"application/json": {"schema": {
                "$ref": f"#/components/schemas/{name}"}}}}}} for name in (first, second)},
        }))  # fmt: skip
        fields = {found.path: shown(found.body) for found in document.operations}
        assert fields["/Cat"] == ["kind!!", "lives"]
        assert sorted(fields["/Pet"]) == ["kind!!", "lives (Cat)", "size (Dog)"]


def test_conditions_are_branches():
    found = body("""
        properties: {kind: {}}
        if: {properties: {kind: {const: a}}}
        then: {required: [x, z], properties: {x: {}, z: {}}}
        else: {required: [y, z], properties: {y: {}, z: {}}}
    """)
    assert [field.path for field in found.fields if not field.branch] == ["z", "kind"]
    assert found.by_path["z"].required
    assert not found.by_path["x"].required


def test_a_condition_without_else_requires_nothing():
    found = body("{properties: {kind: {}}, if: {}, then: {required: [x], properties: {x: {}}}}")
    assert not found.by_path["x"].required
    assert found.by_path["x"].branch


def test_an_array_as_body_is_one_field_and_its_elements_stand_apart():
    found = body("{type: array, items: {required: [sku], properties: {sku: {}, size: {properties: {x: {}}}}}}")
    assert [(field.path, field.always, field.composite, field.shape.type) for field in found.fields] == [
        ("$body", True, False, "array")
    ]
    assert FieldPath.parse(found.fields[0].path).whole_body
    assert [field.path for field in found.element] == ["sku", "size", "size.x"]
    assert found.element[0].always


def test_a_scalar_and_a_map_have_no_fields():
    assert body("type: string").fields == ()
    found = body("{type: object, additionalProperties: {properties: {a: {}}}}")
    assert (found.fields, found.shape.type) == ((), "object")


def test_the_type_is_told_by_other_words_where_it_is_missing():
    found = body("properties: {a: {properties: {b: {}}}, c: {items: {type: string}}, d: {additionalProperties: true}}")
    assert [field.shape.type for field in found.fields] == ["object", "", "array", "object"]
    assert found.shape.type == "object"


def test_every_fact_of_a_shape_is_read():
    found = body("""
        properties:
          a:
            type: string
            format: date
            pattern: '^(a+)+$'
            minLength: 2
            maxLength: 8.0
            enum: [x, y, null]
            default: x
            example: y
            examples: [x]
            title: T
            description: D
            deprecated: true
            writeOnly: true
            x-order: 3
    """)
    shape = found.fields[0].shape
    assert (shape.type, shape.format, shape.pattern, shape.min_length, shape.max_length) == (
        "string", "date", "^(a+)+$", 2, 8,
    )  # fmt: skip
    assert (shape.enum, shape.nullable, shape.default, shape.examples) == (("x", "y"), True, "x", ("y", "x"))
    assert (shape.title, shape.description, shape.deprecated, shape.write_only) == ("T", "D", True, True)
    assert shape.extensions == {"x-order": 3}


def test_of_several_forms_of_a_value_what_all_allow_is_told():
    found = body("""
        properties:
          a: {anyOf: [{type: string, maxLength: 5, enum: [x]}, {type: string, maxLength: 9, const: y}]}
          b: {anyOf: [{type: string, maxLength: 5}, {type: integer}]}
          c: {allOf: [{maxLength: 5, minLength: 1}, {maxLength: 9, minLength: 2, type: string}]}
    """)
    a, b, c = (field.shape for field in found.fields)
    assert (a.enum, a.max_length) == (("x", "y"), 9)
    assert (b.type, b.max_length) == ("string", None)
    assert (c.min_length, c.max_length) == (2, 5)


NAMES = st.text(alphabet='ab.[]:?"\\$ /~é\n', max_size=5)
SCHEMAS = st.deferred(
    lambda: st.one_of(
        st.builds(lambda: {"type": "string"}),
        st.builds(lambda inner: {"type": "array", "items": inner}, SCHEMAS),
        st.builds(
            lambda members, required: {"type": "object", "properties": members, "required": required},
            st.dictionaries(NAMES, SCHEMAS, max_size=3),
            st.lists(NAMES, max_size=2),
        ),
    )
)


def sample(schema):
    """A value that has everything a schema names."""
    if "properties" in schema:
        return {name: sample(part) for name, part in schema["properties"].items()}
    return [sample(schema["items"])] if "items" in schema else "v"


@given(SCHEMAS)
@settings(max_examples=100, deadline=None)
def test_every_field_is_found_in_a_body_by_its_path(schema):
    root = {"openapi": "3.1.0", "paths": {"/a": {"post": {"requestBody": {"content": {"a/json": {"schema": schema}}}}}}}
    document = read_bytes(orjson.dumps(root))
    value = sample(schema)
    for field in document.operations[0].fields:
        path = FieldPath.parse(field.path)
        assert str(path) == field.path
        if not path.whole_body:
            assert path.segments[-1].name == field.name
            assert "MISSING" not in repr(path.get(value))
        assert document.resolve(field.pointer) is not None
