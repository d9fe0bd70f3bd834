"""Reduces the schema of OpenDocument, as odfpy has it from OASIS's RELAX NG, to the elements that hold text, directly or
within others, for test/formats/schemas: python3 opendocument.py OUTPUT.json (needs odfpy: pip install odfpy)."""

import json
import sys

from odf.grammar import allowed_children, allows_text
from odf.namespaces import nsdict


def name_of(key):
    return f"{nsdict[key[0]]}:{key[1]}"


texts = set(allows_text)
holders = set(texts)
before = -1
while before != len(holders):
    before = len(holders)
    for key, children in allowed_children.items():
        if any(child in holders for child in children or ()):
            holders.add(key)
keys = sorted(holders)
numbers = {key: number for number, key in enumerate(keys)}
elements = [
    [name_of(key), int(key in texts), [numbers[child] for child in allowed_children.get(key) or () if child in numbers]]
    for key in keys
]
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write(json.dumps(elements, separators=(",", ":")) + "\n")
print(f"{len(allowed_children)} elements, {len(elements)} hold text")
