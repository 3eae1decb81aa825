"""YAML and JSON text as nodes that know their spans, and the smallest edits of it. Pure.

`reading.read_yaml` and `json_reading.read_json` give a tree of nodes, `editing.edit_text` a changed text, `printing`
prints values.
"""
