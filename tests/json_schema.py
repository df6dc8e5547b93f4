"""The part of JSON Schema that the report's schema uses, and no more: an
unknown keyword is an error, so that nothing goes unchecked."""

import re

TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
}
ANNOTATIONS = {"$schema", "$id", "$defs", "title", "description", "examples", "default", "$comment"}


def is_type(value, name):
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def check_object(value, schema, root, path):
    if not isinstance(value, dict):
        return
    properties = schema.get("properties", {})
    patterns = schema.get("patternProperties", {})
    for name in schema.get("required", []):
        if name not in value:
            yield f"{path}: {name} is missing"
    for name, item in value.items():
        matching = [s for p, s in patterns.items() if re.search(p, name)]
        if name in properties:
            matching.append(properties[name])
        if not matching:
            matching = [schema.get("additionalProperties", True)]
        for one in matching:
            yield from violations(item, one, root, f"{path}.{name}")
        if "propertyNames" in schema:
            yield from violations(name, schema["propertyNames"], root, f"{path}.{name}")


def check_array(value, schema, root, path):
    if not isinstance(value, list):
        return
    if len(value) < schema.get("minItems", 0):
        yield f"{path}: fewer than {schema['minItems']} items"
    if "maxItems" in schema and len(value) > schema["maxItems"]:
        yield f"{path}: more than {schema['maxItems']} items"
    if schema.get("uniqueItems") and any(v in value[:i] for i, v in enumerate(value)):
        yield f"{path}: items are not unique"
    for index, item in enumerate(value):
        yield from violations(item, schema.get("items", True), root, f"{path}[{index}]")


def check_value(value, schema, path):
    if "type" in schema:
        names = schema["type"]
        names = [names] if isinstance(names, str) else names
        if not any(is_type(value, name) for name in names):
            yield f"{path}: {value!r} is no {' or '.join(names)}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{path}: {value!r} is none of {schema['enum']}"
    if "const" in schema and value != schema["const"]:
        yield f"{path}: {value!r} is not {schema['const']!r}"
    if isinstance(value, str):
        if "pattern" in schema and not re.search(schema["pattern"], value):
            yield f"{path}: {value!r} does not match {schema['pattern']}"
        if len(value) < schema.get("minLength", 0):
            yield f"{path}: {value!r} is too short"
    if is_type(value, "number"):
        if value < schema.get("minimum", value) or value > schema.get("maximum", value):
            yield f"{path}: {value} is out of range"


def check_combinations(value, schema, root, path):
    for name, wanted in (("anyOf", range(1, 10**6)), ("oneOf", range(1, 2))):
        if name in schema:
            fitting = [s for s in schema[name] if not list(violations(value, s, root, path))]
            if len(fitting) not in wanted:
                yield f"{path}: {value!r} fits {len(fitting)} of {name}"
    for one in schema.get("allOf", []):
        yield from violations(value, one, root, path)
    if "not" in schema and not list(violations(value, schema["not"], root, path)):
        yield f"{path}: {value!r} is excluded"
    if "if" in schema:
        holds = not list(violations(value, schema["if"], root, path))
        yield from violations(value, schema.get("then" if holds else "else", True), root, path)


KEYWORDS = ANNOTATIONS | set(
    "$ref type enum const pattern minLength minimum maximum properties required"
    " patternProperties additionalProperties propertyNames items minItems"
    " maxItems uniqueItems anyOf oneOf allOf not if then else".split()
)


def violations(value, schema, root=None, path="$"):
    """Every place where a value breaks the schema, as text."""
    root = schema if root is None else root
    if isinstance(schema, bool):
        if not schema:
            yield f"{path}: not allowed here"
        return
    unknown = set(schema) - KEYWORDS
    if unknown:
        raise ValueError(f"{path}: unknown schema keywords {sorted(unknown)}")
    if "$ref" in schema:
        target = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        yield from violations(value, target, root, path)
    yield from check_value(value, schema, path)
    yield from check_object(value, schema, root, path)
    yield from check_array(value, schema, root, path)
    yield from check_combinations(value, schema, root, path)
