"""The words of the domain: what an operation says of itself (FORMAT 2 and 4). Pure: values in, values out."""
