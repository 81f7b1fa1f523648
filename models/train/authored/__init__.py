"""Author-made training text (templates and slots), written for Forebay; Apache-2.0 like the code."""
