"""What a rehearsal is printed as; one module a format, found by its folder."""
