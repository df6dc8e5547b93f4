# SPDX-License-Identifier: MIT
"""validate_schema.py SCHEMA PROGRAM [ARGUMENT...]: runs the program and holds
the JSON on its stdout against the schema. Exit code 77: jsonschema is not
installed."""

import json
import subprocess
import sys


def refuse_constant(name):
    raise ValueError(f"{name} is no JSON")


def main():
    try:
        import jsonschema
    except ImportError:
        print("jsonschema is not installed")
        return 77
    schema_file, *command = sys.argv[1:]
    with open(schema_file, encoding="utf-8") as stream:
        schema = json.load(stream)
    validator = jsonschema.Draft202012Validator
    validator.check_schema(schema)
    text = subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout
    document = json.loads(text.decode("utf-8"), parse_constant=refuse_constant)
    errors = list(validator(schema).iter_errors(document))
    for error in errors:
        print("/".join(map(str, error.absolute_path)), error.message[:300])
    return 1 if errors else 0


sys.exit(main())
