"""YAML and JSON text as nodes that know their spans, and the smallest edits of it. Pure."""
